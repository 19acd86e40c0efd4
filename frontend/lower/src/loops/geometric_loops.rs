//! Loops that step by a factor: `for (s = 1; s < n; s *= 2)`, `for (s = n / 2; 0 < s; s >>= 1)`.
//!
//! With a constant factor `c`, iteration `k` has the value `first * c^k`, or `first / c^k` rounded towards zero, since
//! rounding one quotient after the other rounds as one does. As the values go one way, there are as many iterations as
//! powers of `c` for which the test holds, and each power is a comparison of sizes:
//!
//! ```text
//! s < n     first * c^k < n     first <= (n - 1) / c^k
//! s <= n    first * c^k <= n    first <= n / c^k
//! b < s     b < first / c^k
//! ```
//!
//! For `s < 6` from 1 by 2, these hold for c^k = 1, 2 and 4: three iterations. The loop of the tree counts from 0 to their
//! number; the variable of the program is one that its body steps.

use crate::bailout::{Bailout, Lowered};
use crate::context::Lowering;
use crate::control::gotos::lower_iteration;
use crate::control::jump_flags::may_have_exited_loops;
use crate::control::tail::Tail;
use crate::domain::integers::{minus, plus};
use crate::domain::state::{AbstractState, IntegerKnowledge};
use crate::domain::types::LONG;
use crate::domain::values::{Slot, Value};
use crate::eval::havoc::state_at_loop_head;
use crate::eval::integer_bounds::minimum_of;
use crate::eval::variables::{mark_defined, new_variable, pin_value, read_integer, set_integer};
use crate::loops::bounding_ranges::with_range_loads;
use crate::loops::header_invariants::lower_invariant;
use crate::loops::loop_context::HeaderEffects;
use crate::loops::loop_entry::enter_loop;
use crate::loops::loop_fixpoint::{MAX_PASSES, too_many_passes};
use crate::loops::loop_nodes::open_loop;
use crate::loops::loop_passes::LoopPasses;
use crate::loops::loop_shape::{ExitTest, LoopParts, TestPosition, loop_parts, test_of};
use crate::loops::pointer_rotation::{PointerRotation, end_iteration, rotate_selectors};
use crate::output::operations::{record_operation, with_role};
use crate::syntax::{Binary, Expression as Syntax, Name, Statement};
use premiss_ast::{GeometricStep, SyntaxFacts, geometric_step};
use premiss_tree::{
    BinaryOperator as Op, Comparison, Expression, IntegerType, Loop, Node, Operands, OperationKind,
    Role, UnaryOperator, VariableId,
};
use std::collections::BTreeSet;

/// The header of such a loop as syntax.
struct GeometricShape<'s> {
    variable: Name,
    step: GeometricStep<'s>,
    test: ExitTest<'s>,
}

/// What does not change from one pass to the next.
struct GeometricLoop<'s> {
    parts: LoopParts<'s>,
    shape: GeometricShape<'s>,
    variable: VariableId,
    kind: IntegerType,
    /// The first value of the variable.
    first: Expression,
    changed: BTreeSet<Name>,
}

/// Lowers a loop that steps by a factor; `bailout` is returned for any other.
pub(crate) fn lower_geometric_loop(
    ctx: &mut Lowering,
    statement: &Statement,
    bailout: &Bailout,
) -> Lowered<()> {
    let refuse = || bailout.clone();
    let parts = loop_parts(statement).ok_or_else(refuse)?;
    let shape = geometric_shape(&parts).ok_or_else(refuse)?;
    enter_loop(ctx, statement, parts.header)?;
    if let Some(initial) = parts.initial {
        with_role(ctx, Role::Header, |ctx| {
            with_range_loads(ctx, true, |ctx| ctx.statement(initial, Tail::NONE))
        })?;
    }
    let Some(Slot::Integer(variable, kind)) = ctx.lookup(&shape.variable) else {
        return Err(refuse());
    };
    let first = match read_integer(ctx, variable) {
        Some(IntegerKnowledge::Symbolic(value)) => value.clone(),
        Some(IntegerKnowledge::Exact) => Expression::Variable(variable),
        _ => return Err(refuse()),
    };
    let mentions = ctx.program.name_uses(statement);
    let own = GeometricLoop {
        first: pin_value(ctx, first, &shape.variable),
        parts,
        shape,
        variable,
        kind,
        changed: mentions.changed.clone(),
    };
    let mut before = state_at_loop_head(ctx, &mentions);
    before.integers.insert(variable, IntegerKnowledge::Exact);
    let mut passes = LoopPasses::new(ctx, statement, before);
    for _ in 0..MAX_PASSES {
        passes.begin(ctx);
        mark_defined(ctx, variable);
        let rotation = &passes.pointers.rotation;
        let (list, rotation) = lower_geometric_pass(ctx, &own, rotation, bailout)?;
        if let Some(after) = passes.end(ctx, statement, rotation) {
            leave(ctx, after, &passes.before);
            ctx.tree.block.append(&mut passes.pointers.starts);
            ctx.tree.block.extend(list);
            set_integer(ctx, variable, IntegerKnowledge::Exact);
            return Ok(());
        }
    }
    Err(too_many_passes(own.parts.header))
}

