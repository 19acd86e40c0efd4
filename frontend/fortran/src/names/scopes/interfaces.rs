//! Interface blocks: explicit interfaces of external procedures, and generic names.

use super::builder::ScopeBuilder;
use crate::names::symbols::{Entity, GenericProcedures, Symbol, constructor_key};
use crate::syntax::{NameKey, ProgramUnit};
use premiss_ast::syntax::TextRange;
use std::sync::Arc;

/// An interface block.
pub(super) fn interface(
    builder: &mut ScopeBuilder,
    generic: Option<&NameKey>,
    bodies: &[ProgramUnit],
    procedures: &[NameKey],
) {
    for body in bodies {
        let name = &body.name;
        if builder.scope.lookup(&name.key).is_none() {
            let kind = body.prefix.as_ref().map(|spec| builder.type_of(spec));
            let facts = builder.attributes(name);
            facts.is_external = true;
            facts.kind = kind;
        }
    }
    if let Some(generic) = generic {
        let bodies = bodies.iter().map(|body| &body.name.key);
        let names: Vec<&NameKey> = procedures.iter().chain(bodies).collect();
        generic_name(builder, generic, &names);
    }
}

/// Adds specific procedures to those of a generic name, including those of the host.
fn generic_name(builder: &mut ScopeBuilder, generic: &NameKey, procedures: &[&NameKey]) {
    let mut own = GenericProcedures::default();
    for key in procedures {
        match builder.scope.lookup(key).map(|symbol| &symbol.entity) {
            Some(Entity::Procedure(id)) => own.ids.push(*id),
            // Procedures of the same name, one of which is also the generic name.
            Some(Entity::Generic(several)) => own.ids.extend(&several.ids),
            _ => own.externals.push((*key).clone()),
        }
    }
    let Some(first) = procedures.first() else {
        return;
    };
    let names_type = matches!(
        builder.scope.lookup(generic).map(|symbol| &symbol.entity),
        Some(Entity::DerivedType(_))
    );
    let constructor = constructor_key(generic);
    let generic = if names_type { &constructor } else { generic };
    let at = builder.scope.lookup(first).map(|symbol| symbol.at);
    let known = builder.scope.lookup(generic).map(|symbol| &symbol.entity);
    let is_own = builder.scope.symbols.contains_key(generic);
    let before = match known {
        Some(Entity::Generic(before)) => GenericProcedures::clone(before),
        Some(Entity::Procedure(own)) if is_own => GenericProcedures {
            ids: vec![*own],
            externals: Vec::new(),
        },
        _ => GenericProcedures::default(),
    };
    let symbol = Symbol {
        name: generic.clone(),
        at: at.unwrap_or(TextRange::start_of(builder.enclosing.unit)),
        entity: Entity::Generic(Arc::new(before.with(&own))),
        is_imported: false,
        is_undeclared: false,
    };
    builder.scope.symbols.insert(generic.clone(), symbol);
}
