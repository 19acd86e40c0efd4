//! Misses of a cache, or of a chain of caches in which each sees the misses of the one before.
//!
//! In a chain, a level that misses a line asks the next one for it, then writes back the dirty line
//! that had to make room. A write-back is a store to the next level in everything but this: it is no
//! access. Where that level no longer holds the line, it misses.

use crate::grouping::Grouping;
use crate::lru::AccessOutcome;
use crate::passage::Passage;
use crate::policy_runs::Cursors;
use crate::run::{AccessRun, LineNumber, RunAccess, line_of};
use crate::state::CacheState;
use crate::step::Steps;
use crate::sweep::Ranges;
use crate::walk::{Shortcut, Sink};
use crate::{TraceError, Traffic};
use premiss_cache::{CacheGeometry, CacheModel};
use premiss_histogram::Counted;
use premiss_tree::{AccessKind, EntityRef, ReferenceId};

/// Counts the misses of each reference in each level of a chain.
#[derive(Debug)]
pub(crate) struct CacheSink {
    pub(crate) levels: Vec<CacheState>,
    /// Misses by level, then by reference.
    pub(crate) misses: Vec<Vec<u64>>,
    /// Lines read from below and lines written back, by level.
    pub(crate) transfers: Vec<Transfers>,
    /// Whether levels know which of their lines are dirty.
    pub(crate) follows_stores: bool,
    /// What has been touched since the period under way began.
    pub(crate) ranges: Ranges,
    /// What had been touched before.
    pub(crate) earlier: Ranges,
    /// Accesses to lines so far.
    pub(crate) work: u64,
    /// Those of the latest iteration of a loop that ended.
    pub(crate) latest_work: u64,
    weight: u64,
    /// What is watched, the latest last.
    marks: Vec<StateMark>,
    pub(crate) grouping: Grouping,
    pub(crate) passage: Passage,
    pub(crate) steps: Steps,
    pub(crate) cursors: Cursors,
}

/// Lines that passed between a level and the one below.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Transfers {
    pub(crate) read: u64,
    pub(crate) written_back: u64,
}

/// The state at some time, to be compared with a later one.
#[derive(Debug)]
struct StateMark {
    levels: Vec<Vec<u64>>,
    misses: Vec<Vec<u64>>,
    transfers: Vec<Transfers>,
}

/// The access on whose behalf lines are requested from a level.
#[derive(Clone, Copy, Debug)]
struct Requester {
    reference: ReferenceId,
    /// Its array, as a number.
    owner: u32,
}

impl Requester {
    fn new(access: &RunAccess) -> Self {
        Self {
            reference: access.reference,
            owner: access.array.as_u32(),
        }
    }
}

/// Addresses of the first and the last of some bytes.
#[derive(Clone, Copy, Debug)]
struct Bytes {
    first: i64,
    last: i64,
}

impl Bytes {
    fn of_line(line: LineNumber, line_size: i64) -> Self {
        let first = line.saturating_mul(line_size);
        Self {
            first,
            last: first.saturating_add(line_size - 1),
        }
    }
}

impl CacheSink {
    /// A sink that counts the misses of an LRU level alone.
    pub(crate) fn new(
        geometry: CacheGeometry,
        n_references: usize,
        n_arrays: usize,
    ) -> Result<Self, TraceError> {
        let level = CacheState::alone(geometry)?;
        Ok(Self::of(vec![level], n_references, n_arrays, false))
    }

    /// A sink that counts misses and what passes between levels; `None` where it is not for such levels.
    pub(crate) fn with_traffic(
        models: &[CacheModel],
        n_references: usize,
        n_arrays: usize,
    ) -> Option<Self> {
        let levels = models
            .iter()
            .map(|model| CacheState::in_chain(model, n_arrays));
        let levels: Option<Vec<_>> = levels.collect();
        Some(Self::of(levels?, n_references, n_arrays, true))
    }