fn leave(ctx: &mut Lowering, after: AbstractState, before: &AbstractState) {
    let last = std::mem::replace(&mut ctx.state, after);
    ctx.state.restore_reals(&last.reals, before);
}

fn geometric_shape<'s>(parts: &LoopParts<'s>) -> Option<GeometricShape<'s>> {
    let steps = parts.steps.iter().filter_map(|step| geometric_step(step));
    let steps: Vec<_> = steps.collect();
    let [(variable, step)] = steps[..] else {
        return None;
    };
    let test = test_of(parts.condition?, variable)?;
    let is_plain = test.plus.is_empty() && test.change.is_none();
    let is_alone = |step: &&&Syntax| SyntaxFacts::of_expression(step).changed.contains(variable);
    let is_alone = parts.steps.iter().filter(is_alone).count() == 1;
    let is_first_tested = parts.tested == TestPosition::Before;
    (is_plain && is_alone && is_first_tested).then(|| GeometricShape {
        variable: variable.clone(),
        step,
        test,
    })
}

/// One pass over the loop from a state at its head.
fn lower_geometric_pass(
    ctx: &mut Lowering,
    own: &GeometricLoop<'_>,
    rotation: &PointerRotation,
    bailout: &Bailout,
) -> Lowered<(Vec<Node>, Option<PointerRotation>)> {
    let (trips, mut effects) = lower_geometric_header(ctx, own, bailout)?;
    let id = open_loop(ctx, &own.shape.variable, own.parts.header);
    if let Some(row) = ctx.tree.loops.last_mut() {
        row.arithmetic = std::mem::take(&mut effects.arithmetic);
    }
    let head = ctx.state.clone();
    let had_left = may_have_exited_loops(ctx);
    let around = std::mem::take(&mut ctx.frame_mut().control.exits);
    ctx.frame_mut().control.n_loops += 1;
    let (mut body, ()) =
        ctx.in_block(|ctx| ctx.in_scope(|ctx| lower_iteration(ctx, own.parts.body)))?;
    check_geometric_body(own, &trips, &body, bailout)?;
    let (steps, ()) = ctx.in_block(|ctx| {
        for step in &own.parts.steps {
            with_role(ctx, Role::Header, |ctx| ctx.expression(step))?;
        }
        rotate_selectors(ctx, rotation);
        Ok(())
    })?;
    body.extend(steps);
    let rotation = end_iteration(ctx, rotation, &head, &body);
    ctx.frame_mut().control.n_loops -= 1;
    let exits = std::mem::replace(&mut ctx.frame_mut().control.exits, around);
    ctx.tree.open_loops.pop();
    if exits.stop || (!had_left && may_have_exited_loops(ctx)) {
        return Err(bailout.clone());
    }
    ctx.tree.n_nodes += 1;
    let variable = new_variable(ctx, &format!("{}@", own.shape.variable), LONG, false);
    let mut list = effects.computed;
    list.push(Node::Loop(Loop {
        id,
        variable,
        first: 0.into(),
        comparison: Comparison::Less,
        bound: trips,
        step: 1.into(),
        body,
    }));
    Ok((list, rotation))
}

/// Fails if the body changes the variable or what the trip count depends on.
fn check_geometric_body(
    own: &GeometricLoop<'_>,
    trips: &Expression,
    body: &[Node],
    bailout: &Bailout,
) -> Lowered<()> {
    let mut changed = BTreeSet::new();
    Node::assigned(body, &mut changed);
    let is_changed =
        |part: &Expression| matches!(part, Expression::Variable(id) if changed.contains(id));
    match changed.contains(&own.variable) || trips.any(is_changed) {
        true => Err(bailout.clone()),
        false => Ok(()),
    }
}

