//! How references move from one iteration to the next, in bytes.

use premiss_scop::{Stride, formulae, value_of};
use premiss_tree::{LoopId, NestTree, ReferenceId};
use std::collections::BTreeMap;

/// For each reference, the bytes by which it moves with each loop around it, outermost first; `None` where
/// that is not the same in all iterations, data decide it, or a size has no value.
#[must_use]
pub fn strides(tree: &NestTree) -> BTreeMap<ReferenceId, Vec<(LoopId, Option<i64>)>> {
    let bytes =
        |stride: &Stride| value_of(stride.bytes.as_ref()?, |size| tree.parameters[size].value);
    let of_one = |stride: &Stride| (stride.id, bytes(stride));
    formulae(tree)
        .into_iter()
        .map(|x| (x.reference, x.strides.iter().map(of_one).collect()))
        .collect()
}
