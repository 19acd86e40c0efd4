//! C's integer arithmetic, in expressions that do not wrap.
//!
//! Signed overflow is undefined in C, so signed results never wrap. Unsigned 64-bit sums, differences and products
//! need no wrap either: an expression represents them modulo 2^64, and operations that depend on the sign (comparison,
//! division, right shifts, conversion to a wider type) are treated specially where the top bit may be set. Narrower
//! unsigned results wrap, except where they cannot leave their range, and except for sums and products of iterators,
//! sizes and small constants: those count elements or iterations, of which an array or loop indexed in 32 bits has
//! fewer than 2^32, or the program itself is wrong.

use crate::context::Lowering;
use crate::domain::integers::{is_boolean, minus, negate_condition, plus, times};
use crate::domain::types::{INT, common, promoted};
use crate::domain::values::Value;
use crate::eval::integer_bounds::{is_count, is_non_negative};
use crate::syntax::{Binary, Unary};
use premiss_tree::{BinaryOperator as Op, Expression, IntegerType, UnaryOperator};

/// The result of arithmetic in a type, reduced to its range if it may leave it.
fn reduce_to_type(ctx: &Lowering, value: Expression, kind: IntegerType) -> Expression {
    if kind.signed || kind.bits == 64 || (is_count(ctx, &value) && is_non_negative(ctx, &value)) {
        return value;
    }
    Expression::wrap(kind, value)
}

/// Converts a value from one integer type to another.
pub(crate) fn convert_integer(
    ctx: &Lowering,
    value: Expression,
    from: IntegerType,
    to: IntegerType,
) -> Expression {
    let widens = if from.signed == to.signed {
        from.bits <= to.bits
    } else if to.signed {
        from.bits < to.bits || to.bits == 64
    } else {
        // To unsigned: 64 bits represent a negative number by its residue; otherwise the value must not be negative.
        to.bits == 64 || (from.bits <= to.bits && is_non_negative(ctx, &value))
    };
    if widens || is_boolean(&value) {
        return value;
    }
    Expression::wrap(to, value)
}

pub(crate) fn apply_unary_integer(
    ctx: &Lowering,
    operator: Unary,
    x: Expression,
    kind: IntegerType,
) -> Value {
    let result = promoted(kind);
    let value = match operator {
        Unary::Plus => x,
        Unary::Negate => {
            let negated = match &x {
                Expression::Unary(UnaryOperator::Negate, inner) => (**inner).clone(),
                _ => Expression::unary(UnaryOperator::Negate, x),
            };
            reduce_to_type(ctx, negated, result)
        }
        Unary::BitNot => reduce_to_type(ctx, Expression::unary(UnaryOperator::BitNot, x), result),
        Unary::Not => return Value::Integer(negate_condition(x), INT),
    };
    Value::Integer(value, result)
}

pub(crate) fn apply_binary_integer(
    ctx: &Lowering,
    operator: Binary,
    (a, a_kind): (Expression, IntegerType),
    (b, b_kind): (Expression, IntegerType),
) -> Value {
    if matches!(operator, Binary::ShiftLeft | Binary::ShiftRight) {
        return apply_shift(ctx, operator, a, b, promoted(a_kind));
    }
    let kind = common(a_kind, b_kind);
    let a = convert_integer(ctx, a, a_kind, kind);
    let b = convert_integer(ctx, b, b_kind, kind);
    if operator.is_comparison() {
        return Value::Integer(compare_integers(ctx, operator, a, b, kind), INT);
    }
    let value = match operator {
        Binary::Add => reduce_to_type(ctx, plus(a, b), kind),
        Binary::Subtract => reduce_to_type(ctx, minus(a, b), kind),
        Binary::Multiply => reduce_to_type(ctx, times(a, b), kind),
        Binary::Divide => apply_division(ctx, Op::Quotient, &a, &b, kind),
        Binary::Remainder => apply_division(ctx, Op::Remainder, &a, &b, kind),
        Binary::Minimum | Binary::Maximum if !kind.signed && kind.bits == 64 => Expression::Data,
        Binary::Minimum => Expression::binary(Op::Minimum, a, b),
        Binary::Maximum => Expression::binary(Op::Maximum, a, b),
        Binary::BitAnd => Expression::binary(Op::BitAnd, a, b),
        Binary::BitOr => Expression::binary(Op::BitOr, a, b),
        _ => Expression::binary(Op::BitXor, a, b),
    };
    Value::Integer(value, kind)
}

fn apply_shift(
    ctx: &Lowering,
    operator: Binary,
    a: Expression,
    b: Expression,
    kind: IntegerType,
) -> Value {
    let value = match operator {
        Binary::ShiftLeft if kind.bits == 64 && !kind.signed && a.as_integer().is_none() => {
            // The bits shifted out of 64 are lost, as by a product modulo 2^64.
            match b.as_integer() {
                Some(bits @ 0..62) => times((1_i64 << bits).into(), a),
                _ => Expression::Data,
            }
        }
        Binary::ShiftLeft => {
            let shifted = Expression::binary(Op::ShiftLeft, a, b);
            if kind.signed || kind.bits == 64 {
                shifted
            } else {
                Expression::wrap(kind, shifted)
            }
        }
        _ => unless_huge(
            ctx,
            Expression::binary(Op::ShiftRight, a.clone(), b),
            &a,
            kind,
        ),
    };
    Value::Integer(value, kind)
}

fn apply_division(
    ctx: &Lowering,
    operator: Op,
    a: &Expression,
    b: &Expression,
    kind: IntegerType,
) -> Expression {
    let value = match (operator, b.as_integer()) {
        (Op::Quotient, Some(1)) => a.clone(),
        _ => Expression::binary(operator, a.clone(), b.clone()),
    };
    let value = unless_huge(ctx, value, a, kind);
    unless_huge(ctx, value, b, kind)
}

/// The value if `operand` is less than 2^63 as a number of its type, else data.
fn unless_huge(
    ctx: &Lowering,
    value: Expression,
    operand: &Expression,
    kind: IntegerType,
) -> Expression {
    if kind.signed || kind.bits < 64 || is_non_negative(ctx, operand) || value == Expression::Data {
        return value;
    }
    let is_small = Expression::binary(Op::LessEqual, 0.into(), operand.clone());
    Expression::select(is_small, value, Expression::Data)
}

/// Compares two numbers of one type.
fn compare_integers(
    ctx: &Lowering,
    operator: Binary,
    a: Expression,
    b: Expression,
    kind: IntegerType,
) -> Expression {
    let is_signed =
        kind.signed || kind.bits < 64 || (is_non_negative(ctx, &a) && is_non_negative(ctx, &b));
    let (less, less_equal) = if is_signed {
        (Op::Less, Op::LessEqual)
    } else {
        (Op::LessUnsigned, Op::LessEqualUnsigned)
    };
    match operator {
        Binary::Less => Expression::binary(less, a, b),
        Binary::LessEqual => Expression::binary(less_equal, a, b),
        Binary::Greater => Expression::binary(less, b, a),
        Binary::GreaterEqual => Expression::binary(less_equal, b, a),
        Binary::Equal => Expression::binary(Op::Equal, a, b),
        _ => Expression::binary(Op::NotEqual, a, b),
    }
}
