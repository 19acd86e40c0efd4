//! Runs a NestTree at given sizes and counts what its accesses do to caches, exactly.
//!
//! [`Execution::new`] fixes the sizes and places the arrays; its methods run the tree and count:
//! [`Execution::histograms`] whole reuse-distance histograms, [`Execution::misses`] the misses of
//! caches, [`Execution::for_each_access`] nothing, but shows every access. Nothing here knows where
//! the tree came from, nor what a machine is.

mod array_sets;
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
mod formula;
mod grouping;
mod layout;
mod level;
mod line_table;
mod lru;
mod passage;
mod program;
mod recur;
mod recur_stack;
mod repeat;
#[cfg(test)]
mod repeat_tests;
mod run;
mod simulate;
mod simulation;
mod stack;
mod state;
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
    /// Arrays with an address of their own, by name.
    pub bases: BTreeMap<String, u64>,
}

/// Why a tree could not be run. Where a budget ran out, which one and its value.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TraceError {
    /// These sizes have no value.
    #[error("no value for {}", .0.join(", "))]
    MissingSizes(Vec<String>),
    /// More work than allowed.
    #[error("the trace needs more than its budget of {0} steps")]
    Budget(u64),
    /// An array or an element, as written, lies beyond what 62 bits can address.
    #[error("`{0}` does not fit a 62-bit address space")]
    AddressOverflow(String),
    /// A loop's step leads away from its bound.
    #[error("a loop never ends")]
    EndlessLoop(LoopId),
    /// More accesses than 64 bits can count.
    #[error("there are more accesses than 64 bits can count")]
    TooManyAccesses,
    /// Caches that cannot be simulated.
    #[error(transparent)]
    Cache(#[from] CacheError),
}

/// One access, with its address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AddressedAccess {
    /// Who makes it.
    pub reference: ReferenceId,
    /// Whether it reads or writes.
    pub kind: AccessKind,
    /// Address of its first byte; `None` where only running the program would tell.
    pub address: Option<u64>,
    /// How many bytes it touches.
    pub size: u32,
    /// Whether it is sure to happen.
    pub certain: bool,
}
