//! One level of a chain: its sets, made when they are first used.

use crate::run::LineNumber;
use crate::ways::{LevelClock, SplitMix, Victim, Ways};
use premiss_cache::CacheModel;
use std::collections::HashMap;

/// With more sets than this, only those in use are stored.
const DENSE_SETS: u64 = 1 << 22;
/// Marks a set that has not been used.
const NONE: u32 = u32::MAX;

/// A level.
#[derive(Debug)]
pub(crate) struct CacheLevelState {
    pub(crate) model: CacheModel,
    sets: i64,
    /// Where the ways of each set are, by its number.
    dense: Vec<u32>,
    sparse: HashMap<i64, u32>,
    used: Vec<Ways>,
    clock: LevelClock,
    /// How often a line was put in a place that was free.
    n_filled: u64,
}

/// Where a line is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LinePosition {
    set: usize,
    way: usize,
}

impl CacheLevelState {
    /// An empty level with its place in the chain.
    pub(crate) fn new(model: CacheModel, seed: u64, index: u64) -> Self {
        let geometry = model.geometry;
        let dense = usize::try_from(geometry.sets).ok();
        let dense = dense.filter(|_| geometry.sets <= DENSE_SETS);
        Self {
            model,
            sets: geometry.sets.cast_signed(),
            dense: vec![NONE; dense.unwrap_or(0)],
            sparse: HashMap::new(),
            used: Vec::new(),
            clock: LevelClock {
                ways: geometry.ways,
                now: 0,
                chance: SplitMix(seed.wrapping_mul(256).wrapping_add(index)),
                changes: 0,
            },
            n_filled: 0,
        }
    }

    /// The memory that it takes, in bytes, about: what sets keep of a line is in up to three tables.
    pub(crate) fn n_bytes(&self) -> u64 {
        let of_sets = self.used.capacity() * size_of::<Ways>() + self.dense.capacity() * 4;
        let of_line = 12 * size_of::<LineNumber>();
        of_sets as u64 + self.n_filled.saturating_mul(of_line as u64)
    }

    pub(crate) fn line_size(&self) -> i64 {
        self.model.geometry.line_size.cast_signed()
    }

    /// How often something about recency has changed that a repetition might change again.
    pub(crate) fn changes(&self) -> u64 {
        self.clock.changes
    }

    /// Where a line is, if it is there.
    pub(crate) fn find(&self, line: LineNumber) -> Option<LinePosition> {
        let set = self.known_set(self.number(line))?;
        let way = self.used[set].find(line)?;
        Some(LinePosition { set, way })
    }

    /// Records a hit of the line at a place.
    pub(crate) fn hit(&mut self, place: LinePosition) {
        self.used[place.set].hit(place.way, &mut self.clock);
    }

    pub(crate) fn make_dirty(&mut self, place: LinePosition) {
        self.used[place.set].make_dirty(place.way);
    }

    /// Puts a line that is not there; returns the one that had to go.
    pub(crate) fn fill(&mut self, line: LineNumber, dirty: bool) -> Option<Victim> {
        let set = self.set(self.number(line));
        let victim = self.used[set].fill(line, dirty, &mut self.clock);
        self.n_filled += u64::from(victim.is_none());
        victim
    }

    /// Vacates a place; returns whether its line was dirty.
    pub(crate) fn vacate(&mut self, place: LinePosition) -> bool {
        self.used[place.set].vacate(place.way)
    }

    fn number(&self, line: LineNumber) -> i64 {
        if self.sets & (self.sets - 1) == 0 {
            line & (self.sets - 1)
        } else {
            line.rem_euclid(self.sets)
        }
    }

    fn known_set(&self, number: i64) -> Option<usize> {
        let known = if self.dense.is_empty() {
            self.sparse.get(&number).copied()
        } else {
            let number = usize::try_from(number).ok()?;
            self.dense.get(number).copied()
        };
        known
            .filter(|set| *set != NONE)
            .map(|set| usize::try_from(set).unwrap_or(usize::MAX))
    }

    fn set(&mut self, number: i64) -> usize {
        if let Some(known) = self.known_set(number) {
            return known;
        }
        let set = self.used.len();
        let geometry = self.model.geometry;
        self.used
            .push(Ways::new(self.model.replacement, geometry.ways));
        let short = u32::try_from(set).expect("memory ends before sets do");
        match usize::try_from(number) {
            Ok(number) if number < self.dense.len() => self.dense[number] = short,
            _ => {
                self.sparse.insert(number, short);
            }
        }
        set
    }
}
