//! Use association: the names of a module that are accessible in a program unit.

use super::builder::ScopeBuilder;
use crate::names::constants::intrinsic_constant;
use crate::names::symbols::{Entity, MissingModule, Symbol, constructor_key};
use crate::names::types;
use crate::syntax::{Expr, ExprKind, NameKey, UseStatement};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Imports the names of a `USE` statement, or notes that its module is missing.
pub(super) fn use_module(builder: &mut ScopeBuilder, used: &UseStatement) {
    let Some(module) = (builder.enclosing.module)(&used.module.key) else {
        match is_intrinsic_module(&used.module.key) {
            true => use_intrinsic_module(builder, used),
            false => {
                let names = used.names.iter().map(|(local, _)| local.clone());
                builder.scope.missing.push(MissingModule {
                    only: used.only.then(|| names.collect()),
                });
            }
        }
        return;
    };
    let own = module.symbols.iter();
    let renamed: BTreeSet<&NameKey> = used.names.iter().map(|(_, original)| original).collect();
    if !used.only {
        for (key, symbol) in own.filter(|(key, _)| !renamed.contains(key)) {
            import(builder, key, symbol);
        }
    }
    for (local, original) in &used.names {
        if let Some(symbol) = module.symbols.get(original) {
            import(builder, local, symbol);
        }
        if let Some(symbol) = module.symbols.get(&constructor_key(original)) {
            import(builder, &constructor_key(local), symbol);
        }
    }
    let kinds = module.assumed_kinds.iter().cloned();
    builder.scope.assumed_kinds.extend(kinds);
    for (name, area) in &module.areas {
        builder.scope.areas.insert(name.clone(), area.clone());
    }
    for (name, group) in &module.groups {
        builder.scope.groups.insert(name.clone(), group.clone());
    }
}

/// The modules that compilers and their libraries bring with them. They have no arrays that programs assign to.
const INTRINSIC: [&str; 10] = [
    "ieee_arithmetic",
    "ieee_exceptions",
    "ieee_features",
    "iso_c_binding",
    "iso_fortran_env",
    "mpi",
    "mpi_f08",
    "omp_lib",
    "omp_lib_kinds",
    "openacc",
];

/// Whether a module comes with the compiler.
pub(crate) fn is_intrinsic_module(module: &str) -> bool {
    INTRINSIC.contains(&module)
}

/// Gives constants of an intrinsic module other names: `dp => real64`. By their own names they are known everywhere.
fn use_intrinsic_module(builder: &mut ScopeBuilder, used: &UseStatement) {
    for (local, original) in &used.names {
        let Some(value) = intrinsic_constant(original).filter(|_| local != original) else {
            continue;
        };
        let at = used.module.at;
        let entity = Entity::Constant {
            kind: types::INTEGER,
            value: Arc::new(Expr {
                at,
                kind: ExprKind::Integer(value, None),
            }),
            is_array: false,
            integer: Some(value),
        };
        let symbol = Symbol {
            name: local.clone(),
            at,
            entity,
            is_imported: true,
            is_undeclared: false,
        };
        builder.scope.symbols.insert(local.clone(), symbol);
    }
}

/// Imports a symbol under a name. The procedures of a generic name are added to those of the same name.
fn import(builder: &mut ScopeBuilder, key: &NameKey, symbol: &Symbol) {
    let mut imported = import_symbol(symbol);
    let known = builder.scope.symbols.get(key).map(|known| &known.entity);
    if let (Entity::Generic(added), Some(Entity::Generic(known))) = (&symbol.entity, known) {
        imported.entity = Entity::Generic(Arc::new(known.with(added)));
    }
    builder.scope.symbols.insert(key.clone(), imported);
}

/// A symbol as seen by a user of its module.
pub(super) fn import_symbol(symbol: &Symbol) -> Symbol {
    Symbol {
        is_imported: true,
        ..symbol.clone()
    }
}
