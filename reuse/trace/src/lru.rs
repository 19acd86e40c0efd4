//! The state of an LRU cache.
//!
//! Each set keeps its lines in order of last access. A line may be *held*: it is then certain to be accessed again and
//! again until it is released, and stays out of the order meanwhile, so that nothing needs to be done for those
//! accesses. The code that holds lines guarantees that no set ever needs more room than its ways, counting the lines
//! held and those accessed since (see [`Grouping`](crate::grouping)).

use crate::TraceError;
use crate::line_table::{LineTable, NONE};
use crate::run::LineNumber;
use premiss_cache::CacheGeometry;
use std::collections::HashMap;

/// Who accessed a resident line: an array's index, or several.
pub(crate) const SHARED: u32 = u32::MAX;

/// With more sets than this, only those in use are stored.
const DENSE_SETS: u64 = 1 << 22;

/// What an access did to the cache.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct AccessOutcome {
    pub(crate) hit: bool,
    /// The dirty line that had to make room.
    pub(crate) written_back: Option<LineNumber>,
}

#[derive(Clone, Debug)]
struct Slot {
    line: LineNumber,
    /// Towards the most recently used.
    newer: u32,
    /// Towards the least recently used.
    older: u32,
    set: u32,
    owner: u32,
    /// How many hold it; it is in the order of its set only where none does.
    holders: u32,
    dirty: bool,
}

#[derive(Clone, Copy, Debug)]
struct LruSet {
    newest: u32,
    oldest: u32,
    lines: u32,
}

const EMPTY: LruSet = LruSet {
    newest: NONE,
    oldest: NONE,
    lines: 0,
};

/// The lines that a cache holds, and how recently they were accessed.
#[derive(Debug)]
pub(crate) struct LruSets {
    geometry: CacheGeometry,
    slots: Vec<Slot>,
    table: LineTable,
    sets: Vec<LruSet>,
    /// Indices into `sets` where there are too many to keep all.
    sparse: Option<HashMap<i64, u32>>,
}

/// A line as a picture of the state shows it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Resident {
    pub(crate) line: LineNumber,
    pub(crate) owner: u32,
    pub(crate) dirty: bool,
}

/// The state as comparable data: for each set that is not empty, its lines, newest first where the order of accesses or
/// fills decides which of them goes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Picture {
    /// By rising number; their lines follow one another in `lines`.
    pub(crate) sets: Vec<PictureSet>,
    pub(crate) lines: Vec<Resident>,
}

/// A set of a picture.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PictureSet {
    pub(crate) number: i64,
    /// How many lines it has.
    pub(crate) len: usize,
    /// What its policy remembers beside the order of its lines.
    pub(crate) bits: u64,
}

impl PictureSet {
    /// A set of which the order of its lines tells everything.
    pub(crate) fn in_order(number: i64, len: usize) -> Self {
        Self {
            number,
            len,
            bits: 0,
        }
    }
}

impl Picture {
    /// The sets with their lines.
    pub(crate) fn by_set(&self) -> impl Iterator<Item = (PictureSet, &[Resident])> {
        let mut rest = self.lines.as_slice();
        self.sets.iter().map(move |set| {
            let (lines, others) = rest.split_at(set.len);
            rest = others;
            (*set, lines)
        })
    }
}

impl LruSets {
    /// An empty cache.
    pub(crate) fn new(geometry: CacheGeometry) -> Result<Self, TraceError> {
        geometry.check()?;
        let is_dense = geometry.sets <= DENSE_SETS;
        let n_sets = usize::try_from(geometry.sets).unwrap_or(usize::MAX);
        Ok(Self {
            geometry,
            slots: Vec::new(),
            table: LineTable::default(),
            sets: if is_dense {
                vec![EMPTY; n_sets]
            } else {
                Vec::new()
            },
            sparse: (!is_dense).then(HashMap::new),
        })
    }

    pub(crate) fn geometry(&self) -> CacheGeometry {
        self.geometry
    }

    /// The number of lines in the cache.
    pub(crate) fn len(&self) -> usize {
        self.slots.len()
    }

