//! The symbols for values in memory: sizes and arrays by cell and version, so that two loads of one cell at one
//! version yield the same symbol.

use crate::domain::memory_version::MemoryVersion;
use crate::domain::row_pointers::{AllocationLevel, TableRows};
use crate::domain::values::ArrayRow;
use crate::syntax::Name;
use premiss_tree::{Expression, ParameterId};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// A scalar in memory at a version: array, byte offset, size and version.
pub(crate) type CellKey = (ArrayRow, Option<i64>, u32, MemoryVersion);

/// The pointers of one member of a table's elements at a version: array, byte offset within an element, and version.
pub(crate) type TableKey = (ArrayRow, i64, MemoryVersion);

/// The symbols for values in memory.
#[derive(Default)]
pub(crate) struct HeapSymbols {
    pub(crate) sizes: BTreeMap<CellKey, Expression>,
    /// Those for scalars at offsets that are not constant.
    pub(crate) elements: FxHashMap<(ArrayRow, Expression, u8, MemoryVersion), Expression>,
    pub(crate) regions: BTreeMap<CellKey, (ArrayRow, Expression)>,
    /// The rows that pointers of tables lead to.
    pub(crate) tables: BTreeMap<TableKey, TableRows>,
    /// All rows, with the symbols for their distances.
    pub(crate) rows: Vec<TableRows>,
    /// The open loops, with what their iterations allocate.
    pub(crate) levels: Vec<AllocationLevel>,
    /// Whether blocks that are allocated now are stored to elements.
    pub(crate) keeps_blocks: bool,
    /// What they allocate, where it is known.
    pub(crate) distances: BTreeMap<ParameterId, Option<Expression>>,
    /// The first array of the blocks that the iterations of an outermost loop allocate.
    pub(crate) areas: BTreeMap<ParameterId, ArrayRow>,
    /// Further arrays in such an area.
    pub(crate) shared_areas: BTreeMap<ArrayRow, ArrayRow>,
    /// The blocks of pointers of which nothing tells where they lead, by function and by the text of the pointer.
    pub(crate) own_blocks: BTreeMap<(Name, String), ArrayRow>,
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

    /// Whether a parameter is the symbol for the distance between rows.
    pub(crate) fn is_stride(&self, id: ParameterId) -> bool {
        self.rows.iter().any(|rows| rows.stride == id)
            || self.levels.iter().any(|level| level.stride == id)
            || self.distances.contains_key(&id)
    }

    /// Whether a parameter is a symbol that stands for a distance or length until the function is known.
    pub(crate) fn is_row_symbol(&self, id: ParameterId) -> bool {
        self.is_stride(id) || self.rows.iter().any(|rows| rows.length == id)
    }

    pub(crate) fn is_within_loops(&self, version: MemoryVersion) -> bool {
        matches!(version, MemoryVersion::TextRange(number) if self.within_loops.contains(&number))
    }
}
