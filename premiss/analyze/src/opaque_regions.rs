//! Finds the parts of a tree that were not understood.

use premiss_tree::{LoopId, NestTree, Node};
use std::collections::BTreeSet;

/// Where a tree has opaque nodes: they may have accesses that belong to no reference.
pub(crate) struct OpaqueRegions {
    pub(crate) somewhere: bool,
    pub(crate) loops: BTreeSet<LoopId>,
}

impl OpaqueRegions {
    pub(crate) fn of(tree: &NestTree) -> Self {
        let mut opaque = Self {
            somewhere: false,
            loops: BTreeSet::new(),
        };
        opaque.collect(tree, &tree.body, None);
        opaque
    }

    fn collect(&mut self, tree: &NestTree, nodes: &[Node], inside: Option<LoopId>) {
        for node in nodes {
            match node {
                Node::Loop(node) => self.collect(tree, &node.body, Some(node.id)),
                Node::Branch {
                    then, otherwise, ..
                } => {
                    self.collect(tree, then, inside);
                    self.collect(tree, otherwise, inside);
                }
                Node::Opaque(_) => {
                    self.somewhere = true;
                    let around = std::iter::successors(inside, |id| tree.loops[*id].inside);
                    self.loops.extend(around);
                }
                Node::Access(_) | Node::Assign { .. } | Node::Operations(_) => {}
            }
        }
    }
}
