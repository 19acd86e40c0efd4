//! Implements the queries of a linked program and records the inputs that each of them reads.

use crate::call_summary::CallSummary;
use crate::dependencies::{Dependencies, Input, StepBounds};
use crate::inputs::InlineBudget;
use crate::program::{Definition, Program};
use crate::pure_calls::{PureCall, PureCallResult};
use crate::queries::{Callee, Global, Queries};
use crate::statement_cache::Rewriting;
use crate::symbols::{UnitSymbols, is_definition};
use premiss_ast::syntax::{
    Function, GlobalName, Lifetime, Name, Notation, Object, Statement, Struct, StructId, TextRange,
    TypeName, UnitId,
};
use premiss_ast::{NameUses, SyntaxFacts};
use premiss_source::Span;
use std::sync::Arc;

/// The maximum length of a quoted text, in characters.
const MAX_QUOTED: usize = 200;

impl Queries for Program<'_> {
    fn notation(&self, unit: UnitId) -> Notation {
        // The notation is the same for all units of a program.
        self.linked().inputs(unit).syntax.notation()
    }

    fn span(&self, at: TextRange) -> Span {
        self.linked().span(at)
    }

    fn text(&self, at: TextRange) -> String {
        self.read_unit(at.unit);
        let text = self.linked().sources.text(self.span(at));
        let words: Vec<&str> = text.split_whitespace().collect();
        let joined = words.join(" ");
        match joined.char_indices().nth(MAX_QUOTED) {
            Some((end, _)) => format!("{}…", &joined[..end]),
            None => joined,
        }
    }

    fn is_standard(&self, at: TextRange) -> bool {
        self.linked().is_standard(at)
    }

    fn callee(&self, unit: UnitId, name: &Name) -> Callee<'_> {
        match self.resolve(unit, name) {
            Definition::Unit(unit) => {
                // A caller that inlines the function records further inputs.
                self.record(Input::Signatures(unit));
                let function = self.linked().unit(unit).contents().functions.get(name);
                function.map_or(Callee::Undefined, Callee::Body)
            }
            Definition::Stated(effect) => Callee::Stated(effect),
            Definition::Ambiguous => Callee::Ambiguous,
            Definition::Undefined => Callee::Undefined,
        }
    }

    fn definition(&self, unit: UnitId, name: &Name) -> Option<GlobalName> {
        self.resolve(unit, name).global_name(name)
    }

    fn is_model(&self, function: &Function) -> bool {
        function.at.unit == self.linked().models.builtin
    }

    fn function(&self, name: &GlobalName) -> Option<&Arc<Function>> {
        let contents = self.read_unit(name.unit).contents();
        contents.functions.get(&name.name)
    }

    fn prototype(&self, name: &GlobalName) -> Option<Arc<TypeName>> {
        let mut scope = self.read_scope_of(name);
        scope.find_map(|unit| unit.contents().prototypes.get(&name.name).cloned())
    }

    fn is_function(&self, name: &GlobalName) -> bool {
        self.record(Input::Declaration(name.unit, &name.name));
        let own = self.linked().unit(name.unit).contents();
        own.functions.contains_key(&name.name) || self.prototype(name).is_some()
    }

    fn struct_declaration(&self, id: StructId) -> Option<&Struct> {
        self.record(Input::Struct(id));
        self.linked().unit(id.unit).unit().structs.get(id.row)
    }

    fn owner(&self, unit: UnitId, name: &Name) -> GlobalName {
        let own = GlobalName {
            unit,
            name: name.clone(),
        };
        let is_elsewhere = match self.global(&own) {
            Some(Global::Object(object)) => !is_definition(object),
            Some(Global::Enumerator(_)) => false,
            // Declared within a function, or in a missing header.
            None => !self.is_function(&own),
        };
        self.record(Input::ObjectDefinitions(name));
        let unit = match self.linked().externals.object(name) {
            Some((defined, first)) if is_elsewhere => match defined {
                [] => first,
                [other] => *other,
                [_, _, ..] => unit,
            },
            _ => unit,
        };
        GlobalName { unit, ..own }
    }

    fn global(&self, name: &GlobalName) -> Option<Global<'_>> {
        let mut declared = None;
        for unit in self.read_scope_of(name) {
            let Some(global) = unit.global(&name.name) else {
                continue;
            };
            declared = Some(global);
            if !matches!(global, Global::Object(object) if !is_definition(object)) {
                break;
            }
        }
        declared
    }

    fn is_modified(&self, name: &GlobalName) -> bool {
        self.record(Input::IsModified(name));
        self.linked().is_modified(name)
    }

    fn uses_of_static(&self, name: &GlobalName, object: &Object) -> Option<Vec<&SyntaxFacts>> {
        if object.lifetime != Lifetime::Static {
            return None;
        }
        let unit = self.read_unit(name.unit);
        let contents = unit.contents();
        let facts = contents.facts.values().map(|facts| &**facts);
        let facts: Vec<_> = facts.chain([&contents.file_scope]).collect();
        let is_read = !unit.unit().has_error && facts.iter().all(|facts| !facts.has_error);
        is_read.then_some(facts)
    }

    fn syntax_facts(&self, function: &GlobalName) -> Arc<SyntaxFacts> {
        let facts = &self.read_unit(function.unit).contents().facts;
        facts.get(&function.name).cloned().unwrap_or_default()
    }

    fn name_uses(&self, statement: &Statement) -> Arc<NameUses> {
        self.linked().statements.name_uses(statement)
    }

    fn rewrite_once(
        &self,
        statement: &Statement,
        kind: Rewriting,
        rewrite: &mut dyn FnMut() -> Statement,
    ) -> Arc<Statement> {
        let statements = &self.linked().statements;
        statements.rewrite_once(statement, kind, rewrite)
    }

    fn call_summary(&self, function: &GlobalName) -> Arc<CallSummary> {
        self.record(Input::CallSummary(function));
        self.linked().call_summary(function)
    }

    fn modified_globals(&self, summary: &CallSummary) -> Vec<GlobalName> {
        self.linked().modified_globals(summary)
    }

    fn may_modify(&self, summary: &CallSummary, name: &GlobalName) -> bool {
        self.linked().may_modify(summary, name)
    }

    fn takes_more_than(&self, steps: u64, function: &GlobalName) -> bool {
        let takes_more = steps < self.linked().likely_steps(function);
        let bounds = StepBounds::new(steps, takes_more);
        self.record(Input::Steps(function, bounds));
        takes_more
    }

    fn inline_budget(&self) -> InlineBudget {
        self.linked().budget()
    }

    fn pure_call(
        &self,
        call: &PureCall,
        evaluate: &dyn Fn(&PureCall) -> Option<PureCallResult>,
    ) -> Option<PureCallResult> {
        self.result_of_pure_call(call, evaluate)
    }

    fn size_value(&self, name: &Name) -> Option<i64> {
        let values = self.linked().sizes.values;
        let (size, value) = match values.get_key_value(&**name) {
            Some(entry) => entry,
            None => self.in_any_case(name, values.iter(), |(size, _)| size)?,
        };
        self.use_size(size);
        Some(*value)
    }

    fn is_symbolic(&self, name: &Name) -> bool {
        let symbolic = self.linked().sizes.symbolic;
        let size = match symbolic.get(&**name) {
            Some(size) => Some(size),
            None => self.in_any_case(name, symbolic.iter(), |size| size),
        };
        if let Some(size) = size {
            self.use_size(size);
        }
        size.is_some()
    }

    fn is_size_macro(&self, name: &GlobalName) -> bool {
        self.record(Input::Declaration(name.unit, &name.name));
        let unit = self.linked().inputs(name.unit);
        unit.size_macros.contains_key(&*name.name)
    }

    fn span_of_size(&self, name: &Name, at: TextRange) -> Span {
        let defined_at = self.linked().inputs(at.unit).size_macros.get(&**name);
        let defined_at = defined_at.and_then(|span| *span);
        defined_at.unwrap_or_else(|| self.span(at))
    }

    fn is_dense(&self) -> bool {
        self.linked().sizes.dense
    }

    fn has_operations(&self) -> bool {
        !self.linked().sizes.without_operations
    }

    fn dependencies_of(&self, compute: &mut dyn FnMut()) -> Dependencies {
        let around = self.take_dependencies();
        compute();
        let dependencies = self.take_dependencies();
        self.add_dependencies(&around);
        self.add_dependencies(&dependencies);
        dependencies
    }

    fn depend_on(&self, dependencies: &Dependencies) {
        self.add_dependencies(dependencies);
    }
}

