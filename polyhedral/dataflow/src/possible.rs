//! Which accesses of a scop take which part in a relation, where data decide whether they execute.

use crate::relation::DistanceBound;
use premiss_scop::{Certainty, LineSpaceId, NodeId, NodeKind, Scop};
use std::borrow::Cow;
use std::collections::HashSet;

/// The same nodes three times, each with the accesses that count for one purpose.
pub(crate) struct AccessRoles<'s> {
    /// The accesses whose distances are searched.
    pub(crate) sinks: Cow<'s, Scop>,
    /// Those that may be the last to touch a line.
    pub(crate) sources: Cow<'s, Scop>,
    /// Those whose lines count in between.
    pub(crate) between: Cow<'s, Scop>,
    /// Nodes with possible accesses in them, by space, where these are no sources.
    possible: HashSet<(NodeId, LineSpaceId)>,
}

impl<'s> AccessRoles<'s> {
    /// The roles of the accesses of a scop for lower or upper distances.
    pub(crate) fn new(scop: &'s Scop, bound: DistanceBound) -> Self {
        let all = Cow::Borrowed(scop);
        let certain = match scop.is_certain() {
            true => all.clone(),
            false => Cow::Owned(scop.without_possible()),
        };
        match bound {
            DistanceBound::Lower => Self {
                sinks: certain.clone(),
                sources: all,
                between: certain,
                possible: HashSet::new(),
            },
            DistanceBound::Upper => Self {
                sinks: all.clone(),
                sources: certain,
                between: all,
                possible: possible_nodes(scop),
            },
        }
    }

    /// Whether a node has accesses to a space that are no sources.
    pub(crate) fn hides(&self, node: NodeId, space: LineSpaceId) -> bool {
        self.possible.contains(&(node, space))
    }
}

/// The nodes with possible accesses in them, by space.
fn possible_nodes(scop: &Scop) -> HashSet<(NodeId, LineSpaceId)> {
    let mut nodes = HashSet::new();
    for (id, node) in &scop.nodes {
        let NodeKind::Access(access) = &node.kind else {
            continue;
        };
        let mut inside = (access.certainty == Certainty::Possible).then_some(id);
        while let Some(node) = inside {
            nodes.insert((node, access.space));
            inside = scop.nodes[node].parent;
        }
    }
    nodes
}
