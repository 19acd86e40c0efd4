//! Whether all uses of an object load scalars from it.

use crate::domain::types::{Type, find_member};
use crate::syntax::{GlobalName, Name, Object};
use premiss_ast::{AccessStep, SyntaxFacts};
use premiss_link::Queries;

/// Whether all that happens to an object of a type is that scalars are loaded from it.
pub(crate) fn only_loads(facts: &SyntaxFacts, name: &Name, kind: &Type) -> bool {
    let mut loads = facts.reads.iter().filter(|load| load.name == *name);
    !facts.escaping.contains(name) && loads.all(|load| leads_to_scalar(kind, &load.steps))
}

/// Whether all that a unit does with an object of its own is to load scalars from it; nobody else
/// sees it.
pub(crate) fn is_only_loaded(
    program: &dyn Queries,
    name: &GlobalName,
    object: &Object,
    kind: &Type,
) -> bool {
    let uses = program.uses_of_static(name, object);
    uses.is_some_and(|uses| {
        let mut uses = uses.into_iter();
        uses.all(|facts| only_loads_outside(facts, &name.name, kind))
    })
}

/// The same as [`only_loads`] for an object that is declared outside of the text.
fn only_loads_outside(facts: &SyntaxFacts, name: &Name, kind: &Type) -> bool {
    let mut loads = facts.reads.iter();
    !facts.escaping_outside.contains(name)
        && loads.all(|load| {
            load.name != *name || !load.is_outside || leads_to_scalar(kind, &load.steps)
        })
}

/// Whether steps lead from an object to a scalar, not to an array, which would be a pointer to it.
fn leads_to_scalar(kind: &Type, steps: &[AccessStep]) -> bool {
    let Some((step, rest)) = steps.split_first() else {
        return !matches!(kind, Type::Array(..));
    };
    match (step, kind) {
        // What a pointer in it leads to is not part of it.
        (_, Type::Pointer(_)) => true,
        (AccessStep::Element, Type::Array(element, _)) => leads_to_scalar(element, rest),
        (AccessStep::Member(name), Type::Struct(_, layout)) => {
            find_member(layout, name).is_some_and(|member| leads_to_scalar(&member.kind, rest))
        }
        _ => false,
    }
}
