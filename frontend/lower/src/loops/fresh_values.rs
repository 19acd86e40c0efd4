//! Fresh values for unknown integers that are loop-invariant.

use crate::context::Lowering;
use crate::loops::bounding_ranges::number_within_range;
use crate::syntax::TextRange;
use premiss_tree::{Expression, IntegerType};

/// An unknown integer that is invariant in the loop that is being lowered: a size before an outermost loop, a variable
/// with a range within another loop.
pub(crate) fn fresh_invariant(
    ctx: &mut Lowering,
    name: &str,
    kind: IntegerType,
    at: TextRange,
) -> Expression {
    if ctx.tree.open_loops.is_empty() {
        return ctx.symbols.fresh_size(name, kind, at);
    }
    number_within_range(ctx, name, kind, at)
}
