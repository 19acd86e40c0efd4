//! Counted loops: header and body lowered until the state at the head is a fixpoint.
//!
//! The iterator of a tree's loop counts in mathematical integers. An unsigned iterator that counts down stops below
//! zero, where that of the program wraps around: `i-- > 0` tests the value before, `i < n` with `i--` tests for the
//! wrap. The value of the program's variable after such a loop is assigned behind it.

use crate::bailout::{Lowered, uncounted};
use crate::context::Lowering;
use crate::control::gotos::lower_iteration;
use crate::control::jump_flags::may_have_exited_loops;
use crate::control::tail::Tail;
use crate::domain::memory_version::MemoryVersion;
use crate::domain::state::{AbstractState, IntegerKnowledge};
use crate::domain::values::ArrayRow;
use crate::eval::accesses::access_array;
use crate::eval::foreign_stores::may_have_foreign_store;
use crate::eval::havoc::state_at_loop_head;
use crate::eval::heap_stores::holds_reals;
use crate::eval::row_allocations::{self, begin_iteration, iterations};
use crate::eval::variables::{assign_integer, mark_defined, set_integer};
use crate::loops::bounding_ranges::with_range_loads;
use crate::loops::induction_variable::{find_induction_variable, initial_value};
use crate::loops::inner_exits::{tests_of, value_after_exits};
use crate::loops::iterator_ranges::iterator_range;
use crate::loops::loop_context::{HeaderEffects, HeaderLoad, LoopKey};
use crate::loops::loop_entry::enter_loop;
use crate::loops::loop_fixpoint::{MAX_PASSES, loop_key, too_many_passes};
use crate::loops::loop_header::{LoopBounds, lower_header};
use crate::loops::loop_nodes::open_loop;
use crate::loops::loop_passes::LoopPasses;
use crate::loops::loop_shape::{
    InductionVariable, LoopParts, LoopShape, TestBounds, TestPosition, endless_shape, loop_parts,
    loop_shape,
};
use crate::loops::moving_bounds::moving_bound;
use crate::loops::pointer_rotation::{PointerRotation, end_iteration, rotate_selectors};
use crate::output::operations::{record_operation, with_role};
use crate::output::scalar_uses::record_read;
use crate::output::tree_builder::ReferenceRow;
use crate::syntax::{Expression as Syntax, ExpressionKind, Name, Statement};
use premiss_ast::InductionStep;
use premiss_tree::{
    AccessKind, BinaryOperator as Op, Expression, Loop, Node, Operands, OperationKind, Role,
    VariableId,
};
use std::collections::BTreeSet;

/// What is known about a loop when its body is lowered.
struct LoopPass<'p> {
    iterator: &'p InductionVariable,
    first: &'p Expression,
    /// What the iterator is compared with in place of a variable that the body steps.
    moving_bound: Option<&'p Expression>,
    changed: &'p BTreeSet<Name>,
    key: LoopKey,
    rotation: &'p PointerRotation,
}

/// The result of a pass over a loop.
struct LoweredPass {
    /// The loop, preceded by the computations before it.
    list: Vec<Node>,
    /// Whether data may end it early.
    may_stop: bool,
    /// The pointers that each iteration rotates, if there are more than in the previous pass.
    rotation: Option<PointerRotation>,
    /// The value of the iterator after the loop, if tests in its body may have ended it.
    last_value: Option<Expression>,
}

pub(crate) fn lower_counted_loop(ctx: &mut Lowering, statement: &Statement) -> Lowered<()> {
    lower_loop_with_exits(ctx, statement, &[])
}

/// Lowers a loop whose iterator is compared with what may change: see [`TestBounds::WithinRange`].
pub(crate) fn lower_loop_within_ranges(ctx: &mut Lowering, statement: &Statement) -> Lowered<()> {
    lower_loop_of_bounds(ctx, statement, &[], TestBounds::WithinRange)
}

/// Lowers a loop whose body ends it, at a `continue`, where one of the conditions `leaving` holds.
pub(crate) fn lower_loop_with_exits(
    ctx: &mut Lowering,
    statement: &Statement,
    leaving: &[Syntax],
) -> Lowered<()> {
    lower_loop_of_bounds(ctx, statement, leaving, TestBounds::Invariant)
}

