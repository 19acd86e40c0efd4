//! The state of a cache of few ways whose sets follow another policy than LRU: FIFO, tree-PLRU or NRU.
//!
//! A set is a few words side by side: the line accessed last with its way, what the policy remembers, which ways are
//! dirty, and then the line in each way. As nothing is vacated, ways are first filled by rising index.
//!
//! An access to the line that was the last one accessed in its set changes nothing, whatever the policy: it is there, the
//! bits of its tree point away from it already, its bit is set. Nearly all hits are of that kind, and are decided by one
//! comparison.

use crate::block_table::BlockTable;
use crate::lru::{AccessOutcome, Picture, PictureSet, Resident};
use crate::run::{LineNumber, line_of};
use crate::sweep::Ranges;
use premiss_cache::{CacheGeometry, ReplacementPolicy};

/// The greatest number of ways, whose bits are in one word, and of sets.
const MOST_WAYS: u64 = 64;
const MOST_SETS: u64 = 1 << 22;

/// Sets in a block.
const BLOCK: usize = 64;

/// The words of a set before those of its ways: the line accessed last, if it is certain, and its way.
const NEWEST: usize = 0;
const NEWEST_WAY: usize = 1;
/// FIFO: the way that is filled next. Tree-PLRU: bit `n` is that of node `n`, the parent of `2n` and `2n + 1`; way `w`
/// hangs at `ways + w`. NRU: the bit of each way.
const ORDER: usize = 2;
/// The ways that are dirty, as bits.
const DIRTY: usize = 3;
const WAYS: usize = 4;

/// The words of a set of the most usual number of ways.
const EIGHT_WAYS: usize = WAYS + 8;

/// A line as a word: its number with the highest bit inverted.
type LineWord = u64;
const INVERTED: LineWord = 1 << 63;

/// A way without a line: no line has the least of all numbers.
const EMPTY: LineWord = 0;

/// The lines that a cache holds, and what its policy remembers.
#[derive(Debug)]
pub(crate) struct PolicySets {
    geometry: CacheGeometry,
    policy: Policy,
    ways: usize,
    /// Set after set.
    words: BlockTable<u64>,
    len: usize,
    /// Grows with each fill, and with each bit of NRU that changes: with all that accesses to the same lines, once made
    /// again, might do once more.
    changes: u64,
}

/// How a victim is found.
#[derive(Clone, Copy, Debug)]
enum Policy {
    Fifo,
    TreePlru,
    Nru,
}

/// An access of a run on its way.
#[derive(Debug)]
pub(crate) struct Cursor {
    /// Its place in the run.
    pub(crate) position: usize,
    /// Where it is in iteration 0, and by how much it goes on in each.
    pub(crate) address: i64,
    pub(crate) stride: i64,
    pub(crate) dirties: bool,
    /// Its present line, with its set.
    pub(crate) line: LineNumber,
    pub(crate) set: usize,
    /// The iteration in which it enters another, and whether this one was the last to be accessed in its set.
    pub(crate) next: u64,
    pub(crate) is_quiet: bool,
    /// How often it has missed, and how many dirty lines had to make room for it.
    pub(crate) misses: u64,
    pub(crate) written_back: u64,
}

impl Cursor {
    pub(crate) fn new(position: usize, address: i64, stride: i64, dirties: bool) -> Self {
        Self {
            position,
            address,
            stride,
            dirties,
            line: 0,
            set: 0,
            next: 0,
            is_quiet: false,
            misses: 0,
            written_back: 0,
        }
    }
}

/// What an access did to its set.
#[derive(Clone, Copy)]
struct Touch {
    hit: bool,
    written_back: Option<LineNumber>,
    /// Whether another one, after the same accesses, might change something again.
    stirs: bool,
    /// Whether the set has a line more.
    grows: bool,
}

impl PolicySets {
    /// An empty cache; `None` for another policy, or more ways or sets than the limits above.
    pub(crate) fn new(geometry: CacheGeometry, replacement: ReplacementPolicy) -> Option<Self> {
        let fits = geometry.ways <= MOST_WAYS && geometry.sets <= MOST_SETS;
        let sets = usize::try_from(geometry.sets).ok().filter(|_| fits)?;
        let ways = usize::try_from(geometry.ways).ok()?;
        let policy = match replacement {
            ReplacementPolicy::Fifo => Policy::Fifo,
            ReplacementPolicy::TreePlru => Policy::TreePlru,
            ReplacementPolicy::Nru => Policy::Nru,
            ReplacementPolicy::Lru | ReplacementPolicy::Random => return None,
        };
        Some(Self {
            geometry,
            policy,
            ways,
            words: BlockTable::new(sets.div_ceil(BLOCK), BLOCK * (WAYS + ways), EMPTY),
            len: 0,
            changes: 0,
        })
    }

