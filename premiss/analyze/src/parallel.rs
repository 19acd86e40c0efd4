//! The same function over many items, on as many threads as there are processors.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Stack of a thread: nests and derivations recurse.
const STACK: usize = 256 << 20;

/// The results in the order of the items, whichever thread was first.
///
/// # Panics
///
/// Where `apply` does.
pub(crate) fn map<T: Sync, R: Send>(items: &[T], apply: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let n_threads = thread::available_parallelism().map_or(1, usize::from);
    if n_threads == 1 || items.len() < 2 {
        return items.iter().map(apply).collect();
    }
    let next = AtomicUsize::new(0);
    let results = Mutex::new(Vec::with_capacity(items.len()));
    thread::scope(|scope| {
        for _ in 0..n_threads.min(items.len()) {
            let thread = thread::Builder::new().stack_size(STACK);
            let work = || {
                while let Some((idx, item)) = take(items, &next) {
                    let result = apply(item);
                    let mut results = results.lock().unwrap_or_else(PoisonError::into_inner);
                    results.push((idx, result));
                }
            };
            // Where the system gives no thread, those that there are do the work, at least this one.
            if thread.spawn_scoped(scope, work).is_err() {
                work();
            }
        }
    });
    let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.sort_by_key(|(idx, _)| *idx);
    results.into_iter().map(|(_, result)| result).collect()
}

fn take<'a, T>(items: &'a [T], next: &AtomicUsize) -> Option<(usize, &'a T)> {
    let idx = next.fetch_add(1, Ordering::Relaxed);
    items.get(idx).map(|item| (idx, item))
}

#[cfg(test)]
mod tests {
    #[test]
    fn results_keep_the_order_of_the_items() {
        let items: Vec<u64> = (0..1000).collect();
        let squares: Vec<u64> = items.iter().map(|x| x * x).collect();
        assert_eq!(super::map(&items, |x| x * x), squares);
        assert!(super::map(&[], |x: &u64| *x).is_empty());
    }
}
