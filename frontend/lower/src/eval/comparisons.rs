//! Comparisons of real numbers whose outcome is known or invariant.

use crate::context::Lowering;
use crate::domain::integers::negate_condition;
use crate::domain::predicates::{ComparisonOperand, comparison_operand};
use crate::domain::types::{NumberType, Type};
use crate::domain::values::{RealId, Slot, Target, Value, truth_of};
use crate::syntax::{Binary, Expression as Syntax, ExpressionKind as Kind, Name, TextRange};
use premiss_tree::{Assumption, Expression};

/// A real number that keeps its value.
pub(crate) fn new_named_real(
    ctx: &mut Lowering,
    name: &Name,
    at: TextRange,
    size: NumberType,
) -> Value {
    let id = RealId(ctx.predicates.names.len());
    ctx.predicates.names.push((name.clone(), at));
    Value::Named(id, size)
}

/// The truth value of a comparison of two operands that are constants or named reals; `None` for others.
pub(crate) fn predicate_of_comparison(
    ctx: &mut Lowering,
    operator: Binary,
    left: &Value,
    right: &Value,
) -> Option<Expression> {
    let (a, b) = (comparison_operand(left)?, comparison_operand(right)?);
    // `a != b` is the negation of `a == b`; `a <= b` is not that of `b < a`, because of NaN.
    let (symbol, a, b, is_negated) = match operator {
        Binary::Equal => ("==", a, b, false),
        Binary::NotEqual => ("==", a, b, true),
        Binary::Less => ("<", a, b, false),
        Binary::Greater => ("<", b, a, false),
        Binary::LessEqual => ("<=", a, b, false),
        Binary::GreaterEqual => ("<=", b, a, false),
        _ => return None,
    };
    let (a, b) = match symbol == "==" && b < a {
        true => (b, a),
        false => (a, b),
    };
    let text = format!(
        "{}{symbol}{}",
        ctx.predicates.operand_text(&a),
        ctx.predicates.operand_text(&b)
    );
    let at = [&a, &b].into_iter().find_map(|side| match side {
        ComparisonOperand::Named(id) => Some(ctx.predicates.names[id.0].1),
        ComparisonOperand::Constant(_) => None,
    })?;
    let key = (symbol, a, b);
    let known = ctx.predicates.ids.get(&key).copied();
    let truth = match known {
        Some(id) => Expression::Parameter(id),
        None => {
            let truth = ctx.symbols.fresh_predicate(text, at);
            if let Expression::Parameter(id) = truth {
                ctx.predicates.ids.insert(key, id);
            }
            truth
        }
    };
    Some(match is_negated {
        true => negate_condition(truth),
        false => truth,
    })
}

/// Whether a number in general position equals a constant, where the user states that data are dense: `x[j] != 0` and
/// `alpha != 1` hold. `None` for other comparisons.
pub(crate) fn dense_comparison(
    ctx: &mut Lowering,
    operator: Binary,
    left: &Value,
    right: &Value,
) -> Option<Expression> {
    let is_constant = |value: &Value| {
        matches!(
            comparison_operand(value),
            Some(ComparisonOperand::Constant(_))
        )
    };
    let is_open = |value: &Value| matches!(value, Value::Floating(None, _));
    let compares = is_constant(right) && is_open(left) || is_constant(left) && is_open(right);
    match compares {
        true => dense_equality(ctx, operator, 0),
        false => None,
    }
}

/// A comparison of a number with itself, where the user states that there is no NaN: `x != x` is false.
pub(crate) fn nan_test(ctx: &mut Lowering, operator: Binary, number: &Value) -> Option<Expression> {
    match number.kind() {
        Type::Floating(_) => dense_equality(ctx, operator, 1),
        _ => None,
    }
}

/// The value of `==` or `!=`, where `equal` tells whether the operands are equal.
fn dense_equality(ctx: &mut Lowering, operator: Binary, equal: i64) -> Option<Expression> {
    let truth = match operator {
        Binary::Equal => equal,
        Binary::NotEqual => 1 - equal,
        _ => return None,
    };
    if !ctx.program.is_dense() {
        return None;
    }
    ctx.assumptions.insert(Assumption::DENSE);
    Some(truth.into())
}

/// Whether two operands are the same real variable or array element: `x` and `x`, `a[i]` and `a[i]`, but not `a[i++]`.
pub(crate) fn is_same_number(ctx: &mut Lowering, left: &Syntax, right: &Syntax) -> bool {
    match (&left.kind, &right.kind) {
        (Kind::Name(a), Kind::Name(b)) => a == b || is_same_variable(ctx, a, b),
        (Kind::Integer(a, _), Kind::Integer(b, _)) => a == b,
        (Kind::Dereference(a), Kind::Dereference(b)) => is_same_number(ctx, a, b),
        (Kind::Index(a, i), Kind::Index(b, j)) => {
            is_same_number(ctx, a, b) && is_same_number(ctx, i, j)
        }
        (Kind::Binary(f, a, i), Kind::Binary(g, b, j)) => {
            f == g && is_same_number(ctx, a, b) && is_same_number(ctx, i, j)
        }
        _ => false,
    }
}

/// Whether two names denote the same real variable, possibly by reference, as two dummy arguments for the same actual
/// one.
fn is_same_variable(ctx: &mut Lowering, a: &Name, b: &Name) -> bool {
    let mut real = |name| match ctx.lookup(name)? {
        Slot::Real(id, _) => Some((id, false)),
        Slot::Fixed(Value::Pointer(pointer)) => match pointer.target {
            Target::Scalar(slot) => match *slot {
                Slot::Real(id, _) => Some((id, true)),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    };
    let a = real(a);
    a.is_some() && a == real(b)
}

/// The truth value of a number that is used as a condition, as in `if (x[j])`.
pub(crate) fn truth_of_value(ctx: &mut Lowering, value: Value) -> Expression {
    let zero = Value::Floating(Some(0.0), NumberType::real(8));
    let dense = dense_comparison(ctx, Binary::NotEqual, &value, &zero);
    dense.unwrap_or_else(|| truth_of(value))
}
