//! Which nests the model covers, and why it does not cover the others.

mod classes;
mod collector;

pub use classes::{Coverage, CoverageClass, CoverageReason, LoopCoverage, NestCoverage};

use crate::size_dataflow::{EntryState, visit};
use collector::Collector;
use premiss_tree::NestTree;

/// The array nests of a function, each with its class and the reasons for it. Runs nothing and needs no values of
/// sizes. A guard around a nest does not make it less than exact: the class describes the nest once it is entered.
#[must_use]
pub fn coverage(tree: &NestTree) -> Vec<NestCoverage> {
    loop_coverage(tree).nests
}

/// The array nests of a function, and the number of outermost loops that access no array.
#[must_use]
pub fn loop_coverage(tree: &NestTree) -> LoopCoverage {
    let mut collector = Collector::new(tree, false);
    visit(tree, &tree.body, EntryState::Nothing, &mut collector);
    collector.coverage
}
