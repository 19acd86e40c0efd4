//! Interface blocks: explicit interfaces of external procedures, and generic names.

use super::builder::ScopeBuilder;
use crate::names::symbols::{Entity, ProcedureId, Symbol};
use crate::syntax::{NameKey, ProgramUnit};
use premiss_ast::syntax::TextRange;

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
        generic_name(builder, generic, procedures);
    }
}

/// Adds specific procedures to those of a generic name.
fn generic_name(builder: &mut ScopeBuilder, generic: &NameKey, procedures: &[NameKey]) {
    let ids = procedures.iter();
    let ids = ids.filter_map(|key| match builder.scope.lookup(key)?.entity {
        Entity::Procedure(id) => Some(id),
        _ => None,
    });
    let ids: Vec<ProcedureId> = ids.collect();
    let Some(first) = procedures.first().filter(|_| !ids.is_empty()) else {
        return;
    };
    let at = builder.scope.lookup(first).map(|symbol| symbol.at);
    let before = match builder.scope.symbols.get(generic).map(|x| &x.entity) {
        Some(Entity::Generic(before)) => before.to_vec(),
        Some(Entity::Procedure(own)) => vec![*own],
        _ => Vec::new(),
    };
    let ids: Vec<ProcedureId> = before.into_iter().chain(ids).collect();
    let symbol = Symbol {
        name: generic.clone(),
        at: at.unwrap_or(TextRange::start_of(builder.enclosing.unit)),
        entity: Entity::Generic(ids.into()),
        is_imported: false,
    };
    builder.scope.symbols.insert(generic.clone(), symbol);
}
