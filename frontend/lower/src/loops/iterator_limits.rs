//! Exit tests as limits of the iterator, and the conjunction of several limits as a single one.

use crate::domain::integers::{minus, plus};
use crate::syntax::Binary;
use premiss_tree::{BinaryOperator as Op, Comparison, Expression, UnaryOperator};

/// A bound with its comparison, the condition for the loop to start, and the condition under which the bound ends it.
///
/// ```text
/// size_t i, n; i < n - 8      ends the loop at n - 8 where 0 <= n - 8, and else practically never:
///                             n - 8 is 2^64 - 1 for n = 7
/// ```
#[derive(Clone)]
pub(crate) struct IteratorLimit {
    pub(crate) operator: Binary,
    pub(crate) bound: Expression,
    pub(crate) guard: Expression,
    pub(crate) applies: Expression,
}

/// The bound of the same loop with its test before each iteration, for a test behind the body that always lets the
/// first iteration pass: `do … while (++i < n)` from 0 on runs for `i` from 0 to below `max(n, 1)`. `None` if the step
/// is not known to lead towards the bound.
pub(crate) fn at_least_once(
    comparison: Comparison,
    bound: Expression,
    first: &Expression,
    step: &Expression,
) -> Option<Expression> {
    let by = step.as_integer()?;
    let past = |by: i64| plus(first.clone(), by.into());
    Some(match comparison {
        Comparison::Less if 0 < by => Expression::binary(Op::Maximum, bound, past(1)),
        Comparison::LessEqual if 0 < by => Expression::binary(Op::Maximum, bound, past(0)),
        Comparison::Greater if by < 0 => Expression::binary(Op::Minimum, bound, past(-1)),
        Comparison::GreaterEqual if by < 0 => Expression::binary(Op::Minimum, bound, past(0)),
        // A loop that starts at its bound would have to wrap around: it does not end.
        Comparison::NotEqual => {
            let starts_there = Expression::binary(Op::Equal, bound.clone(), first.clone());
            Expression::select(starts_there, minus(first.clone(), step.clone()), bound)
        }
        _ => return None,
    })
}

pub(crate) fn conjoin_guards(a: Expression, b: Expression) -> Expression {
    match (a.as_integer(), b.as_integer()) {
        (Some(a), _) if a != 0 => b,
        (_, Some(b)) if b != 0 => a,
        _ => Expression::binary(Op::And, a, b),
    }
}

/// The maximum number of limits that do not always apply; each doubles the cases.
const MAX_CONDITIONAL: usize = 3;

/// One comparison that is equivalent to the conjunction of all.
pub(crate) fn combine_limits(limits: Vec<IteratorLimit>) -> Option<(Comparison, Expression)> {
    let limits = without_implied(limits);
    let always = Expression::Integer(1);
    if let [limit] = &limits[..]
        && limit.applies == is_natural(&limit.bound)
    {
        let alone = IteratorLimit {
            operator: limit.operator,
            bound: Expression::unary(UnaryOperator::Unsigned, limit.bound.clone()),
            guard: 1.into(),
            applies: always,
        };
        return combine_sure_limits(vec![alone]);
    }
    let (sure, conditional): (Vec<_>, Vec<_>) = limits
        .into_iter()
        .partition(|limit| limit.applies == always);
    if conditional.is_empty() {
        return combine_sure_limits(sure);
    }
    let sure = match sure.is_empty() {
        true => None,
        false => {
            let (comparison, bound) = combine_sure_limits(sure)?;
            let operator = match comparison {
                Comparison::Less => Binary::Less,
                Comparison::LessEqual => Binary::LessEqual,
                Comparison::Greater => Binary::Greater,
                Comparison::GreaterEqual => Binary::GreaterEqual,
                Comparison::NotEqual => return None,
            };
            Some(as_strict(operator, bound)?)
        }
    };
    let strict =
        |limit: IteratorLimit| Some((limit.applies, as_strict(limit.operator, limit.bound)?));
    let conditional: Option<Vec<_>> = conditional.into_iter().map(strict).collect();
    let conditional = conditional.filter(|list| list.len() <= MAX_CONDITIONAL)?;
    let operator = conditional.first()?.1.0;
    let all = conditional.iter().map(|limit| &limit.1).chain(&sure);
    let (comparison, nearer) = match operator {
        Binary::Less => (Comparison::Less, Op::Minimum),
        _ => (Comparison::Greater, Op::Maximum),
    };
    if all.into_iter().any(|limit| limit.0 != operator) {
        return None;
    }
    let bounds = conditional.into_iter();
    let bounds: Vec<_> = bounds.map(|(applies, limit)| (applies, limit.1)).collect();
    Some((
        comparison,
        nearest(nearer, &bounds, sure.map(|limit| limit.1)),
    ))
}

/// The nearest of the bounds that apply and one that always does: for `i < n - 8 && i < 6`, this is
/// `0 <= n - 8 ? min(n - 8, 6) : 6`. Where none applies, it is unknown.
fn nearest(
    nearer: Op,
    conditional: &[(Expression, Expression)],
    sure: Option<Expression>,
) -> Expression {
    let Some(((applies, bound), rest)) = conditional.split_first() else {
        return sure.unwrap_or_else(beyond_counting);
    };
    let both = match &sure {
        Some(sure) => Expression::binary(nearer, bound.clone(), sure.clone()),
        None => bound.clone(),
    };
    let with = nearest(nearer, rest, Some(both));
    Expression::select(applies.clone(), with, nearest(nearer, rest, sure))
}

