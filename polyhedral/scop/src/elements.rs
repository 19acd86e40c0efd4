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
