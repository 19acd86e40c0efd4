//! Recognizes steps of induction variables: `i++`, `i += 2`, `i = i - n`.

use crate::syntax::{Binary, Expression, ExpressionKind, Name};

/// The amount that a step adds to its variable.
#[derive(Clone, Copy)]
pub enum InductionStep<'s> {
    /// A constant.
    Constant(i64),
    /// The value of an expression.
    Plus(&'s Expression),
    /// The negated value of an expression.
    Minus(&'s Expression),
}

/// The variable that an expression steps by an integer literal, with the amount added; `None` for any other
/// expression.
pub fn constant_step(expression: &Expression) -> Option<(&Name, i64)> {
    let constant = |by: &Expression| match by.kind {
        ExpressionKind::Integer(by, _) => Some(by),
        _ => None,
    };
    let (name, step) = induction_step(expression)?;
    let by = match step {
        InductionStep::Constant(by) => by,
        InductionStep::Plus(by) => constant(by)?,
        InductionStep::Minus(by) => constant(by)?.checked_neg()?,
    };
    Some((name, by))
}

/// The variable that an expression steps, with the amount added; `None` for any other expression. The amount need not
/// be loop-invariant.
pub fn induction_step(expression: &Expression) -> Option<(&Name, InductionStep<'_>)> {
    match &expression.kind {
        ExpressionKind::Increment {
            step: by, operand, ..
        } => Some((variable_name(operand)?, InductionStep::Constant(*by))),
        ExpressionKind::Assign(Some(Binary::Add), left, right) => {
            Some((variable_name(left)?, InductionStep::Plus(right)))
        }
        ExpressionKind::Assign(Some(Binary::Subtract), left, right) => {
            Some((variable_name(left)?, InductionStep::Minus(right)))
        }
        ExpressionKind::Assign(None, left, right) => {
            let name = variable_name(left)?;
            let ExpressionKind::Binary(operator, a, b) = &right.kind else {
                return None;
            };
            let is_iterator = |syntax: &Expression| variable_name(syntax) == Some(name);
            match operator {
                Binary::Add if is_iterator(a) => Some((name, InductionStep::Plus(b))),
                Binary::Add if is_iterator(b) => Some((name, InductionStep::Plus(a))),
                Binary::Subtract if is_iterator(a) => Some((name, InductionStep::Minus(b))),
                _ => None,
            }
        }
        _ => None,
    }
}

/// The name, if the expression is only a name.
pub fn variable_name(expression: &Expression) -> Option<&Name> {
    match &expression.kind {
        ExpressionKind::Name(name) => Some(name),
        _ => None,
    }
}
