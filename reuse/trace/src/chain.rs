//! A chain of caches of any kind, access by access; `premiss-cache` says what happens.

use crate::level::CacheLevelState;
use crate::run::{LineNumber, line_of};
use crate::ways::Victim;
use premiss_cache::Hierarchy;
use premiss_cache::{AllocationPolicy, CacheModel, WritePolicy};

/// A chain and what has happened in it.
#[derive(Debug)]
pub(crate) struct Chain {
    levels: Vec<CacheLevelState>,
    hierarchy: Hierarchy,
    /// By level, nearest first.
    pub(crate) events: Vec<LevelEvents>,
    /// The index of the reference on whose behalf lines are requested.
    reference: usize,
    /// Lines examined so far, and after how many nothing more is done.
    pub(crate) work: u64,
    limit: u64,
    /// Grows with all that a repetition of the same accesses might do again.
    stirs: u64,
}

/// What has happened in a level.
#[derive(Clone, Debug)]
pub(crate) struct LevelEvents {
    /// By reference.
    pub(crate) misses: Vec<u64>,
    pub(crate) write_backs: u64,
    pub(crate) bytes_read: u64,
    pub(crate) bytes_written: u64,
}

/// Addresses of the first and the last of some bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bytes {
    pub(crate) first: i64,
    pub(crate) last: i64,
}

impl Bytes {
    fn of_line(line: LineNumber, line_size: i64) -> Self {
        let first = line.saturating_mul(line_size);
        let last = first.saturating_add(line_size - 1);
        Self { first, last }
    }

    fn within(self, other: Self) -> Self {
        Self {
            first: self.first.max(other.first),
            last: self.last.min(other.last),
        }
    }

    fn count(self) -> u64 {
        self.last.abs_diff(self.first) + 1
    }
}

impl Chain {
    /// An empty chain that does nothing more once it has examined more than `limit` lines.
    pub(crate) fn new(
        levels: &[CacheModel],
        hierarchy: Hierarchy,
        n_references: usize,
        seed: u64,
        limit: u64,
    ) -> Self {
        let nothing = LevelEvents {
            misses: vec![0; n_references],
            write_backs: 0,
            bytes_read: 0,
            bytes_written: 0,
        };
        let made = (0..)
            .zip(levels)
            .map(|(idx, x)| CacheLevelState::new(*x, seed, idx));
        Self {
            levels: made.collect(),
            hierarchy,
            events: vec![nothing; levels.len()],
            reference: 0,
            work: 0,
            limit,
            stirs: 0,
        }
    }

    /// Grows with all that a repetition of the same accesses might do again: once they have passed
    /// without its growing, they always will.
    pub(crate) fn stirs(&self) -> u64 {
        let changes = self.levels.first().map_or(0, CacheLevelState::changes);
        self.stirs.wrapping_add(changes)
    }

    /// Whether nothing more is done.
    pub(crate) fn is_spent(&self) -> bool {
        self.limit < self.work
    }

    /// The memory that its levels take, in bytes.
    pub(crate) fn n_bytes(&self) -> u64 {
        self.levels.iter().map(CacheLevelState::n_bytes).sum()
    }

    /// Bytes in a line of the first level.
    pub(crate) fn line_size(&self) -> i64 {
        self.levels.first().map_or(1, CacheLevelState::line_size)
    }

    /// An access of a reference to the first level.
    pub(crate) fn access(&mut self, reference: usize, bytes: Bytes, is_store: bool) {
        self.reference = reference;
        self.request(0, bytes, is_store);
    }

    /// Requests bytes from a level, or stores them to it.
    fn request(&mut self, level: usize, bytes: Bytes, is_store: bool) {
        if level == self.levels.len() {
            return;
        }
        let line_size = self.levels[level].line_size();
        let last = line_of(bytes.last, line_size);
        let mut line = line_of(bytes.first, line_size);
        let mut missed = false;
        while line <= last && self.spend() {
            let part = bytes.within(Bytes::of_line(line, line_size));
            missed |= self.touch(level, line, part, is_store);
            line += 1;
        }
        if missed {
            self.miss(level);
        }
    }

    /// Touches a line; returns whether it was not there.
    fn touch(&mut self, level: usize, line: LineNumber, part: Bytes, is_store: bool) -> bool {
        let model = self.levels[level].model;
        if let Some(place) = self.levels[level].find(line) {
            self.levels[level].hit(place);
            if is_store {
                match model.writing {
                    WritePolicy::WriteBack => self.levels[level].make_dirty(place),
                    WritePolicy::WriteThrough => self.write_through(level, part),
                }
            }
            return false;
        }
        self.stirs += 1;
        if is_store && model.allocation == AllocationPolicy::NoWriteAllocate {
            self.events[level].bytes_written += part.count();
            self.request(level + 1, part, true);
            return true;
        }
        self.fill(
            level,
            line,
            is_store && model.writing == WritePolicy::WriteBack,
        );
        if is_store && model.writing == WritePolicy::WriteThrough {
            self.write_through(level, part);
        }
        true
    }

