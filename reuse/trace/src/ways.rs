//! The ways of one set: the lines in them, and which of them makes room.

use crate::run::LineNumber;
use premiss_cache::ReplacementPolicy;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The line of a vacant way: no access has it.
const VACANT: LineNumber = LineNumber::MIN;
/// Sets of more ways keep tables to find lines and victims by.
const FEW_WAYS: u64 = 32;

/// One set.
#[derive(Debug)]
pub(crate) struct Ways {
    /// By way, as far as ways have been used.
    lines: Vec<LineNumber>,
    dirty: Vec<bool>,
    /// Vacant ways among these.
    vacant: BTreeSet<usize>,
    /// Where lines are, in sets of many ways.
    places: Option<HashMap<LineNumber, usize>>,
    order: Order,
}

/// What decides on the victim.
#[derive(Debug)]
enum Order {
    /// The least time goes.
    Times {
        times: Vec<u64>,
        /// Ways by time, in sets of many ways.
        queue: Option<BTreeMap<u64, usize>>,
        /// Whether hits are heeded.
        moves: bool,
    },
    /// Node `n` is the parent of `2n` and `2n + 1`; way `w` hangs at `ways + w`.
    Tree(Bits),
    /// The bits, and how many are set.
    Recent(Bits, u64),
    Chance,
}

/// A line that had to go.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Victim {
    pub(crate) line: LineNumber,
    pub(crate) dirty: bool,
}

/// What all sets of a level share.
#[derive(Debug)]
pub(crate) struct LevelClock {
    pub(crate) ways: u64,
    /// Grows with every access.
    pub(crate) now: u64,
    pub(crate) chance: SplitMix,
    /// How often a bit of [`Order::Recent`] has changed.
    pub(crate) changes: u64,
}

impl Ways {
    pub(crate) fn new(replacement: ReplacementPolicy, ways: u64) -> Self {
        let has_many = FEW_WAYS < ways;
        let times = |moves| Order::Times {
            times: Vec::new(),
            queue: has_many.then(BTreeMap::new),
            moves,
        };
        Self {
            lines: Vec::new(),
            dirty: Vec::new(),
            vacant: BTreeSet::new(),
            places: has_many.then(HashMap::new),
            order: match replacement {
                ReplacementPolicy::Lru => times(true),
                ReplacementPolicy::Fifo => times(false),
                ReplacementPolicy::TreePlru => Order::Tree(Bits::new(ways)),
                ReplacementPolicy::Nru => Order::Recent(Bits::new(ways), 0),
                ReplacementPolicy::Random => Order::Chance,
            },
        }
    }

    /// The way that a line is in.
    pub(crate) fn find(&self, line: LineNumber) -> Option<usize> {
        match &self.places {
            Some(places) => places.get(&line).copied(),
            None => self.lines.iter().position(|other| *other == line),
        }
    }

    pub(crate) fn make_dirty(&mut self, way: usize) {
        self.dirty[way] = true;
    }

    /// The line of a way is hit.
    pub(crate) fn hit(&mut self, way: usize, clock: &mut LevelClock) {
        if !matches!(
            self.order,
            Order::Times { moves: false, .. } | Order::Chance
        ) {
            self.order.note(way, clock);
        }
    }

    /// Puts a line that is not there in a way; returns the one that had to go.
    pub(crate) fn fill(
        &mut self,
        line: LineNumber,
        dirty: bool,
        clock: &mut LevelClock,
    ) -> Option<Victim> {
        let mut victim = None;
        let way = if let Some(way) = self.vacant.pop_first() {
            way
        } else if (self.lines.len() as u64) < clock.ways {
            self.lines.push(VACANT);
            self.dirty.push(false);
            self.lines.len() - 1
        } else {
            let way = self.order.victim(clock);
            let (line, dirty) = (self.lines[way], self.dirty[way]);
            victim = Some(Victim { line, dirty });
            way
        };
        if let Some(places) = &mut self.places {
            if let Some(victim) = &victim {
                places.remove(&victim.line);
            }
            places.insert(line, way);
        }
        self.lines[way] = line;
        self.dirty[way] = dirty;
        self.order.note(way, clock);
        victim
    }

    /// Vacates a way; returns whether its line was dirty.
    pub(crate) fn vacate(&mut self, way: usize) -> bool {
        if let Some(places) = &mut self.places {
            places.remove(&self.lines[way]);
        }
        self.lines[way] = VACANT;
        self.vacant.insert(way);
        self.order.forget(way);
        std::mem::replace(&mut self.dirty[way], false)
    }
}

impl Order {
    /// Heeds an access to a way.
    fn note(&mut self, way: usize, clock: &mut LevelClock) {
        clock.now += 1;
        match self {
            Self::Times { times, queue, .. } => {
                if times.len() <= way {
                    times.resize(way + 1, 0);
                }
                if let Some(queue) = queue {
                    queue.remove(&times[way]);
                    queue.insert(clock.now, way);
                }
                times[way] = clock.now;
            }
            Self::Tree(bits) => {
                let mut node = clock.ways + way as u64;
                while 1 < node {
                    bits.put(node / 2, node.is_multiple_of(2));
                    node /= 2;
                }
            }
            Self::Recent(bits, n_set) => {
                let way = way as u64;
                if bits.is_set(way) {
                    return;
                }
                clock.changes += 1;
                bits.put(way, true);
                *n_set += 1;
                if *n_set == clock.ways {
                    bits.clear();
                    bits.put(way, true);
                    *n_set = 1;
                }
            }
            Self::Chance => {}
        }
    }

