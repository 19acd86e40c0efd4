//! Use association: the names of a module that are accessible in a program unit.

use super::builder::ScopeBuilder;
use crate::names::symbols::{Entity, MissingModule, Symbol, constructor_key};
use crate::syntax::{NameKey, UseStatement};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Imports the names of a `USE` statement, or notes that its module is missing.
pub(super) fn use_module(builder: &mut ScopeBuilder, used: &UseStatement) {
    let Some(module) = (builder.enclosing.module)(&used.module.key) else {
        let names = used.names.iter().map(|(local, _)| local.clone());
        builder.scope.missing.push(MissingModule {
            only: used.only.then(|| names.collect()),
        });
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
    for (name, area) in &module.areas {
        builder.scope.areas.insert(name.clone(), area.clone());
    }
    for (name, group) in &module.groups {
        builder.scope.groups.insert(name.clone(), group.clone());
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