fn lower_loop_of_bounds(
    ctx: &mut Lowering,
    statement: &Statement,
    leaving: &[Syntax],
    bounds: TestBounds,
) -> Lowered<()> {
    let Some(parts) = loop_parts(statement) else {
        let why = "it has no header".to_owned();
        return Err(uncounted(why, statement.at));
    };
    enter_loop(ctx, statement, parts.header)?;
    let start = ctx.tree.block.len();
    if let Some(initial) = parts.initial {
        with_role(ctx, Role::Header, |ctx| {
            with_range_loads(ctx, true, |ctx| ctx.statement(initial, Tail::NONE))
        })?;
    }
    if is_never_run(&parts) {
        return Ok(());
    }
    let shape = LoopShape {
        bounds,
        ..shape_with_exits(ctx, &parts, leaving)?
    };
    let iterator = find_induction_variable(ctx, &shape, parts.header)?;
    ctx.loops.header = HeaderEffects::default();
    let first = initial_value(ctx, &iterator, &shape, start, parts.header)?;
    let moving_bound = moving_bound(ctx, &parts, &shape, &iterator, &first);
    let mentions = ctx.program.name_uses(statement);
    let mut before = state_at_loop_head(ctx, &mentions);
    before.integers.insert(iterator.id, IntegerKnowledge::Exact);
    let mut passes = LoopPasses::new(ctx, statement, before);
    for _ in 0..MAX_PASSES {
        passes.begin(ctx);
        mark_defined(ctx, iterator.id);
        let pass = LoopPass {
            iterator: &iterator,
            first: &first,
            moving_bound: moving_bound.as_ref(),
            changed: &mentions.changed,
            key: loop_key(ctx, statement),
            rotation: &passes.pointers.rotation,
        };
        let nodes = lower_pass(ctx, &parts, &shape, &pass)?;
        if let Some(after) = passes.end(ctx, statement, nodes.rotation) {
            let last = std::mem::replace(&mut ctx.state, after);
            ctx.state.restore_reals(&last.reals, &passes.before);
            ctx.tree.block.append(&mut passes.pointers.starts);
            emit_counted_loop(ctx, nodes.list, &iterator);
            if shape.may_skip_step || nodes.may_stop {
                // The value after the loop depends on which of the conditions failed.
                assign_integer(ctx, iterator.id, Expression::Data);
            } else if let Some(value) = nodes.last_value {
                assign_integer(ctx, iterator.id, value);
            }
            return Ok(());
        }
    }
    Err(too_many_passes(parts.header))
}

/// The shape of a loop whose body may end it.
fn shape_with_exits<'s>(
    ctx: &Lowering,
    parts: &LoopParts<'s>,
    leaving: &'s [Syntax],
) -> Lowered<LoopShape<'s>> {
    let shape = loop_shape(parts, |at| ctx.program.text(at));
    let endless = |why| match leaving {
        [] => Err(why),
        leaving => endless_shape(parts, leaving).ok_or(why),
    };
    let shape = shape.or_else(endless);
    let shape = shape.map_err(|why| uncounted(why, parts.header))?;
    let is_plain = leaving.is_empty() || shape.step_idx.is_some();
    match tests_of(leaving, &shape.iterator).filter(|_| is_plain) {
        Some(inner_tests) => Ok(LoopShape {
            inner_tests,
            ..shape
        }),
        None => {
            let why = "an exit in its body does not compare its iterator";
            Err(uncounted(why.to_owned(), parts.header))
        }
    }
}

