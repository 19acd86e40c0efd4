//! Interface blocks: explicit interfaces of external procedures, and generic names.

use super::builder::ScopeBuilder;
use crate::names::symbols::{Entity, ProcedureId, Symbol};
use crate::syntax::{NameKey, ProgramUnit};
use premiss_ast::syntax::At;

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
            let facts = builder.facts(name);
            facts.is_external = true;
            facts.kind = kind;
        }
    }
    let Some(generic) = generic else { return };
    let ids = procedures
        .iter()
        .filter_map(|key| match builder.scope.lookup(key)?.entity {
            Entity::Procedure(id) => Some(id),
            _ => None,
        });
    let ids: Vec<ProcedureId> = ids.collect();
    let Some(first) = procedures.first() else {
        return;
    };
    if ids.is_empty() {
        return;
    }
    let at = builder.scope.lookup(first).map(|symbol| symbol.at);
    let before = match builder.scope.symbols.get(generic).map(|x| &x.entity) {
        Some(Entity::Generic(before)) => before.to_vec(),
        Some(Entity::Procedure(own)) => vec![*own],
        _ => Vec::new(),
    };
    let ids: Vec<ProcedureId> = before.into_iter().chain(ids).collect();
    builder.scope.symbols.insert(
        generic.clone(),
        Symbol {
            name: generic.clone(),
            at: at.unwrap_or(At::start_of(builder.around.unit)),
            entity: Entity::Generic(ids.into()),
            is_imported: false,
        },
    );
}
