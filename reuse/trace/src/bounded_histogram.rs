//! Histograms of bounds on reuse distances.

use crate::bounded::{self, Bounds, Clock, Moment, Times};
use crate::run::{Line, Run, RunAccess};
use crate::stack::LruStack;
use crate::walk::{Recur, Shortcut, Sink};
use premiss_histogram::{Bin, Distance, ReuseDistanceHistogram};
use premiss_tree::EntityRef;
use std::collections::HashMap;

/// Counts the bounds on the reuse distances of each reference.
#[derive(Debug)]
pub(crate) struct BoundedHistograms {
    clock: Clock,
    lines: TimesOfLines,
}

#[derive(Debug)]
struct TimesOfLines {
    line_size: i64,
    /// Lines by the moment of their last certain access.
    certain: LruStack<Moment>,
    /// Lines by the time of their last possible or certain access.
    possible: LruStack<u64>,
    /// (certain, possible) accesses of each reference by bounds.
    counts: Vec<HashMap<Bounds, (u64, u64)>>,
}

impl BoundedHistograms {
    pub(crate) fn new(line_size: i64, n_references: usize, n_arrays: usize) -> Self {
        Self {
            clock: Clock::new(n_arrays),
            lines: TimesOfLines {
                line_size,
                certain: LruStack::new(),
                possible: LruStack::new(),
                counts: vec![HashMap::new(); n_references],
            },
        }
    }

    /// The histogram of a reference.
    pub(crate) fn histogram(&self, reference: usize) -> ReuseDistanceHistogram {
        let mut histogram = ReuseDistanceHistogram::default();
        for ((lower, upper), (certain, possible)) in &self.lines.counts[reference] {
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

impl Times for TimesOfLines {
    fn line_size(&self) -> i64 {
        self.line_size
    }

    fn access(&mut self, clock: &Clock, line: Line, array: usize, certain: bool) -> Bounds {
        let last_certain = self.certain.get(line);
        let known = self.possible.get(line);
        let upper = last_certain.map_or(Distance::Infinite, |last| {
            let others = self.possible.count_from(|time| last.time < time);
            // The line itself may be among them.
            let itself = u64::from(known.is_some_and(|time| last.time < time));
            Distance::Finite(others - itself + (clock.now.unknown - last.unknown))
        });
        let last_possible = clock.last_possible(array, known);
        let lower = last_possible.map_or(Distance::Infinite, |last| {
            Distance::Finite(self.certain.count_from(|moment| last < moment.time))
        });
        self.possible.touch(line, clock.now.time);
        if certain {
            self.certain.touch(line, clock.now);
        }
        // A line that anything may have touched can have come closer than it is sure to be.
        (lower.min(upper), upper)
    }

    fn count(&mut self, access: &RunAccess, bounds: Bounds, times: u64) {
        let counts = self.counts[access.reference.index()]
            .entry(bounds)
            .or_default();
        if access.certain {
            counts.0 += times;
        } else {
            counts.1 += times;
        }
    }
}

impl Sink for BoundedHistograms {
    const SHORTCUT: Shortcut = Shortcut::Never;

    fn run(&mut self, run: &Run<'_>) -> u64 {
        bounded::run(&mut self.lines, &mut self.clock, run)
    }

    fn opaque(&mut self) {
        self.clock.touch_anything();
        self.lines.certain.clear();
        self.lines.possible.clear();
    }
}

impl Recur for BoundedHistograms {}
