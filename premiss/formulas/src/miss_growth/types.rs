//! What is compared of two versions of a program, and how their misses grow.

use premiss_presburger::Rational;
use premiss_tree::{NestTree, ReferenceId};

/// Some references of a function.
#[derive(Clone, Copy, Debug)]
pub struct ReferenceSet<'a> {
    /// The function.
    pub tree: &'a NestTree,
    /// The references, by their ids in the tree.
    pub references: &'a [ReferenceId],
}

/// A fully associative LRU cache, with the growth of misses that is allowed in it.
pub struct CapacityLimit<'a> {
    /// Its capacity in lines.
    pub lines: u64,
    /// The factor up to which misses are allowed to grow in any case; 1 if they may not grow.
    pub times: Rational,
    /// The number of misses by which they are allowed to grow in any case.
    pub more: Rational,
    /// Whether so many misses before and after are beyond the allowed growth, in this order.
    pub exceeds: &'a dyn Fn(u64, u64) -> bool,
}

/// The least and the greatest value of a size that has none; from 1, and not empty.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SizeRange {
    /// The least value.
    pub least: i64,
    /// The greatest value.
    pub most: i64,
}

impl SizeRange {
    /// What sizes are in programs: arrays of more elements in each dimension are rare.
    pub const USUAL: Self = Self {
        least: 1,
        most: 1 << 20,
    };
}

impl std::fmt::Display for SizeRange {
    /// `1..1048576`
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "{}..{}", self.least, self.most)
    }
}

/// How misses change over all sizes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MissGrowth {
    /// They exceed the allowed growth for no size.
    Never,
    /// They exceed the allowed growth at these sizes.
    At(Witness),
    /// Neither is known.
    Undecided,
}

/// Sizes, and the misses at these sizes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Witness {
    /// The sizes by name.
    pub sizes: Vec<(String, i64)>,
    /// The misses before, for each reference.
    pub before: Vec<(ReferenceId, u64)>,
    /// The misses after, for each reference.
    pub after: Vec<(ReferenceId, u64)>,
}
