//! Recognizes steps that multiply or divide: `s *= 2`, `s = s / 2`, `s >>= 1`.

use crate::induction_step::variable_name;
use crate::syntax::{Binary, Expression, ExpressionKind, Name};

/// A step by a factor.
#[derive(Clone, Copy)]
pub struct GeometricStep<'s> {
    /// What is done to the variable: [`Binary::Multiply`], [`Binary::Divide`] or a shift.
    pub operator: Binary,
    /// What it multiplies or divides by, or by how many bits it shifts.
    pub factor: &'s Expression,
}

/// The variable that an expression multiplies, divides or shifts; `None` for any other expression. The factor need not
/// be loop-invariant.
pub fn geometric_step(expression: &Expression) -> Option<(&Name, GeometricStep<'_>)> {
    let ExpressionKind::Assign(operator, left, right) = &expression.kind else {
        return None;
    };
    let name = variable_name(left)?;
    let is_it = |syntax: &Expression| variable_name(syntax) == Some(name);
    let (operator, by) = match (operator, &right.kind) {
        (Some(operator), _) => (*operator, &**right),
        (None, ExpressionKind::Binary(operator, a, b)) if is_it(a) => (*operator, &**b),
        (None, ExpressionKind::Binary(Binary::Multiply, a, b)) if is_it(b) => {
            (Binary::Multiply, &**a)
        }
        _ => return None,
    };
    let is_geometric = matches!(
        operator,
        Binary::Multiply | Binary::Divide | Binary::ShiftLeft | Binary::ShiftRight
    );
    is_geometric.then_some((
        name,
        GeometricStep {
            operator,
            factor: by,
        },
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_syntax::{assignment, binary, expression, int, var};

    #[test]
    fn a_variable_steps_by_a_factor() {
        let assigned = |operator| {
            let (left, right) = (Box::new(var("s")), Box::new(int(2)));
            expression(ExpressionKind::Assign(Some(operator), left, right))
        };
        let plain = |a, operator, b| assignment(var("s"), binary(operator, a, b));
        for (step, expected) in [
            (assigned(Binary::Multiply), Some(Binary::Multiply)),
            (assigned(Binary::ShiftRight), Some(Binary::ShiftRight)),
            (assigned(Binary::Add), None),
            (
                plain(var("s"), Binary::Divide, int(2)),
                Some(Binary::Divide),
            ),
            (
                plain(int(2), Binary::Multiply, var("s")),
                Some(Binary::Multiply),
            ),
            // s = 2 / s, s = t * 2
            (plain(int(2), Binary::Divide, var("s")), None),
            (plain(var("t"), Binary::Multiply, int(2)), None),
        ] {
            let found = geometric_step(&step).map(|(name, step)| (&**name, step.operator));
            assert_eq!(found, expected.map(|operator| ("s", operator)), "{step:?}");
        }
    }
}
