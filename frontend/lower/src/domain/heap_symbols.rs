//! The symbols for values in memory: sizes and arrays by cell and version, so that two loads of one cell at one
//! version yield the same symbol.

use crate::domain::memory_version::MemoryVersion;
use crate::domain::values::ArrayRow;
use premiss_tree::Expression;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// A scalar in memory at a version: array, byte offset, size and version.
pub(crate) type CellKey = (ArrayRow, Option<i64>, u32, MemoryVersion);

/// The symbols for values in memory.
#[derive(Default)]
pub(crate) struct HeapSymbols {
    pub(crate) sizes: BTreeMap<CellKey, Expression>,
    /// Those for scalars at offsets that are not constant.
    pub(crate) elements: FxHashMap<(ArrayRow, Expression, u8, MemoryVersion), Expression>,
    pub(crate) regions: BTreeMap<CellKey, (ArrayRow, Expression)>,
    pub(crate) n_versions: u32,
    /// Versions that began at the head of an inner loop: their values are variables that are never assigned, unknown
    /// except when that loop is lowered separately.
    pub(crate) within_loops: BTreeSet<u32>,
}

impl HeapSymbols {
    /// The number of versions so far.
    pub(crate) fn n_versions(&self) -> u32 {
        self.n_versions
    }

    /// A new version.
    pub(crate) fn new_version(&mut self) -> u32 {
        self.n_versions += 1;
        self.n_versions
    }

    pub(crate) fn is_within_loops(&self, version: MemoryVersion) -> bool {
        matches!(version, MemoryVersion::TextRange(number) if self.within_loops.contains(&number))
    }
}
