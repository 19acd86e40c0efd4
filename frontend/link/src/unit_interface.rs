//! Computes the interface of a unit from its syntax.

use crate::program::Program;
use crate::pure_calls::may_be_pure;
use crate::queries::{Global, Queries};
use crate::unit_summary::{FunctionInterface, UnitInterface};
use premiss_ast::SyntaxFacts;
use premiss_ast::syntax::{Function, Lifetime, Name, TypeName, UnitId};
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

impl Program<'_> {
    /// The interface of a unit, computed from its syntax.
    pub(crate) fn find_interface(&self, unit: UnitId) -> UnitInterface {
        self.take_dependencies();
        let contents = self.read_unit(unit).contents();
        let mut interface = UnitInterface {
            has_shared_arrays: self.shares_arrays(unit),
            ..UnitInterface::default()
        };
        for (name, function) in &contents.functions {
            let facts = self.syntax_facts(&function.global_name());
            let function = self.find_function_interface(unit, function, &facts);
            interface.functions.insert(name.clone(), function);
        }
        let mut functions = interface.functions.values();
        if functions.any(|function| function.calls_pointer) {
            let names = self.scope(unit).flat_map(|(_, symbols)| symbols.globals());
            let owners = names.map(|(name, _)| self.owner(unit, name));
            interface.objects = owners.collect();
        }
        let names = self.take_dependencies().names;
        interface.looked_up_names = names.functions.into_iter().chain(names.objects).collect();
        interface
    }

    fn find_function_interface(
        &self,
        unit: UnitId,
        function: &Function,
        facts: &SyntaxFacts,
    ) -> FunctionInterface {
        let mut signature = FxHasher::default();
        function.signature.hash(&mut signature);
        let changed = facts.changed_outside.iter();
        FunctionInterface {
            signature: signature.finish(),
            steps: (!may_be_pure(function)).then_some(facts.weight),
            called: facts.called.clone(),
            modified: changed.map(|name| self.owner(unit, name)).collect(),
            calls_pointer: facts.calls_pointer,
        }
    }

    /// Whether functions of other files may access arrays at the file scope of a unit.
    fn shares_arrays(&self, unit: UnitId) -> bool {
        let mut globals = self.scope(unit).flat_map(|(_, symbols)| symbols.globals());
        globals.any(|(name, global)| self.is_shared_array(unit, name, &global))
    }

    /// Whether both this file and functions of other files may access an array at file scope, by its name or through
    /// an escaped pointer.
    fn is_shared_array(&self, unit: UnitId, name: &Name, global: &Global) -> bool {
        let Global::Object(object) = global else {
            return false;
        };
        if !matches!(*object.kind, TypeName::Array(..) | TypeName::Pointer(_))
            || self.is_standard(object.at)
        {
            return false;
        }
        let is_static = object.lifetime == Lifetime::Static;
        self.read_unit(unit).contents().facts.values().any(|facts| {
            let is_hidden = !facts.mentioned_outside.contains(name);
            let is_passed = facts.passed.iter().any(|(callee, passed)| {
                passed == name && self.definition(unit, callee).is_some() != is_static
            });
            let is_used = facts.bare.contains(name) || is_passed;
            !is_hidden && (is_used || (!is_static && facts.subscripted.contains(name)))
        })
    }
}
