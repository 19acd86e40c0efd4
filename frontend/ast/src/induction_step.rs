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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_syntax::{assignment, binary, expression, int, var};

    fn assigned(operator: Option<Binary>, value: Expression) -> Expression {
        let (left, right) = (Box::new(var("i")), Box::new(value));
        expression(ExpressionKind::Assign(operator, left, right))
    }

    /// The variable and the constant that a step adds.
    fn constant(step: &Expression) -> Option<(&str, i64)> {
        constant_step(step).map(|(name, by)| (&**name, by))
    }

    #[test]
    fn a_variable_steps_by_what_is_added_to_it_or_taken_from_it() {
        let down = expression(ExpressionKind::Increment {
            step: -1,
            is_prefix: false,
            operand: Box::new(var("i")),
        });
        assert_eq!(constant(&down), Some(("i", -1)));
        let by = |operator, a, b| assignment(var("i"), binary(operator, a, b));
        for (step, amount) in [
            (assigned(Some(Binary::Add), int(2)), 2),
            (assigned(Some(Binary::Subtract), int(2)), -2),
            (by(Binary::Add, var("i"), int(3)), 3),
            (by(Binary::Add, int(3), var("i")), 3),
            (by(Binary::Subtract, var("i"), int(3)), -3),
        ] {
            assert_eq!(constant(&step), Some(("i", amount)), "{step:?}");
        }
    }

    #[test]
    fn what_does_not_keep_the_old_value_is_no_step() {
        let by = |operator, a, b| assignment(var("i"), binary(operator, a, b));
        for other in [
            // i = 3 - i, i = j + 1, i = i * 2, i *= 2, i = 3
            by(Binary::Subtract, int(3), var("i")),
            by(Binary::Add, var("j"), int(1)),
            by(Binary::Multiply, var("i"), int(2)),
            assigned(Some(Binary::Multiply), int(2)),
            assigned(None, int(3)),
        ] {
            assert!(induction_step(&other).is_none(), "{other:?}");
        }
    }

    #[test]
    fn an_amount_that_is_no_literal_is_a_step_but_no_constant_one() {
        let step = assigned(Some(Binary::Subtract), var("n"));
        let (name, by) = induction_step(&step).expect("it is a step");
        let InductionStep::Minus(by) = by else {
            panic!("n is taken away");
        };
        assert_eq!(
            (&**name, variable_name(by)),
            ("i", variable_name(&var("n")))
        );
        assert!(constant_step(&step).is_none());
        let least = assigned(Some(Binary::Subtract), int(i64::MIN));
        assert!(constant_step(&least).is_none(), "its negation does not fit");
    }
}
