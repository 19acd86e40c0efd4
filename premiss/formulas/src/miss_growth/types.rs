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
    /// Whether so many misses before and after are beyond the allowed growth, in this order.
    pub exceeds: &'a dyn Fn(u64, u64) -> bool,
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
