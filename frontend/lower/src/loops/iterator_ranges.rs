//! What the header of a loop tells about its iterator in the body.

use crate::context::Lowering;
use crate::domain::integers::{minus, plus};
use crate::loops::loop_context::IteratorRange;
use crate::loops::loop_header::LoopBounds;
use premiss_tree::{BinaryOperator as Op, Comparison, Expression, UnaryOperator};

/// The maximum number of bounds that are kept on each side.
const MAX_BOUNDS: usize = 3;

/// The range of the iterator in the body of a loop with this header.
///
/// ```text
/// for (i = k + 1; i < min(n, m) - 1; i++)        lower: k + 1     upper: n - 2, m - 2
/// ```
pub(crate) fn iterator_range(ctx: &Lowering, header: &LoopBounds) -> IteratorRange {
    let is_upward = header.step.as_integer().is_some_and(|step| 0 < step);
    let is_downward = header.step.as_integer().is_some_and(|step| step < 0);
    let mut range = IteratorRange {
        least: header.least,
        ..IteratorRange::default()
    };
    let beyond = match header.comparison {
        Comparison::Less => -1,
        Comparison::Greater => 1,
        _ => 0,
    };
    match header.comparison {
        Comparison::Less | Comparison::LessEqual => {
            add_bounds(ctx, &header.bound, Op::Minimum, beyond, &mut range.upper);
        }
        Comparison::Greater | Comparison::GreaterEqual => {
            add_bounds(ctx, &header.bound, Op::Maximum, beyond, &mut range.lower);
        }
        Comparison::NotEqual => {}
    }
    if is_upward {
        add_bounds(ctx, &header.first, Op::Maximum, 0, &mut range.lower);
    } else if is_downward {
        add_bounds(ctx, &header.first, Op::Minimum, 0, &mut range.upper);
    }
    range
}

/// Adds an expression plus a constant, or its operands if it is a minimum or maximum, whichever `operator` names.
fn add_bounds(
    ctx: &Lowering,
    expression: &Expression,
    operator: Op,
    beyond: i64,
    bounds: &mut Vec<Expression>,
) {
    match expression {
        Expression::Binary(found, a, b) if *found == operator => {
            add_bounds(ctx, a, operator, beyond, bounds);
            add_bounds(ctx, b, operator, beyond, bounds);
        }
        Expression::Binary(Op::Add, a, b) if b.as_integer().is_some() => {
            let beyond = b.as_integer().and_then(|b| b.checked_add(beyond));
            if let Some(beyond) = beyond {
                add_bounds(ctx, a, operator, beyond, bounds);
            }
        }
        Expression::Binary(Op::Subtract, a, b) if b.as_integer().is_some() => {
            let beyond = b.as_integer().and_then(|b| beyond.checked_sub(b));
            if let Some(beyond) = beyond {
                add_bounds(ctx, a, operator, beyond, bounds);
            }
        }
        // In the body it has a value.
        Expression::Unary(UnaryOperator::Unsigned, x) => {
            add_bounds(ctx, x, operator, beyond, bounds);
        }
        bound if bounds.len() < MAX_BOUNDS && keeps_value(ctx, bound) => {
            bounds.push(match beyond {
                0.. => plus(bound.clone(), beyond.into()),
                _ => minus(bound.clone(), beyond.saturating_neg().into()),
            });
        }
        _ => {}
    }
}

/// Whether the body of the loop cannot change the value of an expression in its header.
fn keeps_value(ctx: &Lowering, expression: &Expression) -> bool {
    !expression.any(|part| match part {
        Expression::Data | Expression::Select(_) | Expression::Entry(..) => true,
        Expression::Variable(id) => {
            !ctx.loops.iterators.contains_key(id) && !ctx.symbols.variable(*id).is_fixed
        }
        _ => false,
    })
}
