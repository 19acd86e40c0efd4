//! Use association: names that a module lends to the program unit that uses it.

use super::builder::ScopeBuilder;
use crate::names::symbols::Symbol;
use crate::syntax::{NameKey, UseStatement};
use std::collections::BTreeSet;

pub(super) fn import(builder: &mut ScopeBuilder, used: &UseStatement) {
    let Some(module) = (builder.around.module)(&used.module) else {
        return;
    };
    let own = module.symbols.iter();
    let renamed: BTreeSet<&NameKey> = used.names.iter().map(|(_, original)| original).collect();
    if !used.only {
        for (key, symbol) in own.filter(|(key, _)| !renamed.contains(key)) {
            builder.scope.symbols.insert(key.clone(), imported(symbol));
        }
    }
    for (local, original) in &used.names {
        if let Some(symbol) = module.symbols.get(original) {
            builder
                .scope
                .symbols
                .insert(local.clone(), imported(symbol));
        }
    }
    for (name, area) in &module.areas {
        builder.scope.areas.insert(name.clone(), area.clone());
    }
    for (name, group) in &module.groups {
        builder.scope.groups.insert(name.clone(), group.clone());
    }
}

pub(super) fn imported(symbol: &Symbol) -> Symbol {
    Symbol {
        is_imported: true,
        ..symbol.clone()
    }
}
