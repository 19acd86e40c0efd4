//! Bounds where data decides what is executed (rule 3 of the access model).
//!
//! Every line has two times: that of its last *certain* access and that of its last *possible* one
//! (which may be the same). With `T_c` and `T_p` for them, the distance of an access to `X` is
//!
//! - at most `#{Y != X : T_p(Y) > T_c(X)}`: all lines possibly touched since it certainly was,
//! - at least `#{Y != X : T_c(Y) > T_p(X)}`: those certainly touched since it last may have been.
//!
//! An access of unknown address may have touched any line of its array just now, and adds one line
//! to every upper distance. After something opaque, every line may have just been touched, and none
//! certainly has been.

use crate::run::{Line, Run, RunAccess, lines, stay};
use premiss_histogram::Distance;
use premiss_tree::EntityRef;

/// A moment: accesses so far, and those of unknown address among them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(crate) struct Moment {
    pub(crate) time: u64,
    pub(crate) unknown: u64,
}

/// The clock of a bounded run, and what the accesses of unknown address have done.
#[derive(Clone, Debug)]
pub(crate) struct Clock {
    pub(crate) now: Moment,
    /// When any line of an array may last have been touched without our knowing which, by array.
    maybe_touched: Vec<Option<u64>>,
    /// When any line at all may have been.
    anything: Option<u64>,
}

impl Clock {
    pub(crate) fn new(n_arrays: usize) -> Self {
        Self {
            now: Moment::default(),
            maybe_touched: vec![None; n_arrays],
            anything: None,
        }
    }

    /// The last time that a line of an array may have been touched, given when it was last known to.
    pub(crate) fn last_possible(&self, array: usize, known: Option<u64>) -> Option<u64> {
        known.max(self.maybe_touched[array]).max(self.anything)
    }

    fn touch_unknown(&mut self, array: usize) {
        self.now.unknown += 1;
        self.maybe_touched[array] = Some(self.now.time);
    }

    pub(crate) fn touch_anything(&mut self) {
        self.now.time += 1;
        self.anything = Some(self.now.time);
    }
}

/// The bounds on the distance of an access to one line, as a state sees them.
pub(crate) type Bounds = (Distance, Distance);

/// Something that knows the times of lines.
pub(crate) trait Times {
    /// Bytes in a line.
    fn line_size(&self) -> i64;

    /// Accesses a line now; returns the bounds on its distance before.
    fn access(&mut self, clock: &Clock, line: Line, array: usize, certain: bool) -> Bounds;

    /// Counts an access with the bounds on its distance.
    fn count(&mut self, access: &RunAccess, bounds: Bounds, times: u64);
}

/// Runs every stretch in which all accesses stay in their lines as two iterations: after the first,
/// every other leaves the times in the same order, so the second stands for the rest. Accesses of
/// unknown address spoil that; then every iteration is run. Returns the number of accesses handled.
pub(crate) fn run(times: &mut impl Times, clock: &mut Clock, run: &Run<'_>) -> u64 {
    let line_size = times.line_size();
    let any_unknown = run.accesses.iter().any(|access| access.address.is_none());
    let mut t = 0;
    let mut cost = 0;
    while t < run.iterations {
        let stretch = if any_unknown {
            1
        } else {
            run.accesses
                .iter()
                .map(|access| stay_in_lines(access, t, line_size))
                .fold(run.iterations - t, u64::min)
        };
        iteration(times, clock, run, t, 1);
        if 1 < stretch {
            iteration(times, clock, run, t, stretch - 1);
        }
        cost += 2 * run.accesses.len() as u64;
        t += stretch;
    }
    cost
}

fn stay_in_lines(access: &RunAccess, t: u64, line_size: i64) -> u64 {
    access.address_at(t).map_or(u64::MAX, |first| {
        let last = first + i64::from(access.size.max(1)) - 1;
        stay(first, access.stride, line_size).min(stay(last, access.stride, line_size))
    })
}

fn iteration(times: &mut impl Times, clock: &mut Clock, run: &Run<'_>, t: u64, repeated: u64) {
    for access in run.accesses {
        let array = access.array.index();
        let Some(address) = access.address_at(t) else {
            clock.now.time += 1;
            clock.touch_unknown(array);
            let anything = (Distance::Finite(0), Distance::Infinite);
            times.count(access, anything, repeated);
            continue;
        };
        let (first, last) = lines(address, access.size, times.line_size());
        let mut bounds = (Distance::Finite(0), Distance::Finite(0));
        for line in first..=last {
            clock.now.time += 1;
            let (lower, upper) = times.access(clock, line, array, access.certain);
            bounds = (bounds.0.max(lower), bounds.1.max(upper));
        }
        times.count(access, bounds, repeated);
    }
}