/// Lowers header and body from the state at the head.
fn lower_pass(
    ctx: &mut Lowering,
    parts: &LoopParts,
    shape: &LoopShape,
    pass: &LoopPass,
) -> Lowered<LoweredPass> {
    let iterator = pass.iterator;
    let (header, mut effects) = lower_pass_header(ctx, parts, shape, pass)?;
    let id = open_loop(ctx, &shape.iterator, parts.header);
    if let Some(row) = ctx.tree.loops.last_mut() {
        row.arithmetic = std::mem::take(&mut effects.arithmetic);
    }
    let range = iterator_range(ctx, &header);
    ctx.loops.iterators.insert(iterator.id, range);
    let head = ctx.state.clone();
    let n_foreign = ctx.calls.n_foreign;
    let had_left = may_have_exited_loops(ctx);
    let around = std::mem::take(&mut ctx.frame_mut().control.exits);
    ctx.frame_mut().control.n_loops += 1;
    let (number, trips) = iterations(&header, iterator.id);
    begin_iteration(ctx, pass.key, number, parts.header);
    let (mut body, ()) =
        ctx.in_block(|ctx| lower_iteration_of_pass(ctx, parts, shape, pass, &effects))?;
    let rotation = end_iteration(ctx, pass.rotation, &head, &body);
    ctx.frame_mut().control.n_loops -= 1;
    let exits = std::mem::replace(&mut ctx.frame_mut().control.exits, around);
    let may_stop = exits.stop || (!had_left && may_have_exited_loops(ctx));
    row_allocations::end_iteration(ctx, trips.filter(|_| !may_stop));
    if may_stop {
        let condition = first_or_data(iterator.id, &header.first, &body);
        body = make_possible(ctx, condition, body, &head);
        ctx.tree.mark_ended_by_data(id);
    }
    ctx.tree.open_loops.pop();
    ctx.loops.iterators.remove(&iterator.id);
    check_invariance(ctx, &body, &header, &effects.computed, iterator, parts)?;
    check_header_loads(ctx, &effects, (&head, n_foreign), parts)?;
    let last_value = match &header.inner_tests[..] {
        [] => None,
        tests => value_after_exits(
            &Expression::Variable(iterator.id),
            &header.first,
            &header.step,
            tests,
        ),
    };
    let node = Loop {
        id,
        variable: iterator.id,
        first: header.first,
        comparison: header.comparison,
        bound: header.bound,
        step: header.step,
        body,
    };
    ctx.tree.n_nodes += 1;
    let is_tested_first = shape.tested == TestPosition::Before;
    let (last_test, ()) = ctx.in_block(|ctx| match is_tested_first {
        true => {
            emit_header_loads(ctx, &effects.test_loads);
            evaluate_moving_bounds(ctx, shape)
        }
        false => Ok(()),
    })?;
    let list = nodes_of_pass(node, header.guard, effects, (last_test, may_stop));
    Ok(LoweredPass {
        list,
        may_stop,
        rotation,
        last_value,
    })
}

/// Evaluates the header of a loop; returns it with the effects of its evaluation.
fn lower_pass_header(
    ctx: &mut Lowering,
    parts: &LoopParts,
    shape: &LoopShape,
    pass: &LoopPass,
) -> Lowered<(LoopBounds, HeaderEffects)> {
    ctx.loops.header = HeaderEffects {
        changed: pass.changed.clone(),
        ..HeaderEffects::default()
    };
    let around = std::mem::replace(&mut ctx.loops.in_header, true);
    let header = with_range_loads(ctx, true, |ctx| {
        lower_header(
            ctx,
            parts,
            shape,
            pass.iterator,
            (pass.first, pass.moving_bound),
        )
    });
    record_header_operations(ctx, shape, pass.iterator);
    ctx.loops.in_header = around;
    let header = header?;
    Ok((header, std::mem::take(&mut ctx.loops.header)))
}

/// Lowers one iteration: the loads of test and step, and the body between them.
fn lower_iteration_of_pass(
    ctx: &mut Lowering,
    parts: &LoopParts,
    shape: &LoopShape,
    pass: &LoopPass,
    effects: &HeaderEffects,
) -> Lowered<()> {
    if shape.tested == TestPosition::Before {
        emit_header_loads(ctx, &effects.test_loads);
        evaluate_moving_bounds(ctx, shape)?;
    }
    ctx.in_scope(|ctx| lower_loop_body(ctx, parts, shape))?;
    emit_header_loads(ctx, &effects.step_loads);
    if shape.tested == TestPosition::After {
        emit_header_loads(ctx, &effects.test_loads);
        evaluate_moving_bounds(ctx, shape)?;
    }
    rotate_selectors(ctx, pass.rotation);
    Ok(())
}

/// Evaluates the bounds of tests that may differ from test to test, for what they access.
fn evaluate_moving_bounds(ctx: &mut Lowering, shape: &LoopShape) -> Lowered<()> {
    if shape.bounds == TestBounds::WithinRange {
        for bound in shape.tests.iter().filter_map(|test| test.bound) {
            with_role(ctx, Role::Header, |ctx| ctx.expression(bound))?;
        }
    }
    Ok(())
}