/// Evaluates the header: the trip count, and the effects of its evaluation.
fn lower_geometric_header(
    ctx: &mut Lowering,
    own: &GeometricLoop<'_>,
    bailout: &Bailout,
) -> Lowered<(Expression, HeaderEffects)> {
    ctx.loops.header = HeaderEffects {
        changed: own.changed.clone(),
        ..HeaderEffects::default()
    };
    let around = std::mem::replace(&mut ctx.loops.in_header, true);
    let bound = match own.shape.test.bound {
        Some(syntax) => lower_invariant(ctx, syntax, "bound"),
        None => Ok(0.into()),
    };
    let with = Operands::Integer(own.kind.bits);
    record_operation(ctx, OperationKind::Compare, with, Role::Header);
    ctx.loops.in_header = around;
    let factor = constant_factor(ctx, own.shape.step)?;
    let effects = std::mem::take(&mut ctx.loops.header);
    let bound = bound?;
    let loads = effects.test_loads.len() + effects.step_loads.len();
    let trips = match (factor, loads) {
        (Some(factor), 0) => trip_count(ctx, own, &bound, factor),
        _ => None,
    };
    Ok((trips.ok_or_else(|| bailout.clone())?, effects))
}

/// The constant that a step multiplies or divides by, if it is one of at least 2.
fn constant_factor(ctx: &mut Lowering, step: GeometricStep<'_>) -> Lowered<Option<i64>> {
    let checkpoint = ctx.checkpoint();
    let by = ctx.in_block(|ctx| ctx.expression(step.factor));
    ctx.roll_back(&checkpoint);
    let (nodes, value) = by?;
    let value = match value {
        Value::Integer(value, _) if nodes.is_empty() => value.as_integer(),
        _ => None,
    };
    let factor = value.and_then(|value| match step.operator {
        Binary::Multiply | Binary::Divide => Some(value),
        _ => 1_i64.checked_shl(u32::try_from(value).ok()?),
    });
    Ok(factor.filter(|factor| 2 <= *factor))
}

/// The number of iterations; `None` if the test goes another way than the values.
fn trip_count(
    ctx: &Lowering,
    own: &GeometricLoop<'_>,
    bound: &Expression,
    factor: i64,
) -> Option<Expression> {
    let grows = matches!(
        own.shape.step.operator,
        Binary::Multiply | Binary::ShiftLeft
    );
    let quotient = |x: &Expression, power: i64| match power {
        1 => x.clone(),
        power => Expression::binary(Op::Quotient, x.clone(), power.into()),
    };
    let count = |holds: &dyn Fn(i64) -> Expression| {
        let holds = powers_below(factor, own.kind).into_iter().map(holds);
        holds.reduce(|a, b| Expression::binary(Op::Add, a, b))
    };
    let test = &own.shape.test;
    if grows {
        let first = at_least(ctx, &own.first, 1);
        let most = match test.operator {
            Binary::Less => minus(bound.clone(), 1.into()),
            Binary::LessEqual => bound.clone(),
            _ => return None,
        };
        return count(&|power| {
            Expression::binary(Op::LessEqual, first.clone(), quotient(&most, power))
        });
    }
    let (least, first) = match test.operator {
        Binary::Greater => (bound.clone(), own.first.clone()),
        Binary::GreaterEqual => (minus(bound.clone(), 1.into()), own.first.clone()),
        Binary::NotEqual if *bound == Expression::Integer(0) => {
            (bound.clone(), at_least(ctx, &own.first, 0))
        }
        _ => return None,
    };
    let least = at_least(ctx, &least, 0);
    count(&|power| Expression::binary(Op::Less, least.clone(), quotient(&first, power)))
}

/// The same value, which is unknown where it is less than `least`: such a loop may have no end.
fn at_least(ctx: &Lowering, value: &Expression, least: i64) -> Expression {
    match minimum_of(ctx, value).is_some_and(|known| least <= known) {
        true => value.clone(),
        false => {
            let beyond = minus(value.clone(), least.into());
            plus(
                Expression::unary(UnaryOperator::Unsigned, beyond),
                least.into(),
            )
        }
    }
}

/// The powers of a factor that a type holds, from 1 on.
fn powers_below(factor: i64, kind: IntegerType) -> Vec<i64> {
    let bits = u32::from(kind.bits) - u32::from(kind.signed || kind.bits == 64);
    let most = i64::MAX >> (63 - bits.min(63));
    let next = |power: &i64| power.checked_mul(factor).filter(|power| *power <= most);
    std::iter::successors(Some(1), next).collect()
}
