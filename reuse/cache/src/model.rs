//! Caches of every kind, and the meaning of each policy: which line is replaced, where stores go, what levels of a
//! hierarchy pass to each other. The simulator (`premiss-trace`) and its oracle both follow these words.
//!
//! **A level.** A request reads or writes some bytes. It touches each line that has some of them, in
//! the order of addresses, and misses once if any of them is not there. A line that is there is *hit*.
//! One that is not is *filled*: it takes the vacant way of least index, or else that of the victim that
//! [`ReplacementPolicy`] names; then it is requested from below. A store with [`AllocationPolicy::NoWriteAllocate`]
//! fills
//! nothing: its bytes go on to the level below. What is dirty when the function ends stays where it
//! is and counts as no write-back.
//!
//! **Order.** A fill first puts the new line in its way. In a [`Hierarchy::Filtered`] or exclusive
//! hierarchy the line is then read from below, and then the victim leaves; in an inclusive one the
//! victim leaves first, while the level below still holds it. Stores that are written through go last.
//! A straddling access does all this for its first line before it does so for the second.
//!
//! **Independent and filtered.** A dirty victim is written back: a store of the whole line to the level
//! below, which hits, misses, fills and makes recent there as any store does, and counts among the
//! misses but not among the accesses.
//!
//! **Inclusive.** As filtered, and a line that leaves a level takes along what the levels above hold of
//! it. From the nearest level on, each such line is vacated; a dirty one is written back into the line
//! of the next level, which gets dirty by it without being accessed, and leaves in its turn. What
//! leaves last is written back if it, or anything that went into it, was dirty.
//!
//! **Exclusive.** A line is in one level at most. One that misses is looked for level by level below;
//! where it is found it is taken out, dirty or not, and each level that it passes has read it. A victim,
//! clean or dirty, fills a line of the level below, whose own victim goes on in the same way; the last
//! level writes dirty ones back and drops clean ones. These fills are no requests: they hit and miss
//! nothing. A store that is written through from a level goes past all levels below, which cannot hold
//! its line; a line keeps being dirty wherever it moves.
//!
//! [`Hierarchy::Filtered`]: crate::Hierarchy::Filtered

use crate::CacheGeometry;

/// Which line of a full set makes room for another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ReplacementPolicy {
    /// The line accessed least recently.
    Lru,
    /// The line filled first: hits change nothing.
    Fifo,
    /// A binary tree over a power of two of ways, with a bit in each of its `ways - 1` nodes, at first
    /// clear. The victim is found from the root by going left where the bit is clear and right where it
    /// is set; an access to a way, hit or fill, makes every bit on the path point away from it.
    TreePlru,
    /// A bit for each way, at first clear. An access sets that of its way; once all bits of the set
    /// are set, those of all other ways are cleared. A vacated way's bit is clear. The victim is in the
    /// first way whose bit is clear; a set of one way has but one victim.
    Nru,
    /// Any line, with equal chance. Numbers are those of splitmix64 (Steele, Lea and Flood 2014), one
    /// sequence for each level, whose state starts at `256 · seed + index`, the index being that of the
    /// level in its chain. A number `x` names way `x · ways / 2^64`, rounded down; one is drawn for
    /// each victim.
    Random,
}

impl ReplacementPolicy {
    /// Each policy once: what tables of words and tests of every kind of cache go through.
    pub const ALL: [Self; 5] = [
        Self::Lru,
        Self::Fifo,
        Self::TreePlru,
        Self::Nru,
        Self::Random,
    ];
}

/// What a store that hits, or has filled, does.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum WritePolicy {
    /// It makes the line dirty; the line is written to the level below when it leaves.
    WriteBack,
    /// It leaves the line as it was; the bytes stored go on to the level below.
    WriteThrough,
}

/// Which accesses to a line that is not there fill it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum AllocationPolicy {
    /// Loads and stores.
    WriteAllocate,
    /// Loads alone.
    NoWriteAllocate,
}

/// A cache of any kind.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct CacheModel {
    /// Its shape.
    pub geometry: CacheGeometry,
    /// Which line of a full set is replaced.
    pub replacement: ReplacementPolicy,
    /// What a store that hits, or has filled, does.
    pub writing: WritePolicy,
    /// Which misses fill a line.
    pub allocation: AllocationPolicy,
}

/// The greatest number of ways of a set with tree-PLRU or NRU, which keep bits for every way.
pub const MAX_WAYS_WITH_BITS: u64 = 1 << 16;

impl CacheModel {
    /// The cache of the access model: LRU, write-back, write-allocate.
    #[must_use]
    pub fn lru_write_back(geometry: CacheGeometry) -> Self {
        Self {
            geometry,
            replacement: ReplacementPolicy::Lru,
            writing: WritePolicy::WriteBack,
            allocation: AllocationPolicy::WriteAllocate,
        }
    }

    /// Whether it is the cache of the access model: LRU, write-back, write-allocate.
    #[must_use]
    pub fn is_lru_write_back(&self) -> bool {
        *self == Self::lru_write_back(self.geometry)
    }

    /// Whether, as a level that sees every access, it hits and misses as the cache of the access model does, so that
    /// reuse distances within its sets determine its misses. Its write policy does not matter.
    #[must_use]
    pub fn follows_reuse_distance(&self) -> bool {
        self.replacement == ReplacementPolicy::Lru
            && self.allocation == AllocationPolicy::WriteAllocate
    }
}
