//! When the fixpoint of a loop is reached, and what inner loops lose from one pass over the enclosing loops to the
//! next.
//!
//! If every inner loop were iterated to its fixpoint in each pass over the enclosing loops, the work would double with
//! each level. But what an inner loop loses in one pass it also loses in the next one, where less is known. So it
//! starts without it, and if it loses more, it waits for the next pass. The last pass over the outermost loop is one
//! in which no loop has lost more than the previous pass.
//!
//! ```text
//!                                  first pass                        second pass, the last
//! for (i = 0; i < n; i++)          k and m are 0; in the end lost    k and m are unknown
//!     for (j = 0; j < n; j++)      k and m are 0; in the end lost    k and m are unknown
//!         m = k = index[j];
//! ```
//!
//! These are rounds of chaotic iteration (Cousot and Cousot, POPL 1977, section 9): every pass starts from a state
//! that is too precise or a fixpoint, and the last one verifies the state that it started from.

use crate::bailout::{Bailout, BailoutLevel};
use crate::context::Lowering;
use crate::domain::state::AbstractState;
use crate::domain::values::{PointerId, Target};
use crate::loops::loop_context::{LoopKey, LoopLosses, PassReads};
use crate::loops::loop_head_reads::is_unaffected_by;
use crate::syntax::{Statement, TextRange};
use imbl::ordmap::DiffItem;
use premiss_tree::RejectReason;

/// The maximum number of passes over a loop's body until the state at its head is a fixpoint.
pub(crate) const MAX_PASSES: usize = 16;

/// How often a loop waits for the next pass over the enclosing loops before it is iterated separately to a fixpoint.
const MAX_WAITS: u32 = 1;

/// The failure of a loop without a fixpoint after [`MAX_PASSES`] passes.
pub(crate) fn too_many_passes(header: TextRange) -> Bailout {
    Bailout {
        reason: RejectReason::Budget {
            limit: format!("{MAX_PASSES} passes over a loop"),
        },
        at: header,
        level: BailoutLevel::Loop,
    }
}

/// The loop that a statement is, as called here.
pub(crate) fn loop_key(ctx: &Lowering, statement: &Statement) -> LoopKey {
    (std::ptr::from_ref(statement), ctx.frame().path)
}

/// The version of memory at the entry of a loop; for an inner loop, the same in each pass over the enclosing loops.
pub(crate) fn version_at_entry(ctx: &mut Lowering, statement: &Statement) -> u32 {
    if !ctx.is_in_loop() {
        return ctx.heap_symbols.new_version();
    }
    let key = loop_key(ctx, statement);
    if let Some(version) = ctx.loops.fixpoint.versions.get(&key) {
        return *version;
    }
    let version = ctx.heap_symbols.new_version();
    ctx.loops.fixpoint.versions.insert(key, version);
    version
}

/// The state at the head of a loop for its first pass: `before` without what the loop lost in the last pass over the
/// enclosing loops.
pub(crate) fn initial_head_state(
    ctx: &mut Lowering,
    statement: &Statement,
    before: &AbstractState,
) -> AbstractState {
    let mut head = before.clone();
    match ctx.is_in_loop() {
        true => apply_recorded_losses(ctx, statement, &mut head),
        false => ctx.loops.fixpoint.is_waiting = false,
    }
    head
}

fn apply_recorded_losses(ctx: &Lowering, statement: &Statement, head: &mut AbstractState) {
    let Some(losses) = ctx.loops.fixpoint.losses.get(&loop_key(ctx, statement)) else {
        return;
    };
    for (origin, before, after) in &losses.integers {
        if let Some(id) = ctx.loops.fixpoint.variables.get(origin)
            && let Some(known) = head.integers.get_mut(id)
            && before.join(known) == *known
        {
            *known = known.join(after);
        }
    }
    for origin in &losses.pointers {
        if let Some(offset) = ctx.loops.fixpoint.variables.get(origin)
            && let Ok(idx) = ctx.symbols.pointers.binary_search(offset)
            && let Some(target) = head.pointers.get_mut(&PointerId(idx))
        {
            *target = Target::Ambiguous;
        }
    }
    for (origin, after) in &losses.reals {
        if let Some(id) = ctx.loops.fixpoint.variables.get(origin)
            && let Some(known) = head.reals.get_mut(id)
        {
            *known = known.join(after);
        }
    }
    head.memory.reapply_losses(&losses.memory);
}

/// Whether no further pass is needed over a loop that found `after` from `head`: because it lost nothing more, or
/// nothing that it read, or because there will be a pass over the enclosing loops.
pub(crate) fn is_fixpoint(
    ctx: &mut Lowering,
    statement: &Statement,
    reads: &PassReads,
    [before, head, after]: [&AbstractState; 3],
) -> bool {
    let holds = head == after || is_unaffected_by(ctx, reads, head, after);
    if !ctx.is_in_loop() {
        return !std::mem::take(&mut ctx.loops.fixpoint.is_waiting) && holds;
    }
    record_losses(ctx, statement, before, after);
    if holds {
        return true;
    }
    let n_waits = ctx
        .loops
        .fixpoint
        .waits
        .entry(loop_key(ctx, statement))
        .or_default();
    *n_waits += 1;
    let waits = *n_waits <= MAX_WAITS;
    ctx.loops.fixpoint.is_waiting |= waits;
    waits
}

/// Remembers what a loop loses.
fn record_losses(
    ctx: &mut Lowering,
    statement: &Statement,
    before: &AbstractState,
    head: &AbstractState,
) {
    let integers = before.integers.diff(&head.integers);
    let integers = integers.filter_map(|difference| match difference {
        DiffItem::Update { old, new } => {
            let origin = ctx.symbols.variable(*old.0).origin;
            Some((origin, old.1.clone(), new.1.clone()))
        }
        DiffItem::Add(..) | DiffItem::Remove(..) => None,
    });
    let pointers = before.pointers.diff(&head.pointers);
    let pointers = pointers.filter_map(|difference| match difference {
        DiffItem::Update { new, .. } if *new.1 == Target::Ambiguous => {
            Some(ctx.symbols.variable(ctx.symbols.pointers[new.0.0]).origin)
        }
        _ => None,
    });
    let reals = before.reals.diff(&head.reals);
    let reals = reals.filter_map(|difference| match difference {
        DiffItem::Update {
            new: (id, known), ..
        } => Some((ctx.symbols.variable(*id).origin, *known)),
        DiffItem::Add(..) | DiffItem::Remove(..) => None,
    });
    let losses = LoopLosses {
        integers: integers.collect(),
        reals: reals.collect(),
        pointers: pointers.collect(),
        memory: before.memory.losses(&head.memory),
    };
    ctx.loops
        .fixpoint
        .losses
        .insert(loop_key(ctx, statement), losses);
}
