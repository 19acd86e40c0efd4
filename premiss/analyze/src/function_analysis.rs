//! The analysis of one function: what it and the calls that it makes do to caches and TLBs.

use crate::count_error::CountError;
use crate::counts::{LevelCounts, LineCounts, LoopCounts, ReferenceCounts};
use crate::coverage::{Coverage, NestCoverage};
use crate::operations::FunctionArithmetic;
use crate::options::{Engine, MeasureOptions, MeasureScope};
use crate::times::{CountedFunction, GuaranteedTraffic, Times, times};
use premiss_histogram::Counted;
use premiss_operations::{FunctionCounts, Vectorisable};
use premiss_tree::{LoopId, NestTree};
use std::collections::BTreeMap;

/// What one function, with the calls that it makes, does to caches and TLBs, starting with cold caches.
#[derive(Debug)]
pub struct FunctionAnalysis {
    /// Its tree, whose ids name references, loops and sizes in all other fields.
    pub tree: NestTree,
    /// Its sizes by name with the values that it was counted for, `None` if a size has none: its own, in order of
    /// declaration, then those given to macros and constants of the file.
    pub parameters: Vec<(String, Option<i64>)>,
    /// The coverage of its array nests.
    pub nests: Vec<NestCoverage>,
    /// Which engine counted the histograms.
    pub engine: Engine,
    /// Why a better engine was not used, and what other engines contributed; a line without a final stop.
    pub engine_reason: Option<String>,
    /// Why the function could not be counted, or not completely; missing counts are unknown, and a diagnostic of the
    /// [`Analysis`](crate::Analysis) has details.
    pub failure: Option<CountError>,
    /// How many times it accesses array elements.
    pub accesses: Counted,
    /// How many of these are loads.
    pub loads: Counted,
    /// How many of these are stores.
    pub stores: Counted,
    /// Its reuse distances, one entry for each line size and page size of the machine.
    pub lines: Vec<LineCounts>,
    /// What it does to each level: the caches, then the TLBs, nearest first.
    pub levels: Vec<LevelCounts>,
    /// Its loops, one entry for each, in the order of [`LoopId`]s.
    pub loops: Vec<LoopCounts>,
    /// Its references, one entry for each, in the order of their ids.
    pub references: Vec<ReferenceCounts>,
    /// The operations that it executes.
    pub operations: FunctionCounts,
    /// Whether each innermost loop can be vectorised.
    pub vectors: BTreeMap<LoopId, Vectorisable>,
    /// Its least and estimated times; unknown unless [`MeasureScope::Everything`] was measured.
    pub times: Times,
}

impl FunctionAnalysis {
    /// The number of its nests in each class.
    #[must_use]
    pub fn coverage(&self) -> Coverage {
        Coverage::of(&self.nests)
    }

    /// Counts operations and times, for a function that was measured with a smaller [`MeasureScope`]. Counts that are
    /// averages contribute nothing to the least time.
    pub fn add_times(&mut self, options: &MeasureOptions) {
        let options = &MeasureOptions {
            scope: MeasureScope::Everything,
            ..options.clone()
        };
        let FunctionArithmetic {
            operations,
            vectors,
        } = FunctionArithmetic::of(&self.tree, options);
        let known = CountedFunction {
            tree: &self.tree,
            operations: &operations,
            accesses: self.accesses,
            least: GuaranteedTraffic::of(&self.levels, &self.loops),
            loops: &self.loops,
            references: &self.references,
            vectors: &vectors,
        };
        self.times = times(&known, options);
        self.operations = operations;
        self.vectors = vectors;
    }
}
