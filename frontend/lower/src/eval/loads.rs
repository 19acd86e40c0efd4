//! Loads, with their accesses.

use crate::context::Lowering;
use crate::domain::state::{IntegerKnowledge, NonNullOffset};
use crate::domain::types::Type;
use crate::domain::values::{
    Place, Pointer, Slot, Target, Value, any_value, pointer_to, struct_at, unknown_value,
};
use crate::eval::accesses::access_element;
use crate::eval::alternatives::{load_alternatives, load_candidates};
use crate::eval::heap_loads::load_from_heap;
use crate::eval::real_variables::read_real;
use crate::eval::variables::read_integer;
use premiss_tree::{AccessKind, Expression, VariableId};

/// The value of a place; for an array, the address of its first element.
pub(crate) fn load_place(ctx: &mut Lowering, place: Place) -> Value {
    if let Place::Element {
        target: Target::OneOf(choice),
        kind,
        ..
    } = &place
        && !matches!(kind, Type::Array(..) | Type::Function)
    {
        return load_alternatives(ctx, &choice.clone(), &place);
    }
    if let Place::Element {
        target: Target::Several(candidates),
        kind,
        ..
    } = &place
        && !matches!(kind, Type::Array(..) | Type::Function)
    {
        return load_candidates(ctx, &candidates.clone(), &place);
    }
    match place {
        Place::Slot(slot) => load_slot(ctx, slot),
        Place::Nowhere(kind) => unknown_value(kind),
        Place::Element {
            target,
            offset,
            kind,
            at,
        } => match kind {
            Type::Array(element, _) => Value::Pointer(Pointer {
                target,
                offset,
                pointee: element,
            }),
            Type::Function => Value::Data(Type::Function),
            kind => {
                access_element(ctx, AccessKind::Load, &target, &offset, &kind, at);
                if matches!(kind, Type::Struct(..)) {
                    return struct_at(&target, &offset, &kind);
                }
                let known = load_from_heap(ctx, &target, &offset, &kind, at);
                match (known, &target) {
                    (Some(known), _) => known,
                    (None, Target::Ambiguous) => any_value(kind),
                    (None, _) => unknown_value(kind),
                }
            }
        },
    }
}

fn load_slot(ctx: &mut Lowering, slot: Slot) -> Value {
    match slot {
        Slot::Fixed(value) => value,
        Slot::Integer(id, kind) => Value::Integer(read_variable(ctx, id), kind),
        Slot::Pointer(id, pointee) => {
            let target = ctx.state.pointers.get(&id).cloned();
            let target = target.unwrap_or(Target::Ambiguous);
            let offset = pointer_offset(ctx, ctx.symbols.pointers[id.0], &target);
            Value::Pointer(Pointer {
                target,
                offset,
                pointee,
            })
        }
        Slot::Real(id, kind) => read_real(ctx, id, kind),
        Slot::Data(kind) => unknown_value(kind),
        Slot::Array(row, Type::Array(element, _)) => {
            Value::Pointer(pointer_to(row, 0.into(), &element))
        }
        Slot::Record(row, kind) => Value::Record(row, 0, kind),
        Slot::Array(_, kind) => unknown_value(kind),
    }
}

/// The offset of a pointer to a target. If data decide whether the pointer is null, it is the offset of the non-null
/// pointer.
fn pointer_offset(ctx: &mut Lowering, id: VariableId, target: &Target) -> Expression {
    match (read_variable(ctx, id), ctx.state.nullable.get(&id)) {
        (Expression::Data, Some(NonNullOffset::Symbolic(offset))) => {
            for row in target.arrays() {
                ctx.symbols.arrays[row.0].may_be_missing = true;
                ctx.predicates.doubtful.insert(row);
            }
            offset.clone()
        }
        (offset, _) => offset,
    }
}

/// The current value of a variable.
fn read_variable(ctx: &mut Lowering, id: VariableId) -> Expression {
    match read_integer(ctx, id) {
        Some(IntegerKnowledge::Symbolic(value)) => value.clone(),
        Some(IntegerKnowledge::Exact) => Expression::Variable(id),
        Some(IntegerKnowledge::Unknown) | None => Expression::Data,
    }
}
