//! Bounds on the misses of a set-associative cache.
//!
//! As in [`bounded`](crate::bounded), set by set. A line with a lower distance of at least the ways
//! is sure to be gone; forgetting it changes no answer: those ways lines certainly touched since
//! also stand between any older line and its next access.

use crate::bounded::{self, Bounds, Clock, Moment, Times};
use crate::run::{Line, Run, RunAccess};
use crate::walk::{Recur, Shortcut, Sink};
use crate::{CacheGeometry, TraceError};
use premiss_histogram::Distance;
use premiss_tree::EntityRef;
use std::collections::HashMap;

/// Counts certain and possible misses of each reference.
#[derive(Debug)]
pub(crate) struct BoundedCache {
    clock: Clock,
    lines: TimesBySet,
}

#[derive(Debug)]
struct TimesBySet {
    geometry: CacheGeometry,
    sets: HashMap<i64, Vec<LineTimes>>,
    /// Certain misses of each reference, and possible ones beyond those.
    misses: Vec<(u64, u64)>,
}

#[derive(Clone, Copy, Debug)]
struct LineTimes {
    line: Line,
    certain: Option<Moment>,
    possible: u64,
}

impl BoundedCache {
    pub(crate) fn new(
        geometry: CacheGeometry,
        n_references: usize,
        n_arrays: usize,
    ) -> Result<Self, TraceError> {
        geometry.check()?;
        Ok(Self {
            clock: Clock::new(n_arrays),
            lines: TimesBySet {
                geometry,
                sets: HashMap::new(),
                misses: vec![(0, 0); n_references],
            },
        })
    }

    /// (certain, possible) misses of a reference.
    pub(crate) fn misses(&self, reference: usize) -> (u64, u64) {
        self.lines.misses[reference]
    }
}

impl Times for TimesBySet {
    fn line_size(&self) -> i64 {
        self.geometry.line_size.cast_signed()
    }

    fn access(&mut self, clock: &Clock, line: Line, array: usize, certain: bool) -> Bounds {
        let number = line.rem_euclid(self.geometry.sets.cast_signed());
        let set = self.sets.entry(number).or_default();
        let known = set.iter().position(|other| other.line == line);
        let last_certain = known.and_then(|idx| set[idx].certain);
        let others = |is_later: &dyn Fn(&LineTimes) -> bool| {
            let later = set
                .iter()
                .filter(|other| other.line != line && is_later(other));
            later.count() as u64
        };
        let upper = last_certain.map_or(Distance::Infinite, |last| {
            let between = others(&|other| last.time < other.possible);
            Distance::Finite(between + (clock.now.unknown - last.unknown))
        });
        let last_possible = clock.last_possible(array, known.map(|idx| set[idx].possible));
        let certainly_since =
            |last: u64| others(&|other| other.certain.is_some_and(|moment| last < moment.time));
        let lower = last_possible.map_or(Distance::Infinite, |last| {
            Distance::Finite(certainly_since(last))
        });
        let times = LineTimes {
            line,
            certain: if certain {
                Some(clock.now)
            } else {
                last_certain
            },
            possible: clock.now.time,
        };
        match known {
            Some(idx) => set[idx] = times,
            None => set.push(times),
        }
        if certain && self.geometry.ways < set.len() as u64 {
            forget_gone(set, self.geometry.ways);
        }
        (lower.min(upper), upper)
    }

    fn count(&mut self, access: &RunAccess, (lower, upper): Bounds, times: u64) {
        let ways = Distance::Finite(self.geometry.ways);
        let misses = &mut self.misses[access.reference.index()];
        if access.certain && ways <= lower {
            misses.0 += times;
        } else if ways <= upper {
            misses.1 += times;
        }
    }
}

/// Drops the lines since whose last possible access at least `ways` others were certainly accessed.
fn forget_gone(set: &mut Vec<LineTimes>, ways: u64) {
    let mut latest: Vec<u64> = set
        .iter()
        .filter_map(|other| other.certain.map(|moment| moment.time))
        .collect();
    latest.sort_unstable_by(|a, b| b.cmp(a));
    let ways = usize::try_from(ways).unwrap_or(usize::MAX);
    if let Some(nth) = ways.checked_sub(1).and_then(|idx| latest.get(idx)) {
        let nth = *nth;
        set.retain(|other| nth <= other.possible);
    }
}

impl Sink for BoundedCache {
    const SHORTCUT: Shortcut = Shortcut::Never;

    fn run(&mut self, run: &Run<'_>) -> u64 {
        bounded::run(&mut self.lines, &mut self.clock, run)
    }

    fn opaque(&mut self) {
        self.clock.touch_anything();
        self.lines.sets.clear();
    }
}

impl Recur for BoundedCache {}