/// `0 <= x`.
pub(crate) fn is_natural(x: &Expression) -> Expression {
    Expression::binary(Op::LessEqual, 0.into(), x.clone())
}

/// 2^64 - 1, a bound that no loop reaches.
pub(crate) fn beyond_counting() -> Expression {
    Expression::unary(UnaryOperator::Unsigned, (-1).into())
}

/// One comparison that is equivalent to the conjunction of limits that always apply.
fn combine_sure_limits(limits: Vec<IteratorLimit>) -> Option<(Comparison, Expression)> {
    let mut limits = limits.into_iter();
    let first = limits.next()?;
    let mut operator = first.operator;
    let mut bound = first.bound;
    for limit in limits {
        let (one, other) = (
            as_strict(operator, bound)?,
            as_strict(limit.operator, limit.bound)?,
        );
        if one.0 != other.0 {
            return None;
        }
        operator = one.0;
        let nearer = if operator == Binary::Less {
            Op::Minimum
        } else {
            Op::Maximum
        };
        bound = Expression::binary(nearer, one.1, other.1);
    }
    let comparison = match operator {
        Binary::Less => Comparison::Less,
        Binary::LessEqual => Comparison::LessEqual,
        Binary::Greater => Comparison::Greater,
        Binary::GreaterEqual => Comparison::GreaterEqual,
        _ => Comparison::NotEqual,
    };
    Some((comparison, bound))
}

/// The limits without a `v != b` that a `v < b` or `v > b` implies.
pub(crate) fn without_implied(limits: Vec<IteratorLimit>) -> Vec<IteratorLimit> {
    let strict: Vec<Expression> = limits
        .iter()
        .filter_map(|limit| as_strict(limit.operator, limit.bound.clone()))
        .map(|(_, bound)| bound)
        .collect();
    let is_implied =
        |limit: &IteratorLimit| limit.operator == Binary::NotEqual && strict.contains(&limit.bound);
    limits
        .into_iter()
        .filter(|limit| !is_implied(limit))
        .collect()
}

/// The comparison in its strict form.
fn as_strict(operator: Binary, bound: Expression) -> Option<(Binary, Expression)> {
    match operator {
        Binary::Less | Binary::Greater => Some((operator, bound)),
        Binary::LessEqual => Some((Binary::Less, plus(bound, 1.into()))),
        Binary::GreaterEqual => Some((Binary::Greater, minus(bound, 1.into()))),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use premiss_tree::ParameterId;

    fn size(idx: u32) -> Expression {
        Expression::Parameter(ParameterId::from_u32(idx))
    }

    fn limit(operator: Binary, bound: Expression) -> IteratorLimit {
        IteratorLimit {
            operator,
            bound,
            guard: 1.into(),
            applies: 1.into(),
        }
    }

    #[track_caller]
    fn check(limits: Vec<IteratorLimit>, expected: impl Into<Option<(Comparison, Expression)>>) {
        assert_eq!(combine_limits(limits), expected.into());
    }

    #[test]
    fn of_two_limits_the_nearer_ends_the_loop() {
        let nearer = Expression::binary(Op::Minimum, size(0), plus(size(1), 1.into()));
        check(
            vec![
                limit(Binary::Less, size(0)),
                limit(Binary::LessEqual, size(1)),
            ],
            Some((Comparison::Less, nearer)),
        );
    }

    #[test]
    fn a_limit_alone_keeps_its_comparison() {
        check(
            vec![limit(Binary::GreaterEqual, 0.into())],
            Some((Comparison::GreaterEqual, 0.into())),
        );
    }

    #[test]
    fn limits_of_two_directions_are_none() {
        check(
            vec![
                limit(Binary::Less, size(0)),
                limit(Binary::Greater, size(1)),
            ],
            None,
        );
    }

    #[test]
    fn an_inequality_beside_a_strict_limit_is_implied() {
        check(
            vec![
                limit(Binary::NotEqual, size(0)),
                limit(Binary::Less, size(0)),
            ],
            Some((Comparison::Less, size(0))),
        );
    }

    #[test]
    fn a_limit_that_may_not_apply_leaves_the_others() {
        let applies = Expression::binary(Op::LessEqual, 0.into(), size(0));
        let conditional = || IteratorLimit {
            applies: applies.clone(),
            ..limit(Binary::Less, size(0))
        };
        let nearer = Expression::binary(Op::Minimum, size(0), 6.into());
        check(
            vec![conditional(), limit(Binary::LessEqual, 5.into())],
            Some((
                Comparison::Less,
                Expression::select(applies.clone(), nearer, 6.into()),
            )),
        );
        let alone = Expression::unary(UnaryOperator::Unsigned, size(0));
        check(vec![conditional()], Some((Comparison::Less, alone)));
    }

    #[test]
    fn a_loop_with_its_test_at_the_end_has_one_iteration_at_least() {
        let bound = |step: i64| at_least_once(Comparison::Less, size(0), &0.into(), &step.into());
        let expected = Expression::binary(Op::Maximum, size(0), 1.into());
        assert_eq!(bound(1), Some(expected));
        assert_eq!(bound(-1), None, "a step away from the bound");
    }
}
