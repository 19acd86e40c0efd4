//! What a call that is not inlined may reach through its arguments, and its result.

use crate::context::Lowering;
use crate::domain::types::Type;
use crate::domain::values::{Place, Pointer, Slot, Target, Value, unknown_value};
use crate::eval::arrays::allocate_array;
use crate::eval::records::holds_pointers;
use crate::syntax::{Expression as Syntax, ExpressionKind, TextRange};
use premiss_tree::Expression;

/// Whether an argument points to an array other than a string literal.
pub(crate) fn reaches_arrays(ctx: &Lowering, arguments: &[(Value, TextRange)]) -> bool {
    arguments.iter().any(|(value, _)| match value {
        Value::Pointer(Pointer { target, .. }) => match target {
            Target::Array(row) | Target::Fresh(row) => !is_string_literal(ctx, row.0),
            Target::OneOf(_) | Target::Several(_) | Target::Elsewhere | Target::Ambiguous => true,
            Target::Register(row) => holds_pointers(ctx, *row),
            Target::Null | Target::Scalar(_) => false,
        },
        Value::Record(row, ..) => holds_pointers(ctx, *row),
        Value::Data(Type::Pointer(_) | Type::Struct(..)) => true,
        _ => false,
    })
}

/// The result of an unknown function: a pointer points to a new region.
pub(crate) fn result_of_unknown_call(ctx: &mut Lowering, result: Type, at: TextRange) -> Value {
    match result {
        Type::Pointer(pointee) => match allocate_array(ctx, None, at) {
            Value::Pointer(pointer) => Value::Pointer(Pointer { pointee, ..pointer }),
            other => other,
        },
        other => unknown_value(other),
    }
}

/// The value of a call for a variable of pointer type, where the call yields a number as nothing declares its function: a
/// pointer to a new region, as for a function that is declared.
pub(crate) fn pointer_of_call(
    ctx: &mut Lowering,
    value: Value,
    kind: &Type,
    syntax: &Syntax,
) -> Value {
    let is_number = matches!(value, Value::Integer(Expression::Data, _) | Value::Data(_));
    match kind {
        Type::Pointer(pointee)
            if is_number
                && !matches!(**pointee, Type::Function)
                && matches!(syntax.kind, ExpressionKind::Call(..)) =>
        {
            result_of_unknown_call(ctx, kind.clone(), syntax.at)
        }
        _ => value,
    }
}

/// The arguments that are addresses of scalars, for [`receive_pointers`].
pub(crate) fn arguments_for_pointers(arguments: &[(Value, TextRange)]) -> Vec<(Value, TextRange)> {
    let list = arguments.iter();
    let list = list.filter(|(value, _)| points_to_scalar(value));
    list.cloned().collect()
}

/// Pointers whose addresses an unknown function is given point to new regions behind the call: `get_array(v, &x)`.
pub(crate) fn receive_pointers(ctx: &mut Lowering, arguments: &[(Value, TextRange)]) {
    for (value, at) in arguments {
        if let Value::Pointer(Pointer {
            target: Target::Scalar(slot),
            ..
        }) = value
            && let Slot::Pointer(_, pointee) = &**slot
            && !matches!(**pointee, Type::Function)
        {
            let kind = Type::Pointer(pointee.clone());
            let region = result_of_unknown_call(ctx, kind, *at);
            ctx.store(&Place::Slot((**slot).clone()), region, *at);
        }
    }
}

/// Whether a region is a string literal.
fn is_string_literal(ctx: &Lowering, row: usize) -> bool {
    &*ctx.symbols.arrays[row].name == "literal"
}

pub(crate) fn points_to_scalar(value: &Value) -> bool {
    matches!(
        value,
        Value::Pointer(Pointer {
            target: Target::Scalar(_) | Target::Register(_),
            ..
        })
    )
}