    /// The memory that it takes, in bytes.
    pub(crate) fn n_bytes(&self) -> u64 {
        let slots = self.slots.capacity() * size_of::<Slot>();
        let sets = self.sets.capacity() * size_of::<LruSet>();
        let sparse = self.sparse.as_ref().map_or(0, HashMap::capacity);
        let numbers = sparse * (size_of::<(i64, u32)>() + 1);
        self.table.n_bytes() + (slots + sets + numbers) as u64
    }

    /// Accesses a line.
    pub(crate) fn access(&mut self, line: LineNumber, owner: u32, dirties: bool) -> AccessOutcome {
        let outcome = self.hold(line, owner, dirties);
        self.release(line);
        outcome
    }

    /// Accesses a line and holds it until it is released as often as held.
    pub(crate) fn hold(&mut self, line: LineNumber, owner: u32, dirties: bool) -> AccessOutcome {
        let idx = self.table.get(line);
        if idx == NONE {
            return self.bring_in(line, owner, dirties);
        }
        if self.slots[idx as usize].holders == 0 {
            self.unlink(idx);
        }
        let slot = &mut self.slots[idx as usize];
        slot.holders += 1;
        slot.dirty |= dirties;
        if slot.owner != owner {
            slot.owner = SHARED;
        }
        AccessOutcome {
            hit: true,
            written_back: None,
        }
    }

    /// Ends a hold: the line was last accessed now.
    pub(crate) fn release(&mut self, line: LineNumber) {
        let idx = self.table.get(line);
        let slot = &mut self.slots[idx as usize];
        slot.holders -= 1;
        if slot.holders == 0 {
            self.link_newest(idx);
        }
    }

    fn bring_in(&mut self, line: LineNumber, owner: u32, dirties: bool) -> AccessOutcome {
        let set = self.set_of(line);
        let mut written_back = None;
        let is_full = u64::from(self.sets[set as usize].lines) >= self.geometry.ways;
        let idx = if is_full {
            let idx = self.sets[set as usize].oldest;
            assert!(idx != NONE, "a set must not be full of held lines");
            self.unlink(idx);
            let victim = &self.slots[idx as usize];
            written_back = victim.dirty.then_some(victim.line);
            self.table.set(victim.line, NONE);
            idx
        } else {
            self.sets[set as usize].lines += 1;
            u32::try_from(self.slots.len()).unwrap_or(NONE - 1)
        };
        let slot = Slot {
            line,
            newer: NONE,
            older: NONE,
            set,
            owner,
            holders: 1,
            dirty: dirties,
        };
        match self.slots.get_mut(idx as usize) {
            Some(place) => *place = slot,
            None => self.slots.push(slot),
        }
        self.table.set(line, idx);
        AccessOutcome {
            hit: false,
            written_back,
        }
    }

    fn set_number(&self, line: LineNumber) -> i64 {
        let sets = self.geometry.sets.cast_signed();
        if sets & (sets - 1) == 0 {
            line & (sets - 1)
        } else {
            line.rem_euclid(sets)
        }
    }

    fn set_of(&mut self, line: LineNumber) -> u32 {
        let number = self.set_number(line);
        match &mut self.sparse {
            None => u32::try_from(number).unwrap_or(0),
            Some(indices) => *indices.entry(number).or_insert_with(|| {
                self.sets.push(EMPTY);
                u32::try_from(self.sets.len() - 1).unwrap_or(NONE - 1)
            }),
        }
    }

    fn unlink(&mut self, idx: u32) {
        let Slot {
            newer, older, set, ..
        } = self.slots[idx as usize];
        match newer {
            NONE => self.sets[set as usize].newest = older,
            newer => self.slots[newer as usize].older = older,
        }
        match older {
            NONE => self.sets[set as usize].oldest = newer,
            older => self.slots[older as usize].newer = newer,
        }
    }

    fn link_newest(&mut self, idx: u32) {
        let set = &mut self.sets[self.slots[idx as usize].set as usize];
        let older = std::mem::replace(&mut set.newest, idx);
        if older == NONE {
            set.oldest = idx;
        } else {
            self.slots[older as usize].newer = idx;
        }
        let slot = &mut self.slots[idx as usize];
        slot.older = older;
        slot.newer = NONE;
    }

