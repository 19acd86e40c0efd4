//! Histograms of bounds on reuse distances.

use crate::bounded::{
    Certainty, Clock, DistanceBounds, LastTouch, LineState, Moment, Times, Touch,
};
use crate::bounded_sink::Bounded;
use crate::joint::{Chains, JointMisses};
use crate::run::{LineNumber, RunAccess};
use crate::stack::LruStack;
use crate::tally::MultiplyHasher;
use premiss_histogram::{Bin, Distance, ReuseDistanceHistogram};
use premiss_tree::{EntityRef, ReferenceId};
use std::collections::HashMap;
use std::hash::BuildHasherDefault;

/// With more lines of an arm than this above a line, it is not looked at all of them.
const MOST_OF_AN_ARM: usize = 256;

/// Counts the bounds on the reuse distances of each reference.
pub(crate) type BoundedHistograms = Bounded<TimesOfLines>;

/// The times of all lines.
#[derive(Debug)]
pub(crate) struct TimesOfLines {
    line_size: i64,
    /// Lines by the moment of their last certain access.
    certain: LruStack<Moment>,
    /// Lines by their last possible or certain access.
    possible: LruStack<LastTouch>,
    /// For each reference.
    counts: Vec<BoundsTally>,
    /// How many lines of an arm were looked at so far.
    examined: u64,
}

/// An access with bounds on its distance.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Bounding {
    reference: ReferenceId,
    is_certain: bool,
    bounds: DistanceBounds,
}

/// How often each pair of bounds has been seen.
#[derive(Clone, Debug, Default)]
struct BoundsTally {
    /// The last bounds with their (certain, possible) accesses: mostly the next access has the same.
    last: Option<(DistanceBounds, (u64, u64))>,
    /// (certain, possible) accesses by bounds, without those.
    rare: HashMap<DistanceBounds, (u64, u64), BuildHasherDefault<MultiplyHasher>>,
}

impl BoundsTally {
    fn add(&mut self, bounds: DistanceBounds, (certain, possible): (u64, u64)) {
        match &mut self.last {
            Some((last, counts)) if *last == bounds => {
                counts.0 += certain;
                counts.1 += possible;
            }
            _ => {
                self.settle();
                self.last = Some((bounds, (certain, possible)));
            }
        }
    }

    /// Puts what was seen last with the others.
    fn settle(&mut self) {
        if let Some((bounds, (certain, possible))) = self.last.take() {
            let counts = self.rare.entry(bounds).or_default();
            counts.0 += certain;
            counts.1 += possible;
        }
    }

    fn n_bytes(&self) -> u64 {
        let entry = size_of::<(DistanceBounds, (u64, u64))>() + 1;
        (self.rare.capacity() * entry) as u64
    }

    fn histogram(&self) -> ReuseDistanceHistogram {
        let mut histogram = ReuseDistanceHistogram::default();
        let last = self.last.iter().map(|(bounds, counts)| (bounds, counts));
        for ((lower, upper), (certain, possible)) in self.rare.iter().chain(last) {
            histogram.add(Bin {
                lower: *lower,
                upper: *upper,
                certain: *certain,
                possible: *possible,
            });
        }
        histogram
    }
}

impl BoundedHistograms {
    pub(crate) fn new(line_size: i64, n_references: usize, clock: Clock) -> Self {
        let lines = TimesOfLines {
            line_size,
            certain: LruStack::new(),
            possible: LruStack::new(),
            counts: vec![BoundsTally::default(); n_references],
            examined: 0,
        };
        Self::with(lines, clock)
    }

    /// The histogram of a reference.
    pub(crate) fn histogram(&self, reference: usize) -> ReuseDistanceHistogram {
        self.lines.counts[reference].histogram()
    }
}

