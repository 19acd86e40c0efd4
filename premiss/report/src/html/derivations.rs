//! What closed forms say of the functions of an analysis, for a page.

use premiss_analyze::{Explanation, FunctionSweep, Point};
use premiss_machine::Machine;
use premiss_tree::NestTree;

/// What closed forms say of the functions of an analysis.
#[derive(Debug, Default)]
pub struct Derivations {
    /// The levels that stories tell of.
    pub levels: Vec<String>,
    /// Functions, with sizes kept symbolic where that could be, and where the lines of their references come from.
    pub stories: Vec<(NestTree, Explanation)>,
    /// Misses over single sizes.
    pub sweeps: Vec<SizeSweep>,
    /// What is not there, and why: whole sentences.
    pub notes: Vec<String>,
}

/// The misses of a function over one of its sizes.
#[derive(Debug)]
pub struct SizeSweep {
    /// The function with that size symbolic.
    pub tree: NestTree,
    /// The name of the size.
    pub size: String,
    /// Its values.
    pub points: Vec<Point>,
    /// The misses at each.
    pub swept: FunctionSweep,
    /// The levels that they are of.
    pub machine: Machine,
}
