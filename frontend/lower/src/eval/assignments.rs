//! Assignments and increments, as expressions.

use crate::bailout::Lowered;
use crate::calls::argument_effects::pointer_of_call;
use crate::context::Lowering;
use crate::domain::types::{INT, Type};
use crate::domain::values::{Place, Slot, Value, place_type, unknown_value};
use crate::eval::conversions::convert;
use crate::eval::operators::apply_binary;
use crate::eval::row_allocations::with_kept_blocks;
use crate::output::operations::{record_binary, with_role};
use crate::output::scalar_updates::{ScalarUpdate, update_of_assignment, update_of_compound};
use crate::output::scalar_uses::{record_definition, record_use};
use crate::syntax::{Binary, Expression as Syntax, TextRange};
use premiss_tree::{Combination, Operand, Role};

pub(crate) fn lower_increment(
    ctx: &mut Lowering,
    operand: &Syntax,
    by: i64,
    is_prefix: bool,
    at: TextRange,
) -> Lowered<Value> {
    let place = ctx.place(operand)?;
    let before = ctx.load(place.clone());
    record_use(ctx, operand, &place);
    let one = Value::Integer(1.into(), INT);
    let operator = if by < 0 {
        Binary::Subtract
    } else {
        Binary::Add
    };
    record_binary(ctx, operator, (&before, None), (&one, None));
    let after = apply_binary(ctx, operator, before.clone(), one.clone());
    let after = convert(ctx, after, &before.kind());
    ctx.store(&place, after, at);
    let by_one = ScalarUpdate {
        combines: Some(Combination::Sum),
        with: Operand::Literals,
    };
    record_definition(ctx, operand, &place, by_one);
    if is_prefix {
        return Ok(stored_value(ctx, &place, &before.kind()));
    }
    // The variable already has its new value; the old one is computed from it.
    let is_variable = matches!(place, Place::Slot(Slot::Integer(..) | Slot::Pointer(..)));
    if !is_variable {
        return Ok(before);
    }
    let undo = if by < 0 {
        Binary::Add
    } else {
        Binary::Subtract
    };
    let now = ctx.load(place);
    let old = apply_binary(ctx, undo, now, one);
    Ok(convert(ctx, old, &before.kind()))
}

/// The value of an assignment: that of the place after the store, without another access.
fn stored_value(ctx: &mut Lowering, place: &Place, kind: &Type) -> Value {
    match place {
        Place::Slot(slot @ (Slot::Integer(..) | Slot::Pointer(..) | Slot::Real(..))) => {
            ctx.load(Place::Slot(slot.clone()))
        }
        _ => unknown_value(kind.clone()),
    }
}

pub(crate) fn lower_assignment(
    ctx: &mut Lowering,
    operator: Option<Binary>,
    left: &Syntax,
    right: &Syntax,
    at: TextRange,
) -> Lowered<Value> {
    let Some(operator) = operator else {
        let value = with_kept_blocks(ctx, left, |ctx| ctx.expression(right))?;
        let place = ctx.place(left)?;
        let kind = place_type(&place);
        let value = pointer_of_call(ctx, value, &kind, right);
        let value = convert(ctx, value, &kind);
        let at = if matches!(place, Place::Element { .. }) {
            left.at
        } else {
            at
        };
        ctx.store(&place, value.clone(), at);
        record_definition(ctx, left, &place, update_of_assignment(left, right));
        return Ok(match place {
            Place::Slot(Slot::Integer(..) | Slot::Pointer(..) | Slot::Real(..)) => {
                stored_value(ctx, &place, &kind)
            }
            _ => value,
        });
    };
    let place = ctx.place(left)?;
    let kind = place_type(&place);
    let before = ctx.load(place.clone());
    record_use(ctx, left, &place);
    let operand = match &before {
        Value::Pointer(_) => with_role(ctx, Role::Index, |ctx| ctx.expression(right))?,
        _ => ctx.expression(right)?,
    };
    record_binary(ctx, operator, (&before, None), (&operand, Some(right)));
    let after = apply_binary(ctx, operator, before, operand);
    let after = convert(ctx, after, &kind);
    ctx.store(&place, after, left.at);
    record_definition(ctx, left, &place, update_of_compound(operator, right));
    Ok(stored_value(ctx, &place, &kind))
}
