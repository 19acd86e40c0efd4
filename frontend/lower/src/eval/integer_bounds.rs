//! Lower bounds of integer expressions, from the types and ranges of their variables.

use crate::context::Lowering;
use crate::domain::integers::{collect_terms, linear_form, minus, plus, times};
use premiss_tree::{BinaryOperator as Op, Expression, UnaryOperator};

/// The largest constant that counts as small: a stride or an offset, as opposed to a hash multiplier.
const MAX_SMALL: i64 = 1 << 16;

/// A lower bound of an expression, if one is known. Values of unsigned sizes and variables count as at least 0: sizes
/// of 2^63 and more do not occur.
pub(crate) fn minimum_of(ctx: &Lowering, expression: &Expression) -> Option<i64> {
    match expression {
        Expression::Integer(value) => Some(*value),
        Expression::Parameter(id) => {
            let row = &ctx.symbols.parameters[id.as_u32() as usize];
            (!row.kind.signed).then_some(0)
        }
        Expression::Variable(id) => match ctx.loops.iterators.get(id) {
            Some(range) => range.least,
            None => {
                let kind = ctx.symbols.variable(*id).kind;
                (!kind.signed && kind.bits < 64).then_some(0)
            }
        },
        Expression::Data => None,
        Expression::Unary(UnaryOperator::Not | UnaryOperator::Unsigned, _) => Some(0),
        Expression::Unary(..) => None,
        Expression::Select(operands) => {
            Some(minimum_of(ctx, &operands[1])?.min(minimum_of(ctx, &operands[2])?))
        }
        Expression::Wrap(kind, _) => (!kind.signed && kind.bits < 64).then_some(0),
        Expression::Entry(id, _) => ctx.constants.least_entry(*id),
        Expression::Binary(operator, a, b) => minimum_of_binary(ctx, *operator, a, b),
    }
}

fn minimum_of_binary(ctx: &Lowering, operator: Op, a: &Expression, b: &Expression) -> Option<i64> {
    let non_negative = |x: &Expression| minimum_of(ctx, x).filter(|least| 0 <= *least);
    match operator {
        Op::Add => minimum_of(ctx, a)?.checked_add(minimum_of(ctx, b)?),
        Op::Multiply => non_negative(a)?.checked_mul(non_negative(b)?),
        Op::Subtract => minimum_of(ctx, a)?.checked_sub(b.as_integer()?),
        Op::Quotient | Op::Remainder | Op::ShiftRight => {
            non_negative(a)?;
            non_negative(b).map(|_| 0)
        }
        Op::Minimum => Some(minimum_of(ctx, a)?.min(minimum_of(ctx, b)?)),
        Op::Maximum => Some(minimum_of(ctx, a)?.max(minimum_of(ctx, b)?)),
        Op::BitAnd => non_negative(a).or_else(|| non_negative(b)).map(|_| 0),
        Op::BitOr | Op::BitXor | Op::ShiftLeft => {
            non_negative(a)?;
            non_negative(b).map(|_| 0)
        }
        _ => Some(0),
    }
}

/// Whether the value is known not to be negative.
pub(crate) fn is_non_negative(ctx: &Lowering, expression: &Expression) -> bool {
    minimum_of(ctx, expression).is_some_and(|least| 0 <= least)
}

/// The maximum number of iterators that are replaced by their bounds to show that a sum is not negative.
const MAX_REPLACED: u32 = 4;

/// As [`is_non_negative`], for a sum whose iterators have bounds in terms of each other and of sizes: `n - i` in the body
/// of `for (i = 0; i < n; i++)` is at least `n - (n - 1)`.
pub(crate) fn is_natural_sum(ctx: &Lowering, expression: &Expression) -> bool {
    is_non_negative(ctx, expression) || is_natural_within(ctx, expression, MAX_REPLACED)
}

fn is_natural_within(ctx: &Lowering, expression: &Expression, n_replaced: u32) -> bool {
    let Some((terms, constant)) = linear_form(expression) else {
        return false;
    };
    let least = terms.iter().try_fold(constant, |sum, (term, factor)| {
        let least = minimum_of(ctx, term).filter(|_| 0 < *factor)?;
        sum.checked_add(least.checked_mul(*factor)?)
    });
    if least.is_some_and(|least| 0 <= least) {
        return true;
    }
    let Some(left) = n_replaced.checked_sub(1) else {
        return false;
    };
    terms.iter().any(|(term, factor)| {
        let range = match term {
            Expression::Variable(id) => ctx.loops.iterators.get(id),
            _ => None,
        };
        let bounds = range.map(|range| match 0 < *factor {
            true => &range.lower,
            false => &range.upper,
        });
        bounds.into_iter().flatten().any(|bound| {
            let change = times((*factor).into(), minus(bound.clone(), term.clone()));
            let replaced = collect_terms(&plus(expression.clone(), change));
            is_natural_within(ctx, &replaced, left)
        })
    })
}

/// Whether it is made of iterators, sizes and small constants by sums and products.
pub(crate) fn is_count(ctx: &Lowering, expression: &Expression) -> bool {
    match expression {
        Expression::Integer(value) => (0..=MAX_SMALL).contains(value),
        Expression::Parameter(_) => true,
        Expression::Variable(id) => {
            ctx.loops.iterators.contains_key(id) || ctx.symbols.variable(*id).is_fixed
        }
        Expression::Binary(Op::Add | Op::Multiply, a, b) => is_count(ctx, a) && is_count(ctx, b),
        Expression::Binary(Op::Subtract, a, b) => {
            is_count(ctx, a) && b.as_integer().is_some() && is_non_negative(ctx, expression)
        }
        Expression::Binary(Op::Minimum | Op::Maximum | Op::Quotient, a, b) => {
            is_count(ctx, a) && is_count(ctx, b)
        }
        _ => false,
    }
}
