//! The types of a [`SymbolicHistogram`].

use premiss_presburger::{Column, Piece, System};
use premiss_scop::SymbolicParameter;
use premiss_tree::ReferenceId;

/// The reuse-distance histogram of each access of a scop, as a function of the symbolic sizes.
#[derive(Clone, Debug)]
pub struct SymbolicHistogram {
    /// Bytes in a line.
    pub line_size: u64,
    /// The sizes that are symbolic, in order of their columns.
    pub parameters: Vec<SymbolicParameter>,
    /// The values of the parameters for which it holds.
    pub context: System,
    /// One histogram for each access of the scop, in order of execution of the tree.
    pub references: Vec<ReferenceHistogram>,
}

/// The reuse distances of one reference.
#[derive(Clone, Debug)]
pub struct ReferenceHistogram {
    /// The reference.
    pub reference: ReferenceId,
    /// The number of accesses that are the first to touch their line, over the parameters: the pieces add up.
    pub cold: Vec<Piece>,
    /// The other accesses, by distance.
    pub entries: Vec<HistogramEntry>,
}

/// Accesses whose distance is one function of the sizes and of a few *axes*, loop variables of the
/// access.
///
/// For each value of the axes, `multiplicity` accesses are at the distance `distance`. In
/// `for i < n { for k < i { .. } .. A[i] }` with the distance `i`, the axis is `i`, the distance is `i`, and the
/// multiplicity 1 on `0 <= i < n`.
#[derive(Clone, Debug)]
pub struct HistogramEntry {
    /// The columns of the axes, rising; columns up to `parameters.len()` are sizes.
    pub axes: Vec<Column>,
    /// The distance, in distinct other lines, over the columns of a system that has no constraints,
    /// only floors.
    pub distance: Piece,
    /// The number of accesses for each value of the axes: the pieces add up, and where none holds
    /// there are none.
    pub multiplicity: Vec<Piece>,
}