    fn of(
        levels: Vec<CacheState>,
        n_references: usize,
        n_arrays: usize,
        follows_stores: bool,
    ) -> Self {
        Self {
            misses: vec![vec![0; n_references]; levels.len()],
            transfers: vec![Transfers::default(); levels.len()],
            levels,
            follows_stores,
            ranges: Ranges::new(n_arrays),
            earlier: Ranges::new(n_arrays),
            work: 0,
            latest_work: 0,
            weight: 1,
            marks: Vec::new(),
            grouping: Grouping::default(),
            passage: Passage::default(),
            steps: Steps::default(),
            cursors: Cursors::default(),
        }
    }

    /// What passed between a level and the one below; the sink must have followed stores.
    pub(crate) fn traffic(&self, level: usize) -> Traffic {
        let Transfers { read, written_back } = self.transfers[level];
        let line_size = self.levels[level].geometry().line_size;
        let bytes = |lines: u64| {
            let bytes = lines.checked_mul(line_size);
            bytes.map_or(Counted::Unknown, Counted::Exact)
        };
        Traffic {
            write_backs: Counted::Exact(written_back),
            bytes_read: bytes(read),
            bytes_written: bytes(written_back),
        }
    }

    pub(crate) fn line_size(&self, level: usize) -> i64 {
        self.levels[level].geometry().line_size.cast_signed()
    }

    /// All that has been touched.
    pub(crate) fn touched_ranges(&self) -> Ranges {
        let mut touched = self.earlier.clone();
        touched.merge(&self.ranges);
        touched
    }

    pub(crate) fn dirties(&self, access: &RunAccess) -> bool {
        self.follows_stores && access.kind == AccessKind::Store
    }

    /// Requests the lines of some bytes from a level, on behalf of a reference; it misses once if any of them is not
    /// there.
    fn request(&mut self, level: usize, bytes: Bytes, by: &Requester, dirties: bool) {
        let line_size = self.line_size(level);
        let first = line_of(bytes.first, line_size);
        let last = line_of(bytes.last, line_size);
        let mut missed = false;
        for line in first..=last {
            self.work += 1;
            let outcome = self.levels[level].access(line, by.owner, dirties);
            missed |= !outcome.hit;
            self.after(level, line, by, outcome);
        }
        if missed {
            self.misses[level][by.reference.index()] += self.weight;
        }
    }

    /// Sends what follows from an access to a line on to the next level: first the request for a
    /// line that was not there, then the write-back of one that had to go.
    fn after(&mut self, level: usize, line: LineNumber, by: &Requester, outcome: AccessOutcome) {
        if !self.follows_stores {
            return;
        }
        let transfers = &mut self.transfers[level];
        transfers.read += if outcome.hit { 0 } else { self.weight };
        if outcome.written_back.is_some() {
            transfers.written_back += self.weight;
        }
        if level + 1 == self.levels.len() {
            return;
        }
        let line_size = self.line_size(level);
        if !outcome.hit {
            self.request(level + 1, Bytes::of_line(line, line_size), by, false);
        }
        if let Some(victim) = outcome.written_back {
            self.request(level + 1, Bytes::of_line(victim, line_size), by, true);
        }
    }

    /// Accesses a line of the first level for an access of a run.
    pub(crate) fn touch(&mut self, line: LineNumber, access: &RunAccess, dirties: bool) {
        self.work += 1;
        let outcome = self.levels[0].access(line, access.array.as_u32(), dirties);
        if !outcome.hit {
            self.misses[0][access.reference.index()] += self.weight;
            self.after(0, line, &Requester::new(access), outcome);
        }
    }

    /// Counts misses of an access in the only level, and lines written back on its behalf.
    pub(crate) fn count(&mut self, access: &RunAccess, misses: u64, written_back: u64) {
        self.misses[0][access.reference.index()] += misses * self.weight;
        self.transfers[0].read += misses * self.weight;
        self.transfers[0].written_back += written_back * self.weight;
    }

    /// Accesses lines of the only level, at most one of a set, that follow one another, for an access
    /// of a run.
    pub(crate) fn sweep(&mut self, first: LineNumber, count: u64, access: &RunAccess) {
        self.work += count;
        let misses = self.levels[0].sweep(first, count, access.array.as_u32());
        self.misses[0][access.reference.index()] += misses * self.weight;
    }

