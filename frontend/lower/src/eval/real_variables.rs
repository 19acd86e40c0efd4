//! Variables of real numbers: reading and assigning them, and making them unknown.

use crate::context::Lowering;
use crate::domain::reals::RealKnowledge;
use crate::domain::types::{LONG, NumberType, Type};
use crate::domain::values::{Slot, Value};
use crate::eval::conversions::convert;
use crate::eval::variables::new_variable_row;
use premiss_tree::VariableId;

/// A new variable for a real number.
pub(crate) fn new_real(ctx: &mut Lowering, name: &str, kind: NumberType, is_shared: bool) -> Slot {
    let id = new_variable_row(ctx, name, LONG, is_shared);
    ctx.state.reals.insert(id, RealKnowledge::General);
    Slot::Real(id, kind)
}

pub(crate) fn assign_real(ctx: &mut Lowering, id: VariableId, kind: NumberType, value: Value) {
    let value = convert(ctx, value, &Type::Floating(kind));
    ctx.state.reals.insert(id, RealKnowledge::of(&value));
}

pub(crate) fn read_real(ctx: &mut Lowering, id: VariableId, kind: NumberType) -> Value {
    match ctx.state.reals.get(&id).copied() {
        Some(RealKnowledge::Constant(bits)) => {
            ctx.loops.passes.record_constant(id, bits);
            Value::Floating(Some(f64::from_bits(bits)), kind)
        }
        Some(RealKnowledge::Particular) => Value::Particular(kind),
        Some(RealKnowledge::General) | None => Value::Floating(None, kind),
    }
}

pub(crate) fn havoc_real(ctx: &mut Lowering, id: VariableId) {
    if ctx.state.reals.contains_key(&id) {
        ctx.state.reals.insert(id, RealKnowledge::Particular);
    }
}

/// Makes every real constant unknown that may change other than by name.
pub(crate) fn havoc_shared_reals(ctx: &mut Lowering) {
    let reals = ctx.state.reals.iter();
    let constants = reals.filter(|(_, known)| matches!(known, RealKnowledge::Constant(_)));
    let ids: Vec<VariableId> = constants.map(|(id, _)| *id).collect();
    for id in ids {
        if ctx.symbols.variable(id).is_shared {
            havoc_real(ctx, id);
        }
    }
}
