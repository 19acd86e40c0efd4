//! Whether an object is only used by loads of its scalars.

use crate::domain::types::{Type, find_member};
use crate::syntax::{GlobalName, Name, Object};
use premiss_ast::{AccessStep, SyntaxFacts};
use premiss_link::Queries;

/// Whether all uses of an object of a type are loads of scalars.
pub(crate) fn only_loads(facts: &SyntaxFacts, name: &Name, kind: &Type) -> bool {
    let mut loads = facts.reads.iter().filter(|load| load.name == *name);
    !facts.escaping.contains(name) && loads.all(|load| leads_to_scalar(kind, &load.steps))
}

/// Whether all uses of a `static` object in its unit are loads of scalars; other units cannot access it.
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

/// As [`only_loads`], for an object that is declared outside of the text.
fn only_loads_outside(facts: &SyntaxFacts, name: &Name, kind: &Type) -> bool {
    let mut loads = facts.reads.iter();
    !facts.escaping_outside.contains(name)
        && loads.all(|load| {
            load.name != *name || !load.is_outside || leads_to_scalar(kind, &load.steps)
        })
}

/// Whether steps lead from an object to a scalar; an array would decay to a pointer to it.
fn leads_to_scalar(kind: &Type, steps: &[AccessStep]) -> bool {
    let Some((step, rest)) = steps.split_first() else {
        return !matches!(kind, Type::Array(..));
    };
    match (step, kind) {
        // The target of a pointer in it is not part of it.
        (_, Type::Pointer(_)) => true,
        (AccessStep::Element, Type::Array(element, _)) => leads_to_scalar(element, rest),
        (AccessStep::Member(name), Type::Struct(_, layout)) => {
            find_member(layout, name).is_some_and(|member| leads_to_scalar(&member.kind, rest))
        }
        _ => false,
    }
}
