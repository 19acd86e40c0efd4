//! The header of a counted loop, evaluated: first value, bound and step, which determine its trip count.

use crate::bailout::{Bailout, BailoutLevel, Lowered, uncounted};
use crate::calls::array_ends::record_comparison;
use crate::context::Lowering;
use crate::domain::integers::{minus, negate_condition, plus, times};
use crate::domain::types::{INT, LONG, common};
use crate::domain::values::Value;
use crate::eval::integer_arithmetic::convert_integer;
use crate::eval::integer_bounds::{is_natural_sum, is_non_negative, minimum_of};
use crate::loops::header_invariants::{
    as_invariant, data_in_header, lower_invariant, lower_invariant_condition,
    lower_invariant_value, number_of_tests,
};
use crate::loops::inner_exits::{as_ordered, limit_after_step};
use crate::loops::iterator_limits::{
    IteratorLimit, at_least_once, beyond_counting, combine_limits, conjoin_guards, is_natural,
    without_implied,
};
use crate::loops::loop_shape::{
    ExitTest, InductionVariable, LoopParts, LoopShape, TestBounds, TestPosition,
};
use crate::syntax::{Binary, Notation, TextRange, UnitId};
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
    /// The tests in the body, of the iterator before its step.
    pub(crate) inner_tests: Vec<(Binary, Expression)>,
}

/// Evaluates the header of a loop that starts with `first`. Its only test compares the iterator with `moving_bound`, if
/// there is one.
pub(crate) fn lower_header(
    ctx: &mut Lowering,
    parts: &LoopParts,
    shape: &LoopShape,
    iterator: &InductionVariable,
    (first, moving_bound): (&Expression, Option<&Expression>),
) -> Lowered<LoopBounds> {
    let step = lower_step(ctx, shape, iterator, parts.header)?;
    let mut limits = Vec::new();
    for test in &shape.tests {
        let written = match moving_bound {
            Some(bound) => (bound.clone(), iterator.kind),
            None => lower_test_bound(ctx, (test, shape.bounds), iterator, &step)?,
        };
        let compared = (test, shape.tested);
        limits.push(lower_test(ctx, compared, written, iterator, &step, first)?);
    }
    let mut inner_tests = Vec::new();
    for test in &shape.inner_tests {
        let invariant = (test, TestBounds::Invariant);
        let written = lower_test_bound(ctx, invariant, iterator, &step)?;
        let compared = (test, TestPosition::Before);
        let limit = lower_test(ctx, compared, written, iterator, &step, first)?;
        inner_tests.push((limit.operator, limit.bound.clone()));
        limits.push(limit_after_step(limit, first, &step, parts.header)?);
    }
    let limits = ordered_limits(limits, first, &step);
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
        inner_tests,
    })
}

/// Limits of which several hold; a `!=` among them becomes a `<` or `>` that may not apply.
fn ordered_limits(
    limits: Vec<IteratorLimit>,
    first: &Expression,
    step: &Expression,
) -> Vec<IteratorLimit> {
    let limits = without_implied(limits);
    if limits.len() < 2 {
        return limits;
    }
    let limits = limits.into_iter();
    limits
        .map(|limit| as_ordered(limit.clone(), first, step).unwrap_or(limit))
        .collect()
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
    (test, tested): (&ExitTest, TestPosition),
    (as_written, bound_kind): (Expression, IntegerType),
    iterator: &InductionVariable,
    step: &Expression,
    first: &Expression,
) -> Lowered<IteratorLimit> {
    let compared = common(iterator.kind, bound_kind);
    let is_unsigned = !compared.signed && iterator.pointer.is_none();
    let as_written = match is_unsigned && compared.bits < 64 {
        true => convert_bound(ctx, as_written, bound_kind, compared),
        false => as_written,
    };
    let mut bound = as_written.clone();
    let mut first = first.clone();
    if let Some(change) = test.change
        && !change.is_prefix
    {
        bound = plus(bound, change.step.into());
        first = minus(first, change.step.into());
    }
    let mut first_tested = first.clone();
    for (syntax, is_minus) in &test.plus {
        let term = lower_invariant(ctx, syntax, "condition")?;
        let term = match &iterator.pointer {
            Some((_, size)) => times(size.clone(), term),
            None => term,
        };
        (bound, first_tested) = match is_minus {
            true => (plus(bound, term.clone()), minus(first_tested, term)),
            false => (minus(bound, term.clone()), plus(first_tested, term)),
        };
    }
    let is_zero = bound == Expression::Integer(0);
    let operator = match test.operator {
        // An unsigned number that is not above zero is zero.
        Binary::Greater if is_unsigned && is_zero && tested == TestPosition::After => {
            Binary::NotEqual
        }
        // Within a range, an iterator stops at the last number if not before.
        Binary::NotEqual if ctx.ranges.unless_in_range(&bound).is_none() => {
            match step.as_integer() {
                Some(1) => Binary::Less,
                Some(-1) => Binary::Greater,
                _ => Binary::NotEqual,
            }
        }
        operator => operator,
    };
    let applies = ends_before_wrapping(ctx, iterator, (operator, &bound, bound_kind), step);
    let limit = IteratorLimit {
        operator,
        bound,
        guard: 1.into(),
        applies,
    };
    if !is_unsigned {
        return Ok(limit);
    }
    let is_first_tested = tested == TestPosition::Before
        || test.change.is_some_and(|change| !change.is_prefix)
        || minimum_of(ctx, &first).is_some_and(|least| 1 <= least);
    if matches!(operator, Binary::Greater | Binary::GreaterEqual) && !is_first_tested {
        return Err(may_pass_zero(ctx, test));
    }
    let comparison = UnsignedComparison {
        test,
        compared,
        tested,
        as_written,
        first,
        first_tested,
    };
    unwrap_unsigned_limit(ctx, limit, iterator, step, &comparison)
}

