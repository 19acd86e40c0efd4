//! How references move from one iteration to the next, in bytes.

use premiss_scop::{Stride, formulae};
use premiss_tree::{LoopId, NestTree, ReferenceId};
use std::collections::BTreeMap;

/// For each reference, the bytes by which it moves with each loop around it, outermost first; `None` where
/// that is not the same in all iterations, data decide it, or a size has no value.
#[must_use]
pub fn strides(tree: &NestTree) -> BTreeMap<ReferenceId, Vec<(LoopId, Option<i64>)>> {
    let of_one = |stride: &Stride| (stride.id, bytes(tree, stride));
    formulae(tree)
        .into_iter()
        .map(|x| (x.reference, x.strides.iter().map(of_one).collect()))
        .collect()
}

fn bytes(tree: &NestTree, stride: &Stride) -> Option<i64> {
    let mut sum = 0_i64;
    for (product, coefficient) in stride.bytes.as_ref()? {
        let mut term = *coefficient;
        for size in product {
            term = term.checked_mul(tree.parameters[*size].value?)?;
        }
        sum = sum.checked_add(term)?;
    }
    Some(sum)
}