/// Fails if the body may store to what the header loads; `head` is the state before it, and `n_foreign` the number of
/// calls of functions that nothing defines.
fn check_header_loads(
    ctx: &mut Lowering,
    effects: &HeaderEffects,
    (head, n_foreign): (&AbstractState, u64),
    parts: &LoopParts,
) -> Lowered<()> {
    for load in effects.test_loads.iter().chain(&effects.step_loads) {
        let offset = load.offset.as_integer();
        let passes = &mut ctx.loops.passes;
        passes.record_array(load.row, MemoryVersion::Entry);
        let memory = &ctx.state.memory;
        let is_invariant = head
            .memory
            .is_invariant(memory, load.row, offset, load.size);
        if !is_invariant || is_stored_real(ctx, load.row) {
            let array = &ctx.symbols.arrays[load.row.0].name;
            let why = format!("its body stores to `{array}`");
            return Err(uncounted(why, parts.header));
        }
        if may_have_foreign_store(ctx, load.row, n_foreign) {
            let array = &ctx.symbols.arrays[load.row.0].name;
            let why = format!(
                "its body calls a function that is not defined here and may store to `{array}`"
            );
            return Err(uncounted(why, parts.header));
        }
    }
    Ok(())
}

/// Whether the function stores to an array of real numbers so far: values of these are not tracked.
fn is_stored_real(ctx: &Lowering, row: ArrayRow) -> bool {
    let is_store = |x: &ReferenceRow| x.kind == AccessKind::Store && x.array == row;
    holds_reals(ctx, row) && ctx.tree.references.iter().any(is_store)
}

/// The nodes of a loop: computations before it, its guard, the loop, and the test that ends
/// it.
fn nodes_of_pass(
    node: Loop,
    guard: Expression,
    effects: HeaderEffects,
    (last_test, may_stop): (Vec<Node>, bool),
) -> Vec<Node> {
    let mut list = effects.computed;
    if guard == Expression::Integer(1) {
        list.push(Node::Loop(node));
    } else {
        let initial = Node::Assign {
            variable: node.variable,
            value: node.first.clone(),
        };
        list.push(Node::Branch {
            condition: guard,
            then: vec![Node::Loop(node)],
            otherwise: vec![initial],
        });
    }
    match may_stop {
        true if !last_test.is_empty() => list.push(Node::Branch {
            condition: Expression::Data,
            then: last_test,
            otherwise: Vec::new(),
        }),
        _ => list.extend(last_test),
    }
    list
}

fn emit_header_loads(ctx: &mut Lowering, loads: &[HeaderLoad]) {
    for load in loads {
        let offset = load.offset.clone();
        access_array(ctx, AccessKind::Load, load.row, offset, load.size, load.at);
    }
}

/// The condition of an iteration of a loop that data may end: the first is executed whatever data are, as long as its
/// value is one that iterations leave alone.
fn first_or_data(iterator: VariableId, first: &Expression, body: &[Node]) -> Expression {
    let mut changed = BTreeSet::from([iterator]);
    Node::assigned(body, &mut changed);
    let is_open = |part: &Expression| match part {
        Expression::Variable(id) => changed.contains(id),
        part => *part == Expression::Data,
    };
    if first.any(is_open) {
        return Expression::Data;
    }
    let is_first = Expression::binary(Op::Equal, Expression::Variable(iterator), first.clone());
    Expression::binary(Op::Or, is_first, Expression::Data)
}

/// Makes nodes possible: whether they are executed depends on data, except where the condition says.
fn make_possible(
    ctx: &mut Lowering,
    condition: Expression,
    nodes: Vec<Node>,
    before: &AbstractState,
) -> Vec<Node> {
    let mut joined = before.join(&ctx.state);
    joined.havoc_differing_reals(before, &ctx.state);
    Node::each_assigned(&nodes, &mut |id| {
        if let Some(knowledge) = joined.integers.get_mut(&id) {
            *knowledge = IntegerKnowledge::Unknown;
        }
    });
    ctx.state = joined;
    vec![Node::Branch {
        condition,
        then: nodes,
        otherwise: Vec::new(),
    }]
}

