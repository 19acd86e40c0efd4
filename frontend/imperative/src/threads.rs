//! The same function over many items, on stacks of their own.

use crate::unit::STACK;
use std::num::NonZero;
use std::sync::{Mutex, PoisonError};
use std::thread;

/// The results in the order of the items, whichever thread was first. Items are taken in order; where the system
/// gives no threads, this one does all.
///
/// # Panics
///
/// Where `apply` does.
pub fn side_by_side<T: Send, R: Send>(
    items: impl IntoIterator<Item = T, IntoIter: Send>,
    apply: impl Fn(T) -> R + Sync,
) -> Vec<R> {
    let items = items.into_iter();
    let n_items = items.size_hint().1.unwrap_or(usize::MAX);
    let left = Mutex::new(items.enumerate());
    let take = || left.lock().unwrap_or_else(PoisonError::into_inner).next();
    let work = || {
        let mut done = Vec::new();
        while let Some((idx, item)) = take() {
            done.push((idx, apply(item)));
        }
        done
    };
    let n_threads = thread::available_parallelism().map_or(1, NonZero::get);
    let n_threads = n_threads.min(n_items);
    let mut done = thread::scope(|scope| {
        let start = |_| {
            let builder = thread::Builder::new().stack_size(STACK);
            builder.spawn_scoped(scope, work).ok()
        };
        let helpers: Vec<_> = (1..n_threads).filter_map(start).collect();
        let mut done = work();
        for helper in helpers {
            match helper.join() {
                Ok(more) => done.extend(more),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        done
    });
    done.sort_by_key(|(idx, _)| *idx);
    done.into_iter().map(|(_, result)| result).collect()
}

/// Takes what nobody needs any more: it is dropped, while others go on, when there is more of this; a program that
/// ends soon does not drop it at all.
pub fn let_go(rest: impl Send + 'static) {
    static LAST: Mutex<Option<Box<dyn Send>>> = Mutex::new(None);
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    let before = last.replace(Box::new(rest));
    drop(last);
    let builder = thread::Builder::new().stack_size(STACK);
    // Where the system gives no thread, it is dropped here.
    let _ = builder.spawn(move || drop(before));
}

#[cfg(test)]
mod tests {
    use super::side_by_side;

    #[test]
    fn results_keep_the_order_of_the_items() {
        let squares: Vec<u64> = (0..1000).map(|x| x * x).collect();
        assert_eq!(side_by_side(0..1000, |x: u64| x * x), squares);
        assert!(side_by_side(0..0, |x: u64| x).is_empty());
    }

    #[test]
    fn a_panic_reaches_the_caller() {
        let failing = || side_by_side(0..50, |x| assert_ne!(x, 17));
        assert!(std::panic::catch_unwind(failing).is_err());
    }
}
