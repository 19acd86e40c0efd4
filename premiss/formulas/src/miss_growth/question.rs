//! What is compared, and the answer.

use premiss_presburger::Rational;
use premiss_tree::{NestTree, ReferenceId};

/// References of a function.
#[derive(Clone, Copy, Debug)]
pub struct ReferenceSet<'a> {
    /// The function.
    pub tree: &'a NestTree,
    /// The references.
    pub references: &'a [ReferenceId],
}

/// A fully associative cache of so many lines, and what is too much in it: whether that many misses after that many
/// before are more than is allowed.
pub struct CapacityLimit<'a> {
    /// How many lines it holds.
    pub lines: u64,
    /// How many times the misses before may become of them at least; 1 where they may not grow.
    pub times: Rational,
    /// Whether misses before and after are too far apart.
    pub exceeds: &'a dyn Fn(u64, u64) -> bool,
}

/// What becomes of misses over all sizes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MissGrowth {
    /// They grow beyond what is allowed for no size.
    Never,
    /// They grow beyond what is allowed at these sizes.
    At(Witness),
    /// Neither is known.
    Undecided,
}

/// Sizes, and the misses that there are then.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Witness {
    /// The sizes by name.
    pub sizes: Vec<(String, i64)>,
    /// The misses of each reference before.
    pub before: Vec<(ReferenceId, u64)>,
    /// The misses of each reference after.
    pub after: Vec<(ReferenceId, u64)>,
}
