//! Operators on two values: integers, reals and pointers.

use crate::context::Lowering;
use crate::domain::reals::combine_reals;
use crate::domain::types::INT;
use crate::domain::values::{Pointer, Target, Value, as_offset};
use crate::eval::comparisons::{dense_comparison, predicate_of_comparison};
use crate::eval::integer_arithmetic::apply_binary_integer;
use crate::eval::pointers::{apply_to_pointers, compare_with_null, offset_pointer};
use crate::syntax::Binary;
use premiss_tree::{Expression, UnaryOperator};

pub(crate) fn apply_binary(
    ctx: &mut Lowering,
    operator: Binary,
    left: Value,
    right: Value,
) -> Value {
    match (left, right) {
        (Value::Integer(a, a_kind), Value::Integer(b, b_kind)) => {
            apply_binary_integer(ctx, operator, (a, a_kind), (b, b_kind))
        }
        (Value::Pointer(a), Value::Pointer(b)) => {
            let is_null = |x: &Pointer| x.target == Target::Null;
            match (is_null(&a), is_null(&b)) {
                (true, _) if operator.is_comparison() => compare_with_null(ctx, operator, &b),
                (_, true) if operator.is_comparison() => compare_with_null(ctx, operator, &a),
                _ => apply_to_pointers(operator, &a, &b),
            }
        }
        (Value::Pointer(pointer), other) | (other, Value::Pointer(pointer))
            if operator.is_comparison() =>
        {
            match other {
                Value::Integer(Expression::Integer(0), _) => {
                    compare_with_null(ctx, operator, &pointer)
                }
                _ => Value::Integer(Expression::Data, INT),
            }
        }
        (Value::Pointer(pointer), other) | (other, Value::Pointer(pointer)) => {
            let distance = as_offset(other);
            let distance = match operator {
                Binary::Subtract => Expression::unary(UnaryOperator::Negate, distance),
                _ => distance,
            };
            Value::Pointer(offset_pointer(ctx, pointer, distance))
        }
        (left, right) => {
            let known = apply_floating(operator, &left, &right);
            match (&known, operator.is_comparison()) {
                (Value::Integer(Expression::Data, kind), true) => {
                    let truth = predicate_of_comparison(ctx, operator, &left, &right);
                    let truth = truth.or_else(|| dense_comparison(ctx, operator, &left, &right));
                    Value::Integer(truth.unwrap_or(Expression::Data), *kind)
                }
                _ => known,
            }
        }
    }
}

/// The constant that a value is; a complex one counts if its imaginary part is 0.
fn constant_number(value: &Value) -> Option<f64> {
    match value {
        Value::Floating(Some(x), kind) if kind.is_within_doubles() => Some(*x),
        // Exact up to 2^53, beyond which sizes do not go.
        Value::Integer(Expression::Integer(x), _) => i32::try_from(*x).ok().map(f64::from),
        _ => None,
    }
}

/// The truth value of a comparison with an operand that is not an integer; known for constants.
fn compare_constants(operator: Binary, left: &Value, right: &Value) -> Expression {
    let (Some(a), Some(b)) = (constant_number(left), constant_number(right)) else {
        return Expression::Data;
    };
    let truth = match operator {
        Binary::Less => a < b,
        Binary::LessEqual => a <= b,
        Binary::Greater => a > b,
        Binary::GreaterEqual => a >= b,
        Binary::Equal => a == b,
        _ => a != b,
    };
    i64::from(truth).into()
}

/// Arithmetic with an operand that is not an integer.
pub(crate) fn apply_floating(operator: Binary, left: &Value, right: &Value) -> Value {
    if operator.is_comparison() {
        return Value::Integer(compare_constants(operator, left, right), INT);
    }
    let kind_of = |value: &Value| match value {
        Value::Floating(_, kind) | Value::Particular(kind) | Value::Named(_, kind) => Some(*kind),
        _ => None,
    };
    let kind = match (kind_of(left), kind_of(right)) {
        (Some(a), Some(b)) => a.common(b),
        (Some(kind), None) | (None, Some(kind)) => kind,
        (None, None) => return Value::Data(left.kind()),
    };
    let folded = match (constant_number(left), constant_number(right)) {
        (Some(a), Some(b)) if kind.is_within_doubles() => match operator {
            Binary::Add => Some(a + b),
            Binary::Subtract => Some(a - b),
            Binary::Multiply => Some(a * b),
            Binary::Divide if !kind.is_complex() => Some(a / b),
            Binary::Minimum => Some(a.min(b)),
            Binary::Maximum => Some(a.max(b)),
            _ => None,
        },
        _ => None,
    };
    match folded.filter(|x| kind.holds(*x)) {
        Some(x) => Value::Floating(Some(x), kind),
        None => combine_reals(operator, [left, right], kind),
    }
}
