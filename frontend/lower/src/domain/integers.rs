//! Simplification of integer expressions that do not wrap: constants of sums at the right end, constant factors in
//! front, equal terms collected.

use premiss_tree::{BinaryOperator as Op, Expression, UnaryOperator};

/// `&&` or `||` of two truth values.
pub(crate) fn logical(operator: Op, left: Expression, right: Expression) -> Expression {
    match (operator, left.as_integer()) {
        (Op::And, Some(0)) => 0.into(),
        (Op::Or, Some(value)) if value != 0 => 1.into(),
        (_, Some(_)) => right,
        _ if left == right => left,
        _ => Expression::binary(operator, left, right),
    }
}

/// The terms of a sum, equal ones collected, with their factors; and its constant part. `None` on overflow.
pub(crate) fn linear_form(expression: &Expression) -> Option<(Vec<(Expression, i64)>, i64)> {
    let mut terms = Vec::new();
    let constant = add_terms(expression, 1, &mut terms)?;
    terms.retain(|(_, factor)| *factor != 0);
    Some((terms, constant))
}

/// The same sum with equal terms collected: `m + v - 1 - m + 1` is `v`.
pub(crate) fn collect_terms(expression: &Expression) -> Expression {
    let Some((terms, constant)) = linear_form(expression) else {
        return expression.clone();
    };
    let terms = terms
        .into_iter()
        .map(|(term, factor)| times(factor.into(), term));
    match terms.reduce(plus) {
        Some(sum) => plus(sum, constant.into()),
        None => constant.into(),
    }
}

/// Adds a multiple of an expression to terms and returns its constant part; `None` on overflow.
fn add_terms(
    expression: &Expression,
    factor: i64,
    terms: &mut Vec<(Expression, i64)>,
) -> Option<i64> {
    match expression {
        Expression::Integer(value) => value.checked_mul(factor),
        Expression::Unary(UnaryOperator::Negate, x) => add_terms(x, factor.checked_neg()?, terms),
        Expression::Binary(operator @ (Op::Add | Op::Subtract), a, b) => {
            let of_second = match operator {
                Op::Subtract => factor.checked_neg()?,
                _ => factor,
            };
            let constant = add_terms(a, factor, terms)?;
            constant.checked_add(add_terms(b, of_second, terms)?)
        }
        Expression::Binary(Op::Multiply, a, b) if a.as_integer().is_some() => {
            add_terms(b, factor.checked_mul(a.as_integer()?)?, terms)
        }
        term => {
            match terms.iter_mut().find(|(known, _)| known == term) {
                Some((_, known)) => *known = known.checked_add(factor)?,
                None => terms.push((term.clone(), factor)),
            }
            Some(0)
        }
    }
}

/// `x - y`.
pub(crate) fn minus(x: Expression, y: Expression) -> Expression {
    if x == y && x != Expression::Data {
        return 0.into();
    }
    match (&x, y.as_integer().and_then(i64::checked_neg)) {
        (_, Some(negative)) => plus(x, negative.into()),
        _ => Expression::binary(Op::Subtract, x, y),
    }
}

/// `x + y`, with the constants collected at the right end.
pub(crate) fn plus(x: Expression, y: Expression) -> Expression {
    if x.as_integer().is_some() && y.as_integer().is_none() {
        return plus(y, x);
    }
    if let (Expression::Binary(operator @ (Op::Add | Op::Subtract), a, b), Some(c)) =
        (&x, y.as_integer())
        && let Some(b) = b.as_integer()
    {
        let sum = match operator {
            Op::Add => b.checked_add(c),
            _ => c.checked_sub(b),
        };
        if let Some(sum) = sum {
            return plus((**a).clone(), sum.into());
        }
    }
    match y.as_integer() {
        Some(c) if c < 0 && x.as_integer().is_none() => match c.checked_neg() {
            Some(positive) => Expression::binary(Op::Subtract, x, positive.into()),
            None => Expression::binary(Op::Add, x, y),
        },
        _ => Expression::binary(Op::Add, x, y),
    }
}

