//! The types of a [`Scop`].

use cranelift_entity::{PrimaryMap, entity_impl};
use premiss_presburger::{Affine, Column, Polynomial, System};
use premiss_tree::{ArrayId, LoopId, ParameterId, ReferenceId};

/// The id of a node of a [`Scop`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(u32);
entity_impl!(NodeId, "N");

/// The id of a [`LineSpace`] of a [`Scop`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LineSpaceId(u32);
entity_impl!(LineSpaceId, "S");

/// The lines of memory that a function accesses: a loop tree with iteration domains and access relations.
///
/// Columns: 0 is the constant one; then one for each of `parameters`; then one for each loop node around a node,
/// outermost first. Domains and lines of an access are over these.
#[derive(Clone, Debug)]
pub struct Scop {
    /// Bytes in a line.
    pub line_size: u64,
    /// The sizes that are symbolic, in order of their columns.
    pub parameters: Vec<SymbolicParameter>,
    /// Constraints that the parameters are assumed to satisfy: outside of them the scop says nothing.
    pub context: System,
    /// The accessed arrays, no two of which share a line.
    pub spaces: PrimaryMap<LineSpaceId, LineSpace>,
    /// The nodes of the loop tree.
    pub nodes: PrimaryMap<NodeId, Node>,
    /// The outermost nodes, in order of execution.
    pub roots: Vec<NodeId>,
}

impl Scop {
    /// The column of the variable of the loop node around which there are `depth` others.
    #[must_use]
    pub fn variable_column(&self, depth: usize) -> Column {
        Column::at_place(self.parameters.len() + depth)
    }

    /// Whether all accesses are certain.
    #[must_use]
    pub fn is_certain(&self) -> bool {
        let mut nodes = self.nodes.values();
        nodes.all(
            |node| !matches!(&node.kind, NodeKind::Access(x) if x.certainty == Certainty::Possible),
        )
    }

    /// The same nodes with certain accesses alone: the others execute in no iteration.
    #[must_use]
    pub fn without_possible(&self) -> Self {
        let mut certain = self.clone();
        for node in certain.nodes.values_mut() {
            if let NodeKind::Access(access) = &mut node.kind
                && access.certainty == Certainty::Possible
            {
                access.pieces.clear();
            }
        }
        certain
    }
}

/// A size that is symbolic: `size = factor·x + residue` in terms of its column's `x`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SymbolicParameter {
    /// The size.
    pub id: ParameterId,
    /// At least 1; such as the number of elements in a line. 1 where only the size itself matters.
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
    /// The coordinates, in the order of [`Piece::line`].
    pub coordinates: Vec<LineCoordinate>,
}

/// One coordinate of the name of a line.
#[derive(Clone, PartialEq, Debug)]
pub struct LineCoordinate {
    /// Its least and greatest value where these are small constants, such as 0 and 7 for the place
    /// of a row within a band of eight.
    pub range: Option<(i64, i64)>,
    /// How many lines of memory lie between two lines that differ by one in this coordinate and agree in the others, over
    /// the columns of the parameters; `None` where that does not fit. Where all coordinates are zero is the line that the
    /// array starts in.
    pub weight: Option<Polynomial>,
}

impl LineCoordinate {
    /// Its weight, where that depends on no symbolic size.
    #[must_use]
    pub fn constant_weight(&self) -> Option<i64> {
        let weight = self.weight.as_ref()?.to_constant()?;
        i64::try_from(weight.to_integer()?).ok()
    }
}

/// A loop or an access.
#[derive(Clone, Debug)]
pub struct Node {
    /// The node of the innermost loop around it; `None` at the root.
    pub parent: Option<NodeId>,
    /// How many loop nodes are around it; a strip-mined loop is two nodes.
    pub depth: usize,
    /// What it is.
    pub kind: NodeKind,
}

/// What a node is.
#[derive(Clone, Debug)]
pub enum NodeKind {
    /// Executes its children in order for each value of its variable, whose column is `1 + parameters + depth` of this
    /// node. The domains of the accesses alone say for which values each of them executes.
    Loop {
        /// The loop of the program that it is, or of whose strip-mined pair it is a part.
        id: LoopId,
        /// In which order.
        direction: Direction,
        /// The least and greatest value of its variable where these are small constants, such as 0 and 7 for the place
        /// within a block.
        range: Option<(i64, i64)>,
        /// What is executed, in order.
        children: Vec<NodeId>,
    },
    /// Touches one line each time it executes.
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

/// Whether an access executes in every iteration of its domain.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Certainty {
    /// It does, whatever data are.
    Certain,
    /// It may: data decide, for each iteration.
    Possible,
}

/// An access: for which iterations it executes, and the line that it touches then.
#[derive(Clone, Debug)]
pub struct Access {
    /// The reference of the program.
    pub reference: ReferenceId,
    /// Whether it is sure to execute there. A reference that is certain in some iterations and possible in others is two
    /// accesses.
    pub certainty: Certainty,
    /// The array, as a space of lines.
    pub space: LineSpaceId,
    /// Pairwise disjoint; together, all iterations that execute the access.
    pub pieces: Vec<Piece>,
}

/// A part of an access's domain on which its line is an affine function.
#[derive(Clone, Debug)]
pub struct Piece {
    /// The iterations, over the columns of parameters and of the loops around, within the context.
    pub domain: System,
    /// One form for each coordinate of the line, over the same columns without floors.
    pub line: Vec<Affine>,
}
