//! Symbols of the names that a program unit declares, contains, defines as statement functions, or only mentions.

use super::builder::{DeclaredAttributes, ScopeBuilder};
use super::references::ReferencedNames;
use crate::intrinsics::is_intrinsic;
use crate::names::symbols::{Entity, NameScope, StatementFunction, Storage, Symbol};
use crate::names::types::FortranType;
use crate::syntax::{NameKey, ProgramUnit, Specification, SpecificationKind as Spec, UnitKind};
use premiss_ast::syntax::TextRange;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Internal and module procedures.
pub(super) fn define_contained(builder: &mut ScopeBuilder, unit: &ProgramUnit) {
    let names = unit.contained.iter().map(|inner| &inner.name);
    for (name, (key, id)) in names.zip(builder.enclosing.contained.clone()) {
        builder.define(key, name.at, Entity::Procedure(id));
    }
}

/// Dummy arguments and the result, declared or not.
pub(super) fn record_dummies(builder: &mut ScopeBuilder, unit: &ProgramUnit) {
    for dummy in unit.dummies.iter().flatten() {
        let facts = builder.attributes(dummy);
        facts.at = Some(dummy.at);
    }
    if unit.kind == UnitKind::Function {
        let prefix = unit.prefix.as_ref().map(|spec| builder.type_of(spec));
        let result = unit.result.as_ref().unwrap_or(&unit.name);
        let facts = builder.attributes(result);
        if facts.kind.is_none() {
            facts.kind = prefix;
        }
    }
}

/// Creates the symbols of all declared names. A name with arguments that is neither an array nor text is a function,
/// even if only its type is declared.
pub(super) fn define_declared_names(
    builder: &mut ScopeBuilder,
    unit: &ProgramUnit,
    references: &ReferencedNames,
) {
    let dummies: BTreeSet<&NameKey> = unit.dummies.iter().flatten().map(|x| &x.key).collect();
    let result =
        (unit.kind == UnitKind::Function).then(|| &unit.result.as_ref().unwrap_or(&unit.name).key);
    for key in std::mem::take(&mut builder.order) {
        let Some(facts) = builder.attributes.remove(&key) else {
            continue;
        };
        let at = facts.at.unwrap_or(unit.at);
        let storage = if dummies.contains(&key) {
            Storage::Dummy
        } else if Some(&key) == result {
            Storage::Result
        } else {
            storage_of(builder, unit, &facts)
        };
        let is_own =
            |symbol: &Symbol| matches!(symbol.entity, Entity::Procedure(_) | Entity::Generic(_));
        if builder.scope.symbols.get(&key).is_some_and(is_own) && storage != Storage::Result {
            continue;
        }
        let has_arguments = references.with_arguments.contains(&key);
        let entity = declared_entity(builder, &key, facts, storage, has_arguments);
        builder.define(key, at, entity);
    }
}

/// The storage of a variable that is neither a dummy argument nor the result.
fn storage_of(builder: &ScopeBuilder, unit: &ProgramUnit, facts: &DeclaredAttributes) -> Storage {
    if unit.kind == UnitKind::Module {
        return Storage::Module;
    }
    match builder.saves_all || facts.is_saved || facts.initial.is_some() || facts.has_data {
        true => Storage::Saved,
        false => Storage::Local,
    }
}

/// The variable or procedure that a declared name denotes.
fn declared_entity(
    builder: &mut ScopeBuilder,
    key: &NameKey,
    facts: DeclaredAttributes,
    storage: Storage,
    has_arguments: bool,
) -> Entity {
    let may_be_called = match storage {
        Storage::Dummy => true,
        Storage::Local | Storage::Saved => !is_intrinsic(key),
        _ => false,
    };
    let is_called = may_be_called && has_arguments && may_be_function(builder, key, &facts);
    match (facts.is_external || is_called) && facts.shape.is_none() {
        true if storage == Storage::Dummy => Entity::DummyProcedure(facts.kind),
        true => Entity::External(facts.kind),
        false => Entity::Variable(Arc::new(builder.variable(key, facts, storage))),
    }
}

/// Whether parentheses after a name cannot select a part of it.
pub(super) fn may_be_function(
    builder: &ScopeBuilder,
    key: &NameKey,
    facts: &DeclaredAttributes,
) -> bool {
    let is_text = match &facts.kind {
        Some(kind) => matches!(kind, FortranType::Character(_)),
        None => matches!(
            builder.scope.implicit.type_for(key),
            FortranType::Character(_)
        ),
    };
    let is_object = facts.is_pointer
        || facts.is_allocatable
        || facts.is_saved
        || facts.has_data
        || facts.initial.is_some();
    !is_text && !is_object && facts.shape.is_none()
}

/// Statement functions.
pub(super) fn statement_functions(builder: &mut ScopeBuilder, list: &[Specification]) {
    for spec in list {
        let Spec::StatementFunction {
            name,
            dummies,
            value,
        } = &spec.kind
        else {
            continue;
        };
        let kind = |scope: &NameScope, key: &NameKey| match scope.lookup(key).and_then(Symbol::kind)
        {
            Some(kind) => kind.clone(),
            None => scope.implicit.type_for(key),
        };
        let dummies = dummies.iter();
        let dummies = dummies.map(|x| (x.clone(), kind(&builder.scope, &x.key)));
        let function = StatementFunction {
            kind: kind(&builder.scope, &name.key),
            dummies: dummies.collect(),
            value: value.clone(),
        };
        let entity = Entity::StatementFunction(Arc::new(function));
        builder.define(name.key.clone(), name.at, entity);
    }
}

/// Creates the symbols of undeclared names. A name with arguments that is not an array is a function. What a missing
/// module may declare counts as a scalar too, but nothing is assigned to it as to one: `u = 0` may be a loop.
pub(super) fn implicit_names(builder: &mut ScopeBuilder, references: ReferencedNames) {
    for (key, at) in references.names {
        if references.with_arguments.contains(&key) || builder.scope.lookup(key).is_some() {
            continue;
        }
        let end = at
            .start
            .saturating_add(u32::try_from(key.len()).unwrap_or(0));
        let at = TextRange { end, ..at };
        let facts = DeclaredAttributes::default();
        let variable = builder.variable(key, facts, Storage::Local);
        builder.define(key.clone(), at, Entity::Variable(Arc::new(variable)));
        let is_undeclared = builder.scope.may_be_missing(key);
        if let Some(symbol) = builder.scope.symbols.get_mut(key) {
            symbol.is_undeclared = is_undeclared;
        }
    }
}