    /// Fills a line that is not there.
    fn fill(&mut self, level: usize, line: LineNumber, dirty: bool) {
        let line_size = self.levels[level].line_size();
        if self.hierarchy == Hierarchy::Exclusive {
            let dirty = self.take(level, line) || dirty;
            if let Some(victim) = self.levels[level].fill(line, dirty) {
                self.give(level, victim);
            }
            return;
        }
        let victim = self.levels[level].fill(line, dirty);
        let bytes = Bytes::of_line(line, line_size);
        self.events[level].bytes_read += bytes.count();
        if self.hierarchy == Hierarchy::Inclusive {
            self.leave(level, victim);
            self.request(level + 1, bytes, false);
        } else {
            self.request(level + 1, bytes, false);
            self.leave(level, victim);
        }
    }

    /// A victim leaves a level that is not exclusive.
    fn leave(&mut self, level: usize, victim: Option<Victim>) {
        let Some(Victim { line, mut dirty }) = victim else {
            return;
        };
        let bytes = Bytes::of_line(line, self.levels[level].line_size());
        if self.hierarchy == Hierarchy::Inclusive {
            for above in 0..level {
                dirty |= self.vacate(above, level, bytes);
            }
        }
        if dirty {
            self.count_write_back(level, bytes.count());
            self.request(level + 1, bytes, true);
        }
    }

    /// Vacates what one level holds of a line that leaves another; returns whether the line that
    /// leaves gets dirty by it.
    fn vacate(&mut self, above: usize, level: usize, bytes: Bytes) -> bool {
        let line_size = self.levels[above].line_size();
        let last = line_of(bytes.last, line_size);
        let mut line = line_of(bytes.first, line_size);
        let mut dirties = false;
        while line <= last && self.spend() {
            let place = self.levels[above].find(line);
            if place.is_some_and(|place| self.levels[above].vacate(place)) {
                let part = Bytes::of_line(line, line_size);
                self.count_write_back(above, part.count());
                dirties |= !self.dirty_next(above + 1, level, part);
            }
            line += 1;
        }
        dirties
    }

    /// Makes the line of a level dirty that holds some bytes, without an access; `false` where that is
    /// the line which leaves.
    fn dirty_next(&mut self, next: usize, level: usize, bytes: Bytes) -> bool {
        let line = line_of(bytes.first, self.levels[next].line_size());
        let place = self.levels[next].find(line).filter(|_| next < level);
        if let Some(place) = place {
            self.levels[next].make_dirty(place);
        }
        place.is_some()
    }

    /// Takes a line out of the levels below `level`, which fills it; returns whether it was dirty.
    fn take(&mut self, level: usize, line: LineNumber) -> bool {
        let bytes = self.levels[level].line_size().cast_unsigned();
        for below in level + 1..self.levels.len() {
            self.work += 1;
            self.events[below - 1].bytes_read += bytes;
            if let Some(place) = self.levels[below].find(line) {
                return self.levels[below].vacate(place);
            }
            self.miss(below);
        }
        if let Some(last) = self.events.last_mut() {
            last.bytes_read += bytes;
        }
        false
    }

    /// Hands the victim of an exclusive level down.
    fn give(&mut self, level: usize, victim: Victim) {
        let bytes = self.levels[level].line_size().cast_unsigned();
        let mut next = Some(victim);
        for level in level..self.levels.len() {
            let Some(victim) = next else { return };
            let is_last = level + 1 == self.levels.len();
            if victim.dirty {
                self.count_write_back(level, bytes);
            } else if !is_last {
                self.events[level].bytes_written += bytes;
            }
            if is_last {
                return;
            }
            self.work += 1;
            next = self.levels[level + 1].fill(victim.line, victim.dirty);
        }
    }

    /// Passes bytes stored in a level on to the levels below.
    fn write_through(&mut self, level: usize, part: Bytes) {
        self.stirs += 1;
        if self.hierarchy == Hierarchy::Exclusive {
            for level in &mut self.events[level..] {
                level.bytes_written += part.count();
            }
        } else {
            self.events[level].bytes_written += part.count();
            self.request(level + 1, part, true);
        }
    }

    fn count_write_back(&mut self, level: usize, bytes: u64) {
        self.events[level].write_backs += 1;
        self.events[level].bytes_written += bytes;
    }

    fn miss(&mut self, level: usize) {
        self.events[level].misses[self.reference] += 1;
    }

    /// Whether another line may be examined.
    fn spend(&mut self) -> bool {
        self.work += 1;
        self.work <= self.limit
    }
}
