//! The passes over one loop, each of which lowers its body, until the state at its head is a fixpoint.

use crate::context::{Checkpoint, Lowering};
use crate::domain::state::AbstractState;
use crate::loops::loop_fixpoint::{initial_head_state, is_fixpoint};
use crate::loops::loop_head_reads::begin_pass;
use crate::loops::pointer_rotation::{PointerRotation, RotationSearch, restart_with_rotation};
use crate::syntax::Statement;

/// What the passes over one loop start from, and what they have found.
pub(crate) struct LoopPasses {
    /// What is known before the loop, apart from what its iterations change.
    pub(crate) before: AbstractState,
    /// The pointers that the iterations were found to rotate, which the next pass takes for granted.
    pub(crate) pointers: RotationSearch,
    /// What the next pass takes to be known at the loop's head.
    head: AbstractState,
    checkpoint: Checkpoint,
    /// How many steps a pass may take in bodies of other files.
    linked_share: u64,
}

impl LoopPasses {
    /// The passes over a loop before which `before` is known.
    pub(crate) fn new(ctx: &mut Lowering, statement: &Statement, before: AbstractState) -> Self {
        Self {
            head: initial_head_state(ctx, statement, &before),
            before,
            pointers: RotationSearch::default(),
            checkpoint: ctx.checkpoint(),
            linked_share: ctx.budget.share_of_pass(),
        }
    }

    /// Begins a pass: what is known is what is known at the head.
    pub(crate) fn begin(&self, ctx: &mut Lowering) {
        ctx.state = self.head.clone();
        begin_pass(ctx, self.linked_share);
    }

    /// Ends a pass that found `rotation` where the iterations rotate more pointers than it took for granted.
    /// Yields the state at the head, joined over all iterations, where this was the last pass; what the body left is
    /// still in `ctx` then. Else the pass is undone, and another one is due.
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
