//! Sizes that are not the program's own: what variables and memory hold at some place.
//!
//! A variable of which nothing is known becomes a size before each outermost loop that mentions it
//! ([`super::entry`]). Where the loop sets it first, such as the iterator of a loop inside, nobody needs
//! the size: [`without_unread`] takes the assignment out.

use super::finish::variables_of;
use super::{Lowering, ReferenceRow};
use premiss_tree::{Expression, Node, ParameterId, VariableId};
use std::collections::{BTreeMap, BTreeSet};

type Live = BTreeSet<VariableId>;

impl Lowering<'_> {
    /// Removes assignments of minted sizes to variables that nothing reads afterwards.
    pub(super) fn without_unread(&self, nodes: &mut Vec<Node>) {
        let is_minted = |value: &Expression| match value {
            Expression::Parameter(id) => self.parameters[id.as_u32() as usize].is_minted,
            _ => false,
        };
        prune(nodes, &mut Live::new(), &self.references, &is_minted);
    }

    /// Names and values of the minted sizes: of several with one name, the second is `n#2`.
    pub(super) fn name_minted(&mut self, ids: &[ParameterId]) {
        let mut n_named: BTreeMap<super::Name, usize> = BTreeMap::new();
        for id in ids {
            let row = &mut self.parameters[id.as_u32() as usize];
            let n = n_named.entry(row.name.clone()).or_insert(0);
            *n += 1;
            if !row.is_minted {
                continue;
            }
            if 1 < *n {
                row.name = format!("{}#{n}", row.name).into();
            }
            let name = row.name.clone();
            row.value = self.program.size_value(&name);
        }
    }
}

/// Removes what is not read, from the last node on; `live` becomes what is read from the first on.
fn prune(
    nodes: &mut Vec<Node>,
    live: &mut Live,
    references: &[ReferenceRow],
    is_minted: &dyn Fn(&Expression) -> bool,
) {
    for idx in (0..nodes.len()).rev() {
        match &mut nodes[idx] {
            Node::Assign { variable, value } if is_minted(value) && !live.contains(variable) => {
                nodes.remove(idx);
            }
            Node::Branch {
                condition,
                then,
                otherwise,
            } => {
                let mut other = live.clone();
                prune(then, live, references, is_minted);
                prune(otherwise, &mut other, references, is_minted);
                live.append(&mut other);
                live.extend(variables_of(condition));
            }
            node => before(std::slice::from_ref(node), live, references),
        }
    }
}

/// Turns what is read after some nodes into what is read from the first of them on.
fn before(nodes: &[Node], live: &mut Live, references: &[ReferenceRow]) {
    for node in nodes.iter().rev() {
        match node {
            Node::Assign { variable, value } => {
                live.remove(variable);
                live.extend(variables_of(value));
            }
            Node::Access(id) => {
                live.extend(variables_of(&references[id.as_u32() as usize].offset));
            }
            Node::Branch {
                condition,
                then,
                otherwise,
            } => {
                let mut other = live.clone();
                before(then, live, references);
                before(otherwise, &mut other, references);
                live.append(&mut other);
                live.extend(variables_of(condition));
            }
            Node::Loop(inner) => {
                // What an iteration reads that it has not set itself.
                let mut exposed = Live::new();
                before(&inner.body, &mut exposed, references);
                live.append(&mut exposed);
                live.remove(&inner.variable);
                for part in [&inner.first, &inner.bound, &inner.step] {
                    live.extend(variables_of(part));
                }
            }
            Node::Opaque(_) | Node::Operations(_) => {}
        }
    }
}