/// The bound in the type in which it is compared: a negative `int` is a large `unsigned int`. Only in C are numbers of
/// different types compared.
fn convert_bound(
    ctx: &Lowering,
    bound: Expression,
    from: IntegerType,
    to: IntegerType,
) -> Expression {
    match is_natural_sum(ctx, &bound) || bound == Expression::Data {
        true => bound,
        false => convert_integer(ctx, bound, from, to),
    }
}

/// The condition under which an iterator of a narrow type reaches a bound that stops it: an `unsigned char` never
/// reaches 300, as it wraps around. Signed overflow of `int` and wider types is undefined.
fn ends_before_wrapping(
    ctx: &Lowering,
    iterator: &InductionVariable,
    (operator, bound, bound_kind): (Binary, &Expression, IntegerType),
    step: &Expression,
) -> Expression {
    let IntegerType { bits, signed } = iterator.kind;
    let wraps = bits < 32 || (!signed && bits < 64);
    let is_wider = bits < bound_kind.bits && iterator.pointer.is_none();
    let by = step.as_integer().filter(|by| (1..1 << 16).contains(by));
    let (true, Some(by)) = (wraps && is_wider && may_wrap_around(ctx), by) else {
        return 1.into();
    };
    let most = (1_i64 << (u32::from(bits) - u32::from(signed))) - by;
    match operator {
        Binary::Less => Expression::binary(Op::LessEqual, bound.clone(), most.into()),
        Binary::LessEqual => Expression::binary(Op::Less, bound.clone(), most.into()),
        _ => 1.into(),
    }
}

/// Whether unsigned arithmetic of the program wraps around. In Rust, it panics.
fn may_wrap_around(ctx: &Lowering) -> bool {
    ctx.program.notation(ctx.unit()) == Notation::C
}

fn lower_test_bound(
    ctx: &mut Lowering,
    (test, bounds): (&ExitTest, TestBounds),
    iterator: &InductionVariable,
    step: &Expression,
) -> Lowered<(Expression, IntegerType)> {
    let Some(syntax) = test.bound else {
        return Ok((0.into(), INT));
    };
    if bounds == TestBounds::WithinRange && iterator.pointer.is_none() {
        return number_of_tests(ctx, syntax);
    }
    match (
        lower_invariant_value(ctx, syntax, "bound")?,
        &iterator.pointer,
    ) {
        (Value::Integer(value, kind), None) => {
            let value = as_invariant(ctx, value, kind, syntax, "bound")?;
            Ok((value, kind))
        }
        (Value::Pointer(pointer), Some((target, _))) if pointer.target == *target => {
            match pointer.offset.any(|part| *part == Expression::Data) {
                true => Err(data_in_header(ctx, syntax, "bound")),
                false => Ok((pointer.offset, LONG)),
            }
        }
        (Value::Pointer(pointer), Some((target, _))) => {
            match step.as_integer() {
                Some(..=-1) => record_comparison(ctx, &pointer.target, target),
                _ => record_comparison(ctx, target, &pointer.target),
            }
            Err(data_in_header(ctx, syntax, "bound"))
        }
        _ => Err(data_in_header(ctx, syntax, "bound")),
    }
}

/// A comparison of unsigned numbers that ends a loop.
struct UnsignedComparison<'t> {
    test: &'t ExitTest<'t>,
    /// The type in which they are compared.
    compared: IntegerType,
    tested: TestPosition,
    /// The bound without what was moved to its side.
    as_written: Expression,
    /// The iterator's value before the first test.
    first: Expression,
    /// What the first test compares.
    first_tested: Expression,
}

impl UnsignedComparison<'_> {
    /// Whether 64-bit numbers are compared that may have wrapped around.
    fn is_wide(&self, ctx: &Lowering) -> bool {
        self.compared.bits == 64 && may_wrap_around(ctx)
    }
}

