//! Which nests the model covers, and what keeps the others out.

mod classes;
mod collector;

pub use classes::{Coverage, CoverageClass, CoverageReason, LoopCoverage, NestCoverage};

use crate::size_dataflow::{EntryState, visit};
use collector::Collector;
use premiss_tree::NestTree;

/// The array nests of a function. A guard around a nest does not make it less than exact: what counts
/// is what the nest does once it is entered.
#[must_use]
pub fn coverage(tree: &NestTree) -> Vec<NestCoverage> {
    loop_coverage(tree).nests
}

/// The array nests of a function, and how many other loops it has.
#[must_use]
pub fn loop_coverage(tree: &NestTree) -> LoopCoverage {
    let mut collector = Collector::new(tree, false);
    visit(tree, &tree.body, EntryState::Nothing, &mut collector);
    collector.coverage
}
