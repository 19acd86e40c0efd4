//! What one function, with the calls that it makes, does to caches and TLBs.

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

/// What one function, with the calls that it makes, does to caches and TLBs.
#[derive(Debug)]
pub struct FunctionAnalysis {
    /// The function.
    pub tree: NestTree,
    /// Its sizes by name, with the values that it was counted for: its own, in order of declaration,
    /// then those given to macros and constants of the file.
    pub parameters: Vec<(String, Option<i64>)>,
    /// Its nests.
    pub nests: Vec<NestCoverage>,
    /// Which engine counted.
    pub engine: Engine,
    /// Why a better one did not, and what other engines contributed; a line without a final stop.
    pub engine_reason: Option<String>,
    /// Why it could not be counted, or not wholly; what is missing is unknown, and a diagnostic says
    /// more.
    pub failure: Option<CountError>,
    /// How often it accesses array elements.
    pub accesses: Counted,
    /// How many of these read.
    pub loads: Counted,
    /// How many of these write.
    pub stores: Counted,
    /// Its reuse distances, for each line and page size of the machine.
    pub lines: Vec<LineCounts>,
    /// What it does to each level: the caches, then the TLBs, nearest first.
    pub levels: Vec<LevelCounts>,
    /// Its loops, in the order of the tree.
    pub loops: Vec<LoopCounts>,
    /// Its references, in the order of the tree.
    pub references: Vec<ReferenceCounts>,
    /// What it computes.
    pub operations: FunctionCounts,
    /// Its innermost loops, with whether they may be vectors.
    pub vectors: BTreeMap<LoopId, Vectorisable>,
    /// How long it takes.
    pub times: Times,
}

impl FunctionAnalysis {
    /// The nests, counted by class.
    #[must_use]
    pub fn coverage(&self) -> Coverage {
        Coverage::of(&self.nests)
    }

    /// Counts what it computes and how long that takes, where misses alone were wanted. Where these are averages, the
    /// least time takes none of them for certain.
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
