//! Conditions: truth values, with `&&` and `||` as branches.

use crate::bailout::Lowered;
use crate::context::Lowering;
use crate::domain::integers::logical;
use crate::domain::values::Value;
use crate::eval::comparisons::truth_of_value;
use crate::eval::pointers::is_non_null;
use crate::syntax::{Expression as Syntax, ExpressionKind};
use premiss_tree::{BinaryOperator as Op, Expression};

/// The maximum number of terms on the sides of an equation that is decided.
const MAX_TERMS: usize = 16;

pub(crate) fn lower_condition(ctx: &mut Lowering, syntax: &Syntax) -> Lowered<Expression> {
    ctx.deeper(syntax.at, |ctx| match &syntax.kind {
        ExpressionKind::And(left, right) => {
            let left = ctx.condition(left)?;
            if left == Expression::Integer(0) {
                return Ok(left);
            }
            let right = lower_short_circuit(ctx, left.clone(), right, true)?;
            Ok(logical(Op::And, left, right))
        }
        ExpressionKind::Or(left, right) => {
            let left = ctx.condition(left)?;
            if left.as_integer().is_some_and(|value| value != 0) {
                return Ok(1.into());
            }
            let right = lower_short_circuit(ctx, left.clone(), right, false)?;
            Ok(logical(Op::Or, left, right))
        }
        _ => {
            let value = ctx.expression(syntax)?;
            match &value {
                Value::Pointer(pointer) => Ok(is_non_null(ctx, pointer)),
                _ => Ok(decide_equation(truth_of_value(ctx, value))),
            }
        }
    })
}

/// Evaluates the right operand of `&&` or `||`, which is evaluated only if the left one is `runs_on`.
fn lower_short_circuit(
    ctx: &mut Lowering,
    left: Expression,
    right: &Syntax,
    runs_on: bool,
) -> Lowered<Expression> {
    if left.as_integer().is_some() {
        return ctx.condition(right);
    }
    let nothing = |_: &mut Lowering| Ok(Expression::Integer(0));
    let mut values = if runs_on {
        ctx.branch(left, |ctx| ctx.condition(right), nothing)?
    } else {
        ctx.branch(left, nothing, |ctx| ctx.condition(right))?
    };
    let idx = usize::from(!runs_on);
    Ok(values.swap_remove(idx))
}

/// Decides an equation whose sides differ by a constant, such as `n == n + 1`.
fn decide_equation(condition: Expression) -> Expression {
    let Expression::Binary(operator @ (Op::Equal | Op::NotEqual), left, right) = &condition else {
        return condition;
    };
    let mut terms = Vec::new();
    let sum =
        add_equation_terms(left, 1, &mut terms).zip(add_equation_terms(right, -1, &mut terms));
    let distance = sum.and_then(|(a, b)| a.checked_add(b));
    let is_constant = terms.iter().all(|(_, factor)| *factor == 0);
    match distance.filter(|_| is_constant) {
        Some(distance) => i64::from((distance == 0) == (*operator == Op::Equal)).into(),
        None => condition,
    }
}

/// Adds a multiple of the terms of a sum to others; returns its constant part. `None` if there are too many terms, or
/// on overflow.
fn add_equation_terms<'e>(
    sum: &'e Expression,
    factor: i64,
    terms: &mut Vec<(&'e Expression, i64)>,
) -> Option<i64> {
    match sum {
        Expression::Integer(value) => value.checked_mul(factor),
        _ if sum.any(|part| *part == Expression::Data) => None,
        Expression::Binary(Op::Add, a, b) => {
            add_equation_terms(a, factor, terms)?.checked_add(add_equation_terms(b, factor, terms)?)
        }
        Expression::Binary(Op::Subtract, a, b) => {
            let less = factor.checked_neg()?;
            add_equation_terms(a, factor, terms)?.checked_add(add_equation_terms(b, less, terms)?)
        }
        other => {
            match terms.iter().position(|(term, _)| *term == other) {
                Some(idx) => terms[idx].1 = terms[idx].1.checked_add(factor)?,
                None if terms.len() < MAX_TERMS => terms.push((other, factor)),
                None => return None,
            }
            Some(0)
        }
    }
}