/// A comparison of unsigned numbers as one of mathematical integers.
fn unwrap_unsigned_limit(
    ctx: &mut Lowering,
    limit: IteratorLimit,
    iterator: &InductionVariable,
    step: &Expression,
    comparison: &UnsignedComparison,
) -> Lowered<IteratorLimit> {
    match step.as_integer() {
        Some(by) if by < 0 => unwrap_descent(ctx, limit, iterator, by, comparison),
        _ => Ok(unwrap_ascent(ctx, limit, iterator, comparison)),
    }
}

/// A comparison that ends a loop that counts up. A start or a bound below zero is a huge number.
fn unwrap_ascent(
    ctx: &Lowering,
    limit: IteratorLimit,
    iterator: &InductionVariable,
    comparison: &UnsignedComparison,
) -> IteratorLimit {
    let UnsignedComparison {
        as_written,
        first,
        first_tested,
        ..
    } = comparison;
    let is_ordered = matches!(limit.operator, Binary::Less | Binary::LessEqual);
    if !comparison.is_wide(ctx) || !is_ordered || comparison.tested == TestPosition::After {
        let guard = match iterator.kind.signed && !is_non_negative(ctx, first) {
            true => is_natural(first),
            false => 1.into(),
        };
        return IteratorLimit { guard, ..limit };
    }
    let is_low = is_known_natural(ctx, as_written);
    let starts_low = match iterator.kind.signed {
        true => is_natural_sum(ctx, first_tested),
        false => is_known_natural(ctx, first_tested),
    };
    let guard = match (starts_low, is_low, limit.operator) {
        (true, _, _) => 1.into(),
        (false, true, _) => is_natural(first_tested),
        (false, false, operator) => {
            let comparison = match operator {
                Binary::LessEqual => Op::LessEqualUnsigned,
                _ => Op::LessUnsigned,
            };
            Expression::binary(comparison, first_tested.clone(), as_written.clone())
        }
    };
    let applies = match is_low {
        true => limit.applies,
        false => conjoin_guards(is_natural(as_written), limit.applies),
    };
    IteratorLimit {
        guard,
        applies,
        ..limit
    }
}

/// A comparison that ends a loop that counts down.
fn unwrap_descent(
    ctx: &Lowering,
    limit: IteratorLimit,
    iterator: &InductionVariable,
    by: i64,
    comparison: &UnsignedComparison,
) -> Lowered<IteratorLimit> {
    let UnsignedComparison {
        test,
        compared,
        first,
        ..
    } = comparison;
    let least = minimum_of(ctx, &limit.bound);
    let post = test.change.is_some_and(|change| !change.is_prefix);
    let least = least.map(|least| if post { least.saturating_add(1) } else { least });
    let lowest = i64::from(limit.operator == Binary::GreaterEqual);
    let stops_above_zero = least.is_some_and(|least| lowest <= least);
    // From a huge number, the loop takes practically for ever.
    let from_huge = |bound: Expression| {
        let tested = &comparison.first_tested;
        match comparison.is_wide(ctx) && !is_known_natural(ctx, tested) {
            true => Expression::select(is_natural(tested), bound, beyond_counting()),
            false => bound,
        }
    };
    match limit.operator {
        // The loop ends where the iterator wraps around to a number that is no longer less.
        Binary::Less | Binary::LessEqual if test.change.is_none() && test.plus.is_empty() => {
            let first = convert_integer(ctx, first.clone(), iterator.kind, *compared);
            let above = Expression::binary(Op::LessUnsigned, limit.bound.clone(), first.clone());
            let guard = match limit.operator {
                Binary::LessEqual => negate_condition(above),
                _ => Expression::binary(Op::LessUnsigned, first, limit.bound.clone()),
            };
            Ok(IteratorLimit {
                operator: Binary::GreaterEqual,
                bound: from_huge(0.into()),
                guard,
                ..limit
            })
        }
        // It ends at zero or above: while the iterator is above 0, or at least 1.
        Binary::Greater | Binary::GreaterEqual if by == -1 && stops_above_zero => {
            let bound = from_huge(limit.bound.clone());
            Ok(IteratorLimit { bound, ..limit })
        }
        Binary::NotEqual => {
            let most = compared.wrap(-1);
            let is_most = limit.bound.as_integer() == Some(most);
            let bound = if is_most { (-1).into() } else { limit.bound };
            Ok(IteratorLimit { bound, ..limit })
        }
        Binary::GreaterEqual if limit.bound == Expression::Integer(0) => Err(Bailout {
            reason: RejectReason::EndlessLoop,
            at: bound_place(test, ctx.unit()),
            level: BailoutLevel::Loop,
        }),
        _ => Err(may_pass_zero(ctx, test)),
    }
}

/// Whether a value of an unsigned type is known to be less than 2^63; data and values loaded from memory are taken to
/// be. (What was computed and pinned is a `long`.)
fn is_known_natural(ctx: &Lowering, value: &Expression) -> bool {
    let is_loaded = match value {
        Expression::Variable(id) => {
            let row = ctx.symbols.variable(*id);
            row.is_fixed && row.kind != LONG
        }
        value => value.any(|part| *part == Expression::Data),
    };
    is_loaded || is_natural_sum(ctx, value)
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
