//! The types of a [`ReuseRelation`].

use crate::NodePart;
use premiss_presburger::{Affine, System};
use premiss_scop::{LineSpaceId, NodeId};
use std::collections::BTreeMap;

/// Which distances a relation has, where data decide whether accesses execute (rule 3 of the access model). Both are the
/// same where all accesses are certain.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum DistanceBound {
    /// The least: of certain accesses alone, the lines certainly touched since their line last may have been.
    Lower,
    /// The greatest: the lines that may have been touched since an access's line last certainly was.
    Upper,
}

/// For each access of a scop: which access touched its line last, and what executed in between.
#[derive(Clone, Debug)]
pub struct ReuseRelation {
    /// One entry for each access, in order of execution of the tree.
    pub accesses: Vec<AccessReuse>,
    /// The lines of each array that the parts named by segments touch, as disjoint systems over the parameters, the
    /// variables of the part, and the coordinates of the line.
    pub footprints: FootprintTable,
}

/// Systems by node, part and array.
pub type FootprintTable = BTreeMap<(NodeId, NodePart, LineSpaceId), Vec<System>>;

/// Where the line of one access comes from.
#[derive(Clone, Debug)]
pub struct AccessReuse {
    /// The access.
    pub sink: NodeId,
    /// The iterations with a predecessor, as pairwise disjoint parts of its domain.
    pub reuses: Vec<Reuse>,
    /// The iterations that are the first to touch their line, pairwise disjoint.
    pub cold: Vec<System>,
}

/// Iterations of a sink whose lines were last touched by one source.
#[derive(Clone, Debug)]
pub struct Reuse {
    /// The sink's iterations, over its columns; pairwise disjoint.
    pub domain: Vec<System>,
    /// A system that contains all of `domain`.
    pub hull: System,
    /// The sink's line: one form over the sink's columns for each coordinate.
    pub line: Vec<Affine>,
    /// The access that touched the line last.
    pub source: NodeId,
    /// The source's iteration: one form over the sink's columns for the variable of each loop around the source,
    /// outermost first.
    pub map: Vec<Affine>,
    /// The loop that carries the reuse; `None` where source and sink execute in the same iteration of all loops around
    /// both, or no loop is around both.
    pub carrier: Option<NodeId>,
    /// Whether the sink's line may be touched in between: possible accesses are no sources of upper bounds.
    pub may_return: bool,
    /// Everything that executes after the source and before the sink.
    pub between: Vec<Segment>,
}

/// A part of the tree that executes between a source and a sink.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Segment {
    /// The node that it is a part of.
    pub node: NodeId,
    /// Which part.
    pub part: NodePart,
    /// The values of the part's variables, as forms over the sink's columns.
    pub map: Vec<Affine>,
}
