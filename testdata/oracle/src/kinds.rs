//! Caches of every kind, from the words that describe them (`premiss_cache`, `model`): each set a row
//! of ways, each way a line with what is known of it, everything found by looking at all of them.

use super::lines;
use premiss_cache::{AllocationPolicy, CacheModel, Hierarchy, ReplacementPolicy, WritePolicy};
use std::collections::BTreeMap;

/// Stands for what is outside of all references.
pub const OUTSIDE: usize = usize::MAX;

/// What one level did.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Requests that missed, by who made the access behind them.
    pub misses: BTreeMap<usize, u64>,
    /// Dirty lines that left.
    pub write_backs: u64,
    /// Bytes read from below.
    pub bytes_read: u64,
    /// Bytes written below.
    pub bytes_written: u64,
}

/// A line in its way.
#[derive(Clone, Copy, Debug)]
struct Entry {
    line: u64,
    dirty: bool,
    /// When it was filled, and when it was last accessed.
    filled: u64,
    accessed: u64,
}

/// A set.
#[derive(Clone, Debug)]
struct Row {
    ways: Vec<Option<Entry>>,
    /// NRU: whether accessed of late.
    recent: Vec<bool>,
    /// PLRU: by the path that leads to a node, whether the node points right.
    points_right: BTreeMap<Vec<bool>, bool>,
}

#[derive(Clone, Debug)]
struct Cache {
    model: CacheModel,
    rows: BTreeMap<u64, Row>,
    random: u64,
}

/// A chain.
#[derive(Clone, Debug)]
pub(super) struct World {
    caches: Vec<Cache>,
    hierarchy: Hierarchy,
    time: u64,
    pub(super) counts: Vec<Counts>,
}

impl Row {
    fn new(ways: usize) -> Self {
        Self {
            ways: vec![None; ways],
            recent: vec![false; ways],
            points_right: BTreeMap::new(),
        }
    }

    fn way_of(&self, line: u64) -> Option<usize> {
        let holds = |entry: &Option<Entry>| entry.is_some_and(|entry| entry.line == line);
        self.ways.iter().position(holds)
    }

    /// The way from the root to a leaf: left is false.
    fn path(&self, way: usize) -> Vec<bool> {
        let mut path = Vec::new();
        let (mut from, mut to) = (0, self.ways.len());
        while 1 < to - from {
            let middle = usize::midpoint(from, to);
            let right = middle <= way;
            path.push(right);
            if right {
                from = middle;
            } else {
                to = middle;
            }
        }
        path
    }

    fn heed(&mut self, way: usize, replacement: ReplacementPolicy) {
        if replacement == ReplacementPolicy::TreePlru {
            let path = self.path(way);
            for depth in 0..path.len() {
                self.points_right
                    .insert(path[..depth].to_vec(), !path[depth]);
            }
        }
        if replacement == ReplacementPolicy::Nru {
            self.recent[way] = true;
            if self.recent.iter().all(|recent| *recent) {
                self.recent.fill(false);
                self.recent[way] = true;
            }
        }
    }

    /// The victim of a full set.
    fn victim(&self, replacement: ReplacementPolicy, random: &mut u64) -> usize {
        let entries = || self.ways.iter().flatten();
        let at = |time: u64, of: fn(&Entry) -> u64| {
            let is_it = |entry: &Option<Entry>| entry.as_ref().is_some_and(|x| of(x) == time);
            self.ways.iter().position(is_it).expect("a full set")
        };
        match replacement {
            ReplacementPolicy::Lru => {
                let oldest = entries().map(|entry| entry.accessed).min();
                at(oldest.expect("a full set"), |entry| entry.accessed)
            }
            ReplacementPolicy::Fifo => {
                let oldest = entries().map(|entry| entry.filled).min();
                at(oldest.expect("a full set"), |entry| entry.filled)
            }
            ReplacementPolicy::TreePlru => {
                let follows = |way: &usize| {
                    let path = self.path(*way);
                    (0..path.len()).all(|depth| {
                        let bit = self.points_right.get(&path[..depth]);
                        bit.copied().unwrap_or(false) == path[depth]
                    })
                };
                let all = 0..self.ways.len();
                all.into_iter().find(follows).expect("a path has an end")
            }
            ReplacementPolicy::Nru => self.recent.iter().position(|x| !x).unwrap_or(0),
            ReplacementPolicy::Random => {
                *random = random.wrapping_add(0x9e37_79b9_7f4a_7c15);
                let mut z = *random;
                z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
                z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
                z ^= z >> 31;
                let scaled = u128::from(z) * self.ways.len() as u128 / (1 << 64);
                usize::try_from(scaled).expect("less than the ways")
            }
        }
    }
}

