//! Conversions of values to other types.

use crate::context::Lowering;
use crate::domain::integers::is_boolean;
use crate::domain::types::Type;
use crate::domain::values::{Pointer, Target, Value, is_object, unknown_value};
use crate::eval::integer_arithmetic::convert_integer;
use premiss_tree::{BinaryOperator as Op, Expression, IntegerType};

/// Converts a value to a type.
pub(crate) fn convert(ctx: &mut Lowering, value: Value, to: &Type) -> Value {
    match (value, to) {
        (Value::Integer(x, _), Type::Integer(IntegerType { bits: 1, .. })) => truth_value(x),
        (Value::Integer(x, from), Type::Integer(to)) => {
            Value::Integer(convert_integer(ctx, x, from, *to), *to)
        }
        (Value::Integer(x, _), Type::Bool) => truth_value(x),
        (Value::Integer(x, _), Type::Floating(kind)) => {
            let constant = x.as_integer().and_then(|x| i32::try_from(x).ok());
            match constant.map(f64::from).filter(|x| kind.holds(*x)) {
                None => Value::Particular(*kind),
                constant => Value::Floating(constant, *kind),
            }
        }
        (Value::Integer(Expression::Integer(0), _), Type::Pointer(pointee)) => {
            Value::Pointer(Pointer {
                target: Target::Null,
                offset: 0.into(),
                pointee: pointee.clone(),
            })
        }
        (Value::Floating(Some(x), _), Type::Integer(to)) => Value::Integer(truncate(x), *to),
        (Value::Floating(Some(x), _), Type::Floating(size)) if !size.holds(x) => {
            Value::Particular(*size)
        }
        (Value::Floating(constant, _), Type::Floating(size)) => Value::Floating(constant, *size),
        (Value::Particular(_), Type::Floating(size)) => Value::Particular(*size),
        (Value::Named(id, from), Type::Floating(to)) if from == *to => Value::Named(id, from),
        (Value::Pointer(pointer), Type::Pointer(pointee)) => Value::Pointer(Pointer {
            pointee: pointee.clone(),
            ..pointer
        }),
        (Value::Pointer(pointer), Type::Bool) if is_object(&pointer) => unknown_value(Type::Bool),
        (value @ Value::Function(_), Type::Pointer(_))
        | (value @ Value::Record(..), Type::Struct(..)) => value,
        (_, Type::Array(element, _)) => unknown_value(Type::Pointer(element.clone())),
        (_, to) => unknown_value(to.clone()),
    }
}

fn truth_value(x: Expression) -> Value {
    let kind = IntegerType {
        bits: 1,
        signed: false,
    };
    let truth = match is_boolean(&x) {
        true => x,
        false => Expression::binary(Op::NotEqual, x, 0.into()),
    };
    Value::Integer(truth, kind)
}

/// A floating-point constant truncated to an integer; data if it does not fit.
#[allow(clippy::cast_possible_truncation)]
fn truncate(x: f64) -> Expression {
    // Below 2^62 the conversion is exact: it only drops the fraction.
    if x.abs() < 4.6e18 {
        Expression::Integer(x as i64)
    } else {
        Expression::Data
    }
}
