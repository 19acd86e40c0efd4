//! The same function over many items, or two functions, on all processors.
//!
//! Maps may be within maps: functions of a program, line sizes of a function, accesses of a nest. All
//! of them together use as many threads as there are processors: whenever one takes an item, and
//! leaves others behind, while a processor is idle, it starts another thread. Which thread does what
//! is seen in no result.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread::{self, Scope};

/// Stack of a thread: nests and derivations recurse.
const STACK: usize = 256 << 20;

/// The results in the order of the items, whichever thread was first. They are taken in order, the
/// first ones by the calling thread.
///
/// # Panics
///
/// Where `apply` does.
pub fn map<T: Sync, R: Send>(items: &[T], apply: impl Fn(&T) -> R + Sync) -> Vec<R> {
    if items.len() < 2 {
        return items.iter().map(apply).collect();
    }
    let work = Work {
        items,
        apply,
        next: AtomicUsize::new(0),
        results: Mutex::new(Vec::with_capacity(items.len())),
    };
    thread::scope(|scope| work.run(scope));
    let mut results = work
        .results
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner);
    results.sort_by_key(|(idx, _)| *idx);
    results.into_iter().map(|(_, result)| result).collect()
}

/// The same where each item is given away.
///
/// # Panics
///
/// Where `apply` does.
pub fn map_owned<T: Send, R: Send>(items: Vec<T>, apply: impl Fn(T) -> R + Sync) -> Vec<R> {
    let items: Vec<_> = items
        .into_iter()
        .map(|item| Mutex::new(Some(item)))
        .collect();
    let results = map(&items, |item| {
        let item = item.lock().unwrap_or_else(PoisonError::into_inner).take();
        item.map(&apply)
    });
    results.into_iter().flatten().collect()
}

/// The results of two functions, side by side where a processor is idle.
///
/// # Panics
///
/// Where one of them does.
pub fn both<A: Send, B>(first: impl FnOnce() -> A + Send, second: impl FnOnce() -> B) -> (A, B) {
    let first = Mutex::new(Some(first));
    let take = || first.lock().unwrap_or_else(PoisonError::into_inner).take();
    thread::scope(|scope| {
        let spawn = |processor| {
            let work = move || {
                let _processor: Processor = processor;
                take().map(|first| first())
            };
            let thread = thread::Builder::new().stack_size(STACK);
            thread.spawn_scoped(scope, work).ok()
        };
        let helper = Processor::take().and_then(spawn);
        let second = second();
        let helped = helper.and_then(|helper| match helper.join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        let own = || take().map(|first| first());
        let first = helped.or_else(own).expect("one of the threads took it");
        (first, second)
    })
}

struct Work<'a, T, R, F> {
    items: &'a [T],
    apply: F,
    next: AtomicUsize,
    results: Mutex<Vec<(usize, R)>>,
}

impl<T: Sync, R: Send, F: Fn(&T) -> R + Sync> Work<'_, T, R, F> {
    /// Takes items until there are none, calling for help while there are more.
    fn run<'scope>(&'scope self, scope: &'scope Scope<'scope, '_>) {
        loop {
            let idx = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = self.items.get(idx) else {
                return;
            };
            if idx + 1 < self.items.len()
                && let Some(processor) = Processor::take()
            {
                let help = move || {
                    let _processor = processor;
                    self.run(scope);
                };
                // Where the system gives no thread, those that there are do the work.
                let _ = thread::Builder::new()
                    .stack_size(STACK)
                    .spawn_scoped(scope, help);
            }
            let result = (self.apply)(item);
            let mut results = self.results.lock().unwrap_or_else(PoisonError::into_inner);
            results.push((idx, result));
        }
    }
}

/// The right to use one more processor, given back when it is dropped.
struct Processor(&'static AtomicUsize);

impl Processor {
    /// One that is idle, if any is.
    fn take() -> Option<Self> {
        static IDLE: OnceLock<AtomicUsize> = OnceLock::new();
        let idle = IDLE.get_or_init(|| {
            let all = thread::available_parallelism().map_or(1, usize::from);
            AtomicUsize::new(all - 1)
        });
        let fewer = |idle: usize| idle.checked_sub(1);
        let taken = idle.fetch_update(Ordering::Relaxed, Ordering::Relaxed, fewer);
        taken.is_ok().then(|| Self(idle))
    }
}

impl Drop for Processor {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::{both, map, map_owned};
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn results_keep_the_order_of_the_items() {
        let items: Vec<u64> = (0..1000).collect();
        let squares: Vec<u64> = items.iter().map(|x| x * x).collect();
        assert_eq!(map(&items, |x| x * x), squares);
        assert!(map(&[], |x: &u64| *x).is_empty());
        assert_eq!(map_owned(items, |x| x * x), squares);
    }

    #[test]
    fn no_more_threads_work_than_there_are_processors() {
        let (working, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        map(&[(); 2000], |()| {
            most.fetch_max(working.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            std::thread::sleep(std::time::Duration::from_micros(50));
            working.fetch_sub(1, Ordering::SeqCst);
        });
        // Maps of other tests may have left some.
        let n_processors = std::thread::available_parallelism().map_or(1, usize::from);
        assert!(most.into_inner() <= n_processors);
    }

    #[test]
    fn maps_may_be_within_maps() {
        let rows: Vec<u64> = (0..20).collect();
        let of_row = |row: &u64| map(&rows, |x| x * row).into_iter().sum::<u64>();
        let expected: Vec<u64> = rows.iter().map(|row| row * 190).collect();
        assert_eq!(map(&rows, of_row), expected);
    }

    #[test]
    fn both_have_results_whatever_else_works() {
        let of_row = |row: &u64| both(|| row + 1, || map(&[1, 2], |x| x * row));
        let rows: Vec<u64> = (0..200).collect();
        let expected: Vec<_> = rows.iter().map(|x| (x + 1, vec![*x, 2 * x])).collect();
        assert_eq!(map(&rows, of_row), expected);
        let failing = || both(|| assert_eq!(1, 2), || ());
        assert!(std::panic::catch_unwind(failing).is_err());
        assert_eq!(both(|| 1, || 2), (1, 2));
    }

    #[test]
    fn a_panic_reaches_the_caller_and_leaves_the_rest_working() {
        let items: Vec<u64> = (0..50).collect();
        let failing = || map(&items, |x| assert_ne!(*x, 17));
        assert!(std::panic::catch_unwind(failing).is_err());
        assert_eq!(map(&items, |x| *x), items);
    }
}