    pub(crate) fn geometry(&self) -> CacheGeometry {
        self.geometry
    }

    /// The number of lines in the cache.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Where this has not grown while some lines were accessed, accessing them again changes nothing more, and misses
    /// nothing: all were there, and what a hit leaves in the bits of a tree depends on the order of hits alone.
    pub(crate) fn changes(&self) -> u64 {
        self.changes
    }

    /// The number of a line's set.
    #[inline(always)]
    pub(crate) fn set_number(&self, line: LineNumber) -> usize {
        let sets = self.geometry.sets.cast_signed();
        let set = if sets & (sets - 1) == 0 {
            line & (sets - 1)
        } else {
            line.rem_euclid(sets)
        };
        usize::try_from(set).unwrap_or(0)
    }

    /// Whether the line of an access is the one accessed last in its set.
    pub(crate) fn is_newest(&mut self, cursor: &Cursor) -> bool {
        let set = set_of(&mut self.words, cursor.set, self.ways);
        set[NEWEST] == word_of(cursor.line)
    }

    /// Accesses a line.
    #[inline(always)]
    pub(crate) fn access(&mut self, line: LineNumber, dirties: bool) -> AccessOutcome {
        let number = self.set_number(line);
        let set = set_of(&mut self.words, number, self.ways);
        // Loops over a number of ways that the compiler knows are unrolled.
        let touch = match set.len() {
            EIGHT_WAYS => self.policy.access(&mut set[..EIGHT_WAYS], line, dirties),
            _ => self.policy.access(set, line, dirties),
        };
        self.len += usize::from(touch.grows);
        self.changes += u64::from(touch.stirs);
        AccessOutcome {
            hit: touch.hit,
            written_back: touch.written_back,
        }
    }

    /// Makes an access, and counts what it misses.
    pub(crate) fn make(&mut self, cursor: &mut Cursor) {
        let outcome = self.access(cursor.line, cursor.dirties);
        cursor.misses += u64::from(!outcome.hit);
        cursor.written_back += u64::from(outcome.written_back.is_some());
    }

    /// Makes the accesses of iterations from `t` up to `end`, until one of them would enter a set that is among `quiet`,
    /// modulo 64, as bits. Returns how many iterations that were.
    pub(crate) fn pass(&mut self, cursors: &mut [Cursor], t: u64, end: u64, quiet: u64) -> u64 {
        match WAYS + self.ways {
            EIGHT_WAYS => self.pass_sets::<EIGHT_WAYS>(cursors, t, end, quiet),
            _ => self.pass_sets::<0>(cursors, t, end, quiet),
        }
    }

    /// [`Self::pass`] for sets of `WORDS` words, or of any number where that is 0.
    #[inline(never)]
    fn pass_sets<const WORDS: usize>(
        &mut self,
        cursors: &mut [Cursor],
        t: u64,
        end: u64,
        quiet: u64,
    ) -> u64 {
        let line_size = self.geometry.line_size.cast_signed();
        for at in t..end {
            let mut entered = 0;
            for cursor in &mut *cursors {
                let address = cursor.address + cursor.stride * at.cast_signed();
                cursor.line = line_of(address, line_size);
                cursor.set = self.set_number(cursor.line);
                entered |= 1_u64 << (cursor.set % 64);
            }
            if entered & quiet != 0 {
                return at - t;
            }
            for cursor in &mut *cursors {
                let set = set_of(&mut self.words, cursor.set, self.ways);
                let touch = match WORDS {
                    0 => self.policy.access(set, cursor.line, cursor.dirties),
                    _ => self
                        .policy
                        .access(&mut set[..WORDS], cursor.line, cursor.dirties),
                };
                cursor.misses += u64::from(!touch.hit);
                cursor.written_back += u64::from(touch.written_back.is_some());
                self.len += usize::from(touch.grows);
                self.changes += u64::from(touch.stirs);
            }
        }
        end - t
    }

