//! A closed form evaluated at given sizes, as counts for each reference of the tree.

use premiss_distance::{PreparedHistogram, SizedHistogram};
use premiss_histogram::{Counted, ReuseDistanceHistogram};
use premiss_presburger::{Budget, Refusal};
use premiss_trace::PerReference;
use premiss_tree::NestTree;
use std::collections::BTreeMap;

/// Histograms of a function with more entries than this in total are not written out.
const MOST_WRITTEN_OUT: u64 = 1 << 26;

/// The counts of a closed form at given sizes, for each reference of the tree.
#[derive(Debug)]
pub(crate) struct ClosedCounts {
    /// How often each reference is executed.
    pub(crate) accesses: PerReference<Counted>,
    /// The reuse distances; `None` where there are too many entries to write out.
    pub(crate) histograms: Option<PerReference<ReuseDistanceHistogram>>,
    /// The misses of fully associative LRU caches, by capacity in lines.
    pub(crate) misses: BTreeMap<u64, PerReference<Counted>>,
}

/// The histograms in full, for each reference of the tree.
fn written_out(
    tree: &NestTree,
    sized: &SizedHistogram,
) -> Result<PerReference<ReuseDistanceHistogram>, Refusal> {
    let mut budget = Budget::new(MOST_WRITTEN_OUT);
    let mut histograms = per_reference(tree, &ReuseDistanceHistogram::default());
    for part in &sized.references {
        histograms[part.reference].merge(&part.histogram(&mut budget)?);
    }
    Ok(histograms)
}

/// Evaluates a closed form at the values of its columns, for caches of these capacities.
pub(crate) fn counts(
    tree: &NestTree,
    form: &PreparedHistogram,
    values: &[i128],
    capacities: &[u64],
) -> Result<ClosedCounts, Refusal> {
    let sized = form.at(values)?;
    let misses = |capacity: u64| {
        let mut counts = per_reference(tree, &Counted::ZERO);
        for part in &sized.references {
            counts[part.reference] += Counted::Exact(part.misses(capacity)?);
        }
        Ok::<_, Refusal>(counts)
    };
    let accesses = misses(0)?;
    let histograms = match written_out(tree, &sized) {
        Err(Refusal::Budget) => None,
        histograms => Some(histograms?),
    };
    let mut by_capacity = BTreeMap::new();
    for capacity in capacities {
        by_capacity.insert(*capacity, misses(*capacity)?);
    }
    Ok(ClosedCounts {
        accesses,
        histograms,
        misses: by_capacity,
    })
}

/// The same value for each reference of a tree.
pub(crate) fn per_reference<T: Clone + Default>(tree: &NestTree, value: &T) -> PerReference<T> {
    let mut all = PerReference::with_capacity(tree.references.len());
    for reference in tree.references.keys() {
        all[reference] = value.clone();
    }
    all
}
