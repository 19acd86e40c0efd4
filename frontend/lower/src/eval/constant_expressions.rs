//! Constant expressions in initializers.

use crate::context::Lowering;
use crate::domain::types::Type;
use crate::domain::values::{Value, as_offset};
use crate::eval::conversions::convert;
use crate::syntax::{Expression as Syntax, ExpressionKind, Unary};
use premiss_tree::{Expression, IntegerType};

/// The value of a constant expression in an initializer.
pub(crate) fn constant_integer(ctx: &mut Lowering, syntax: &Syntax) -> Option<i64> {
    if let Some(value) = integer_literal(syntax) {
        return Some(value);
    }
    let value = ctx.expression(syntax).ok()?;
    as_offset(value).as_integer()
}

/// The value of a constant expression, converted to the type of an object.
pub(crate) fn constant_integer_of_type(
    ctx: &mut Lowering,
    syntax: &Syntax,
    kind: IntegerType,
) -> Option<i64> {
    if let Some(value) = integer_literal(syntax) {
        return Some(match kind.bits {
            1 => i64::from(value != 0),
            _ => kind.wrap(value),
        });
    }
    let value = ctx.expression(syntax).ok()?;
    match convert(ctx, value, &Type::Integer(kind)) {
        Value::Integer(Expression::Integer(value), _) => Some(value),
        _ => None,
    }
}

/// An integer literal, with its sign.
fn integer_literal(syntax: &Syntax) -> Option<i64> {
    match &syntax.kind {
        ExpressionKind::Integer(value, _) => Some(*value),
        ExpressionKind::Unary(Unary::Negate, operand) => match &operand.kind {
            ExpressionKind::Integer(value, kind) => Some(kind.wrap(value.checked_neg()?)),
            _ => None,
        },
        _ => None,
    }
}