    /// Accesses a line of the first level for an access of a run, and holds it until it is released.
    pub(crate) fn hold(&mut self, line: LineNumber, access: &RunAccess, dirties: bool) {
        self.work += 1;
        let outcome = self.levels[0].hold(line, access.array.as_u32(), dirties);
        if !outcome.hit {
            self.misses[0][access.reference.index()] += self.weight;
            self.after(0, line, &Requester::new(access), outcome);
        }
    }

    /// Runs whole iterations: few of each stretch in which all accesses stay in their lines.
    ///
    /// With one level, the lines that are present after the first iteration are those present after every other, so the
    /// second misses what all others do. A line that was dirty before may still be written back in the second; from
    /// then on the dirty lines recur too, so the third writes back what all others do.
    fn run_in_stretches(&mut self, run: &AccessRun<'_>) {
        let line_size = self.line_size(0);
        let mut t = 0;
        while t < run.iterations {
            let stretch = run.stretch(t, line_size);
            // A level below may need more repetitions than one to settle.
            let alike = match (self.levels.len(), self.follows_stores) {
                (1, false) => stretch.min(2),
                (1, true) => stretch.min(3),
                _ => stretch,
            };
            self.iteration(run, t);
            if 1 < stretch {
                let weight = self.weight;
                for repetition in 2..=alike {
                    let is_last = repetition == alike;
                    self.weight = if is_last {
                        weight * (stretch - alike + 1)
                    } else {
                        weight
                    };
                    self.iteration(run, t);
                }
                self.weight = weight;
            }
            t += stretch;
        }
    }

    pub(crate) fn iteration(&mut self, run: &AccessRun<'_>, t: u64) {
        for access in run.accesses {
            if let Some(first) = access.address_at(t) {
                let last = first + i64::from(access.size.max(1)) - 1;
                let dirties = self.dirties(access);
                self.request(0, Bytes { first, last }, &Requester::new(access), dirties);
            }
        }
    }
}

impl Sink for CacheSink {
    const SHORTCUT: Shortcut = Shortcut::Recurring;

    fn at_once(&self, run: &AccessRun<'_>) -> u64 {
        run.iterations_at_once(self.line_size(0))
    }

    fn line_size(&self) -> i64 {
        self.line_size(0)
    }

    fn begin(&mut self) {
        let mark = StateMark {
            levels: self.levels.iter().map(CacheState::words).collect(),
            misses: self.misses.clone(),
            transfers: self.transfers.clone(),
        };
        self.marks.push(mark);
    }

    fn end(&mut self, times: u64) -> bool {
        let Some(mark) = self.marks.pop() else {
            return false;
        };
        let mut levels = self.levels.iter().zip(&mark.levels);
        if times == 0 || !levels.all(|(level, words)| level.words() == *words) {
            return false;
        }
        let counts = self.misses.iter_mut().flatten();
        for (now, before) in counts.zip(mark.misses.iter().flatten()) {
            *now += (*now - before) * times;
        }
        for (now, before) in self.transfers.iter_mut().zip(&mark.transfers) {
            now.read += (now.read - before.read) * times;
            now.written_back += (now.written_back - before.written_back) * times;
        }
        self.ranges.widen(self.line_size(0));
        true
    }

    fn n_bytes(&self) -> u64 {
        self.levels.iter().map(CacheState::n_bytes).sum()
    }

    fn run(&mut self, run: &AccessRun<'_>) -> u64 {
        let before = self.work;
        let geometry = self.levels[0].geometry();
        let line_size = geometry.line_size.cast_signed();
        if let Some((low, high)) = self.ranges.note(run) {
            let (first, last) = (line_of(low, line_size), line_of(high, line_size));
            if !self.levels[0].admits(first, last) {
                let touched = self.touched_ranges();
                self.levels[0].admit_all(&touched);
            }
        }
        if !self.levels[0].is_lru() {
            self.run_in_policy(run);
            return self.work - before;
        }
        let mut grouping = std::mem::take(&mut self.grouping);
        let fits = 1 < run.iterations
            && grouping.analyse(run, line_size)
            && grouping.crowding(geometry.sets) <= geometry.ways;
        self.grouping = grouping;
        if !fits {
            self.run_in_stretches(run);
        } else if !self.run_in_step(run) {
            self.run_in_groups(run);
        }
        self.work - before
    }
}
