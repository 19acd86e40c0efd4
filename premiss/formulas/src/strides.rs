//! How references move from one iteration to the next, in bytes.

use premiss_scop::{Stride, formulae, value_of};
use premiss_tree::{LoopId, NestTree, ReferenceId};
use std::collections::BTreeMap;

/// For each reference, the bytes by which it moves in one iteration of each loop around it, outermost first (the
/// strides of Marin and Mellor-Crummey 2005); `None` where they differ between iterations, depend on data, or depend on
/// a size without a value.
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