impl TimesOfLines {
    /// How many other lines may have been touched since a line certainly was, at `since`.
    fn possibly_since(&mut self, line: LineNumber, since: u64, last: Option<LastTouch>) -> u64 {
        let is_later = |touch: LastTouch| since < touch.time;
        let all = self.possible.count_from(is_later);
        let Some(last) = last.filter(|last| since < last.time) else {
            return all;
        };
        if last.arm == 0 {
            return all - 1;
        }
        // The touches of an arm stand together, just below the last of them.
        let in_arm = self
            .possible
            .below(line, is_later)
            .take_while(|entry| entry.owner.arm == last.arm)
            .take(MOST_OF_AN_ARM);
        let (mut in_arm_count, mut undone) = (0, 0);
        for entry in in_arm {
            in_arm_count += 1;
            undone += u64::from(last.undoes(&entry.owner, since));
        }
        self.examined += in_arm_count;
        all - 1 - undone
    }
}

impl Times for TimesOfLines {
    type Event = Bounding;

    fn line_size(&self) -> i64 {
        self.line_size
    }

    fn n_bytes(&self) -> u64 {
        let counts: u64 = self.counts.iter().map(BoundsTally::n_bytes).sum();
        self.certain.n_bytes() + self.possible.n_bytes() + counts
    }

    fn n_examined(&self) -> u64 {
        self.examined
    }

    fn access(&mut self, clock: &Clock, line: LineNumber, when: Certainty) -> Touch {
        let state = self.state(line);
        let known = state.map(|state| state.possible);
        let certain = state.and_then(|state| state.certain);
        let upper = clock
            .last_sure(when, certain, known)
            .map_or(Distance::Infinite, |last| {
                let others = self.possibly_since(line, last.time, known);
                Distance::Finite(others + (clock.now.unknown - last.unknown))
            });
        let known_time = known.map(|touch| touch.time);
        let last_possible = clock.last_possible(line, self.line_size, known_time);
        let lower = last_possible.map_or(Distance::Infinite, |last| {
            Distance::Finite(self.certain.count_from(|moment| last < moment.time))
        });
        self.possible
            .touch(line, LastTouch::now(clock, when, known));
        if when.certain {
            self.certain.touch(line, clock.now);
        }
        Touch {
            bounds: (lower.min(upper), upper),
            joint: JointMisses::default(),
            earlier: state,
        }
    }

    fn access_somewhere(&mut self, _clock: &Clock, _area: Option<(i64, i64)>) -> bool {
        false
    }

    fn touch_in_all_arms(&mut self, _line: LineNumber, _between: (Moment, Moment)) -> bool {
        false
    }

    fn version(&self) -> u64 {
        0
    }

    fn joint_event(&self, _is_worst: bool) -> Option<Bounding> {
        None
    }

    fn event(&self, access: &RunAccess, bounds: DistanceBounds) -> Option<Bounding> {
        Some(Bounding {
            reference: access.reference,
            is_certain: access.certain,
            bounds,
        })
    }

    fn add(&mut self, event: Bounding, times: u64) {
        let counted = match event.is_certain {
            true => (times, 0),
            false => (0, times),
        };
        self.counts[event.reference.index()].add(event.bounds, counted);
    }

    fn state(&self, line: LineNumber) -> Option<LineState> {
        self.possible.get(line).map(|possible| LineState {
            certain: self.certain.get(line),
            possible,
            chains: Chains::default(),
        })
    }

    fn all(&self) -> Vec<(LineNumber, LineState)> {
        let state = |line| self.state(line).map(|state| (line, state));
        let lines = self.possible.top_down();
        lines.filter_map(|entry| state(entry.line)).collect()
    }

    fn take_forgotten(&mut self) -> Vec<(LineNumber, LineState)> {
        Vec::new()
    }

    fn leave_out_gone(&self, _states: &mut [(LineNumber, Option<LineState>)]) {}

    fn clear(&mut self) {
        self.certain.clear();
        self.possible.clear();
    }

    fn are_all_since(&self, since: u64, arm: u64, lines: &[LineNumber]) -> bool {
        let mut from_top = self.possible.top_down();
        let other = from_top.find(|entry| lines.binary_search(&entry.line).is_err());
        other.is_none_or(|other| other.owner.time < since && other.owner.arm < arm)
    }

    fn saturation(&self) -> u64 {
        u64::MAX
    }

    fn age(&mut self, line: LineNumber, since: u64, more: u64) {
        self.certain.update(line, |moment| {
            if since < moment.time {
                moment.unknown += more;
            }
        });
        self.possible.update(line, |touch| {
            if since < touch.time {
                touch.unknown += more;
            }
        });
    }
}