    /// The state as data; lines belong to the array that has touched memory there.
    ///
    /// Two states with the same picture do the same from then on. For a full set under FIFO only the order of fills
    /// matters, not which way is filled next. For one with a tree, exchanging what hangs at a node while inverting its bit
    /// makes no difference: so the lines are listed from left to right once all bits are made clear in this way.
    pub(crate) fn picture(&self, touched: &Ranges) -> Picture {
        let owners = touched.owners(self.geometry.line_size.cast_signed());
        let mut picture = Picture {
            sets: Vec::new(),
            lines: Vec::with_capacity(self.len),
        };
        for (number, set) in self.sets() {
            let before = picture.lines.len();
            let listed = self.policy.listed(set);
            picture.lines.extend(listed.map(|way| {
                let line = line_in(set[WAYS + way]);
                Resident {
                    line,
                    owner: owners.of(line),
                    dirty: set[DIRTY] >> way & 1 == 1,
                }
            }));
            picture.sets.push(PictureSet {
                number,
                len: picture.lines.len() - before,
                bits: self.policy.bits_listed(set),
            });
        }
        picture
    }

    /// Replaces the state by that of a picture. Each group of lines goes to the set that its lines belong to.
    pub(crate) fn restore(&mut self, picture: &Picture) {
        self.words.clear();
        self.len = picture.lines.len();
        for (of_set, lines) in picture.by_set() {
            let number = self.set_number(lines[0].line);
            let set = set_of(&mut self.words, number, self.ways);
            for (position, resident) in lines.iter().enumerate() {
                let way = match self.policy {
                    Policy::Fifo => lines.len() - 1 - position,
                    Policy::TreePlru | Policy::Nru => position,
                };
                set[WAYS + way] = word_of(resident.line);
                set[DIRTY] |= u64::from(resident.dirty) << way;
            }
            set[ORDER] = match self.policy {
                Policy::Fifo => (lines.len() % self.ways) as u64,
                Policy::TreePlru | Policy::Nru => of_set.bits,
            };
        }
    }

    /// The state as words, which are the same only where it is.
    pub(crate) fn words(&self) -> Vec<u64> {
        let mut words = Vec::with_capacity(self.len + 4 * self.len / self.ways);
        for (number, set) in self.sets() {
            words.push(number.cast_unsigned());
            words.push(self.policy.bits_listed(set));
            let mut dirty = 0;
            for way in self.policy.listed(set) {
                words.push(set[WAYS + way]);
                dirty = dirty << 1 | set[DIRTY] >> way & 1;
            }
            words.push(dirty);
        }
        words
    }

    /// The sets with lines, by rising number.
    fn sets(&self) -> impl Iterator<Item = (i64, &[u64])> {
        let blocks = self.words.in_use();
        let sets = blocks.flat_map(|(block, words)| {
            let sets = words.chunks_exact(WAYS + self.ways).enumerate();
            sets.map(move |(idx, set)| (block * BLOCK + idx, set))
        });
        sets.filter(|(_, set)| set[WAYS] != EMPTY)
            .map(|(number, set)| (i64::try_from(number).unwrap_or(0), set))
    }
}

impl Policy {
    /// Accesses a line of a set.
    #[inline(always)]
    fn access(self, set: &mut [u64], line: LineNumber, dirties: bool) -> Touch {
        let word = word_of(line);
        let mut touch = Touch {
            hit: true,
            written_back: None,
            stirs: false,
            grows: false,
        };
        if set[NEWEST] != word {
            let way = if let Some(way) = place(&set[WAYS..], word) {
                way
            } else {
                let (way, left) = self.fill(set, word);
                let is_dirty = set[DIRTY] >> way & 1 == 1;
                set[DIRTY] &= !(1 << way);
                touch.written_back = is_dirty.then(|| line_in(left));
                touch.grows = left == EMPTY;
                touch.hit = false;
                way
            };
            touch.stirs = self.heed(set, way, touch.hit);
            set[NEWEST] = word;
            set[NEWEST_WAY] = way as u64;
        }
        if dirties {
            set[DIRTY] |= 1 << set[NEWEST_WAY];
        }
        touch
    }

