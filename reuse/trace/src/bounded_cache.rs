//! Bounds on the misses of a set-associative cache.
//!
//! As in [`bounded`](crate::bounded), set by set. A line with a lower distance of at least the ways
//! is sure to be gone; forgetting it changes no answer: those ways lines certainly touched since
//! also stand between any older line and its next access.
//!
//! A set keeps its lines by last possible access, newest first. As the last certain access is never
//! later, all lines touched since some moment, possibly or certainly, stand in front of those that
//! were not: what a distance costs is the distance.

use crate::bounded::{self, Bounds, Clock, LastTouch, Moment, Times, When};
use crate::run::{Line, Run, RunAccess};
use crate::walk::{Recur, Shortcut, Sink};
use crate::{CacheGeometry, TraceError};
use premiss_histogram::Distance;
use premiss_tree::EntityRef;
use std::collections::HashMap;

/// Above so many sets, only those in use are kept.
const DENSE_SETS: u64 = 1 << 20;

/// Counts certain and possible misses of each reference.
#[derive(Debug)]
pub(crate) struct BoundedCache {
    clock: Clock,
    lines: TimesBySet,
}

#[derive(Debug)]
struct TimesBySet {
    geometry: CacheGeometry,
    sets: Sets,
    /// Certain misses of each reference, and possible ones beyond those.
    misses: Vec<(u64, u64)>,
}

/// The sets by number: in a row, or only those in use where there are too many.
#[derive(Debug)]
enum Sets {
    /// With how often all were cleared: a large cache has a million sets, of which few are in use in between.
    Dense(Vec<Set>, u64),
    Sparse(HashMap<i64, Set>),
}

/// The lines of a set, the last possibly accessed first.
#[derive(Clone, Debug, Default)]
struct Set {
    lines: Vec<LineTimes>,
    /// With more lines than this, it is time to forget some.
    enough: usize,
    /// How often all sets had been cleared when its lines came.
    cleared: u64,
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
                sets: Sets::new(geometry),
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
        let set = self.sets.of_line(line, self.geometry.sets.cast_signed());
        let known = set.lines.iter().position(|other| other.line == line);
        let touched = known.map(|idx| set.lines[idx].possible);
        let certain = known.and_then(|idx| set.lines[idx].certain);
        let upper = certain.map_or(Distance::Infinite, |last| {
            let others = set.possibly_since(line, last.time, touched);
            Distance::Finite(others + (clock.now.unknown - last.unknown))
        });
        let known_time = touched.map(|touch| touch.time);
        let last_possible = clock.last_possible(line, line_size, known_time);
        let lower = last_possible.map_or(Distance::Infinite, |last| {
            Distance::Finite(set.certainly_since(line, last))
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
        set.put_first(known, times, self.geometry.ways);
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

impl Sets {
    fn new(geometry: CacheGeometry) -> Self {
        match usize::try_from(geometry.sets) {
            Ok(sets) if geometry.sets <= DENSE_SETS => Self::Dense(vec![Set::default(); sets], 0),
            _ => Self::Sparse(HashMap::new()),
        }
    }

    fn of_line(&mut self, line: Line, sets: i64) -> &mut Set {
        let number = if sets & (sets - 1) == 0 {
            line & (sets - 1)
        } else {
            line.rem_euclid(sets)
        };
        match self {
            Self::Dense(sets, cleared) => {
                let set = &mut sets[usize::try_from(number).unwrap_or(0)];
                if set.cleared != *cleared {
                    *set = Set {
                        cleared: *cleared,
                        ..Set::default()
                    };
                }
                set
            }
            Self::Sparse(sets) => sets.entry(number).or_default(),
        }
    }

    fn clear(&mut self) {
        match self {
            Self::Dense(_, cleared) => *cleared += 1,
            Self::Sparse(sets) => sets.clear(),
        }
    }
}

impl Set {
    /// How many other lines may have been touched since a line certainly was, at `since`.
    fn possibly_since(&self, line: Line, since: u64, last: Option<LastTouch>) -> u64 {
        let counts = |other: &&LineTimes| {
            other.line != line && !last.is_some_and(|last| last.undoes(&other.possible, since))
        };
        self.touched_since(since).filter(counts).count() as u64
    }

    /// How many other lines have certainly been touched since a line may have been, at `since`.
    fn certainly_since(&self, line: Line, since: u64) -> u64 {
        let counts = |other: &&LineTimes| {
            other.line != line && other.certain.is_some_and(|moment| since < moment.time)
        };
        self.touched_since(since).filter(counts).count() as u64
    }

    /// The lines that may have been touched after a time.
    fn touched_since(&self, since: u64) -> impl Iterator<Item = &LineTimes> {
        let lines = self.lines.iter();
        lines.take_while(move |other| since < other.possible.time)
    }

    /// Puts the line accessed now in front; `known` is where it stands so far.
    fn put_first(&mut self, known: Option<usize>, times: LineTimes, ways: u64) {
        if let Some(idx) = known {
            self.lines[..=idx].rotate_right(1);
            self.lines[0] = times;
            return;
        }
        self.lines.insert(0, times);
        if self.enough < self.lines.len() {
            let ways = usize::try_from(ways).unwrap_or(usize::MAX);
            self.forget_gone(ways);
            self.enough = self.lines.len().saturating_mul(2).max(ways);
        }
    }

    /// Drops the lines since whose last possible access at least `ways` others were certainly
    /// accessed.
    fn forget_gone(&mut self, ways: usize) {
        let certain = self.lines.iter().filter_map(|other| other.certain);
        let mut latest: Vec<u64> = certain.map(|moment| moment.time).collect();
        latest.sort_unstable_by(|a, b| b.cmp(a));
        if let Some(nth) = ways.checked_sub(1).and_then(|idx| latest.get(idx)) {
            let kept = |other: &LineTimes| *nth <= other.possible.time;
            let n_kept = self.lines.partition_point(kept);
            self.lines.truncate(n_kept);
        }
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
