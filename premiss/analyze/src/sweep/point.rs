//! The result of a sweep: misses, operations and least times at each point, and the thresholds between the points.

use crate::counts::Provenance;
use premiss_histogram::Counted;
use premiss_time::Bound;
use premiss_tree::{NestTree, ReferenceId};
use std::collections::BTreeMap;

/// The misses of a function at several points.
#[derive(Debug)]
pub struct FunctionSweep {
    /// One entry for each point, in the order of the argument.
    pub points: Vec<SweepPoint>,
    /// How many closed forms were derived.
    pub derivations: usize,
    /// Why some points were not counted by closed forms; lines without a final stop.
    pub reasons: Vec<String>,
    /// Where misses begin to grow notably, by rising value of the swept size; empty unless a closed form in exactly one
    /// size was derived.
    pub thresholds: Vec<SweepThreshold>,
}

/// The counts at one point.
#[derive(Debug)]
pub struct SweepPoint {
    /// The misses of each level (caches, then TLBs), and which engine counted them.
    pub levels: Vec<(Counted, Provenance)>,
    /// Operations on real and complex numbers.
    pub flops: Counted,
    /// The least time on one core; `None` where the machine does not describe its core.
    pub bound: Option<Bound>,
}

/// The value of a size from which on a reference misses notably more often in a level.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct SweepThreshold {
    /// The value of the size.
    pub value: i64,
    /// The name of the size.
    pub size: String,
    /// The index of the level: caches first, then TLBs.
    pub level: usize,
    /// The reference.
    pub reference: ReferenceId,
}

/// The values of sizes, by name.
pub type Point = BTreeMap<String, i64>;

/// The tree with those of its sizes that have no value set to the values of a point.
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