    /// A way is vacated.
    fn forget(&mut self, way: usize) {
        match self {
            Self::Times { times, queue, .. } => {
                if let Some(queue) = queue {
                    queue.remove(&times[way]);
                }
                times[way] = 0;
            }
            Self::Recent(bits, n_set) => {
                let way = way as u64;
                *n_set -= u64::from(bits.is_set(way));
                bits.put(way, false);
            }
            Self::Tree(_) | Self::Chance => {}
        }
    }

    /// The way that makes room in a full set.
    fn victim(&self, clock: &mut LevelClock) -> usize {
        match self {
            Self::Times {
                queue: Some(queue), ..
            } => queue.first_key_value().map_or(0, |(_, way)| *way),
            Self::Times { times, .. } => {
                let oldest = times.iter().enumerate().min_by_key(|(_, time)| **time);
                oldest.map_or(0, |(way, _)| way)
            }
            Self::Tree(bits) => {
                let mut node = 1;
                while node < clock.ways {
                    node = 2 * node + u64::from(bits.is_set(node));
                }
                to_way(node - clock.ways)
            }
            Self::Recent(bits, _) => to_way(bits.first_clear(clock.ways)),
            Self::Chance => to_way(clock.chance.below(clock.ways)),
        }
    }
}

/// A way below the number of ways in use, which are in memory.
fn to_way(way: u64) -> usize {
    usize::try_from(way).expect("ways in use are in memory")
}

/// Bits by number.
#[derive(Debug)]
struct Bits(Vec<u64>);

impl Bits {
    fn new(n_bits: u64) -> Self {
        let words = usize::try_from(n_bits.div_ceil(64)).unwrap_or(usize::MAX);
        Self(vec![0; words])
    }

    fn is_set(&self, bit: u64) -> bool {
        let word = usize::try_from(bit / 64).unwrap_or(usize::MAX);
        self.0[word] >> (bit % 64) & 1 == 1
    }

    fn put(&mut self, bit: u64, value: bool) {
        let word = usize::try_from(bit / 64).unwrap_or(usize::MAX);
        let mask = 1 << (bit % 64);
        if value {
            self.0[word] |= mask;
        } else {
            self.0[word] &= !mask;
        }
    }

    fn clear(&mut self) {
        self.0.fill(0);
    }

    /// The least clear bit below a number of bits; 0 where there is none.
    fn first_clear(&self, n_bits: u64) -> u64 {
        let mut words = (0_u64..).zip(&self.0);
        let found = words.find(|(_, word)| **word != u64::MAX);
        let bit = found.map(|(idx, word)| 64 * idx + u64::from(word.trailing_ones()));
        bit.filter(|bit| *bit < n_bits).unwrap_or(0)
    }
}

/// Random numbers: splitmix64.
#[derive(Clone, Debug)]
pub(crate) struct SplitMix(pub(crate) u64);

impl SplitMix {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let x = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        x ^ (x >> 31)
    }

    /// A number below another.
    pub(crate) fn below(&mut self, limit: u64) -> u64 {
        let product = u128::from(self.next()) * u128::from(limit);
        u64::try_from(product >> 64).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(
        replacement: ReplacementPolicy,
        ways: u64,
        accesses: &[LineNumber],
        expected: &[LineNumber],
    ) {
        let mut clock = LevelClock {
            ways,
            now: 0,
            chance: SplitMix(0),
            changes: 0,
        };
        let mut set = Ways::new(replacement, ways);
        let mut victims = Vec::new();
        for line in accesses {
            match set.find(*line) {
                Some(way) => set.hit(way, &mut clock),
                None => victims.extend(set.fill(*line, false, &mut clock).map(|x| x.line)),
            }
        }
        assert_eq!(victims, expected, "{replacement:?}");
    }

    #[test]
    fn victims_by_hand() {
        let accesses = [1, 2, 3, 4, 1, 5, 6, 2];
        check(ReplacementPolicy::Lru, 4, &accesses, &[2, 3, 4]);
        check(ReplacementPolicy::Fifo, 4, &accesses, &[1, 2, 3]);
        // After 1 2 3 4 1 the root points right and the right node left: 3 goes, then 2, then 4.
        check(ReplacementPolicy::TreePlru, 4, &accesses, &[3, 2, 4]);
        // Filling way 3 leaves its bit alone; 1 sets way 0's: 2 goes, then 3.
        check(ReplacementPolicy::Nru, 4, &accesses, &[2, 3, 1]);
        check(ReplacementPolicy::Nru, 1, &[1, 2, 2, 3], &[1, 2]);
    }

    #[test]
    fn random_numbers_are_those_of_splitmix64() {
        let mut numbers = SplitMix(1_234_567);
        // The reference implementation's first numbers for this seed.
        assert_eq!(numbers.next(), 6_457_827_717_110_365_317);
        assert_eq!(numbers.next(), 3_203_168_211_198_807_973);
    }
}
