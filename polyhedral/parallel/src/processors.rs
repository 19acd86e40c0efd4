//! How many processors are idle, counted for all maps of the process together.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// The right to keep one more processor busy, returned when it is dropped.
pub(crate) struct IdleProcessor(&'static AtomicUsize);

impl IdleProcessor {
    /// Claims an idle processor, if there is one.
    pub(crate) fn claim() -> Option<Self> {
        static IDLE: OnceLock<AtomicUsize> = OnceLock::new();
        let idle = IDLE.get_or_init(|| {
            let all = thread::available_parallelism().map_or(1, usize::from);
            AtomicUsize::new(all - 1)
        });
        let fewer = |idle: usize| idle.checked_sub(1);
        let claimed = idle.fetch_update(Ordering::Relaxed, Ordering::Relaxed, fewer);
        claimed.is_ok().then(|| Self(idle))
    }
}

impl Drop for IdleProcessor {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}
