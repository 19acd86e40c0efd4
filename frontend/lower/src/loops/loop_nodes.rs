//! Loop nodes without a counted header in the program.

use crate::bailout::Lowered;
use crate::context::Lowering;
use crate::domain::types::LONG;
use crate::eval::variables::new_variable;
use crate::output::tree_builder::LoopRow;
use crate::syntax::{Name, TextRange};
use premiss_tree::{Arithmetic, Comparison, Expression, Loop, LoopId, Node};

/// Opens a loop of the tree.
pub(crate) fn open_loop(ctx: &mut Lowering, iterator: &str, header: TextRange) -> LoopId {
    let row = ctx.tree.loops.len();
    ctx.tree.loops.push(LoopRow {
        iterator: iterator.to_owned(),
        inside: ctx.tree.open_loops.last().copied(),
        header,
        function: ctx.frame().function.clone(),
        arithmetic: Arithmetic::default(),
        ends_by_data: false,
    });
    ctx.tree.open_loops.push(row);
    LoopId::from_u32(u32::try_from(row).unwrap_or(u32::MAX))
}

/// Emits the loop over bytes that a library function executes; `body` gets the iterator.
pub(crate) fn emit_library_loop(
    ctx: &mut Lowering,
    callee: &str,
    at: TextRange,
    bound: Expression,
    step: u32,
    body: impl FnOnce(&mut Lowering, &Expression) -> Lowered<()>,
) -> Lowered<()> {
    let variable = new_variable(ctx, &format!("{callee}@"), LONG, false);
    let id = open_loop(ctx, callee, at);
    if let Some(row) = ctx.tree.loops.last_mut() {
        row.function = Name::from(callee);
    }
    let (body, ()) = ctx.in_block(|ctx| body(ctx, &Expression::Variable(variable)))?;
    ctx.tree.open_loops.pop();
    ctx.tree.emit(Node::Loop(Loop {
        id,
        variable,
        first: 0.into(),
        comparison: Comparison::Less,
        bound,
        step: i64::from(step).into(),
        body,
    }));
    Ok(())
}

/// A loop of the tree with an unknown trip count.
pub(crate) fn uncounted_loop_node(ctx: &mut Lowering, id: LoopId, body: Vec<Node>) -> Loop {
    Loop {
        id,
        variable: new_variable(ctx, "while@", LONG, false),
        first: 0.into(),
        comparison: Comparison::Less,
        bound: Expression::Data,
        step: 1.into(),
        body,
    }
}
