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
//! An access in an arm may rely on what happens if it does: touches earlier in the same execution of the arm, or of one around it,
//! are as certain as those outside of all arms. In `if (?) { X; X; }`, the second touch has a distance of 0.
//!
//! An access of unknown address may have touched any line of its array just now, and adds one line
//! to every upper distance. After something opaque, every line may have just been touched, and none
//! certainly has been.

use crate::bounded_watch::Watch;
use crate::joint::{Chains, JointMisses};
use crate::merged_arms::MergedArms;
use crate::run::{AccessRun, LineNumber, RunAccess, lines, stay};
use crate::walk::BranchPoint;
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
    /// The arms under way that are no part of a run, the innermost last.
    under_way: Vec<u64>,
    /// The first and the last address of each array.
    areas: Vec<(i64, i64)>,
    /// Whether an array is known to end there, wherever accesses of unknown address go.
    is_closed: Vec<bool>,
    /// Areas in which some unknown line has been touched since `anything`, each with its last time, the latest first.
    maybe_touched: Vec<((i64, i64), u64)>,
    /// The last time at which any line may have been touched.
    anything: Option<u64>,
}

impl Clock {
    pub(crate) fn new(areas: Vec<(i64, i64)>, is_closed: Vec<bool>) -> Self {
        Self {
            now: Moment::default(),
            arms: 0,
            under_way: Vec::new(),
            areas,
            is_closed,
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

    /// Follows the arms under way.
    pub(crate) fn at_branch(&mut self, point: BranchPoint) {
        if point != BranchPoint::First {
            self.under_way.pop();
        }
        if point != BranchPoint::End {
            self.arms += 1;
            self.under_way.push(self.arms);
        }
    }

    /// The last touch of a line that happened if an access does: the last certain one, or a later one in an arm under way.
    pub(crate) fn last_sure(
        &self,
        when: Certainty,
        certain: Option<Moment>,
        possible: Option<LastTouch>,
    ) -> Option<Moment> {
        let is_sure = |touch: &LastTouch| {
            let arm = touch.arm;
            arm != 0 && (arm == when.arm || arm == when.enclosing || self.under_way.contains(&arm))
        };
        let sure = possible.filter(is_sure).map(|touch| touch.moment());
        sure.or(certain)
    }

    /// The arms under way that are no part of a run.
    pub(crate) fn arms_under_way(&self) -> &[u64] {
        &self.under_way
    }

    /// The area that an array does not leave; `None` where its extent is not known.
    pub(crate) fn closed_area(&self, array: usize) -> Option<(i64, i64)> {
        self.is_closed[array].then(|| self.areas[array])
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
    /// The arm around that one, where it is named as well; 0 elsewhere.
    pub(crate) enclosing: u64,
    /// Whether the access is to several lines, of which this is one.
    pub(crate) is_apart: bool,
}

/// The last touch of a line that may have happened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct LastTouch {
    pub(crate) time: u64,
    /// The arm that it happened in.
    pub(crate) arm: u64,
    /// The time of the last touch that was not in that arm; 0 where there was none.
    pub(crate) before: u64,
    /// The accesses of unknown address until then.
    pub(crate) unknown: u64,
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
            unknown: clock.now.unknown,
        }
    }

