//! The header of a counted loop, evaluated: first value, bound and step, which determine its trip count.

use crate::bailout::{Bailout, BailoutLevel, Lowered, uncounted};
use crate::context::Lowering;
use crate::domain::integers::{minus, negate_condition, plus, times};
use crate::domain::types::{INT, LONG, common};
use crate::domain::values::Value;
use crate::eval::integer_arithmetic::convert_integer;
use crate::eval::integer_bounds::{is_non_negative, minimum_of};
use crate::loops::header_invariants::{
    as_invariant, data_in_header, lower_invariant, lower_invariant_condition, lower_invariant_value,
};
use crate::loops::iterator_limits::{IteratorLimit, at_least_once, combine_limits, conjoin_guards};
use crate::loops::loop_shape::{ExitTest, InductionVariable, LoopParts, LoopShape, TestPosition};
use crate::syntax::{Binary, TextRange, UnitId};
use premiss_ast::InductionStep;
use premiss_tree::{
    BinaryOperator as Op, Comparison, Expression, IntegerType, RejectReason, UnaryOperator,
};

/// An evaluated header.
pub(crate) struct LoopBounds {
    pub(crate) first: Expression,
    pub(crate) comparison: Comparison,
    pub(crate) bound: Expression,
    pub(crate) step: Expression,
    /// The condition for the first iteration.
    pub(crate) guard: Expression,
    /// The minimum value of the iterator in the body, where known.
    pub(crate) least: Option<i64>,
}

/// Evaluates the header of a loop that starts with `first`.
pub(crate) fn lower_header(
    ctx: &mut Lowering,
    parts: &LoopParts,
    shape: &LoopShape,
    iterator: &InductionVariable,
    first: &Expression,
) -> Lowered<LoopBounds> {
    let step = lower_step(ctx, shape, iterator, parts.header)?;
    let mut limits = Vec::new();
    for test in &shape.tests {
        limits.push(lower_test(ctx, test, iterator, &step, first, shape.tested)?);
    }
    let mut guard = Expression::Integer(1);
    for syntax in &shape.guards {
        let condition = lower_invariant_condition(ctx, syntax)?;
        guard = conjoin_guards(guard, condition);
    }
    if !ctx.loops.header.test_loads.is_empty() && shape.tests.len() + shape.guards.len() != 1 {
        let why = "its condition loads from memory and has several parts";
        return Err(uncounted(why.to_owned(), parts.header));
    }
    for limit in &limits {
        guard = conjoin_guards(guard, limit.guard.clone());
    }
    let (comparison, bound) = combine_limits(limits)
        .ok_or_else(|| uncounted("its conditions differ in kind".to_owned(), parts.header))?;
    let bound = match shape.tested {
        TestPosition::Before => bound,
        TestPosition::After if guard != Expression::Integer(1) => {
            let why = "its condition stands at the end and does not only compare the iterator";
            return Err(uncounted(why.to_owned(), parts.header));
        }
        TestPosition::After => at_least_once(comparison, bound, first, &step).ok_or_else(|| {
            let why = "its condition stands at the end and compares in another direction \
                       than the iterator goes";
            uncounted(why.to_owned(), parts.header)
        })?,
    };
    let uses_iterator =
        |part: &Expression| matches!(part, Expression::Variable(id) if *id == iterator.id);
    let depends = [&bound, &step].iter().any(|x| x.any(uses_iterator));
    let guards_depend = shape
        .guards
        .iter()
        .any(|syntax| premiss_ast::visit::mentions(syntax, &shape.iterator));
    if depends || guards_depend {
        let why = "its condition uses the iterator in another way than one comparison";
        return Err(uncounted(why.to_owned(), parts.header));
    }
    let least = minimum_of_iterator(ctx, comparison, &bound, &step, first);
    Ok(LoopBounds {
        first: first.clone(),
        comparison,
        bound,
        step,
        guard,
        least,
    })
}

fn minimum_of_iterator(
    ctx: &Lowering,
    comparison: Comparison,
    bound: &Expression,
    step: &Expression,
    first: &Expression,
) -> Option<i64> {
    match comparison {
        Comparison::Less | Comparison::LessEqual => minimum_of(ctx, first),
        Comparison::GreaterEqual => minimum_of(ctx, bound),
        Comparison::Greater => minimum_of(ctx, bound)?.checked_add(1),
        Comparison::NotEqual => match step.as_integer() {
            Some(1..) => minimum_of(ctx, first),
            Some(-1) => minimum_of(ctx, bound)?.checked_add(1),
            _ => None,
        },
    }
}

fn lower_step(
    ctx: &mut Lowering,
    shape: &LoopShape,
    iterator: &InductionVariable,
    at: TextRange,
) -> Lowered<Expression> {
    let step = match shape.step {
        InductionStep::Constant(by) => by.into(),
        InductionStep::Plus(syntax) => lower_invariant(ctx, syntax, "step")?,
        InductionStep::Minus(syntax) => {
            let step = lower_invariant(ctx, syntax, "step")?;
            Expression::unary(UnaryOperator::Negate, step)
        }
    };
    let step = match &iterator.pointer {
        Some((_, size)) => times(size.clone(), step),
        None => step,
    };
    if step == Expression::Integer(0) {
        return Err(Bailout {
            reason: RejectReason::EndlessLoop,
            at,
            level: BailoutLevel::Loop,
        });
    }
    Ok(step)
}

