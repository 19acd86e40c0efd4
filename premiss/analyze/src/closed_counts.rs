//! A closed form evaluated at given sizes, as counts for each reference of the tree.

use crate::options::MeasureOptions;
use premiss_cache::CacheGeometry;
use premiss_distance::{ConflictSets, PreparedHistogram, SizedHistogram};
use premiss_formulas::{Derivation, NoClosedForm};
use premiss_histogram::{Counted, ReuseDistanceHistogram};
use premiss_presburger::{Budget, Refusal};
use premiss_trace::{Execution, PerReference};
use premiss_tree::{NestTree, ReferenceId};
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
    /// The misses of LRU caches that see every access, by sets and ways; those of several sets as far as they were decided.
    pub(crate) misses: BTreeMap<(u64, u64), PerReference<Counted>>,
    /// The first and the last line of each array, if all arrays could be placed.
    pub(crate) ranges: Option<Vec<(u64, u64)>>,
    /// What decides misses in caches of several sets that do not hold all arrays, if it could be derived.
    pub(crate) sets: Option<Sets>,
}

impl ClosedCounts {
    /// The counts between those of lower and of upper distances, where data decide what executes.
    pub(crate) fn between(lower: Self, upper: Self) -> Self {
        let histograms = lower.histograms.zip(upper.histograms);
        let mut misses = upper.misses;
        misses.retain(|shape, _| lower.misses.contains_key(shape));
        for (shape, bounds) in &mut misses {
            *bounds = all_between(&lower.misses[shape], bounds);
        }
        Self {
            accesses: all_between(&lower.accesses, &upper.accesses),
            histograms: histograms.map(|(least, mut greatest)| {
                for (id, histogram) in greatest.iter_mut() {
                    *histogram = ReuseDistanceHistogram::between(&least[id], histogram);
                }
                greatest
            }),
            misses,
            ranges: upper.ranges,
            sets: lower.sets.zip(upper.sets).map(|(lower, upper)| Sets {
                least: Some(lower.conflicts),
                ..upper
            }),
        }
    }

    /// Whether all lines of all arrays fit into a cache at the same time.
    pub(crate) fn fits(&self, geometry: CacheGeometry) -> bool {
        self.ranges
            .as_ref()
            .is_some_and(|ranges| geometry.holds(ranges))
    }

    /// Decides the misses of set-associative LRU caches that see every access, in at most so many steps each; what takes more is
    /// left out.
    pub(crate) fn decide(&mut self, geometries: &[CacheGeometry], steps: u64) {
        for geometry in geometries {
            if let Some(misses) = self.decided(*geometry, steps) {
                self.misses.insert((geometry.sets, geometry.ways), misses);
            }
        }
    }

    /// The misses of one such cache; `None` where they take more steps.
    pub(crate) fn decided(
        &self,
        geometry: CacheGeometry,
        steps: u64,
    ) -> Option<PerReference<Counted>> {
        if self.fits(geometry) {
            // As sets do not matter, the misses are those of as many lines in one set.
            return self.misses.get(&(1, geometry.lines())).cloned();
        }
        self.sets.as_ref()?.decided(geometry, steps)
    }
}

/// The lines between two touches of each line, with arrays placed.
#[derive(Debug)]
pub(crate) struct Sets {
    /// Where data decide what executes, those of upper distances.
    conflicts: ConflictSets,
    /// Those of lower distances then.
    least: Option<ConflictSets>,
    /// No misses, for each reference.
    nothing: PerReference<Counted>,
}

impl Sets {
    /// Those of a tree whose closed form is known, with arrays where an execution places them.
    pub(crate) fn of(
        tree: &NestTree,
        form: &Derivation,
        execution: &Execution<'_>,
        options: &MeasureOptions,
    ) -> Result<Self, NoClosedForm> {
        let conflicts = form.conflict_sets(execution.bases(), options.effort, options.store());
        Ok(Self {
            conflicts: conflicts?,
            least: None,
            nothing: per_reference(tree, &Counted::ZERO),
        })
    }
}

impl Sets {
    /// The misses of a cache; `None` where they take more steps.
    fn decided(&self, geometry: CacheGeometry, steps: u64) -> Option<PerReference<Counted>> {
        let misses = |conflicts: &ConflictSets| {
            let misses = conflicts.misses(geometry, &mut Budget::new(steps));
            Some(summed(&self.nothing, misses.ok()?))
        };
        bounded(self.least.as_ref(), &self.conflicts, misses)
    }
}

/// What `misses` finds of upper distances, or between those of lower and of upper ones.
fn bounded<T>(
    lower: Option<&T>,
    upper: &T,
    misses: impl Fn(&T) -> Option<PerReference<Counted>>,
) -> Option<PerReference<Counted>> {
    match lower {
        None => misses(upper),
        Some(lower) => Some(all_between(&misses(lower)?, &misses(upper)?)),
    }
}

/// The numbers between two exact ones, for each reference.
pub(crate) fn all_between(
    lower: &PerReference<Counted>,
    upper: &PerReference<Counted>,
) -> PerReference<Counted> {
    let mut all = upper.clone();
    for (id, count) in all.iter_mut() {
        let ends = lower[id].exact().zip(count.exact());
        *count = ends.map_or(Counted::Unknown, |(lower, upper)| {
            Counted::between(lower, upper)
        });
    }
    all
}

/// Numbers for some references, and `nothing` for the others.
pub(crate) fn summed(
    nothing: &PerReference<Counted>,
    misses: Vec<(ReferenceId, u64)>,
) -> PerReference<Counted> {
    let mut counts = nothing.clone();
    for (reference, number) in misses {
        counts[reference] += Counted::Exact(number);
    }
    counts
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
        by_capacity.insert((1, *capacity), misses(*capacity)?);
    }
    Ok(ClosedCounts {
        accesses,
        histograms,
        misses: by_capacity,
        ranges: None,
        sets: None,
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
