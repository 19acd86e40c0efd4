//! The state of an LRU cache of few ways: each set an array in order of last access.
//!
//! Does what [`LruSets`](crate::lru::LruSets) does, faster where a set is short: looking a line up
//! and moving it to the front is one pass over a few words that lie together.

use crate::block_table::BlockTable;
use crate::lru::{AccessOutcome, Picture, PictureSet, Resident, SHARED};
use crate::run::LineNumber;
use premiss_cache::CacheGeometry;

/// The greatest number of ways, of sets and of arrays that it is meant for.
const MOST_WAYS: u64 = 32;
const MOST_SETS: u64 = 1 << 22;
const MOST_ARRAYS: usize = 62;

/// Lines of at least this many bytes have numbers that leave room for [`LineWord`]'s other bits.
const LEAST_LINE: u64 = 64;

/// Bits below the line number: the owner and whether it is dirty.
const BITS: u32 = 7;
const OWNERS: u64 = 0x3F;

/// A line, who accessed it, and whether it is dirty, in one word: the line's number, its highest bit inverted,
/// then the owner, then the dirty bit.
type LineWord = u64;

/// The highest bit.
const INVERTED: LineWord = 1 << 63;

/// A place without a line: no line has the least of all numbers.
const EMPTY: LineWord = 0;

/// Sets in a block.
const BLOCK: usize = 64;

/// The lines that a cache of few ways holds.
#[derive(Debug)]
pub(crate) struct ArraySets {
    geometry: CacheGeometry,
    ways: usize,
    /// Set after set, the most recently used line of each first.
    entries: BlockTable<LineWord>,
    len: usize,
    /// The lines held, each as often as it is held.
    held: Vec<LineNumber>,
}

impl ArraySets {
    /// An empty cache; `None` where the geometry or the number of arrays is beyond the limits above.
    pub(crate) fn new(geometry: CacheGeometry, n_arrays: usize) -> Option<Self> {
        let fits = geometry.ways <= MOST_WAYS
            && geometry.sets <= MOST_SETS
            && n_arrays <= MOST_ARRAYS
            && LEAST_LINE <= geometry.line_size;
        let sets = usize::try_from(geometry.sets).ok().filter(|_| fits)?;
        let ways = usize::try_from(geometry.ways).ok()?;
        Some(Self {
            geometry,
            ways,
            entries: BlockTable::new(sets.div_ceil(BLOCK), ways * BLOCK, EMPTY),
            len: 0,
            held: Vec::new(),
        })
    }