    /// Puts a line that is not there in a way; returns the way and what was in it.
    #[inline(always)]
    fn fill(self, set: &mut [u64], word: LineWord) -> (usize, LineWord) {
        let ways = set.len() - WAYS;
        let way = if set[set.len() - 1] == EMPTY {
            n_used(set)
        } else {
            match self {
                Self::Fifo => to_way(set[ORDER]),
                Self::TreePlru => {
                    let mut node = 1;
                    while node < ways {
                        node = 2 * node + usize::from(set[ORDER] >> node & 1 == 1);
                    }
                    node - ways
                }
                // One way has but one victim, whose bit is set.
                Self::Nru => (set[ORDER].trailing_ones() as usize).min(ways - 1),
            }
        };
        (way, std::mem::replace(&mut set[WAYS + way], word))
    }

    /// Heeds an access to a way; returns whether another one after the same accesses might change something again.
    #[inline(always)]
    fn heed(self, set: &mut [u64], way: usize, hit: bool) -> bool {
        let ways = set.len() - WAYS;
        match self {
            Self::Fifo if hit => false,
            Self::Fifo => {
                set[ORDER] = if way + 1 == ways { 0 } else { way as u64 + 1 };
                true
            }
            Self::TreePlru => {
                let mut node = ways + way;
                while 1 < node {
                    let (parent, is_left) = (node / 2, node.is_multiple_of(2));
                    set[ORDER] = set[ORDER] & !(1 << parent) | u64::from(is_left) << parent;
                    node = parent;
                }
                !hit
            }
            Self::Nru => {
                let bit = 1 << way;
                let is_set = set[ORDER] & bit != 0;
                let bits = set[ORDER] | bit;
                let is_full = bits == u64::MAX >> (64 - ways);
                set[ORDER] = if is_full { bit } else { bits };
                !hit || !is_set
            }
        }
    }

    /// The ways of a set in the order in which a picture shows them.
    fn listed(self, set: &[u64]) -> impl Iterator<Item = usize> {
        let n_used = n_used(set);
        let ways = set.len() - WAYS;
        let bits = self.clears(set).then_some(set[ORDER]);
        let next = to_way(set[ORDER]);
        let is_fifo = matches!(self, Self::Fifo);
        (0..n_used).map(move |position| match bits {
            // The newest first.
            _ if is_fifo => (next + n_used - 1 - position) % n_used,
            None => position,
            Some(bits) => {
                let (mut node, mut level) = (1, ways / 2);
                while 0 < level {
                    let turn = (bits >> node & 1 == 1) != (position & level != 0);
                    node = 2 * node + usize::from(turn);
                    level /= 2;
                }
                node - ways
            }
        })
    }

    /// The bits that go with the ways as listed.
    fn bits_listed(self, set: &[u64]) -> u64 {
        match self {
            Self::Fifo => 0,
            Self::TreePlru if self.clears(set) => 0,
            Self::TreePlru | Self::Nru => set[ORDER],
        }
    }

    /// Whether the bits of a set are made clear by listing its lines in another order: those of a tree, where no way is
    /// empty. (Empty ways are filled by index.)
    fn clears(self, set: &[u64]) -> bool {
        matches!(self, Self::TreePlru) && set[set.len() - 1] != EMPTY
    }
}

/// The words of a set.
#[inline(always)]
fn set_of(words: &mut BlockTable<u64>, number: usize, ways: usize) -> &mut [u64] {
    let len = WAYS + ways;
    let from = number % BLOCK * len;
    &mut words.block(number / BLOCK)[from..from + len]
}

/// The way that has a line.
#[inline(always)]
fn place(ways: &[LineWord], word: LineWord) -> Option<usize> {
    // Comparing with all before looking for the place needs no branches, and most lines are in none.
    let is_there = ways.iter().fold(false, |is, other| is | (*other == word));
    match is_there {
        true => ways.iter().position(|other| *other == word),
        false => None,
    }
}

/// How many ways have lines.
fn n_used(set: &[u64]) -> usize {
    let ways = &set[WAYS..];
    ways.iter()
        .position(|word| *word == EMPTY)
        .unwrap_or(ways.len())
}

fn word_of(line: LineNumber) -> LineWord {
    line.cast_unsigned() ^ INVERTED
}

fn line_in(word: LineWord) -> LineNumber {
    (word ^ INVERTED).cast_signed()
}

/// A way, from a word.
fn to_way(word: u64) -> usize {
    usize::try_from(word).unwrap_or(0)
}
