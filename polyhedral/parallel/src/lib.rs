//! The workspace's one way to use all processors: a map over items, a pair of functions, and values dropped elsewhere.
//!
//! Turns a sequence of items into the sequence of their results. Results keep the order of the items, so that which
//! thread did what shows in no output.
//!
//! Maps may be nested: functions of a program, line sizes of a function, accesses of a nest. All of them together use
//! as many threads as there are processors: whenever a thread takes an item while others are left and a processor is
//! idle, it starts another thread. Threads have large stacks, as parsers, lowering and derivations recurse.

mod processors;

use processors::IdleProcessor;
use std::any::Any;
use std::iter::Enumerate;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, Scope};

/// Bytes of stack of each thread. They are reserved address space: the system provides only the pages that are touched.
const STACK: usize = 512 << 20;

/// The results of a function over items, in the order of the items.
///
/// Items are taken from the iterator in order, under a lock: it should do no work itself. The calling thread takes the
/// first item. Where the system gives no further threads, the calling thread does all the work.
///
/// # Panics
///
/// Resumes the first panic of `apply` that is noticed; other items may have been processed.
///
/// # Examples
///
/// ```
/// let squares = premiss_parallel::map(1..=4, |x| x * x);
/// assert_eq!(squares, [1, 4, 9, 16]);
/// ```
pub fn map<T, R: Send>(
    items: impl IntoIterator<Item = T, IntoIter: Send>,
    apply: impl Fn(T) -> R + Sync,
) -> Vec<R> {
    let items = items.into_iter();
    let n_items = items.size_hint();
    if n_items.1.is_some_and(|most| most < 2) {
        return items.map(apply).collect();
    }
    let job = Job {
        items: Mutex::new(items.enumerate()),
        apply,
        results: Mutex::new(Vec::with_capacity(n_items.0)),
        panic: Mutex::new(None),
    };
    thread::scope(|scope| job.run(scope));
    if let Some(panic) = into_inner(job.panic) {
        resume_unwind(panic);
    }
    let mut results = into_inner(job.results);
    results.sort_unstable_by_key(|(idx, _)| *idx);
    results.into_iter().map(|(_, result)| result).collect()
}

/// The results of two functions. Another thread runs the first one where a processor is idle; otherwise the calling
/// thread runs both.
///
/// # Panics
///
/// Where one of the functions does.
pub fn join<A: Send, B>(first: impl FnOnce() -> A + Send, second: impl FnOnce() -> B) -> (A, B) {
    let first = Mutex::new(Some(first));
    let take = || lock(&first).take();
    thread::scope(|scope| {
        let spawn = |processor| {
            let work = move || {
                let _processor: IdleProcessor = processor;
                take().map(|first| first())
            };
            builder().spawn_scoped(scope, work).ok()
        };
        let helper = IdleProcessor::claim().and_then(spawn);
        let second = second();
        let helped = helper.and_then(|helper| match helper.join() {
            Ok(result) => result,
            Err(panic) => resume_unwind(panic),
        });
        let here = || take().map(|first| first());
        let first = helped.or_else(here).expect("one of the threads took it");
        (first, second)
    })
}

/// Drops a large value without waiting for it: another thread drops it when `drop_later` is called again. A program
/// that ends before that never drops its last value.
pub fn drop_later(value: impl Send + 'static) {
    static PENDING: Mutex<Option<Box<dyn Send>>> = Mutex::new(None);
    let previous = lock(&PENDING).replace(Box::new(value));
    // Where the system gives no thread, the value is dropped here.
    let _ = builder().spawn(move || drop(previous));
}

/// A map under way, shared by its threads.
struct Job<I, R, F> {
    items: Mutex<Enumerate<I>>,
    apply: F,
    /// Results of the threads that have finished, each with the number of its item.
    results: Mutex<Vec<(usize, R)>>,
    /// The first panic of a thread that was started.
    panic: Mutex<Option<Box<dyn Any + Send>>>,
}

impl<T, R: Send, I: Iterator<Item = T> + Send, F: Fn(T) -> R + Sync> Job<I, R, F> {
    /// Takes items until none are left, and starts another thread while more may follow.
    fn run<'scope>(&'scope self, scope: &'scope Scope<'scope, '_>) {
        let mut results = Vec::new();
        while let Some((idx, item, may_be_more)) = self.take() {
            if may_be_more && let Some(processor) = IdleProcessor::claim() {
                let help = move || {
                    let _processor = processor;
                    if let Err(panic) = catch_unwind(AssertUnwindSafe(|| self.run(scope))) {
                        lock(&self.panic).get_or_insert(panic);
                    }
                };
                // Where the system gives no thread, the existing threads do the work.
                let _ = builder().spawn_scoped(scope, help);
            }
            results.push((idx, (self.apply)(item)));
        }
        lock(&self.results).append(&mut results);
    }

    /// The next item with its number, and whether others may follow.
    fn take(&self) -> Option<(usize, T, bool)> {
        let mut items = lock(&self.items);
        let (idx, item) = items.next()?;
        let may_be_more = items.size_hint().1 != Some(0);
        Some((idx, item, may_be_more))
    }
}

fn builder() -> thread::Builder {
    thread::Builder::new().stack_size(STACK)
}

fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn into_inner<T>(mutex: Mutex<T>) -> T {
    mutex.into_inner().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::{join, map};
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn results_keep_the_order_of_the_items() {
        let items: Vec<u64> = (0..1000).collect();
        let squares: Vec<u64> = items.iter().map(|x| x * x).collect();
        assert_eq!(map(&items, |x| x * x), squares);
        assert_eq!(map(items, |x| x * x), squares);
        assert_eq!(map((0..1000).filter(|_| true), |x: u64| x * x), squares);
        assert!(map(&[], |x: &u64| *x).is_empty());
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
    fn both_functions_have_results_whatever_else_works() {
        let of_row = |row: &u64| join(|| row + 1, || map(&[1, 2], |x| x * row));
        let rows: Vec<u64> = (0..200).collect();
        let expected: Vec<_> = rows.iter().map(|x| (x + 1, vec![*x, 2 * x])).collect();
        assert_eq!(map(&rows, of_row), expected);
        let failing = || join(|| assert_eq!(1, 2), || ());
        assert!(std::panic::catch_unwind(failing).is_err());
        assert_eq!(join(|| 1, || 2), (1, 2));
    }

    #[test]
    fn a_panic_reaches_the_caller_and_leaves_the_rest_working() {
        let items: Vec<u64> = (0..50).collect();
        let failing = || map(&items, |x| assert_ne!(*x, 17, "seventeen"));
        let panic = std::panic::catch_unwind(failing).expect_err("an item fails");
        let message = panic.downcast_ref::<String>().expect("a message");
        assert!(message.contains("seventeen"), "{message}");
        assert_eq!(map(&items, |x| *x), items);
    }
}
