//! The state of an LRU cache of few ways that writes nothing back, laid out for sweeps.
//!
//! A set is an array of its lines in order of last access, as tags of 32 bits. Sets lie side by side
//! in blocks of [`LANES`]: first the newest lines of the block's sets, then the second newest, and so
//! on. Lines that follow one another lie in sets that do, so that [`TagSets::sweep`] moves a block's
//! worth of them to the front at once, without a branch.
//!
//! Tags do not say which array accessed a line; where that matters, [`Ranges`] do.

use crate::block_table::BlockTable;
use crate::lru::{AccessOutcome, Picture, PictureSet, Resident};
use crate::run::LineNumber;
use crate::sweep::Ranges;
use premiss_cache::CacheGeometry;

/// The greatest number of ways and of sets that it is meant for.
const MOST_WAYS: u64 = 32;
const MOST_SETS: u64 = 1 << 22;

/// Sets in a block.
const LANES: usize = 64;

/// One place of each set in a block.
type TagRow = [u32; LANES];

/// A place without a line: no line has this tag.
const EMPTY: u32 = 0;

const HIT: AccessOutcome = AccessOutcome {
    hit: true,
    written_back: None,
};
const MISS: AccessOutcome = AccessOutcome {
    hit: false,
    written_back: None,
};

/// The lines that a cache of few ways holds.
#[derive(Debug)]
pub(crate) struct TagSets {
    geometry: CacheGeometry,
    sets: usize,
    ways: usize,
    /// Each block has as many rows as there are ways.
    tags: BlockTable<TagRow>,
    len: usize,
    /// The lines held, each as often as it is held.
    held: Vec<LineNumber>,
}

/// Where a line is to be found.
#[derive(Clone, Copy)]
struct Location {
    block: usize,
    lane: usize,
    tag: u32,
}

