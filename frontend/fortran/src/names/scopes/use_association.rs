//! Use association: the names of a module that are accessible in a program unit.

use super::builder::ScopeBuilder;
use crate::names::symbols::Symbol;
use crate::syntax::{NameKey, UseStatement};
use std::collections::BTreeSet;

/// Imports the names of a `USE` statement.
pub(super) fn use_module(builder: &mut ScopeBuilder, used: &UseStatement) {
    let Some(module) = (builder.enclosing.module)(&used.module) else {
        return;
    };
    let own = module.symbols.iter();
    let renamed: BTreeSet<&NameKey> = used.names.iter().map(|(_, original)| original).collect();
    if !used.only {
        for (key, symbol) in own.filter(|(key, _)| !renamed.contains(key)) {
            builder
                .scope
                .symbols
                .insert(key.clone(), import_symbol(symbol));
        }
    }
    for (local, original) in &used.names {
        if let Some(symbol) = module.symbols.get(original) {
            builder
                .scope
                .symbols
                .insert(local.clone(), import_symbol(symbol));
        }
    }
    for (name, area) in &module.areas {
        builder.scope.areas.insert(name.clone(), area.clone());
    }
    for (name, group) in &module.groups {
        builder.scope.groups.insert(name.clone(), group.clone());
    }
}

/// A symbol as seen by a user of its module.
pub(super) fn import_symbol(symbol: &Symbol) -> Symbol {
    Symbol {
        is_imported: true,
        ..symbol.clone()
    }
}
