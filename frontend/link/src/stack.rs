//! Stacks that are large enough for syntax that nests deeply.

use premiss_tree::RejectReason;

/// Stack for reading one file, enough for what nests as deep as the limits allow.
pub const STACK: usize = 512 << 20;

/// Does something on a stack of its own; `None` where the system gives none.
pub fn on_own_stack<T: Send>(work: impl FnOnce() -> T + Send) -> Option<T> {
    let reader = std::thread::Builder::new().stack_size(STACK);
    std::thread::scope(|scope| {
        let handle = reader.spawn_scoped(scope, work).ok()?;
        let result = handle.join();
        Some(result.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })
}

/// That there is no stack to read on.
#[must_use]
pub fn no_stack() -> RejectReason {
    RejectReason::Budget {
        limit: format!("{STACK} bytes of stack, which the system does not give"),
    }
}
