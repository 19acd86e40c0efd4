//! Reuse-distance histograms.
//!
//! The lines that a run is in are kept out of the LRU stack, in a *window*: the lines of the last
//! iteration. An access to a line of the window, or to one that the same iteration has touched, has a
//! distance that can be counted off there; only a line that comes from elsewhere is looked up in the
//! stack, below which nothing in the window can be. As long as no access changes its line, every
//! iteration is like the one before, and its distances count as often as it is repeated.

use crate::run::{Line, Run, RunAccess, lines, stay};
use crate::stack::{Entry, LruStack};
use crate::sweep::Ranges;
use crate::tally::Tally;
use crate::walk::{Shortcut, Sink};
use crate::{TraceError, grouping};
use premiss_histogram::Distance;
use premiss_tree::EntityRef;

/// Counts the reuse distances of each reference.
#[derive(Debug)]
pub(crate) struct HistogramSink {
    line_size: i64,
    pub(crate) stack: LruStack,
    pub(crate) tallies: Vec<Tally>,
    pub(crate) weight: u64,
    pub(crate) work: u64,
    /// The greatest finite distance since the period under way began.
    pub(crate) greatest: Option<u64>,
    /// The lines accessed for the first time, in order, while a period is under way.
    pub(crate) cold: Vec<Entry>,
    pub(crate) periods: usize,
    /// Whether some line has been accessed by more than one array.
    pub(crate) any_shared: bool,
    pub(crate) ranges: Ranges,
    /// The lines of the accesses in the last iteration; empty before the first.
    old: Vec<Line>,
    new: Vec<Line>,
}

impl HistogramSink {
    pub(crate) fn new(line_size: i64, n_references: usize, n_arrays: usize) -> Self {
        Self {
            line_size,
            stack: LruStack::new(),
            tallies: vec![Tally::default(); n_references],
            weight: 1,
            work: 0,
            greatest: None,
            cold: Vec::new(),
            periods: 0,
            any_shared: false,
            ranges: Ranges::new(n_arrays),
            old: Vec::new(),
            new: Vec::new(),
        }
    }

    pub(crate) fn line_size(&self) -> i64 {
        self.line_size
    }

    fn record(&mut self, access: &RunAccess, distance: Distance, times: u64) {
        if let Distance::Finite(distance) = distance {
            self.greatest = self.greatest.max(Some(distance));
        }
        self.tallies[access.reference.index()].add(distance, times * self.weight);
    }

    /// Brings in a line that is not in the window; returns the number of lines of the stack that
    /// were accessed since, or `None` where it was never accessed.
    fn bring_in(&mut self, line: Line, owner: u32) -> Option<u64> {
        self.work += 1;
        let found = self.stack.take(line);
        match found {
            Some((_, other)) => self.any_shared |= other != owner,
            None if 0 < self.periods => self.cold.push(Entry { line, owner }),
            None => {}
        }
        found.map(|(depth, _)| depth)
    }

    fn run_in_windows(&mut self, run: &Run<'_>) {
        self.old.clear();
        let mut t = 0;
        while t < run.iterations {
            let mut stretch = run.iterations - t;
            self.new.clear();
            for access in run.accesses {
                let address = access.address_at(t).unwrap_or(0);
                self.new.push(address.div_euclid(self.line_size));
                stretch = stretch.min(stay(address, access.stride, self.line_size));
            }
            self.iteration(run, 1);
            if 1 < stretch {
                self.iteration(run, stretch - 1);
            }
            t += stretch;
        }
        self.retire_window(run);
    }

    /// Counts an iteration whose lines are `new`, `times` over; afterwards `old` equals `new`.
    fn iteration(&mut self, run: &Run<'_>, times: u64) {
        for (position, access) in run.accesses.iter().enumerate() {
            let line = self.new[position];
            let distance = match self.in_window(run, position, line) {
                Some(distance) => Distance::Finite(distance),
                None => match self.bring_in(line, access.array.as_u32()) {
                    Some(depth) => {
                        Distance::Finite(depth + distinct(&self.old, &self.new[..position]))
                    }
                    None => Distance::Infinite,
                },
            };
            self.record(access, distance, times);
        }
        self.retire_old(run);
        std::mem::swap(&mut self.old, &mut self.new);
        self.new.clone_from(&self.old);
    }

    /// The distance to the last access to a line in this iteration or the one before.
    fn in_window(&mut self, run: &Run<'_>, position: usize, line: Line) -> Option<u64> {
        let this = &self.new[..position];
        let (found, distance) = if let Some(idx) = this.iter().rposition(|other| *other == line) {
            (idx, distinct(&[], &this[idx + 1..]))
        } else {
            let idx = self.old.iter().rposition(|other| *other == line)?;
            (idx, distinct(&self.old[idx + 1..], this))
        };
        self.any_shared |= run.accesses[found].array != run.accesses[position].array;
        Some(distance)
    }

    /// Puts the lines of the last iteration that this one does not touch onto the stack.
    fn retire_old(&mut self, run: &Run<'_>) {
        for (idx, line) in self.old.iter().enumerate() {
            let is_gone = !self.new.contains(line) && !self.old[idx + 1..].contains(line);
            if is_gone {
                self.stack.put(*line, run.accesses[idx].array.as_u32());
            }
        }
    }

    fn retire_window(&mut self, run: &Run<'_>) {
        self.new.clear();
        self.retire_old(run);
    }

    /// Runs every iteration access by access, touching both lines of one that lies in two.
    fn run_plainly(&mut self, run: &Run<'_>) {
        for t in 0..run.iterations {
            for access in run.accesses {
                let address = access.address_at(t).unwrap_or(0);
                let (first, last) = lines(address, access.size, self.line_size);
                let owner = access.array.as_u32();
                let mut farthest = Distance::Finite(0);
                for line in first..=last {
                    let depth = self.bring_in(line, owner);
                    self.stack.put(line, owner);
                    farthest = farthest.max(depth.map_or(Distance::Infinite, Distance::Finite));
                }
                self.record(access, farthest, 1);
            }
        }
    }
}

/// The number of distinct lines in two short lists.
fn distinct(a: &[Line], b: &[Line]) -> u64 {
    let mut count = 0;
    for (idx, line) in a.iter().enumerate() {
        count += u64::from(!a[..idx].contains(line));
    }
    for (idx, line) in b.iter().enumerate() {
        count += u64::from(!a.contains(line) && !b[..idx].contains(line));
    }
    count
}

impl Sink for HistogramSink {
    const SHORTCUT: Shortcut = Shortcut::Recurring;

    fn run(&mut self, run: &Run<'_>) -> u64 {
        let before = self.work;
        self.ranges.note(run);
        let line_size = self.line_size;
        if run
            .accesses
            .iter()
            .any(|access| grouping::may_straddle(access, line_size))
        {
            self.run_plainly(run);
        } else {
            self.run_in_windows(run);
        }
        self.work - before + 1
    }

    fn weigh(&mut self, factor: u64) -> Result<(), TraceError> {
        self.weight = self
            .weight
            .checked_mul(factor)
            .ok_or(TraceError::TooManyAccesses)?;
        Ok(())
    }

    fn unweigh(&mut self, factor: u64) {
        self.weight /= factor;
    }
}
