//! How many operations isl may do.

use std::cell::Cell;

use premiss_presburger::Refusal;

use crate::raw::{allow_operations, operations_done};

thread_local! {
    /// The operations allowed to the innermost work under way; none for as many as it likes.
    static ALLOWED: Cell<Option<u64>> = const { Cell::new(None) };
}

/// Does some work in which isl may do so many of its operations on this thread: allocations and
/// pivots of its simplex tables. Within other such work, what is done counts against its budget as
/// well.
///
/// # Errors
/// What the work yields; [`Refusal::Budget`] from the operation that would exceed the budget on.
pub fn with_budget<T>(
    operations: u64,
    work: impl FnOnce() -> Result<T, Refusal>,
) -> Result<T, Refusal> {
    let outer = ALLOWED.get();
    let spent = outer.map_or(0, operations_done);
    let left = outer.map(|outer| outer - spent);
    let allowed = left.map_or(operations, |left| left.min(operations));
    let restore = Restore { left, allowed };
    allow(Some(allowed));
    let result = work();
    drop(restore);
    result
}

/// Gives the outer work what is left to it, even where the inner one panicked.
struct Restore {
    left: Option<u64>,
    allowed: u64,
}

impl Drop for Restore {
    fn drop(&mut self) {
        let left = self.left;
        allow(left.map(|left| left - operations_done(self.allowed)));
    }
}

fn allow(operations: Option<u64>) {
    ALLOWED.set(operations);
    allow_operations(operations);
}
