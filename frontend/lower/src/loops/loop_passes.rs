//! The passes over one loop, each of which lowers its body, until the state at its head is a fixpoint.

use crate::context::{Checkpoint, Lowering};
use crate::domain::state::AbstractState;
use crate::loops::loop_fixpoint::{initial_head_state, is_fixpoint};
use crate::loops::loop_head_reads::begin_pass;
use crate::loops::pointer_rotation::{PointerRotation, RotationSearch, restart_with_rotation};
use crate::syntax::Statement;

/// The start of the passes over one loop, and what they have found.
pub(crate) struct LoopPasses {
    /// The state before the loop, without what its iterations change.
    pub(crate) before: AbstractState,
    /// The pointers that the iterations were found to rotate, which the next pass assumes.
    pub(crate) pointers: RotationSearch,
    /// The state at the loop's head that the next pass assumes.
    head: AbstractState,
    checkpoint: Checkpoint,
    /// The steps that a pass may take in bodies of other files.
    linked_share: u64,
}

impl LoopPasses {
    /// The passes over a loop with the state `before` in front of it.
    pub(crate) fn new(ctx: &mut Lowering, statement: &Statement, before: AbstractState) -> Self {
        Self {
            head: initial_head_state(ctx, statement, &before),
            before,
            pointers: RotationSearch::default(),
            checkpoint: ctx.checkpoint(),
            linked_share: ctx.budget.share_of_pass(),
        }
    }

    /// Begins a pass from the state at the head.
    pub(crate) fn begin(&self, ctx: &mut Lowering) {
        ctx.state = self.head.clone();
        begin_pass(ctx, self.linked_share);
    }

    /// Ends a pass; `rotation` is set if the iterations rotate more pointers than it assumed. Returns the state at the
    /// head, joined over all iterations, if this was the last pass; the state after the body is still in `ctx` then.
    /// Otherwise the pass is rolled back and another one is needed.
    pub(crate) fn end(
        &mut self,
        ctx: &mut Lowering,
        statement: &Statement,
        rotation: Option<PointerRotation>,
    ) -> Option<AbstractState> {
        let reads = ctx.loops.passes.finish_pass();
        if let Some(rotation) = rotation {
            ctx.roll_back(&self.checkpoint);
            restart_with_rotation(ctx, rotation, &mut self.pointers, &mut self.head);
            return None;
        }
        let mut joined = self.head.join(&ctx.state);
        joined.havoc_differing_reals(&self.head, &ctx.state);
        if is_fixpoint(ctx, statement, &reads, [&self.before, &self.head, &joined]) {
            return Some(joined);
        }
        ctx.roll_back(&self.checkpoint);
        self.head = joined;
        None
    }
}
