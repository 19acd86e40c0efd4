//! Limits on how many operations isl may do.

use std::cell::Cell;

use premiss_presburger::Refusal;

use crate::raw::{allow_operations, operations_done};

thread_local! {
    /// The operations allowed to the innermost work under way; `None` where they are not limited.
    static ALLOWED: Cell<Option<u64>> = const { Cell::new(None) };
}

/// Runs `work`, in which isl may do at most `operations` of its operations on this thread: allocations and pivots of
/// its simplex tables. In a nested call the operations of the inner work count against the outer budget as well.
///
/// # Errors
/// Those of `work`. From the first operation that exceeds the budget on, isl's operations fail with
/// [`Refusal::Budget`].
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

/// Restores what is left of the outer budget, even where the inner work panicked.
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
