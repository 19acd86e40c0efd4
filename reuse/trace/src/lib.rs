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
mod model;
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
mod uniform;
mod walk;
mod ways;
mod windows;

pub use execution::{Execution, PerReference};
pub use model::{
    Allocation, CacheModel, MOST_WAYS_WITH_BITS, Replacement, Spread, Traffic, Writing,
};
pub use simulation::{LevelRun, SEEDS};

use premiss_tree::{AccessKind, LoopId, ReferenceId};
use std::collections::BTreeMap;

/// The shape of a cache: `sets` sets of `ways` lines of `line_size` bytes; set = line mod sets. A TLB
/// is a cache whose lines are pages. Where nothing else is said, it is LRU ([`CacheModel::usual`]).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct CacheGeometry {
    /// Bytes in a line, at least 1.
    pub line_size: u64,
    /// Sets, at least 1; 1 makes it fully associative.
    pub sets: u64,
    /// Lines in a set, at least 1.
    pub ways: u64,
}

impl CacheGeometry {
    /// How many lines it holds.
    #[must_use]
    pub fn lines(self) -> u64 {
        self.sets.saturating_mul(self.ways)
    }

    /// Whether there can be such a cache: nothing is zero, and everything fits.
    fn check(self) -> Result<(), TraceError> {
        let fits = |value: u64, most: u64| (1..=most).contains(&value);
        let is_sound =
            fits(self.line_size, 1 << 40) && fits(self.sets, 1 << 60) && fits(self.ways, 1 << 60);
        if is_sound {
            Ok(())
        } else {
            Err(TraceError::Geometry(self))
        }
    }
}

/// What the levels of a hierarchy see (rule 9 of the access model).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Hierarchy {
    /// Every level sees every access.
    Independent,
    /// A level sees the misses of the one before it, and takes its write-backs. Lines come and go in
    /// each level by themselves (neither inclusive nor exclusive).
    Filtered,
    /// As filtered, and what a level holds, those below it hold too: a line that leaves a level leaves
    /// those above.
    Inclusive,
    /// A line is in one level at most: victims go to the level below, and lines that are found below
    /// move up.
    Exclusive,
}

impl Hierarchy {
    /// Its name, as options and reports have it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Independent => "independent",
            Self::Filtered => "filtered",
            Self::Inclusive => "inclusive",
            Self::Exclusive => "exclusive",
        }
    }

    /// Whether a level with lines of one size can stand above one with lines of another.
    #[must_use]
    pub fn admits_lines(self, above: u64, below: u64) -> bool {
        match self {
            Self::Independent | Self::Filtered => true,
            Self::Inclusive => below.is_multiple_of(above),
            Self::Exclusive => below == above,
        }
    }
}

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
    /// A cache without sets, ways or bytes, or beyond all measure.
    #[error("a cache of {sets} sets of {ways} lines of {line_size} bytes cannot be simulated", sets = .0.sets, ways = .0.ways, line_size = .0.line_size)]
    Geometry(CacheGeometry),
    /// A tree of so many ways.
    #[error("tree-plru needs a power of two of ways, not {0}")]
    TreeWays(u64),
    /// Lines of levels do not fit each other as the hierarchy needs.
    #[error("{}", lines_of_levels(*.0))]
    Lines(Hierarchy),
}

fn lines_of_levels(hierarchy: Hierarchy) -> &'static str {
    match hierarchy {
        Hierarchy::Exclusive => "levels of an exclusive hierarchy have lines of one size",
        _ => "lines of an inclusive level are multiples of those of the level above",
    }
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
