//! Fresh values for unknown integers that are loop-invariant.

use crate::bailout::Bailout;
use crate::context::Lowering;
use crate::eval::variables::fresh_variable;
use premiss_tree::{Expression, IntegerType};

/// An unknown integer that is invariant in the loop that is being lowered: a size before an outermost loop, a variable
/// that is never assigned within another loop.
pub(crate) fn fresh_invariant(
    ctx: &mut Lowering,
    name: &str,
    kind: IntegerType,
    why: Bailout,
) -> Expression {
    if ctx.tree.open_loops.is_empty() {
        return ctx.symbols.fresh_size(name, kind, why.at);
    }
    let id = fresh_variable(ctx, name, kind);
    ctx.loops.header.unknown.push(why);
    Expression::Variable(id)
}