impl World {
    pub(super) fn new(models: &[CacheModel], hierarchy: Hierarchy, seed: u64) -> Self {
        let cache = |(idx, model): (u64, &CacheModel)| Cache {
            model: *model,
            rows: BTreeMap::new(),
            random: 256 * seed + idx,
        };
        Self {
            caches: (0..).zip(models).map(cache).collect(),
            hierarchy,
            time: 0,
            counts: vec![Counts::default(); models.len()],
        }
    }

    /// A read of some bytes from a level, or a write to it, because of an access.
    pub(super) fn request(&mut self, level: usize, who: usize, at: u64, size: u64, write: bool) {
        if level == self.caches.len() {
            return;
        }
        let line_size = self.line_size(level);
        let mut missed = false;
        for line in lines(at, size, line_size) {
            let start = at.max(line * line_size);
            let end = (at + size.max(1)).min((line + 1) * line_size);
            missed |= !self.is_there(level, line);
            self.line(level, who, line, (start, end - start), write);
        }
        if missed {
            *self.counts[level].misses.entry(who).or_default() += 1;
        }
    }

    fn line(&mut self, level: usize, who: usize, line: u64, part: (u64, u64), write: bool) {
        let model = self.caches[level].model;
        let fills = !write || model.allocation == AllocationPolicy::WriteAllocate;
        if self.is_there(level, line) {
            self.time += 1;
            let time = self.time;
            let row = self.row(level, line);
            let way = row.way_of(line).expect("it is there");
            if let Some(entry) = &mut row.ways[way] {
                entry.accessed = time;
            }
            row.heed(way, model.replacement);
        } else if fills {
            let victim = self.put(level, line, false);
            match self.hierarchy {
                Hierarchy::Exclusive => {
                    if self.take(level, who, line) {
                        self.set_dirty(level, line);
                    }
                    if let Some(victim) = victim {
                        self.hand_down(level, victim);
                    }
                }
                Hierarchy::Inclusive => {
                    self.leave(level, who, victim);
                    self.read_from_below(level, who, line);
                }
                Hierarchy::Filtered | Hierarchy::Independent => {
                    self.read_from_below(level, who, line);
                    self.leave(level, who, victim);
                }
            }
        } else {
            self.counts[level].bytes_written += part.1;
            self.request(level + 1, who, part.0, part.1, true);
            return;
        }
        if write && model.writing == WritePolicy::WriteBack {
            self.set_dirty(level, line);
        }
        if write && model.writing == WritePolicy::WriteThrough {
            self.counts[level].bytes_written += part.1;
            if self.hierarchy == Hierarchy::Exclusive {
                for below in &mut self.counts[level + 1..] {
                    below.bytes_written += part.1;
                }
            } else {
                self.request(level + 1, who, part.0, part.1, true);
            }
        }
    }

    fn read_from_below(&mut self, level: usize, who: usize, line: u64) {
        let size = self.line_size(level);
        self.counts[level].bytes_read += size;
        self.request(level + 1, who, line * size, size, false);
    }

