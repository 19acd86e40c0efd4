//! Which parts of the state at a loop's head a pass over the loop reads.
//!
//! After a pass that loses information, no further pass is needed if it read nothing of what it lost: from the weaker
//! state at the head it would proceed in the same way and lose the same.
//!
//! ```text
//! for (i = 0; i < n; i++) {       info is 0 at the head, and unknown at the end
//!     info = data[i];             defined before it is read: one pass is enough
//!     if (info != 0) …
//!     m = k;                      k is read: were it lost, a second pass would find it unknown
//! }
//! ```
//!
//! This holds for information that is lost entirely, so that no further pass can lose more of it: unknown integers,
//! real numbers that are no longer constants, varying versions. A value that a pass defined itself does not depend on
//! the head: `defined_in_pass` of the state has the pass that did.

use crate::context::Lowering;
use crate::domain::reals::RealKnowledge;
use crate::domain::state::{AbstractState, IntegerKnowledge};
use crate::loops::loop_context::{HeadReads, PassReads};
use imbl::ordmap::DiffItem;
use premiss_tree::VariableId;
use rustc_hash::FxHashSet;

/// Begins a pass over a loop; if it is an outermost one, the pass may take `linked_share` steps in bodies of other
/// files.
pub(crate) fn begin_pass(ctx: &mut Lowering, linked_share: u64) {
    ctx.loops.passes.n_begun += 1;
    ctx.loops.passes.open.push(HeadReads {
        number: ctx.loops.passes.n_begun,
        linked_end: ctx.budget.end_of_pass(linked_share),
        n_versions: ctx.heap_symbols.n_versions(),
        integers: FxHashSet::default(),
        constants: FxHashSet::default(),
        rows: FxHashSet::default(),
    });
}

/// Whether a pass that began with `head` would have the same result from `after`, its join with the state at the end.
pub(crate) fn is_unaffected_by(
    ctx: &Lowering,
    reads: &PassReads,
    head: &AbstractState,
    after: &AbstractState,
) -> bool {
    let PassReads(pass) = reads;
    let is_lost = |difference: DiffItem<VariableId, IntegerKnowledge>| match difference {
        DiffItem::Update { new: (id, new), .. } => {
            *new == IntegerKnowledge::Unknown && !pass.integers.contains(id)
        }
        DiffItem::Add(..) | DiffItem::Remove(..) => true,
    };
    let is_no_constant = |difference: DiffItem<VariableId, RealKnowledge>| match difference {
        DiffItem::Update {
            old: (id, RealKnowledge::Constant(bits)),
            ..
        } => !pass.constants.contains(&(*id, *bits)),
        _ => true,
    };
    let mut integers = head.integers.diff(&after.integers);
    let mut reals = head.reals.diff(&after.reals);
    let mut rows = pass.rows.iter();
    (!ctx.program.is_dense() || head.reals == after.reals)
        && head.pointers == after.pointers
        && head.nullable == after.nullable
        && integers.all(is_lost)
        && reals.all(is_no_constant)
        && head.memory.differs_only_by_top(&after.memory)
        && rows.all(|row| head.memory.has_same_contents(&after.memory, *row))
}
