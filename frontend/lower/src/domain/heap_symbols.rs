//! The symbols that values in memory were given: sizes and arrays by cell and version, so that two loads of
//! one cell at one version yield the same symbol.

use crate::domain::memory_version::MemoryVersion;
use crate::domain::values::ArrayRow;
use premiss_tree::Expression;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// A scalar in memory since an version: where it is, its bytes, and since when.
pub(crate) type CellKey = (ArrayRow, Option<i64>, u32, MemoryVersion);

/// The names that values in memory were given.
#[derive(Default)]
pub(crate) struct HeapSymbols {
    pub(crate) sizes: BTreeMap<CellKey, Expression>,
    /// Those in elements whose places are no numbers.
    pub(crate) elements: FxHashMap<(ArrayRow, Expression, u8, MemoryVersion), Expression>,
    pub(crate) regions: BTreeMap<CellKey, (ArrayRow, Expression)>,
    pub(crate) n_versions: u32,
    /// Epochs that began at the head of a loop inside of another loop: their values are variables
    /// that nothing assigns, unknown but for the loop taken by itself.
    pub(crate) within_loops: BTreeSet<u32>,
}

impl HeapSymbols {
    /// How many versions there have been.
    pub(crate) fn n_versions(&self) -> u32 {
        self.n_versions
    }

    /// A version that was not before.
    pub(crate) fn new_version(&mut self) -> u32 {
        self.n_versions += 1;
        self.n_versions
    }

    pub(crate) fn is_within_loops(&self, version: MemoryVersion) -> bool {
        matches!(version, MemoryVersion::At(number) if self.within_loops.contains(&number))
    }
}