impl<'a> Program<'a> {
    /// The syntax of a unit. Nothing is recorded, as only the computation of that unit itself uses it, which depends
    /// on the unit in any case.
    #[must_use]
    pub fn unit(&self, unit: UnitId) -> &'a premiss_ast::syntax::Unit {
        self.linked().unit(unit).unit()
    }

    /// The integer constants and enumerators at a unit's file scope, whose values the user can give.
    pub fn constants_of(&self, unit: UnitId) -> impl Iterator<Item = String> {
        let is_constant = |global: &Global| match global {
            Global::Object(object) => {
                matches!(*object.kind, TypeName::Integer(_)) && !self.is_standard(object.at)
            }
            Global::Enumerator(_) => true,
        };
        let globals = self.linked().unit(unit).globals();
        let constants = globals.filter(move |(_, global)| is_constant(global));
        constants.map(|(name, _)| name.to_string())
    }

    /// The constants that are in the scope of a unit because its preludes declare them.
    pub fn constants_of_preludes(&self, unit: UnitId) -> impl Iterator<Item = String> {
        let preludes = self.scope(unit).skip(1);
        preludes.flat_map(|(unit, _)| self.constants_of(unit))
    }

    fn resolve(&self, unit: UnitId, name: &Name) -> Definition<'_> {
        let definition = self.linked().resolve(unit, name);
        let is_own = matches!(definition, Definition::Unit(other) if other == unit);
        if !is_own && !matches!(definition, Definition::Stated(_)) {
            self.record(Input::FunctionDefinitions(name));
        }
        definition
    }

    /// The symbols of the units in whose scope a name is looked up, its own unit first.
    fn read_scope_of(&self, name: &GlobalName) -> impl Iterator<Item = &UnitSymbols<'a>> {
        self.scope(name.unit).map(|(unit, symbols)| {
            self.record(Input::Declaration(unit, &name.name));
            symbols
        })
    }

    /// The entry for a name that differs in case alone, in Fortran, which is case-insensitive.
    fn in_any_case<T>(
        &self,
        name: &Name,
        mut entries: impl Iterator<Item = T>,
        key: impl Fn(&T) -> &String,
    ) -> Option<T> {
        let first = self.linked().units.first()?;
        if first.inputs.syntax.notation() != Notation::Fortran {
            return None;
        }
        entries.find(|entry| key(entry).eq_ignore_ascii_case(name))
    }
}