    pub(crate) fn geometry(&self) -> CacheGeometry {
        self.geometry
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Accesses a line.
    pub(crate) fn access(&mut self, line: LineNumber, owner: u32, dirties: bool) -> AccessOutcome {
        let number = self.set_number(line);
        let set = set_of(&mut self.entries, number, self.ways);
        let entry = (line << BITS).cast_unsigned() ^ INVERTED
            | (u64::from(owner) & OWNERS) << 1
            | u64::from(dirties);
        // Loops over a number of ways that the compiler knows are unrolled.
        let found = match set.len() {
            4 => move_to_front(&mut set[..4], entry),
            8 => move_to_front(&mut set[..8], entry),
            12 => move_to_front(&mut set[..12], entry),
            16 => move_to_front(&mut set[..16], entry),
            _ => move_to_front(set, entry),
        };
        let Err(mut victim) = found else {
            return AccessOutcome {
                hit: true,
                written_back: None,
            };
        };
        if victim == EMPTY {
            self.len += 1;
        } else if !self.held.is_empty() && self.held.contains(&line_of(victim)) {
            victim = put_back(set, victim, &self.held);
        }
        AccessOutcome {
            hit: false,
            written_back: (victim != EMPTY && victim & 1 == 1).then(|| line_of(victim)),
        }
    }

    /// Accesses a line and holds it until it is released as often as held.
    pub(crate) fn hold(&mut self, line: LineNumber, owner: u32, dirties: bool) -> AccessOutcome {
        let outcome = self.access(line, owner, dirties);
        self.held.push(line);
        outcome
    }

    /// Ends a hold: the line was last accessed now.
    pub(crate) fn release(&mut self, line: LineNumber) {
        if let Some(idx) = self.held.iter().rposition(|other| *other == line) {
            self.held.swap_remove(idx);
        }
        if !self.held.contains(&line) {
            self.refresh(line);
        }
    }

    /// Makes a resident line the most recently used of its set.
    fn refresh(&mut self, line: LineNumber) {
        let number = self.set_number(line);
        let set = set_of(&mut self.entries, number, self.ways);
        let place = set.iter().position(|entry| line_of(*entry) == line);
        if let Some(place) = place {
            set[..=place].rotate_right(1);
        }
    }

    fn set_number(&self, line: LineNumber) -> usize {
        let sets = self.geometry.sets.cast_signed();
        let set = if sets & (sets - 1) == 0 {
            line & (sets - 1)
        } else {
            line.rem_euclid(sets)
        };
        usize::try_from(set).unwrap_or(0)
    }

    /// The state as data. No line may be held.
    pub(crate) fn picture(&self) -> Picture {
        let mut picture = Picture {
            sets: Vec::new(),
            lines: Vec::with_capacity(self.len),
        };
        let blocks = self.entries.in_use();
        let sets = blocks.flat_map(|(block, entries)| {
            let numbers = block * BLOCK..;
            numbers.zip(entries.chunks(self.ways))
        });
        for (number, set) in sets {
            let number = i64::try_from(number).unwrap_or(0);
            let lines = set.iter().filter(|entry| **entry != EMPTY);
            let before = picture.lines.len();
            picture.lines.extend(lines.map(|entry| resident(*entry)));
            if before < picture.lines.len() {
                let len = picture.lines.len() - before;
                picture.sets.push(PictureSet::in_order(number, len));
            }
        }
        picture
    }

    /// The state as words, which are the same only where it is. No line may be held.
    pub(crate) fn words(&self) -> Vec<u64> {
        self.entries
            .in_use()
            .flat_map(|(block, entries)| {
                std::iter::once(block as u64).chain(entries.iter().copied())
            })
            .collect()
    }

    /// Replaces the state by that of a picture, see [`LruSets::restore`](crate::lru::LruSets).
    pub(crate) fn restore(&mut self, picture: &Picture) {
        self.entries.clear();
        self.len = 0;
        for (_, lines) in picture.by_set() {
            for resident in lines.iter().rev() {
                self.access(resident.line, resident.owner, resident.dirty);
            }
        }
    }
}

#[inline(always)]
fn set_of(entries: &mut BlockTable<LineWord>, number: usize, ways: usize) -> &mut [LineWord] {
    let start = number % BLOCK * ways;
    &mut entries.block(number / BLOCK)[start..start + ways]
}

/// Puts an entry in front of a set, in place of one for the same line, or else of the last one, which
/// is then the error.
#[inline(always)]
fn move_to_front(set: &mut [LineWord], entry: LineWord) -> Result<(), LineWord> {
    let is_same = |other: &LineWord| (other ^ entry) >> BITS == 0;
    let Some(place) = set.iter().position(is_same) else {
        let last = set.len() - 1;
        let victim = set[last];
        set.copy_within(..last, 1);
        set[0] = entry;
        return Err(victim);
    };
    let before = set[place];
    let is_shared = (before ^ entry) >> 1 & OWNERS != 0;
    let owners = if is_shared { OWNERS << 1 } else { 0 };
    for idx in (0..place).rev() {
        set[idx + 1] = set[idx];
    }
    set[0] = entry | before & 1 | owners;
    Ok(())
}

/// Puts a held line that was driven out back into its set, last; returns the line that has to go in
/// its place: the least recently used that is not held.
fn put_back(set: &mut [LineWord], entry: LineWord, held: &[LineNumber]) -> LineWord {
    let is_free = |entry: &LineWord| !held.contains(&line_of(*entry));
    let place = set[1..].iter().rposition(is_free).map(|idx| idx + 1);
    let place = place.expect("a set must not be full of held lines");
    let victim = set[place];
    set[place..].rotate_left(1);
    set[set.len() - 1] = entry;
    victim
}

fn line_of(entry: LineWord) -> LineNumber {
    (entry ^ INVERTED).cast_signed() >> BITS
}

fn resident(entry: LineWord) -> Resident {
    let owner = u32::try_from(entry >> 1 & OWNERS).unwrap_or(SHARED);
    Resident {
        line: line_of(entry),
        owner: if u64::from(owner) == OWNERS {
            SHARED
        } else {
            owner
        },
        dirty: entry & 1 == 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lru::LruSets;

    /// Both kinds of sets do the same to the same accesses.
    #[test]
    fn it_does_what_linked_sets_do() {
        let geometries = [(1, 1), (4, 2), (3, 5), (1, 8)];
        for (sets, ways) in geometries {
            let geometry = CacheGeometry {
                line_size: 64,
                sets,
                ways,
            };
            let mut few = ArraySets::new(geometry, 3).unwrap();
            let mut many = LruSets::new(geometry).unwrap();
            let mut seed = 1_u64;
            let mut next = |below: u64| {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                (seed >> 33) % below
            };
            for _ in 0..3000 {
                let line = next(sets * ways * 3).cast_signed() - 7;
                let owner = u32::try_from(next(3)).unwrap();
                let dirties = next(2) == 0;
                // One line held while two others of any set are accessed.
                let holds = next(4) == 0 && 3 <= ways;
                if holds {
                    let outcomes = (
                        few.hold(line, owner, dirties),
                        many.hold(line, owner, dirties),
                    );
                    assert_eq!(outcomes.0, outcomes.1);
                    for other in [line + 1, line + sets.cast_signed()] {
                        let outcome = few.access(other, owner, false);
                        assert_eq!(outcome, many.access(other, owner, false));
                    }
                    few.release(line);
                    many.release(line);
                } else {
                    let outcome = few.access(line, owner, dirties);
                    assert_eq!(outcome, many.access(line, owner, dirties));
                }
                assert_eq!(few.len(), many.len());
            }
            assert_eq!(few.picture(), many.picture());
            let picture = few.picture();
            few.restore(&picture);
            assert_eq!(few.picture(), picture);
        }
    }
}