    fn leave(&mut self, level: usize, who: usize, victim: Option<Entry>) {
        let Some(victim) = victim else { return };
        let size = self.line_size(level);
        let mut dirty = victim.dirty;
        if self.hierarchy == Hierarchy::Inclusive {
            for above in 0..level {
                let small = self.line_size(above);
                let inside = victim.line * size / small..(victim.line + 1) * size / small;
                for line in inside.filter(|line| line * small / size == victim.line) {
                    if self.remove(above, line) != Some(true) {
                        continue;
                    }
                    self.counts[above].write_backs += 1;
                    self.counts[above].bytes_written += small;
                    if above + 1 == level {
                        dirty = true;
                    } else {
                        let next = line * small / self.line_size(above + 1);
                        assert!(self.is_there(above + 1, next), "levels below hold it too");
                        self.set_dirty(above + 1, next);
                    }
                }
            }
        }
        if dirty {
            self.counts[level].write_backs += 1;
            self.counts[level].bytes_written += size;
            self.request(level + 1, who, victim.line * size, size, true);
        }
    }

    /// Looks for a line level by level below one and takes it out; whether it was dirty.
    fn take(&mut self, level: usize, who: usize, line: u64) -> bool {
        let size = self.line_size(level);
        let mut reader = level;
        loop {
            self.counts[reader].bytes_read += size;
            if reader + 1 == self.caches.len() {
                return false;
            }
            if let Some(dirty) = self.remove(reader + 1, line) {
                return dirty;
            }
            reader += 1;
            *self.counts[reader].misses.entry(who).or_default() += 1;
        }
    }

    fn hand_down(&mut self, level: usize, victim: Entry) {
        let size = self.line_size(level);
        let has_below = level + 1 < self.caches.len();
        self.counts[level].write_backs += u64::from(victim.dirty);
        if victim.dirty || has_below {
            self.counts[level].bytes_written += size;
        }
        if has_below {
            assert!(!self.is_there(level + 1, victim.line), "one level at most");
            if let Some(next) = self.put(level + 1, victim.line, victim.dirty) {
                self.hand_down(level + 1, next);
            }
        }
    }

    /// Puts a line that is not there; the entry that had to go.
    fn put(&mut self, level: usize, line: u64, dirty: bool) -> Option<Entry> {
        self.time += 1;
        let entry = Entry {
            line,
            dirty,
            filled: self.time,
            accessed: self.time,
        };
        let replacement = self.caches[level].model.replacement;
        let mut random = self.caches[level].random;
        let row = self.row(level, line);
        let vacant = row.ways.iter().position(Option::is_none);
        let way = vacant.unwrap_or_else(|| row.victim(replacement, &mut random));
        let victim = row.ways[way].replace(entry);
        row.heed(way, replacement);
        self.caches[level].random = random;
        victim
    }

    /// Vacates the way of a line, if it is there: whether it was dirty.
    fn remove(&mut self, level: usize, line: u64) -> Option<bool> {
        let row = self.row(level, line);
        let way = row.way_of(line)?;
        row.recent[way] = false;
        row.ways[way].take().map(|entry| entry.dirty)
    }

    fn set_dirty(&mut self, level: usize, line: u64) {
        let row = self.row(level, line);
        let way = row.way_of(line).expect("it is there");
        if let Some(entry) = &mut row.ways[way] {
            entry.dirty = true;
        }
    }

    fn is_there(&mut self, level: usize, line: u64) -> bool {
        self.row(level, line).way_of(line).is_some()
    }

    fn row(&mut self, level: usize, line: u64) -> &mut Row {
        let cache = &mut self.caches[level];
        let geometry = cache.model.geometry;
        let ways = usize::try_from(geometry.ways).expect("few ways");
        let row = cache.rows.entry(line % geometry.sets);
        row.or_insert_with(|| Row::new(ways))
    }

    fn line_size(&self, level: usize) -> u64 {
        self.caches[level].model.geometry.line_size
    }
}