impl TagSets {
    /// An empty cache; `None` where it has more ways or sets than the limits above.
    pub(crate) fn new(geometry: CacheGeometry) -> Option<Self> {
        let fits = geometry.ways <= MOST_WAYS && geometry.sets <= MOST_SETS;
        let sets = usize::try_from(geometry.sets).ok().filter(|_| fits)?;
        let ways = usize::try_from(geometry.ways).ok()?;
        Some(Self {
            geometry,
            sets,
            ways,
            tags: BlockTable::new(sets.div_ceil(LANES), ways, [EMPTY; LANES]),
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

    /// Whether a line has a tag; no other may be accessed.
    pub(crate) fn has_tag(line: LineNumber) -> bool {
        (0..i64::from(u32::MAX)).contains(&line)
    }

    /// Accesses a line.
    pub(crate) fn access(&mut self, line: LineNumber) -> AccessOutcome {
        let at = self.locate(line);
        let rows = self.tags.block(at.block);
        if rows[0][at.lane] == at.tag {
            return HIT;
        }
        let mut moved = at.tag;
        for row in rows {
            std::mem::swap(&mut row[at.lane], &mut moved);
            if moved == at.tag {
                return HIT;
            }
        }
        if moved == EMPTY {
            self.len += 1;
        } else if !self.held.is_empty() && self.held.contains(&line_of(moved)) {
            self.put_back(at, moved);
        }
        MISS
    }

    /// Puts a held line that was driven out back into its set, last, in place of the least recently
    /// used line that is not held.
    fn put_back(&mut self, at: Location, tag: u32) {
        let rows = self.tags.block(at.block);
        let mut moved = tag;
        for row in rows[1..].iter_mut().rev() {
            std::mem::swap(&mut row[at.lane], &mut moved);
            if !self.held.contains(&line_of(moved)) {
                return;
            }
        }
        unreachable!("a set must not be full of held lines");
    }

    /// Accesses `count` lines, at most one of a set, that follow one another from `first` on. No line
    /// may be held. Returns how many were not there.
    pub(crate) fn sweep(&mut self, first: LineNumber, count: u64) -> u64 {
        match self.ways {
            4 => self.sweep_ways::<4>(first, count),
            8 => self.sweep_ways::<8>(first, count),
            12 => self.sweep_ways::<12>(first, count),
            16 => self.sweep_ways::<16>(first, count),
            _ => {
                let lines = (0..count).map(|idx| first + idx.cast_signed());
                lines.filter(|line| !self.access(*line).hit).count() as u64
            }
        }
    }

    /// [`Self::sweep`] for a number of ways that the compiler knows, so that it unrolls the loops.
    fn sweep_ways<const WAYS: usize>(&mut self, first: LineNumber, count: u64) -> u64 {
        let mut set = self.set_number(first);
        let mut tag = tag(first);
        let mut left = usize::try_from(count).unwrap_or(0);
        let mut total = Missed::default();
        while 0 < left {
            let from = set % LANES;
            let room = (LANES - from).min(self.sets - set).min(left);
            let rows = self.tags.block(set / LANES);
            if let Ok(rows) = <&mut [TagRow; WAYS]>::try_from(rows) {
                let missed = move_to_front(rows, tag, from, from + room);
                total.lines += missed.lines;
                total.empty += missed.empty;
            }
            left -= room;
            tag = tag.wrapping_add(u32::try_from(room).unwrap_or(0));
            set += room;
            if set == self.sets {
                set = 0;
            }
        }
        self.len += usize::try_from(total.empty).unwrap_or(0);
        u64::from(total.lines)
    }

    /// Accesses a line and holds it until it is released as often as held.
    pub(crate) fn hold(&mut self, line: LineNumber) -> AccessOutcome {
        let outcome = self.access(line);
        self.held.push(line);
        outcome
    }

    /// Ends a hold: the line was last accessed now.
    pub(crate) fn release(&mut self, line: LineNumber) {
        if let Some(idx) = self.held.iter().rposition(|other| *other == line) {
            self.held.swap_remove(idx);
        }
        if !self.held.contains(&line) {
            self.access(line);
        }
    }

    fn locate(&self, line: LineNumber) -> Location {
        let set = self.set_number(line);
        Location {
            block: set / LANES,
            lane: set % LANES,
            tag: tag(line),
        }
    }

    fn set_number(&self, line: LineNumber) -> usize {
        let line = usize::try_from(line).unwrap_or(0);
        if self.sets.is_power_of_two() {
            line & (self.sets - 1)
        } else {
            line % self.sets
        }
    }

    /// The state as data; lines belong to the array that has touched memory there. No line may be
    /// held.
    pub(crate) fn picture(&self, touched: &Ranges) -> Picture {
        let owners = touched.owners(self.geometry.line_size.cast_signed());
        let mut picture = Picture {
            sets: Vec::new(),
            lines: Vec::with_capacity(self.len),
        };
        let blocks = self.tags.in_use();
        let sets = blocks.flat_map(|(block, rows)| (0..LANES).map(move |lane| (block, lane, rows)));
        for (block, lane, rows) in sets {
            let tags = rows.iter().map(|row| row[lane]);
            let before = picture.lines.len();
            for tag in tags.take_while(|tag| *tag != EMPTY) {
                let line = line_of(tag);
                picture.lines.push(Resident {
                    line,
                    owner: owners.of(line),
                    dirty: false,
                });
            }
            if before < picture.lines.len() {
                let number = i64::try_from(block * LANES + lane).unwrap_or(0);
                let len = picture.lines.len() - before;
                picture.sets.push(PictureSet::in_order(number, len));
            }
        }
        picture
    }

    /// The state as words, which are the same only where it is. No line may be held.
    pub(crate) fn words(&self) -> Vec<u64> {
        self.tags
            .in_use()
            .flat_map(|(block, rows)| {
                let rows = rows.iter().flatten();
                std::iter::once(block as u64).chain(rows.map(|tag| u64::from(*tag)))
            })
            .collect()
    }

    /// Replaces the state by that of a picture, see [`LruSets::restore`](crate::lru::LruSets).
    pub(crate) fn restore(&mut self, picture: &Picture) {
        self.tags.clear();
        self.len = 0;
        for (_, lines) in picture.by_set() {
            for resident in lines.iter().rev() {
                self.access(resident.line);
            }
        }
    }
}

/// Accesses that found no line, and places without one that they filled.
#[derive(Clone, Copy, Default)]
struct Missed {
    lines: u32,
    empty: u32,
}

/// Accesses one line in each of the lanes from `from` up to `end` of a block: puts it in front of
/// its set, and what stood before its old place one place further back. `first` is the first of the
/// lines, which follow one another.
#[inline(never)]
fn move_to_front<const WAYS: usize>(
    rows: &mut [TagRow; WAYS],
    first: u32,
    from: usize,
    end: usize,
) -> Missed {
    let mut tag = first;
    let mut missed = Missed::default();
    for lane in from..end.min(LANES) {
        // All ones as long as there is something to move, else zero.
        let mut moves = u32::MAX;
        let mut moved = tag;
        for row in rows.iter_mut() {
            let old = row[lane];
            row[lane] = moved & moves | old & !moves;
            moves &= mask(old != tag);
            moved = old;
        }
        missed.lines += moves & 1;
        missed.empty += moves & mask(moved == EMPTY) & 1;
        tag = tag.wrapping_add(1);
    }
    missed
}

/// All ones for yes, zero for no.
#[inline(always)]
fn mask(condition: bool) -> u32 {
    0_u32.wrapping_sub(u32::from(condition))
}

/// The tag of a line that has one: its number plus one.
fn tag(line: LineNumber) -> u32 {
    u32::try_from(line + 1).unwrap_or(EMPTY)
}

fn line_of(tag: u32) -> LineNumber {
    LineNumber::from(tag) - 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lru::LruSets;

    /// Both kinds of sets do the same to the same accesses.
    #[test]
    fn it_does_what_linked_sets_do() {
        for (sets, ways) in [
            (1, 1),
            (4, 2),
            (3, 5),
            (1, 8),
            (9, 4),
            (64, 8),
            (24, 12),
            (8, 16),
        ] {
            let geometry = CacheGeometry {
                line_size: 64,
                sets,
                ways,
            };
            let mut few = TagSets::new(geometry).unwrap();
            let mut many = LruSets::new(geometry).unwrap();
            let mut seed = 1_u64;
            let mut next = |below: u64| {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                (seed >> 33) % below
            };
            for _ in 0..3000 {
                let line = next(sets * ways * 3).cast_signed();
                match next(4) {
                    // One line held while two others of any set are accessed.
                    0 if 3 <= ways => {
                        assert_eq!(few.hold(line), many.hold(line, 0, false));
                        for other in [line + 1, line + sets.cast_signed()] {
                            assert_eq!(few.access(other), many.access(other, 0, false));
                        }
                        few.release(line);
                        many.release(line);
                    }
                    1 => {
                        let count = next(sets + 1);
                        let lines = line..line + count.cast_signed();
                        let missed = lines.filter(|line| !many.access(*line, 0, false).hit);
                        assert_eq!(few.sweep(line, count), missed.count() as u64);
                    }
                    _ => assert_eq!(few.access(line), many.access(line, 0, false)),
                }
                assert_eq!(few.len(), many.len());
            }
            let mut touched = Ranges::new(1);
            touched.note_line(premiss_tree::EntityRef::new(0), 0, 64);
            touched.note_line(premiss_tree::EntityRef::new(0), 4000, 64);
            assert_eq!(few.picture(&touched), many.picture());
            let picture = few.picture(&touched);
            few.restore(&picture);
            assert_eq!(few.picture(&touched), picture);
        }
    }
}