    pub(crate) fn moment(&self) -> Moment {
        Moment {
            time: self.time,
            unknown: self.unknown,
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
    /// Where misses of all references together are counted, its touches in the best and in the worst case.
    pub(crate) chains: Chains,
}

/// What a touch of a line is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Touch {
    /// The bounds on the distance.
    pub(crate) bounds: DistanceBounds,
    /// Whether it counts among the misses of all references together.
    pub(crate) joint: JointMisses,
    /// What was known of the line before.
    pub(crate) earlier: Option<LineState>,
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

    /// Accesses a line now.
    fn access(&mut self, clock: &Clock, line: LineNumber, when: Certainty) -> Touch;

    /// Accesses some line of an area now, or of any; whether that counts among the misses of all references together.
    fn access_somewhere(&mut self, clock: &Clock, area: Option<(i64, i64)>) -> bool;

    /// Takes note that a line was certainly touched between two moments that are as early as that, as all arms of a branch touch
    /// it. Returns whether that is one more miss for certain.
    fn touch_in_all_arms(&mut self, line: LineNumber, between: (Moment, Moment)) -> bool;

    /// A number that changes with what is known of accesses of unknown address, beyond the moments of lines.
    fn version(&self) -> u64;

    /// What is to be counted of an access with these bounds on its distance.
    fn event(&self, access: &RunAccess, bounds: DistanceBounds) -> Option<Self::Event>;

    /// What is to be counted of a miss of any reference in the best case, or in the worst.
    fn joint_event(&self, is_worst: bool) -> Option<Self::Event>;

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
/// every other leaves the times in the same order, so the second stands for the rest. Where accesses are
/// possible, the last touch of a line in the worst case may be older than the stretch, so that it may miss in
/// the second; the third stands for the rest. Accesses of
/// unknown address spoil that; then every iteration is run. Returns the number of accesses handled.
pub(crate) fn run<T: Times>(
    times: &mut T,
    clock: &mut Clock,
    watch: &mut Watch<T::Event>,
    run: &AccessRun<'_>,
) -> u64 {
    let line_size = times.line_size();
    let singly = match run.accesses.iter().all(|access| access.certain) {
        true => 1,
        false => 2,
    };
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
        for _ in 0..stretch.min(singly) {
            iteration(times, clock, watch, run, t, 1);
        }
        if singly < stretch {
            iteration(times, clock, watch, run, t, stretch - singly);
        }
        cost += (1 + singly) * run.accesses.len() as u64;
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
    let mut merged = MergedArms::of(run);
    let earlier_arms = clock.arms;
    let named = |arm: u32| match arm {
        0 => 0,
        arm => earlier_arms + u64::from(arm),
    };
    for access in run.accesses {
        let Some(address) = access.address_at(t) else {
            clock.now.time += 1;
            let area = clock.closed_area(access.array.index());
            let is_miss = times.access_somewhere(clock, area);
            clock.touch_unknown(access.array.index());
            let anything = (Distance::Finite(0), Distance::Infinite);
            count(
                times,
                watch,
                (access, anything),
                (0, is_miss.into()),
                repeated,
            );
            continue;
        };
        let arm = named(access.arm.number);
        clock.arms = clock.arms.max(arm);
        let (first, last) = lines(address, access.size, times.line_size());
        let when = Certainty {
            certain: access.certain,
            arm: match (arm, access.certain) {
                (0, false) => clock.under_way.last().copied().unwrap_or(0),
                _ => arm,
            },
            enclosing: named(access.arm.enclosing),
            is_apart: first != last,
        };
        let mut bounds = (Distance::Finite(0), Distance::Finite(0));
        let mut joint = (0, 0);
        for line in first..=last {
            clock.now.time += 1;
            let touch = times.access(clock, line, when);
            note(times, watch, line, touch.earlier);
            merged.touch(access.arm, line, clock.now);
            bounds = (bounds.0.max(touch.bounds.0), bounds.1.max(touch.bounds.1));
            joint.0 += u64::from(touch.joint.is_certain);
            joint.1 += u64::from(touch.joint.is_possible);
        }
        if access.certain {
            joint = (joint.0.min(1), joint.1.min(1));
        }
        count(times, watch, (access, bounds), joint, repeated);
    }
    for (line, between) in merged.all() {
        let is_miss = times.touch_in_all_arms(line, between);
        count_joint(times, watch, (is_miss.into(), 0), repeated);
    }
}

fn note<T: Times>(
    times: &mut T,
    watch: &mut Watch<T::Event>,
    line: LineNumber,
    known: Option<LineState>,
) {
    watch.note(line, known);
    for (line, known) in times.take_forgotten() {
        watch.note_forgotten(line, known);
    }
}

/// Counts an access with the bounds on its distance, and how many misses of all references together it stands for.
fn count<T: Times>(
    times: &mut T,
    watch: &mut Watch<T::Event>,
    (access, bounds): (&RunAccess, DistanceBounds),
    joint: (u64, u64),
    repeated: u64,
) {
    if let Some(event) = times.event(access, bounds) {
        watch.count(event, repeated, times);
    }
    count_joint(times, watch, joint, repeated);
}

/// Counts misses of all references together: at least so many, and at most.
fn count_joint<T: Times>(
    times: &mut T,
    watch: &mut Watch<T::Event>,
    (least, most): (u64, u64),
    repeated: u64,
) {
    for (number, is_worst) in [(least, false), (most, true)] {
        let event = times.joint_event(is_worst).filter(|_| 0 < number);
        if let Some(event) = event {
            watch.count(event, number * repeated, times);
        }
    }
}
