//! The results of a sweep: misses, operations and least times at each point, and the thresholds between them.

use crate::counts::Provenance;
use premiss_histogram::Counted;
use premiss_time::Bound;
use premiss_tree::{NestTree, ReferenceId};
use std::collections::BTreeMap;

/// The misses of a function at several sizes.
#[derive(Debug)]
pub struct FunctionSweep {
    /// The points, in the order asked for.
    pub points: Vec<SweepPoint>,
    /// How many closed forms were derived.
    pub derivations: usize,
    /// Why some points were not provenance by closed forms; lines without a final stop.
    pub reasons: Vec<String>,
    /// Sizes from which on a level no longer holds what it held, by rising size.
    pub thresholds: Vec<SweepThreshold>,
}

/// The misses at one point.
#[derive(Debug)]
pub struct SweepPoint {
    /// For each level its misses, and which engine counted them.
    pub levels: Vec<(Counted, Provenance)>,
    /// Operations on real and complex numbers.
    pub flops: Counted,
    /// How long it takes at least; `None` where the machine tells nothing of its core.
    pub bound: Option<Bound>,
}

/// From a size on, a reference misses more often.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct SweepThreshold {
    /// The size.
    pub value: i64,
    /// Its name.
    pub size: String,
    /// The index of the level.
    pub level: usize,
    /// The reference.
    pub reference: ReferenceId,
}

/// Sizes by name.
pub type Point = BTreeMap<String, i64>;

/// The tree with the sizes of a point.
pub(super) fn tree_at(tree: &NestTree, point: &Point) -> NestTree {
    let mut tree = tree.clone();
    let all = tree.parameters.values_mut();
    for parameter in all.chain(tree.work.parameters.values_mut()) {
        if parameter.value.is_none() {
            parameter.value = point.get(&parameter.name).copied();
        }
    }
    tree
}
