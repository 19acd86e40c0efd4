//! Branches: two arms lowered one after the other, and the join of their states.

use crate::bailout::Lowered;
use crate::context::Lowering;
use crate::control::branch_merge::{continue_in_one_arm, merge_by_selector, unify_stored_pointers};
use crate::control::program_ends::depends_on_data;
use crate::domain::state::IntegerKnowledge;
use crate::eval::row_allocations::{allocated_so_far, disturb_allocations, exchange_allocated};
use crate::output::dead_nodes::is_idle;
use premiss_tree::{Expression, Node, VariableId};

/// Lowers two arms of which one is executed; returns the values of both.
pub(crate) fn lower_branch<T>(
    ctx: &mut Lowering,
    condition: Expression,
    then: impl FnOnce(&mut Lowering) -> Lowered<T>,
    otherwise: impl FnOnce(&mut Lowering) -> Lowered<T>,
) -> Lowered<Vec<T>> {
    let before = ctx.state.clone();
    let allocated = allocated_so_far(ctx);
    let is_open = usize::from(depends_on_data(ctx, &condition));
    ctx.frame_mut().control.n_branches += 1;
    ctx.frame_mut().control.n_data_branches += is_open;
    let (mut then_nodes, a) = ctx.in_block(then)?;
    let mut after_then = std::mem::replace(&mut ctx.state, before);
    let allocated = exchange_allocated(ctx, allocated);
    let (mut otherwise_nodes, b) = ctx.in_block(otherwise)?;
    if allocated_so_far(ctx) != allocated {
        disturb_allocations(ctx);
    }
    ctx.frame_mut().control.n_branches -= 1;
    ctx.frame_mut().control.n_data_branches -= is_open;
    let is_data = condition.any(|part| *part == Expression::Data);
    unify_stored_pointers(ctx, &mut after_then);
    continue_in_one_arm(ctx, &mut after_then, &mut then_nodes, &mut otherwise_nodes);
    if !is_data {
        merge_by_selector(ctx, &mut after_then, &mut then_nodes, &mut otherwise_nodes);
    }
    let mut joined = after_then.join(&ctx.state);
    if is_data {
        joined.havoc_differing_reals(&after_then, &ctx.state);
        let mut lose = |id: VariableId| {
            // A variable with the same value after both arms stays known; otherwise it becomes unknown.
            if joined.integers.get(&id) == Some(&IntegerKnowledge::Exact) {
                joined.integers.insert(id, IntegerKnowledge::Unknown);
            }
        };
        Node::each_assigned(&then_nodes, &mut lose);
        Node::each_assigned(&otherwise_nodes, &mut lose);
    }
    ctx.state = joined;
    let is_idle = is_idle(&then_nodes) && is_idle(&otherwise_nodes);
    let is_empty = then_nodes.is_empty() && otherwise_nodes.is_empty();
    let branch = Node::Branch {
        condition,
        then: then_nodes,
        otherwise: otherwise_nodes,
    };
    match (is_empty, is_idle) {
        (true, _) => {}
        // It is in no tree that the engines see, whose size the budget limits.
        (false, true) => ctx.tree.block.push(branch),
        (false, false) => ctx.tree.emit(branch),
    }
    Ok(vec![a, b])
}
