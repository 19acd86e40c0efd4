//! Symbols of the names that a program unit declares, contains, defines as statement functions, or only
//! mentions.

use super::builder::{DeclaredAttributes, ScopeBuilder};
use super::references::ReferencedNames;
use crate::intrinsics::is_intrinsic;
use crate::names::symbols::{Entity, Scope, StatementFunction, Storage, Symbol};
use crate::names::types::FortranType;
use crate::syntax::{NameKey, ProgramUnit, Specification, SpecificationKind as Spec, UnitKind};
use premiss_ast::syntax::At;
use std::collections::BTreeSet;
use std::sync::Arc;

pub(super) fn contained(builder: &mut ScopeBuilder, unit: &ProgramUnit) {
    let names = unit.contained.iter().map(|inner| &inner.name);
    for (name, (key, id)) in names.zip(builder.around.contained.clone()) {
        let symbol = Symbol {
            name: builder.spelled(name.at),
            at: name.at,
            entity: Entity::Procedure(id),
            is_imported: false,
        };
        builder.scope.symbols.insert(key, symbol);
    }
}

/// Dummy arguments and the result, declared or not.
pub(super) fn dummies(builder: &mut ScopeBuilder, unit: &ProgramUnit) {
    for dummy in unit.dummies.iter().flatten() {
        let facts = builder.facts(dummy);
        facts.at = Some(dummy.at);
    }
    if unit.kind == UnitKind::Function {
        let prefix = unit.prefix.as_ref().map(|spec| builder.type_of(spec));
        let result = unit.result.as_ref().unwrap_or(&unit.name);
        let facts = builder.facts(result);
        if facts.kind.is_none() {
            facts.kind = prefix;
        }
    }
}

/// Makes symbols of all names that something was said of. A name with arguments that is neither an array nor text is a
/// function, even if nothing but its type is declared.
pub(super) fn declared(
    builder: &mut ScopeBuilder,
    unit: &ProgramUnit,
    mentioned: &ReferencedNames,
) {
    let dummies: BTreeSet<&NameKey> = unit.dummies.iter().flatten().map(|x| &x.key).collect();
    let result =
        (unit.kind == UnitKind::Function).then(|| &unit.result.as_ref().unwrap_or(&unit.name).key);
    for key in std::mem::take(&mut builder.order) {
        let Some(facts) = builder.facts.remove(&key) else {
            continue;
        };
        let at = facts.at.unwrap_or(unit.at);
        let storage = if dummies.contains(&key) {
            Storage::Dummy
        } else if Some(&key) == result {
            Storage::Result
        } else if unit.kind == UnitKind::Module {
            Storage::Module
        } else if builder.saves_all || facts.is_saved || facts.initial.is_some() || facts.has_data {
            Storage::Saved
        } else {
            Storage::Local
        };
        let is_own =
            |symbol: &Symbol| matches!(symbol.entity, Entity::Procedure(_) | Entity::Generic(_));
        if builder.scope.symbols.get(&key).is_some_and(is_own) && storage != Storage::Result {
            continue;
        }
        let may_be_called = match storage {
            Storage::Dummy => true,
            Storage::Local | Storage::Saved => !is_intrinsic(&key),
            _ => false,
        };
        let is_called = may_be_called
            && mentioned.called.contains(&key)
            && may_be_function(builder, &key, &facts);
        let entity = match (facts.is_external || is_called) && facts.shape.is_none() {
            true if storage == Storage::Dummy => Entity::DummyProcedure(facts.kind),
            true => Entity::External(facts.kind),
            false => Entity::Variable(Arc::new(builder.variable(&key, facts, storage))),
        };
        let name = builder.spelled(at);
        builder.scope.symbols.insert(
            key,
            Symbol {
                name,
                at,
                entity,
                is_imported: false,
            },
        );
    }
}

/// Whether arguments behind a name cannot select a part of it.
pub(super) fn may_be_function(
    builder: &ScopeBuilder,
    key: &NameKey,
    facts: &DeclaredAttributes,
) -> bool {
    let is_text = match &facts.kind {
        Some(kind) => matches!(kind, FortranType::Character(_)),
        None => matches!(builder.scope.implicit.of(key), FortranType::Character(_)),
    };
    let is_object = facts.is_pointer
        || facts.is_allocatable
        || facts.is_saved
        || facts.has_data
        || facts.initial.is_some();
    !is_text && !is_object && facts.shape.is_none()
}

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
        let kind = |scope: &Scope, key: &NameKey| match scope.lookup(key).and_then(Symbol::kind) {
            Some(kind) => kind.clone(),
            None => scope.implicit.of(key),
        };
        let dummies = dummies.iter();
        let dummies = dummies.map(|x| (x.clone(), kind(&builder.scope, &x.key)));
        let function = StatementFunction {
            kind: kind(&builder.scope, &name.key),
            dummies: dummies.collect(),
            value: value.clone(),
        };
        let symbol = Symbol {
            name: builder.spelled(name.at),
            at: name.at,
            entity: Entity::StatementFunction(Arc::new(function)),
            is_imported: false,
        };
        builder.scope.symbols.insert(name.key.clone(), symbol);
    }
}

/// Variables that nothing declares. A name with arguments that is no array is a function.
pub(super) fn implicit_names(builder: &mut ScopeBuilder, mentioned: ReferencedNames) {
    for (key, at) in mentioned.names {
        if mentioned.called.contains(&key) || builder.scope.lookup(key).is_some() {
            continue;
        }
        let end = at
            .start
            .saturating_add(u32::try_from(key.len()).unwrap_or(0));
        let at = At { end, ..at };
        let facts = DeclaredAttributes::default();
        let variable = builder.variable(key, facts, Storage::Local);
        let symbol = Symbol {
            name: builder.spelled(at),
            at,
            entity: Entity::Variable(Arc::new(variable)),
            is_imported: false,
        };
        builder.scope.symbols.insert(key.clone(), symbol);
    }
}
