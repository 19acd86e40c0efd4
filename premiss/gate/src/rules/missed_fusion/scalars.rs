//! Values that variables pass from one loop to another.

use premiss_tree::{Arithmetic, Loop, NestTree, Node, ScalarId};
use std::collections::BTreeSet;

/// The scalar variables of a loop.
#[derive(Default)]
pub(super) struct Scalars {
    /// Those written in some iteration.
    writes: BTreeSet<ScalarId>,
    /// Those read in some iteration, possibly before the iteration writes them.
    needs: BTreeSet<ScalarId>,
    /// Those that the current iteration has certainly written.
    definite_writes: BTreeSet<ScalarId>,
}

impl Scalars {
    /// The scalars of a loop; `None` if calls or pointers may change others.
    pub(super) fn new(tree: &NestTree, inner: &Loop) -> Option<Self> {
        let mut scalars = Self::default();
        scalars.repeat(tree, inner)?;
        Some(scalars)
    }

    /// Whether no variable passes a value from this loop, or from the nodes after it, to the second loop, and none that
    /// this loop reads is changed in between.
    pub(super) fn let_pass(&self, tree: &NestTree, between: &[Node], second: &Self) -> bool {
        let mut middle = Self::default();
        if middle.nodes(tree, between).is_none() {
            return false;
        }
        // In a fused loop, the nodes between would run before both.
        self.writes.is_disjoint(&middle.needs)
            && self.needs.is_disjoint(&middle.writes)
            && self.writes.is_disjoint(&middle.writes)
            && self.writes.is_disjoint(&second.needs)
            && self.needs.is_disjoint(&second.writes)
    }

    fn repeat(&mut self, tree: &NestTree, inner: &Loop) -> Option<()> {
        // The iterator belongs to the loop.
        let iterator = &tree.loops[inner.id].iterator;
        let named = tree
            .work
            .scalars
            .iter()
            .filter(|(_, scalar)| scalar.name == *iterator);
        let own: BTreeSet<ScalarId> = named.map(|(id, _)| id).collect();
        self.definite_writes.extend(&own);
        self.row(&tree.work.headers[inner.id])?;
        let before = self.definite_writes.clone();
        self.nodes(tree, &inner.body)?;
        // The loop may run zero times.
        self.definite_writes = before;
        self.writes.retain(|id| !own.contains(id));
        Some(())
    }

    fn nodes(&mut self, tree: &NestTree, nodes: &[Node]) -> Option<()> {
        for node in nodes {
            match node {
                Node::Operations(id) => self.row(&tree.work.operations[*id].arithmetic)?,
                Node::Loop(inner) => self.repeat(tree, inner)?,
                Node::Branch {
                    then, otherwise, ..
                } => {
                    let before = self.definite_writes.clone();
                    self.nodes(tree, then)?;
                    let after_then = std::mem::replace(&mut self.definite_writes, before);
                    self.nodes(tree, otherwise)?;
                    self.definite_writes = &self.definite_writes & &after_then;
                }
                Node::Opaque(_) => return None,
                Node::Access(_) | Node::Assign { .. } => {}
            }
        }
        Some(())
    }

    fn row(&mut self, row: &Arithmetic) -> Option<()> {
        if row.is_veiled || !row.calls.is_empty() {
            return None;
        }
        let needed = row
            .needs
            .iter()
            .filter(|id| !self.definite_writes.contains(id));
        self.needs.extend(needed);
        self.definite_writes.extend(row.writes.keys());
        self.writes.extend(row.writes.keys());
        Some(())
    }
}
