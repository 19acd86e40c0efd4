//! Runs a NestTree at given sizes and counts what its accesses do to caches, exactly.
//!
//! [`Execution::new`] fixes the sizes and places the arrays; its methods run the tree: [`Execution::histograms`] yields
//! reuse-distance histograms, [`Execution::misses`] the misses of caches, [`Execution::sampled_misses`] estimates of them
//! with intervals, and [`Execution::for_each_access`] shows every access. Nothing here knows where the tree came from, nor what a machine is.
//!
//! # Inside
//!
//! A program is the tree at given sizes; a walk executes it and hands *runs* to a sink: lists of accesses that repeat,
//! each moving by a fixed stride. An innermost loop whose guards keep their value is one run, however long. Sinks do
//! nothing per access that can be done per run of accesses to one line.
//!
//! - **Misses of LRU caches**, of one or of a chain of them. Accesses that pass through the same lines one after
//!   another are a group (`grouping`); a line is held from when the group's first access enters it until the last has
//!   left it (`passage`). Groups that advance in step only enter lines, and leave them where two groups may be in one
//!   set at a time; each goes as many lines by itself as keep their order in every set (`step`). Where a set has too
//!   few ways for that, two iterations of every stretch in which no access changes its line are run, and the second
//!   stands for the rest. A cache by itself with few ways keeps bare tags, sets side by side, so that consecutive lines
//!   are accessed many at a time (`tag_sets`); which array a line belongs to then follows from the ranges that arrays
//!   have touched (`sweep`). `array_sets` and `lru` are the states of few ways in a chain, and of many.
//! - **Reuse distances** (`windows`). Lines of the last iteration are distinguished by comparison, once for each
//!   pattern of equal lines; others are looked up in the LRU stack of all lines (`stack`). Fully associative levels of
//!   more than 64 ways are read off this histogram.
//! - **Bounds**, where data decide: distances and misses are bounded by the last certain and the last possible access
//!   to each line. Possible accesses that imply a later access to the same line (they stand in the same execution of an
//!   arm) do not count against it; without that, the bounds on floyd-warshall in eight lines would not meet. Where an
//!   iteration of a uniform loop leaves the times of lines as they were, up to the names of moments, those after it
//!   that touch the same lines count the same and are not walked.
//!   What all references together miss is bounded line by line (`joint`), with lines that all arms of a branch touch
//!   (`merged_arms`), and accesses of unknown address by the lines of their arrays (`somewhere`).
//!   Of other policies, first accesses to lines are the least that misses can be (`first_touches`).
//! - **Samples** of LRU levels (`sampled`): accesses are drawn, and each is decided by going back from it, without running
//!   what is before it.
//! - **Misses of FIFO, tree-PLRU and NRU** of up to 64 ways, by themselves or in a chain (`policy_sets`). Hits matter
//!   there, but not those of the line that was accessed last in its set: of an iteration only those accesses are made that
//!   enter a line, or go to the set of one that does (`policy_runs`).
//! - **Every other kind of level**, access by access: random replacement; write-through; no allocation on stores;
//!   inclusive and exclusive hierarchies. The order of fills, victims and stores is defined once, where the policies are
//!   (`premiss_cache`), and the oracle follows the same words. Repetitions in which everything hits and nothing is sent
//!   below are skipped.
//!
//! Write-backs and bytes are counted beside misses where levels follow what is dirty: in a chain anyway, else on
//! request.
//!
//! Loops whose iterations make the same accesses, only elsewhere (`uniform`), are skipped once the state of the cache
//! recurs with every line moved like its array (`state_recurrence`, `stack_recurrence`). This is exact, because no policy depends on
//! the names of lines or sets, and it is done only where moved lines never meet those of another array. Iterations that touch
//! the same lines, as seven of eight walks down the columns of a matrix do, are skipped once one of them leaves the cache as
//! it was (`repeat`).

mod allowance;
mod array_sets;
mod block_table;
mod bounded;
mod bounded_cache;
mod bounded_histogram;
mod bounded_sink;
mod bounded_watch;
mod cache;
mod chain;
mod counts;
mod execution;
mod filtered_bounds;
mod first_touches;
mod formula;
mod grouping;
mod joint;
mod layout;
mod level;
#[cfg(test)]
mod limit_tests;
mod line_table;
mod lru;
mod merged_arms;
mod passage;
mod policy_runs;
mod policy_sets;
mod program;
mod repeat;
#[cfg(test)]
mod repeat_tests;
mod run;
mod sampled;
mod simulate;
mod simulation;
mod somewhere;
mod stack;
mod stack_recurrence;
mod state;
mod state_recurrence;
mod step;
mod straight;
mod sweep;
mod tag_sets;
mod tally;
mod traffic;
mod uniform;
mod walk;
mod ways;
mod windows;

pub use execution::{Execution, PerReference};
pub use sampled::SampledMisses;
pub use simulation::{LevelRun, SEEDS};
pub use traffic::{Spread, Traffic};

use premiss_cache::CacheError;
use premiss_tree::{AccessKind, LoopId, ReferenceId};
use std::collections::BTreeMap;

/// How arrays are placed in memory (rule 4 of the access model).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Placement {
    /// Every array starts at the next multiple of this many bytes; at least 1.
    pub alignment: u64,
    /// The addresses in bytes of arrays that are not placed automatically, by name.
    pub bases: BTreeMap<String, u64>,
}

/// Why a tree could not be run. Where a budget ran out, which one and its value.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TraceError {
    /// The sizes with these names have no value.
    #[error("no value for {}", .0.join(", "))]
    MissingSizes(Vec<String>),
    /// A run needs more steps than its budget, which is given.
    #[error("the trace needs more than its budget of {0} steps")]
    Budget(u64),
    /// The state of a run would take more bytes than this.
    #[error("the trace needs more than {} MiB for the lines that it has seen", .0 >> 20)]
    Memory(u64),
    /// An array or an element, as written, lies beyond what 62 bits can address.
    #[error("`{0}` does not fit a 62-bit address space")]
    AddressOverflow(String),
    /// The steps of a loop never reach its bound, or take 2^63 iterations or more.
    #[error("a loop never ends")]
    EndlessLoop(LoopId),
    /// More accesses than 2^62.
    #[error("there are more than 2^62 accesses")]
    TooManyAccesses,
    /// Caches that cannot be simulated.
    #[error(transparent)]
    Cache(#[from] CacheError),
}

/// One access, with its address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AddressedAccess {
    /// The reference that makes it.
    pub reference: ReferenceId,
    /// Whether it loads or stores.
    pub kind: AccessKind,
    /// Address of its first byte; `None` where only running the program determines it.
    pub address: Option<u64>,
    /// How many bytes it touches.
    pub size: u32,
    /// Whether it is sure to happen.
    pub certain: bool,
}