/// Lowers the body with the steps other than that of the iterator.
fn lower_loop_body(ctx: &mut Lowering, parts: &LoopParts, shape: &LoopShape) -> Lowered<()> {
    lower_iteration(ctx, parts.body)?;
    let own = shape.step_idx.unwrap_or(usize::MAX);
    for (idx, step) in parts.steps.iter().enumerate() {
        if idx == own {
            continue;
        }
        if own < idx && premiss_ast::visit::mentions(step, &shape.iterator) {
            let why = format!(
                "`{}` uses the iterator after its step",
                ctx.program.text(step.at)
            );
            return Err(uncounted(why, step.at));
        }
        with_role(ctx, Role::Header, |ctx| ctx.expression(step))?;
    }
    Ok(())
}

/// Records the comparisons and the step of the header.
fn record_header_operations(ctx: &mut Lowering, shape: &LoopShape, iterator: &InductionVariable) {
    let with = Operands::Integer(iterator.kind.bits);
    for test in &shape.tests {
        record_operation(ctx, OperationKind::Compare, with, Role::Header);
        for (_, is_minus) in &test.plus {
            let kind = match is_minus {
                true => OperationKind::Subtract,
                false => OperationKind::Add,
            };
            record_operation(ctx, kind, with, Role::Header);
        }
    }
    let step = match shape.step {
        InductionStep::Minus(_) | InductionStep::Constant(..=-1) => OperationKind::Subtract,
        InductionStep::Plus(_) | InductionStep::Constant(_) => OperationKind::Add,
    };
    record_operation(ctx, step, with, Role::Header);
    if let Some(slot) = ctx.lookup(&shape.iterator) {
        record_read(ctx, &shape.iterator, &slot);
    }
}

/// Fails if the body changes what the trip count depends on.
fn check_invariance(
    ctx: &mut Lowering,
    body: &[Node],
    header: &LoopBounds,
    effects: &[Node],
    iterator: &InductionVariable,
    parts: &LoopParts,
) -> Lowered<()> {
    let mut fixed = BTreeSet::from([iterator.id]);
    add_variables_read(effects, &mut fixed);
    for expression in [&header.bound, &header.step, &header.guard] {
        add_variables(expression, &mut fixed);
    }
    let mut first = None;
    Node::each_assigned(body, &mut |id| {
        if first.is_none_or(|first| id < first) && fixed.contains(&id) {
            first = Some(id);
        }
    });
    if let Some(id) = first {
        let name = ctx
            .symbols
            .variable(id)
            .name
            .trim_end_matches('@')
            .to_owned();
        let why = format!("its body changes `{name}`");
        return Err(uncounted(why, parts.header));
    }
    Ok(())
}

fn emit_counted_loop(ctx: &mut Lowering, nodes: Vec<Node>, iterator: &InductionVariable) {
    let counts_up = |node: &Node| match node {
        Node::Loop(inner) => inner.step.as_integer().is_some_and(|step| 0 < step),
        _ => false,
    };
    let counts_up = nodes.iter().any(counts_up);
    ctx.tree.block.extend(nodes);
    if !iterator.kind.signed && iterator.kind.bits < 64 && !counts_up {
        // The iterator may have stopped below zero, where the program's variable has wrapped around.
        let value = Expression::wrap(iterator.kind, Expression::Variable(iterator.id));
        ctx.tree.emit(Node::Assign {
            variable: iterator.id,
            value,
        });
    }
    set_integer(ctx, iterator.id, IntegerKnowledge::Exact);
}

fn is_never_run(parts: &LoopParts) -> bool {
    let is_zero = |syntax: &Syntax| matches!(syntax.kind, ExpressionKind::Integer(0, _));
    parts.tested == TestPosition::Before && parts.condition.is_some_and(is_zero)
}

/// Adds the variables that computations read.
fn add_variables_read(nodes: &[Node], variables: &mut BTreeSet<VariableId>) {
    for node in nodes {
        match node {
            Node::Assign { value, .. } => add_variables(value, variables),
            Node::Branch {
                condition,
                then,
                otherwise,
            } => {
                add_variables(condition, variables);
                add_variables_read(then, variables);
                add_variables_read(otherwise, variables);
            }
            Node::Loop(_) | Node::Access(_) | Node::Opaque(_) | Node::Operations(_) => {}
        }
    }
}

fn add_variables(expression: &Expression, variables: &mut BTreeSet<VariableId>) {
    expression.walk(&mut |part| {
        if let Expression::Variable(id) = part {
            variables.insert(*id);
        }
    });
}
