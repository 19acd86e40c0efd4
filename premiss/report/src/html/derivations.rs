//! Further results from closed forms that a page shows.

use premiss_analyze::{CacheGeometry, Explanation, FunctionSweep, Point};
use premiss_machine::Machine;
use premiss_tree::NestTree;

/// Further results from closed forms for the functions of an analysis.
#[derive(Debug, Default)]
pub struct Derivations {
    /// The levels that explanations refer to, with their names.
    pub levels: Vec<(String, CacheGeometry)>,
    /// Functions, with sizes symbolic where possible, and the explanations of their references.
    pub stories: Vec<(NestTree, Explanation)>,
    /// Misses over single sizes.
    pub sweeps: Vec<SizeSweep>,
    /// What is left out, and why; whole sentences.
    pub notes: Vec<String>,
}

/// The misses of a function over one of its sizes.
#[derive(Debug)]
pub struct SizeSweep {
    /// The function, with that size symbolic.
    pub tree: NestTree,
    /// The name of the size.
    pub size: String,
    /// The values of the size.
    pub points: Vec<Point>,
    /// The misses at each value, in this order.
    pub swept: FunctionSweep,
    /// The machine with the levels of these misses.
    pub machine: Machine,
}
