//! Stacks that are large enough for deeply nested syntax.

use premiss_tree::RejectReason;

/// The size in bytes of the stack for reading one file, enough for the nesting that the limits allow.
pub const STACK: usize = 512 << 20;

/// Runs `work` on a new thread with [`STACK`] bytes of stack; `None` if the system cannot create it. Panics of `work`
/// are propagated.
pub fn on_own_stack<T: Send>(work: impl FnOnce() -> T + Send) -> Option<T> {
    let reader = std::thread::Builder::new().stack_size(STACK);
    std::thread::scope(|scope| {
        let handle = reader.spawn_scoped(scope, work).ok()?;
        let result = handle.join();
        Some(result.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })
}

/// The rejection for a stack that the system cannot provide.
#[must_use]
pub fn no_stack() -> RejectReason {
    RejectReason::Budget {
        limit: format!("{STACK} bytes of stack, which the system does not give"),
    }
}
