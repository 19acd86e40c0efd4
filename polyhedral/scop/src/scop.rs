//! The types of a [`Scop`].

use cranelift_entity::{PrimaryMap, entity_impl};
use premiss_presburger::{Affine, System};
use premiss_tree::{ArrayId, LoopId, ParameterId, ReferenceId};

/// A node of the tree.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(u32);
entity_impl!(NodeId, "N");

/// An array with the coordinates that name its lines.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LineSpaceId(u32);
entity_impl!(LineSpaceId, "S");

/// What a function does to the lines of memory, as sets.
///
/// Columns: 0 is the constant one; then `parameters`; then one for each loop around a node,
/// outermost first. Domains and lines of an access are over these.
#[derive(Clone, Debug)]
pub struct Scop {
    /// Bytes in a line.
    pub line_size: u64,
    /// The sizes that are symbolic, in order of their columns.
    pub parameters: Vec<SymbolicParameter>,
    /// What is taken for granted of the parameters: outside of it the scop says nothing.
    pub context: System,
    /// The arrays. No two share a line.
    pub spaces: PrimaryMap<LineSpaceId, LineSpace>,
    /// The tree's nodes.
    pub nodes: PrimaryMap<NodeId, Node>,
    /// The outermost nodes, in order of execution.
    pub roots: Vec<NodeId>,
}

/// A size that is symbolic: `size = factor·x + residue` in terms of its column's `x`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SymbolicParameter {
    /// Which size.
    pub id: ParameterId,
    /// Such as the elements in a line; 1 where only the size itself matters.
    pub factor: i64,
    /// The residue class, `0 <= residue < factor`.
    pub residue: i64,
}

/// An array and the coordinates that name its lines: two accesses to it touch the same line if and
/// only if they agree in all coordinates.
#[derive(Clone, Debug)]
pub struct LineSpace {
    /// The array.
    pub array: ArrayId,
    /// The coordinates.
    pub coordinates: Vec<LineCoordinate>,
}

/// One coordinate of the name of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LineCoordinate {
    /// Its least and greatest value where these are small constants, such as 0 and 7 for the place
    /// of a row within a band of eight.
    pub range: Option<(i64, i64)>,
}

/// A loop or an access.
#[derive(Clone, Debug)]
pub struct Node {
    /// The loop around it.
    pub parent: Option<NodeId>,
    /// How many loops are around it.
    pub depth: usize,
    /// What it is.
    pub kind: NodeKind,
}

/// What a node is.
#[derive(Clone, Debug)]
pub enum NodeKind {
    /// Executes its children in order for each value of its variable, whose column is
    /// `1 + parameters + depth` of this node. For which values each child's accesses execute is
    /// told by their domains alone.
    Loop {
        /// The loop of the program that it is, or is a part of.
        id: LoopId,
        /// In which order.
        direction: Direction,
        /// Its least and greatest value where these are small constants, such as 0 and 7 for the
        /// place within a line.
        range: Option<(i64, i64)>,
        /// What is executed, in order.
        children: Vec<NodeId>,
    },
    /// Touches one line each time.
    Access(Access),
}

/// In which order a loop takes the values of its variable.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Direction {
    /// From the least to the greatest.
    Ascending,
    /// From the greatest to the least.
    Descending,
}

/// An access: for which iterations it executes, and the line that it touches then.
#[derive(Clone, Debug)]
pub struct Access {
    /// The reference of the program.
    pub reference: ReferenceId,
    /// The array.
    pub space: LineSpaceId,
    /// Pairwise disjoint; together, all iterations that execute the access.
    pub pieces: Vec<Piece>,
}

/// A part of an access's domain on which its line is an affine function.
#[derive(Clone, Debug)]
pub struct Piece {
    /// The iterations, over the columns of parameters and of the loops around, within the context.
    pub domain: System,
    /// The coordinates of the line, over the same columns without floors.
    pub line: Vec<Affine>,
}
