//! Slots: the representation of a declared scalar, by a variable or by a value that is valid while its name is in
//! scope.

use crate::context::Lowering;
use crate::domain::types::Type;
use crate::domain::values::{Pointer, Slot, Value, is_object};
use crate::eval::arrays::name_allocation;
use crate::eval::real_variables::new_real;
use crate::eval::records::new_record;
use crate::eval::variables::{is_stable, new_pointer, new_variable};
use crate::syntax::{Name, TextRange};
use premiss_tree::{Expression, IntegerType};

/// The maximum number of operators in a fixed value; larger ones are kept in a variable.
const MAX_FIXED_SIZE: usize = 64;

/// A new variable of a scalar type.
pub(crate) fn new_slot(ctx: &mut Lowering, name: &Name, kind: &Type, is_shared: bool) -> Slot {
    match (kind.integer(), kind) {
        (Some(integer), _) => Slot::Integer(new_variable(ctx, name, integer, is_shared), integer),
        (None, Type::Pointer(pointee)) => {
            Slot::Pointer(new_pointer(ctx, name, is_shared), pointee.clone())
        }
        (None, Type::Struct(..)) if !kind.holds_array() => {
            let at = ctx.symbols.declared_at;
            new_record(ctx, name, kind, at)
        }
        (None, Type::Floating(number)) => new_real(ctx, name, *number, is_shared),
        _ => Slot::Data(kind.clone()),
    }
}

/// The value in a form that is valid while the name is in scope; `None` if there is none.
pub(crate) fn fix_value(
    ctx: &mut Lowering,
    value: &Value,
    name: &Name,
    at: TextRange,
) -> Option<Value> {
    let is_fine = |ctx: &Lowering, expression: &Expression| {
        let mut n_operators = 0;
        expression.walk(&mut |_| n_operators += 1);
        n_operators <= MAX_FIXED_SIZE && is_stable(ctx, expression)
    };
    match value {
        Value::Integer(expression, _) => is_fine(ctx, expression).then(|| value.clone()),
        Value::Floating(Some(_), _) | Value::Named(..) | Value::Function(_) => Some(value.clone()),
        Value::Pointer(pointer) if is_object(pointer) => {
            if !is_fine(ctx, &pointer.offset) {
                return None;
            }
            let depth = ctx.frames.len();
            let target = name_allocation(ctx, pointer.target.clone(), name, depth, Some(at));
            Some(Value::Pointer(Pointer {
                target,
                ..pointer.clone()
            }))
        }
        _ => None,
    }
}

/// A constant of the program that the user keeps as a size without a value.
pub(crate) fn symbolic_constant(
    ctx: &mut Lowering,
    name: &Name,
    at: TextRange,
    kind: IntegerType,
) -> Slot {
    let size = ctx.symbols.intern_parameter(name, at, kind, None, true);
    Slot::Fixed(Value::Integer(size, kind))
}
