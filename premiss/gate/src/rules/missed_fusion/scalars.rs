//! What goes from one loop to another through variables.

use premiss_tree::{Arithmetic, Loop, NestTree, Node, ScalarId};
use std::collections::BTreeSet;

/// The scalar variables of a loop.
#[derive(Default)]
pub(super) struct Scalars {
    /// Written in some iteration.
    writes: BTreeSet<ScalarId>,
    /// Read in some iteration, perhaps before it has written them.
    needs: BTreeSet<ScalarId>,
    /// What an iteration has certainly written by now.
    definite_writes: BTreeSet<ScalarId>,
}

impl Scalars {
    /// Those of a loop; nothing where calls or pointers may change others.
    pub(super) fn new(tree: &NestTree, inner: &Loop) -> Option<Self> {
        let mut scalars = Self::default();
        scalars.repeat(tree, inner)?;
        Some(scalars)
    }

    /// Whether no variable goes from this loop, or from what is computed after it, to another loop, and none
    /// that this loop needs is changed by then.
    pub(super) fn let_pass(&self, tree: &NestTree, between: &[Node], second: &Self) -> bool {
        let mut middle = Self::default();
        if middle.nodes(tree, between).is_none() {
            return false;
        }
        // What is computed between would run before both.
        self.writes.is_disjoint(&middle.needs)
            && self.needs.is_disjoint(&middle.writes)
            && self.writes.is_disjoint(&middle.writes)
            && self.writes.is_disjoint(&second.needs)
            && self.needs.is_disjoint(&second.writes)
    }

    fn repeat(&mut self, tree: &NestTree, inner: &Loop) -> Option<()> {
        // The iterator is the loop's own.
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
        // It may run no time.
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