/// `x * y`, a constant factor first; it is distributed over sums and multiplied with other constant factors.
pub(crate) fn times(x: Expression, y: Expression) -> Expression {
    if y.as_integer().is_some() && x.as_integer().is_none() {
        return times(y, x);
    }
    let (Some(c), Expression::Binary(operator, a, b)) = (x.as_integer(), &y) else {
        return Expression::binary(Op::Multiply, x, y);
    };
    match (operator, a.as_integer(), b.as_integer()) {
        (Op::Multiply, Some(a), _) => {
            if let Some(product) = c.checked_mul(a) {
                return times(product.into(), (**b).clone());
            }
        }
        (Op::Add | Op::Subtract, _, Some(b)) => {
            let signed = if *operator == Op::Add {
                Some(b)
            } else {
                b.checked_neg()
            };
            if let Some(product) = signed.and_then(|b| c.checked_mul(b)) {
                return plus(times(c.into(), (**a).clone()), product.into());
            }
        }
        _ => {}
    }
    Expression::binary(Op::Multiply, x, y)
}

/// Whether the value is 0 or 1 by its form.
pub(crate) fn is_boolean(value: &Expression) -> bool {
    match value {
        Expression::Integer(value) => (0..=1).contains(value),
        Expression::Unary(operator, _) => *operator == UnaryOperator::Not,
        Expression::Binary(operator, ..) => matches!(
            operator,
            Op::Less
                | Op::LessEqual
                | Op::LessUnsigned
                | Op::LessEqualUnsigned
                | Op::Equal
                | Op::NotEqual
                | Op::And
                | Op::Or
        ),
        _ => false,
    }
}

/// `!x`.
pub(crate) fn negate_condition(x: Expression) -> Expression {
    match x {
        Expression::Binary(Op::Less, a, b) => Expression::Binary(Op::LessEqual, b, a),
        Expression::Binary(Op::LessEqual, a, b) => Expression::Binary(Op::Less, b, a),
        Expression::Binary(Op::Equal, a, b) => Expression::Binary(Op::NotEqual, a, b),
        Expression::Binary(Op::NotEqual, a, b) => Expression::Binary(Op::Equal, a, b),
        other => Expression::unary(UnaryOperator::Not, other),
    }
}

/// `condition ? a : b`, as a minimum or maximum if it is one.
pub(crate) fn choose(condition: Expression, a: Expression, b: Expression) -> Expression {
    if let Expression::Binary(Op::Less | Op::LessEqual, left, right) = &condition {
        if **left == a && **right == b {
            return Expression::binary(Op::Minimum, a, b);
        }
        if **left == b && **right == a {
            return Expression::binary(Op::Maximum, a, b);
        }
    }
    if condition == Expression::Data && a != b {
        return Expression::Data;
    }
    Expression::select(condition, a, b)
}

#[cfg(test)]
mod tests {
    use super::*;
    use premiss_tree::{ParameterId, VariableId};

    fn n() -> Expression {
        Expression::Parameter(ParameterId::from_u32(0))
    }

    fn i() -> Expression {
        Expression::Variable(VariableId::from_u32(0))
    }

    #[track_caller]
    fn check(found: impl Into<Expression>, expected: impl Into<Expression>) {
        assert_eq!(found.into(), expected.into());
    }

    #[test]
    fn constants_of_a_sum_are_folded_at_its_right_end() {
        check(plus(plus(n(), 3.into()), 4.into()), plus(n(), 7.into()));
        check(plus(plus(n(), 3.into()), (-3).into()), n());
        check(plus(2.into(), n()), plus(n(), 2.into()));
        check(minus(n(), n()), 0);
    }

    #[test]
    fn a_constant_factor_is_multiplied_into_sums() {
        let row = times(8.into(), plus(n(), 1.into()));
        check(row, plus(times(8.into(), n()), 8.into()));
        check(times(times(4.into(), n()), 2.into()), times(8.into(), n()));
    }

    #[test]
    fn equal_terms_of_a_sum_are_collected() {
        let sum = minus(plus(n(), minus(i(), 1.into())), n());
        check(collect_terms(&plus(sum, 1.into())), i());
    }

    #[test]
    fn negating_a_comparison_turns_it() {
        let less = Expression::binary(Op::Less, i(), n());
        let back = negate_condition(negate_condition(less.clone()));
        check(back, less);
    }

    #[test]
    fn selecting_by_a_comparison_of_both_is_a_minimum() {
        let less = Expression::binary(Op::Less, i(), n());
        check(
            choose(less.clone(), i(), n()),
            Expression::binary(Op::Minimum, i(), n()),
        );
        check(
            choose(less, n(), i()),
            Expression::binary(Op::Maximum, n(), i()),
        );
    }
}
