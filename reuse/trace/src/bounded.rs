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

use crate::bounded_watch::Watch;
use crate::run::{AccessRun, LineNumber, RunAccess, lines, stay};
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
    /// Areas in which some unknown line has been touched since `anything`, each with its last time, the latest first.
    maybe_touched: Vec<((i64, i64), u64)>,
    /// The last time at which any line may have been touched.
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
        line: LineNumber,
        line_size: i64,
        known: Option<u64>,
    ) -> Option<u64> {
        let known = known.max(self.anything);
        let first = line.saturating_mul(line_size);
        let last = first.saturating_add(line_size - 1);
        let holds = |(low, high): (i64, i64)| low <= last && first <= high;
        let later = self.maybe_touched.iter();
        let mut later = later.take_while(|(_, time)| known < Some(*time));
        let maybe = later.find(|(area, _)| holds(*area));
        maybe.map(|(_, time)| *time).or(known)
    }

    /// The moments that the clock knows.
    pub(crate) fn moments(&self) -> Moments {
        Moments {
            now: self.now,
            areas: self.maybe_touched.clone(),
            anything: self.anything,
        }
    }

    fn touch_unknown(&mut self, array: usize) {
        self.now.unknown += 1;
        let area = self.areas[array];
        let touched = &mut self.maybe_touched;
        let idx = touched.iter().position(|(other, _)| *other == area);
        match idx {
            Some(idx) => touched[..=idx].rotate_right(1),
            None => touched.insert(0, (area, 0)),
        }
        touched[0].1 = self.now.time;
    }

    pub(crate) fn touch_anything(&mut self) {
        self.now.time += 1;
        self.anything = Some(self.now.time);
        self.maybe_touched.clear();
    }
}

/// The moments that a clock knows.
#[derive(Debug)]
pub(crate) struct Moments {
    pub(crate) now: Moment,
    /// When some unknown line of an area was last touched.
    pub(crate) areas: Vec<((i64, i64), u64)>,
    /// When any line may last have been touched.
    pub(crate) anything: Option<u64>,
}

/// Whether an access is sure to happen, and with which others it does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Certainty {
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
    pub(crate) fn now(clock: &Clock, when: Certainty, last: Option<Self>) -> Self {
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

/// What is known of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct LineState {
    /// Its last certain access.
    pub(crate) certain: Option<Moment>,
    /// Its last possible one.
    pub(crate) possible: LastTouch,
}

/// The bounds on the distance of an access to one line, as a state sees them.
pub(crate) type DistanceBounds = (Distance, Distance);

/// Something that knows the times of lines.
pub(crate) trait Times {
    /// Bytes in a line.
    fn line_size(&self) -> i64;

    /// The memory that it takes, in bytes.
    fn n_bytes(&self) -> u64;

    /// How many other lines have been looked at so far.
    fn n_examined(&self) -> u64;

    /// What can be counted.
    type Event: Copy + Ord + std::fmt::Debug;

    /// Accesses a line now; returns the bounds on its distance before, and what was known of it.
    fn access(
        &mut self,
        clock: &Clock,
        line: LineNumber,
        when: Certainty,
    ) -> (DistanceBounds, Option<LineState>);

    /// What is to be counted of an access with these bounds on its distance.
    fn event(&self, access: &RunAccess, bounds: DistanceBounds) -> Option<Self::Event>;

    /// Counts an event `times` times.
    fn add(&mut self, event: Self::Event, times: u64);

    /// What is known of a line.
    fn state(&self, line: LineNumber) -> Option<LineState>;

    /// All lines of which something is known.
    fn all(&self) -> Vec<(LineNumber, LineState)>;

    /// Takes the lines that it has dropped since the last call because no answer depends on them, with what was known.
    fn take_forgotten(&mut self) -> Vec<(LineNumber, LineState)>;

    /// Removes from the states of lines those that no answer depends on.
    fn leave_out_gone(&self, states: &mut [(LineNumber, Option<LineState>)]);

    /// Forgets all lines.
    fn clear(&mut self);

    /// Whether no line other than `lines`, which are sorted, that competes with one of them has been touched at `since`
    /// or later, nor in arm `arm` or a later one.
    fn are_all_since(&self, since: u64, arm: u64, lines: &[LineNumber]) -> bool;

    /// From this number on, further accesses of unknown address make no difference.
    fn saturation(&self) -> u64;

    /// Adds accesses of unknown address to the last certain access of a line, where it was after a moment.
    fn age(&mut self, line: LineNumber, since: u64, more: u64);
}

/// Runs every stretch in which all accesses stay in their lines as two iterations: after the first,
/// every other leaves the times in the same order, so the second stands for the rest. Accesses of
/// unknown address spoil that; then every iteration is run. Returns the number of accesses handled.
pub(crate) fn run<T: Times>(
    times: &mut T,
    clock: &mut Clock,
    watch: &mut Watch<T::Event>,
    run: &AccessRun<'_>,
) -> u64 {
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
        iteration(times, clock, watch, run, t, 1);
        if 1 < stretch {
            iteration(times, clock, watch, run, t, stretch - 1);
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

fn iteration<T: Times>(
    times: &mut T,
    clock: &mut Clock,
    watch: &mut Watch<T::Event>,
    run: &AccessRun<'_>,
    t: u64,
    repeated: u64,
) {
    let count =
        |times: &mut T, watch: &mut Watch<T::Event>, access: &RunAccess, bounds: DistanceBounds| {
            if let Some(event) = times.event(access, bounds) {
                watch.count(event, repeated, times);
            }
        };
    let earlier_arms = clock.arms;
    for access in run.accesses {
        let array = access.array.index();
        let Some(address) = access.address_at(t) else {
            clock.now.time += 1;
            clock.touch_unknown(array);
            let anything = (Distance::Finite(0), Distance::Infinite);
            count(times, watch, access, anything);
            continue;
        };
        let arm = match access.arm {
            0 => 0,
            arm => earlier_arms + u64::from(arm),
        };
        clock.arms = clock.arms.max(arm);
        let when = Certainty {
            certain: access.certain,
            arm,
        };
        let (first, last) = lines(address, access.size, times.line_size());
        let mut bounds = (Distance::Finite(0), Distance::Finite(0));
        for line in first..=last {
            clock.now.time += 1;
            let ((lower, upper), known) = times.access(clock, line, when);
            watch.note(line, known);
            for (line, known) in times.take_forgotten() {
                watch.note_forgotten(line, known);
            }
            bounds = (bounds.0.max(lower), bounds.1.max(upper));
        }
        count(times, watch, access, bounds);
    }
}