/// A test as a comparison of the iterator with a bound.
fn lower_test(
    ctx: &mut Lowering,
    test: &ExitTest,
    iterator: &InductionVariable,
    step: &Expression,
    first: &Expression,
    tested: TestPosition,
) -> Lowered<IteratorLimit> {
    let (mut bound, bound_kind) = lower_test_bound(ctx, test, iterator)?;
    for (syntax, is_minus) in &test.plus {
        let term = lower_invariant(ctx, syntax, "condition")?;
        let term = match &iterator.pointer {
            Some((_, size)) => times(size.clone(), term),
            None => term,
        };
        bound = if *is_minus {
            plus(bound, term)
        } else {
            minus(bound, term)
        };
    }
    let mut first = first.clone();
    if let Some(change) = test.change
        && !change.is_prefix
    {
        bound = plus(bound, change.step.into());
        first = minus(first, change.step.into());
    }
    let compared = common(iterator.kind, bound_kind);
    let is_unsigned = !compared.signed && iterator.pointer.is_none();
    let is_zero = bound == Expression::Integer(0);
    let operator = match test.operator {
        // An unsigned number that is not above zero is zero.
        Binary::Greater if is_unsigned && is_zero && tested == TestPosition::After => {
            Binary::NotEqual
        }
        operator => operator,
    };
    let limit = IteratorLimit {
        operator,
        bound,
        guard: 1.into(),
    };
    if compared.signed || iterator.pointer.is_some() {
        return Ok(limit);
    }
    let is_first_tested = tested == TestPosition::Before
        || test.change.is_some_and(|change| !change.is_prefix)
        || minimum_of(ctx, &first).is_some_and(|least| 1 <= least);
    if matches!(operator, Binary::Greater | Binary::GreaterEqual) && !is_first_tested {
        return Err(may_pass_zero(ctx, test));
    }
    unwrap_unsigned_limit(ctx, limit, iterator, step, &first, compared, test)
}

fn lower_test_bound(
    ctx: &mut Lowering,
    test: &ExitTest,
    iterator: &InductionVariable,
) -> Lowered<(Expression, IntegerType)> {
    let Some(syntax) = test.bound else {
        return Ok((0.into(), INT));
    };
    match (
        lower_invariant_value(ctx, syntax, "bound")?,
        &iterator.pointer,
    ) {
        (Value::Integer(value, kind), None) => {
            let value = as_invariant(ctx, value, kind, syntax, "bound")?;
            Ok((value, kind))
        }
        (Value::Pointer(pointer), Some((target, _))) if pointer.target == *target => {
            let offset = as_invariant(ctx, pointer.offset, LONG, syntax, "bound")?;
            Ok((offset, LONG))
        }
        _ => Err(data_in_header(ctx, syntax, "bound")),
    }
}

/// A comparison of unsigned numbers as one of mathematical integers.
fn unwrap_unsigned_limit(
    ctx: &mut Lowering,
    limit: IteratorLimit,
    iterator: &InductionVariable,
    step: &Expression,
    first: &Expression,
    compared: IntegerType,
    test: &ExitTest,
) -> Lowered<IteratorLimit> {
    let by = step.as_integer();
    let is_down = by.is_some_and(|by| by < 0);
    let endless = |at| Bailout {
        reason: RejectReason::EndlessLoop,
        at,
        level: BailoutLevel::Loop,
    };
    let at = bound_place(test, ctx.unit());
    if !is_down {
        // A negative start converts to a huge number: the loop does not run.
        let guard = if iterator.kind.signed && !is_non_negative(ctx, first) {
            Expression::binary(Op::LessEqual, 0.into(), first.clone())
        } else {
            1.into()
        };
        return Ok(IteratorLimit { guard, ..limit });
    }
    let least = minimum_of(ctx, &limit.bound);
    let post = test.change.is_some_and(|change| !change.is_prefix);
    let least = least.map(|least| if post { least.saturating_add(1) } else { least });
    match limit.operator {
        // The loop ends where the iterator wraps around to a number that is no longer less.
        Binary::Less | Binary::LessEqual if test.change.is_none() && test.plus.is_empty() => {
            let first = convert_integer(ctx, first.clone(), iterator.kind, compared);
            let above = Expression::binary(Op::LessUnsigned, limit.bound.clone(), first.clone());
            let guard = match limit.operator {
                Binary::LessEqual => negate_condition(above),
                _ => Expression::binary(Op::LessUnsigned, first, limit.bound),
            };
            Ok(IteratorLimit {
                operator: Binary::GreaterEqual,
                bound: 0.into(),
                guard,
            })
        }
        Binary::Greater if by == Some(-1) && least.is_some_and(|least| 0 <= least) => Ok(limit),
        Binary::GreaterEqual if by == Some(-1) && least.is_some_and(|least| 1 <= least) => {
            Ok(limit)
        }
        Binary::NotEqual => {
            let most = compared.wrap(-1);
            let is_most = limit.bound.as_integer() == Some(most);
            let bound = if is_most { (-1).into() } else { limit.bound };
            Ok(IteratorLimit { bound, ..limit })
        }
        Binary::GreaterEqual if limit.bound == Expression::Integer(0) => Err(endless(at)),
        _ => Err(may_pass_zero(ctx, test)),
    }
}

fn may_pass_zero(ctx: &Lowering, test: &ExitTest) -> Bailout {
    let at = bound_place(test, ctx.unit());
    let text = ctx.program.text(at);
    let why = format!("its unsigned iterator may pass zero on the way down to `{text}`");
    uncounted(why, at)
}

/// The place of the bound of a test.
fn bound_place(test: &ExitTest, unit: UnitId) -> TextRange {
    test.bound
        .map_or(TextRange::start_of(unit), |syntax| syntax.at)
}