    /// The state as data. No line may be held.
    pub(crate) fn picture(&self) -> Picture {
        let mut order: Vec<(i64, u32)> = match &self.sparse {
            None => (0..)
                .zip(0..self.sets.len())
                .map(|(set, idx)| (set, u32::try_from(idx).unwrap_or(NONE)))
                .collect(),
            Some(indices) => indices.iter().map(|(set, idx)| (*set, *idx)).collect(),
        };
        order.sort_unstable();
        let mut picture = Picture {
            sets: Vec::new(),
            lines: Vec::with_capacity(self.slots.len()),
        };
        for (number, set) in order {
            let before = picture.lines.len();
            let mut idx = self.sets[set as usize].newest;
            while idx != NONE {
                let slot = &self.slots[idx as usize];
                picture.lines.push(Resident {
                    line: slot.line,
                    owner: slot.owner,
                    dirty: slot.dirty,
                });
                idx = slot.older;
            }
            if before < picture.lines.len() {
                let len = picture.lines.len() - before;
                picture.sets.push(PictureSet::in_order(number, len));
            }
        }
        picture
    }

    /// The state as words, which are the same only where it is. No line may be held.
    pub(crate) fn words(&self) -> Vec<u64> {
        let picture = self.picture();
        let sets = picture.by_set();
        sets.flat_map(|(set, lines)| {
            let of_line = |x: &Resident| [x.line.cast_unsigned(), u64::from(x.dirty)];
            let head = [set.number.cast_unsigned(), set.len as u64];
            head.into_iter().chain(lines.iter().flat_map(of_line))
        })
        .collect()
    }

    /// Replaces the state by that of a picture. Its sets may be out of date: each group of lines goes
    /// to the set that its lines belong to.
    pub(crate) fn restore(&mut self, picture: &Picture) {
        self.slots.clear();
        self.table.clear();
        match &mut self.sparse {
            None => self.sets.fill(EMPTY),
            Some(indices) => {
                indices.clear();
                self.sets.clear();
            }
        }
        for (_, lines) in picture.by_set() {
            for resident in lines.iter().rev() {
                self.access(resident.line, resident.owner, resident.dirty);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cache(sets: u64, ways: u64) -> LruSets {
        LruSets::new(CacheGeometry {
            line_size: 64,
            sets,
            ways,
        })
        .unwrap()
    }

    #[test]
    fn the_least_recently_used_line_makes_room() {
        let mut cache = cache(1, 2);
        let hits: Vec<bool> = [1, 2, 1, 3, 1, 2]
            .map(|line| cache.access(line, 0, false).hit)
            .to_vec();
        assert_eq!(hits, [false, false, true, false, true, false]);
    }

    #[test]
    fn a_held_line_stays_and_is_newest_when_released() {
        let mut cache = cache(1, 3);
        cache.hold(1, 0, true);
        for line in 2..9 {
            assert!(!cache.access(line, 0, false).hit);
        }
        cache.release(1);
        assert!(!cache.access(10, 0, false).hit);
        let last = cache.access(11, 0, false);
        assert_eq!(last.written_back, None);
        assert_eq!(cache.access(12, 0, false).written_back, Some(1));
    }

    #[test]
    fn a_picture_restores_the_state() {
        let mut cache = cache(3, 2);
        for line in [4, 7, 2, 9, 1, 4, 30] {
            cache.access(line, 0, line == 2);
        }
        let mut picture = cache.picture();
        picture
            .lines
            .iter_mut()
            .for_each(|resident| resident.line += 3);
        cache.restore(&picture);
        assert_eq!(cache.picture(), picture);
    }

    #[test]
    fn sets_beyond_counting_are_kept_when_used() {
        let mut cache = cache(1 << 40, 1);
        assert!(!cache.access(5, 0, false).hit);
        assert!(!cache.access(5 + (1 << 40), 0, false).hit);
        assert!(!cache.access(5, 0, false).hit);
        assert!(cache.access(5, 0, false).hit);
    }
}
