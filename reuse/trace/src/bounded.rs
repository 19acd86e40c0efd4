//! Bounds where data decides what is executed (rule 3 of the access model).
//!
//! Every line has two times: that of its last *certain* access and that of its last *possible* one
//! (which may be the same). With `T_c` and `T_p` for them, the distance of an access to `X` is
//!
//! - at most `#{Y != X : T_p(Y) > T_c(X)}`: all lines possibly touched since it certainly was,
//! - at least `#{Y != X : T_c(Y) > T_p(X)}`: those certainly touched since it last may have been.
//!
//! A touch of `Y` does not count for the upper distance where it implies a later touch of `X`: in
//! `X; if (?) { Y; X; }`, nothing else has been touched since `X`, whether the arm runs or not. This
//! is seen where `Y` and the last touch of `X` stand in the same arm of the same iteration.
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
    /// The number of executions of arms so far, at least.
    arms: u64,
    /// The first and the last address of each array.
    areas: Vec<(i64, i64)>,
    /// Areas in which some line has been touched without our knowing which, with the last time.
    maybe_touched: Vec<((i64, i64), u64)>,
    /// When any line at all may have been.
    anything: Option<u64>,
}

impl Clock {
    pub(crate) fn new(areas: Vec<(i64, i64)>) -> Self {
        Self {
            now: Moment::default(),
            arms: 0,
            areas,
            maybe_touched: Vec::new(),
            anything: None,
        }
    }

    /// The last time that a line may have been touched, given when it was last known to be.
    pub(crate) fn last_possible(
        &self,
        line: Line,
        line_size: i64,
        known: Option<u64>,
    ) -> Option<u64> {
        let holds = |(low, high): (i64, i64)| {
            (low.div_euclid(line_size)..=high.div_euclid(line_size)).contains(&line)
        };
        let maybe = self
            .maybe_touched
            .iter()
            .filter(|(area, _)| holds(*area))
            .map(|(_, time)| *time)
            .max();
        known.max(maybe).max(self.anything)
    }

    fn touch_unknown(&mut self, array: usize) {
        self.now.unknown += 1;
        let area = self.areas[array];
        match self
            .maybe_touched
            .iter_mut()
            .find(|(other, _)| *other == area)
        {
            Some((_, time)) => *time = self.now.time,
            None => self.maybe_touched.push((area, self.now.time)),
        }
    }

    pub(crate) fn touch_anything(&mut self) {
        self.now.time += 1;
        self.anything = Some(self.now.time);
    }
}

/// Whether an access is sure to happen, and with which others it does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct When {
    pub(crate) certain: bool,
    /// Names an execution of an arm: accesses with the same name happen all or not at all. 0 is the
    /// name of none.
    pub(crate) arm: u64,
}

/// The last touch of a line that may have happened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct LastTouch {
    pub(crate) time: u64,
    /// The arm that it happened in.
    pub(crate) arm: u64,
    /// The time of the last touch that was not in that arm; 0 where there was none.
    pub(crate) before: u64,
}

impl LastTouch {
    /// A touch now, of a line whose last touch so far is given.
    pub(crate) fn now(clock: &Clock, when: When, last: Option<Self>) -> Self {
        let before = last.map_or(0, |last| {
            if when.arm != 0 && last.arm == when.arm {
                last.before
            } else {
                last.time
            }
        });
        Self {
            time: clock.now.time,
            arm: when.arm,
            before,
        }
    }

    /// Whether all touches of a line after a time imply a later touch of another line, of which this
    /// is the last one: they are in its arm.
    pub(crate) fn undoes(&self, other: &Self, since: u64) -> bool {
        self.arm != 0 && other.arm == self.arm && other.time < self.time && other.before <= since
    }
}

/// The bounds on the distance of an access to one line, as a state sees them.
pub(crate) type Bounds = (Distance, Distance);

/// Something that knows the times of lines.
pub(crate) trait Times {
    /// Bytes in a line.
    fn line_size(&self) -> i64;

    /// Accesses a line now; returns the bounds on its distance before.
    fn access(&mut self, clock: &Clock, line: Line, when: When) -> Bounds;

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
    let earlier_arms = clock.arms;
    for access in run.accesses {
        let array = access.array.index();
        let Some(address) = access.address_at(t) else {
            clock.now.time += 1;
            clock.touch_unknown(array);
            let anything = (Distance::Finite(0), Distance::Infinite);
            times.count(access, anything, repeated);
            continue;
        };
        let arm = match access.arm {
            0 => 0,
            arm => earlier_arms + u64::from(arm),
        };
        clock.arms = clock.arms.max(arm);
        let when = When {
            certain: access.certain,
            arm,
        };
        let (first, last) = lines(address, access.size, times.line_size());
        let mut bounds = (Distance::Finite(0), Distance::Finite(0));
        for line in first..=last {
            clock.now.time += 1;
            let (lower, upper) = times.access(clock, line, when);
            bounds = (bounds.0.max(lower), bounds.1.max(upper));
        }
        times.count(access, bounds, repeated);
    }
}
