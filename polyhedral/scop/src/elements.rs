//! Scops whose lines are elements.

use crate::lower::lower;
use crate::options::{ArrayLayout, ScopOptions, Size};
use crate::reject::Reject;
use crate::scop::Scop;
use premiss_tree::{NestTree, Node, ParameterId, ReferenceId};
use std::collections::{BTreeMap, BTreeSet};

/// Lowers a tree to scops whose lines are elements: one scop for each length of elements in bytes, in order of lengths,
/// with the accesses of that length alone. Arrays are taken to be aligned.
///
/// # Errors
/// Those of [`lower`]; [`Reject::Straddles`] where an array is accessed in several lengths, or at offsets that are no
/// multiples of the length.
pub fn lower_elements(
    tree: &NestTree,
    sizes: &BTreeMap<ParameterId, Size>,
) -> Result<Vec<Scop>, Reject> {
    let mut by_length: BTreeMap<u32, BTreeSet<ReferenceId>> = BTreeMap::new();
    let mut length_of = BTreeMap::new();
    for (id, reference) in &tree.references {
        by_length.entry(reference.size).or_default().insert(id);
        if *length_of.entry(reference.array).or_insert(reference.size) != reference.size {
            return Err(Reject::Straddles(id));
        }
    }
    let mut scops = Vec::new();
    for (length, wanted) in by_length {
        let question = ScopOptions {
            line_size: u64::from(length),
            layout: ArrayLayout::Aligned,
            sizes: sizes.clone(),
        };
        let part = NestTree {
            body: only(&tree.body, &wanted),
            ..tree.clone()
        };
        scops.push(lower(&part, &question)?);
    }
    Ok(scops)
}

/// The nodes without accesses by other references.
fn only(nodes: &[Node], wanted: &BTreeSet<ReferenceId>) -> Vec<Node> {
    let is_wanted = |node: &&Node| !matches!(node, Node::Access(id) if !wanted.contains(id));
    let kept = nodes.iter().filter(is_wanted).cloned();
    let narrowed = kept.map(|mut node| {
        match &mut node {
            Node::Loop(inner) => inner.body = only(&inner.body, wanted),
            Node::Branch {
                then, otherwise, ..
            } => {
                *then = only(then, wanted);
                *otherwise = only(otherwise, wanted);
            }
            Node::Access(_) | Node::Assign { .. } | Node::Opaque(_) | Node::Operations(_) => {}
        }
        node
    });
    narrowed.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use premiss_tree::{EntityRef, Expression, VariableId};

    #[test]
    fn what_is_not_wanted_leaves_loops_arms_and_assignments_in_place() {
        let access = |id: usize| Node::Access(ReferenceId::new(id));
        let branch = |then: Vec<Node>, otherwise: Vec<Node>| Node::Branch {
            condition: Expression::Data,
            then,
            otherwise,
        };
        let assign = Node::Assign {
            variable: VariableId::new(0),
            value: 1.into(),
        };
        let wanted = BTreeSet::from([0, 2].map(ReferenceId::new));
        let both = branch(vec![access(0), access(1)], vec![access(1)]);
        let nodes = [access(1), both, assign.clone(), access(2)];
        let left = branch(vec![access(0)], vec![]);
        assert_eq!(only(&nodes, &wanted), [left, assign, access(2)]);
    }
}
