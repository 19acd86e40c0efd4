//! The rows of operations: operations of one statement share a row as long as only accesses and assignments are
//! between them.

use crate::context::Lowering;
use crate::output::operation_recorder::OperationsRow;
use premiss_tree::{Arithmetic, Node, OperationsId};

/// How far back a row of the same statement is searched, which bounds the cost for long statements.
const MAX_NODES_BACK: usize = 32;

/// The arithmetic to which current operations are added.
pub(crate) fn current_arithmetic<'a>(ctx: &'a mut Lowering) -> &'a mut Arithmetic {
    if ctx.loops.in_header {
        return &mut ctx.loops.header.arithmetic;
    }
    if !extends_last_row(ctx) {
        let id = u32::try_from(ctx.tree.operations.rows.len()).unwrap_or(u32::MAX);
        ctx.tree.operations.rows.push(OperationsRow {
            arithmetic: Arithmetic::default(),
            at: ctx.tree.operations.statement,
            inside: ctx.tree.open_loops.last().copied(),
        });
        ctx.tree
            .block
            .push(Node::Operations(OperationsId::from_u32(id)));
    }
    let row = ctx.tree.operations.rows.last_mut();
    &mut row.expect("a row was there or made").arithmetic
}

/// Whether the last row belongs to this statement and is followed by accesses and assignments only.
fn extends_last_row(ctx: &Lowering) -> bool {
    let Some(last) = ctx.tree.operations.rows.last() else {
        return false;
    };
    if last.at != ctx.tree.operations.statement {
        return false;
    }
    let nodes = ctx.tree.block.iter().rev().take(MAX_NODES_BACK);
    for node in nodes {
        match node {
            Node::Operations(id) => {
                return id.as_u32() as usize + 1 == ctx.tree.operations.rows.len();
            }
            Node::Access(_) | Node::Assign { .. } => {}
            Node::Loop(_) | Node::Branch { .. } | Node::Opaque(_) => return false,
        }
    }
    false
}
