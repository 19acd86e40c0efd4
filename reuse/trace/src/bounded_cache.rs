//! Bounds on the misses of a set-associative cache.
//!
//! As in [`bounded`](crate::bounded), set by set. A line with a lower distance of at least the ways
//! is sure to be gone; forgetting it changes no answer: those ways lines certainly touched since
//! also stand between any older line and its next access.

use crate::bounded::{self, Bounds, Clock, LastTouch, Moment, Times, When};
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
    possible: LastTouch,
}

impl BoundedCache {
    pub(crate) fn new(
        geometry: CacheGeometry,
        n_references: usize,
        clock: Clock,
    ) -> Result<Self, TraceError> {
        geometry.check()?;
        Ok(Self {
            clock,
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

    fn access(&mut self, clock: &Clock, line: Line, when: When) -> Bounds {
        let line_size = self.line_size();
        let number = line.rem_euclid(self.geometry.sets.cast_signed());
        let set = self.sets.entry(number).or_default();
        let known = set.iter().position(|other| other.line == line);
        let touched = known.map(|idx| set[idx].possible);
        let certain = known.and_then(|idx| set[idx].certain);
        let upper = certain.map_or(Distance::Infinite, |last| {
            let others = possibly_since(set, line, last.time, touched);
            Distance::Finite(others + (clock.now.unknown - last.unknown))
        });
        let known_time = touched.map(|touch| touch.time);
        let last_possible = clock.last_possible(line, line_size, known_time);
        let lower = last_possible.map_or(Distance::Infinite, |last| {
            Distance::Finite(certainly_since(set, line, last))
        });
        let times = LineTimes {
            line,
            certain: if when.certain {
                Some(clock.now)
            } else {
                certain
            },
            possible: LastTouch::now(clock, when, touched),
        };
        match known {
            Some(idx) => set[idx] = times,
            None => set.push(times),
        }
        if when.certain && self.geometry.ways < set.len() as u64 {
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

/// How many other lines may have been touched since a line certainly was, at `since`.
fn possibly_since(set: &[LineTimes], line: Line, since: u64, last: Option<LastTouch>) -> u64 {
    let counts = |other: &&LineTimes| {
        other.line != line
            && since < other.possible.time
            && !last.is_some_and(|last| last.undoes(&other.possible, since))
    };
    set.iter().filter(counts).count() as u64
}

/// How many other lines have certainly been touched since a line may have been, at `since`.
fn certainly_since(set: &[LineTimes], line: Line, since: u64) -> u64 {
    let counts = |other: &&LineTimes| {
        other.line != line && other.certain.is_some_and(|moment| since < moment.time)
    };
    set.iter().filter(counts).count() as u64
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
        set.retain(|other| nth <= other.possible.time);
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
