//! Loops with an unknown trip count: a loop of the tree whose bound is data, with a rejection in its body, so that
//! inner loops remain.

use crate::bailout::{Bailout, Lowered};
use crate::context::Lowering;
use crate::control::gotos::lower_iteration;
use crate::control::tail::Tail;
use crate::domain::state::{AbstractState, IntegerKnowledge};
use crate::eval::havoc::state_at_loop_head;
use crate::eval::row_allocations::{self, begin_iteration};
use crate::eval::variables::set_integer;
use crate::loops::loop_entry::enter_loop;
use crate::loops::loop_fixpoint::{MAX_PASSES, loop_key, too_many_passes};
use crate::loops::loop_nodes::{open_loop, uncounted_loop_node};
use crate::loops::loop_passes::LoopPasses;
use crate::loops::loop_shape::{LoopParts, TestPosition, loop_parts};
use crate::loops::pointer_rotation::{PointerRotation, end_iteration, rotate_selectors};
use crate::output::operations::with_role;
use crate::syntax::Statement;
use premiss_tree::{Loop, Node, Role};
use std::collections::BTreeSet;

/// Lowers a loop whose trip count is not known; `bailout` has the reason.
pub(crate) fn lower_uncounted_loop(
    ctx: &mut Lowering,
    statement: &Statement,
    bailout: &Bailout,
) -> Lowered<()> {
    ctx.in_scope(|ctx| lower_uncounted_fixpoint(ctx, statement, bailout))
}

fn lower_uncounted_fixpoint(
    ctx: &mut Lowering,
    statement: &Statement,
    bailout: &Bailout,
) -> Lowered<()> {
    let Some(parts) = loop_parts(statement) else {
        return Err(bailout.clone());
    };
    enter_loop(ctx, statement, parts.header)?;
    if let Some(initial) = parts.initial {
        with_role(ctx, Role::Header, |ctx| ctx.statement(initial, Tail::NONE))?;
    }
    let mentions = ctx.program.name_uses(statement);
    let before = state_at_loop_head(ctx, &mentions);
    let mut passes = LoopPasses::new(ctx, statement, before);
    for _ in 0..MAX_PASSES {
        passes.begin(ctx);
        let rotation = &passes.pointers.rotation;
        begin_iteration(ctx, loop_key(ctx, statement), None, parts.header);
        let (node, rotation) = lower_uncounted_pass(ctx, &parts, rotation, bailout)?;
        row_allocations::end_iteration(ctx, None);
        if let Some(after) = passes.end(ctx, statement, rotation) {
            ctx.tree.block.append(&mut passes.pointers.starts);
            leave_uncounted_loop(ctx, node, after);
            return Ok(());
        }
    }
    Err(too_many_passes(parts.header))
}

/// One pass over the loop from a state at its head.
fn lower_uncounted_pass(
    ctx: &mut Lowering,
    parts: &LoopParts,
    rotation: &PointerRotation,
    bailout: &Bailout,
) -> Lowered<(Loop, Option<PointerRotation>)> {
    let head = ctx.state.clone();
    let id = open_loop(ctx, "while", parts.header);
    let around = std::mem::take(&mut ctx.frame_mut().control.exits);
    ctx.frame_mut().control.n_loops += 1;
    let (body, ()) = ctx.in_block(|ctx| {
        lower_uncounted_iteration(ctx, parts, bailout)?;
        rotate_selectors(ctx, rotation);
        Ok(())
    })?;
    let rotation = end_iteration(ctx, rotation, &head, &body);
    ctx.frame_mut().control.n_loops -= 1;
    ctx.frame_mut().control.exits = around;
    ctx.tree.open_loops.pop();
    ctx.tree.n_nodes += 1;
    ctx.tree.mark_ended_by_data(id);
    Ok((uncounted_loop_node(ctx, id, body), rotation))
}

fn lower_uncounted_iteration(
    ctx: &mut Lowering,
    parts: &LoopParts,
    bailout: &Bailout,
) -> Lowered<()> {
    ctx.tree.add_rejection(bailout.reason.clone(), bailout.at);
    let test = |ctx: &mut Lowering| match parts.condition {
        Some(condition) => ctx.condition(condition).map(|_| ()),
        None => Ok(()),
    };
    if parts.tested == TestPosition::Before {
        test(ctx)?;
    }
    ctx.in_scope(|ctx| lower_iteration(ctx, parts.body))?;
    for step in &parts.steps {
        ctx.expression(step)?;
    }
    match parts.tested {
        TestPosition::Before => Ok(()),
        TestPosition::After => test(ctx),
    }
}

/// The state after the last iteration, whichever it was.
fn leave_uncounted_loop(ctx: &mut Lowering, node: Loop, head: AbstractState) {
    let node = Node::Loop(node);
    let mut changed = BTreeSet::new();
    Node::assigned(std::slice::from_ref(&node), &mut changed);
    ctx.state = head;
    for id in changed {
        set_integer(ctx, id, IntegerKnowledge::Unknown);
    }
    ctx.tree.emit(node);
}
