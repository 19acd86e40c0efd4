//! A closed form evaluated at given sizes, as counts for each reference of the tree.

use crate::options::MeasureOptions;
use premiss_cache::CacheGeometry;
use premiss_distance::{ConflictSets, PreparedHistogram, SizedHistogram};
use premiss_formulas::{Derivation, NoClosedForm, PageForm};
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
    conflicts: ConflictSets,
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
            nothing: per_reference(tree, &Counted::ZERO),
        })
    }
}

impl Sets {
    /// The misses of a cache; `None` where they take more steps.
    fn decided(&self, geometry: CacheGeometry, steps: u64) -> Option<PerReference<Counted>> {
        let misses = self.conflicts.misses(geometry, &mut Budget::new(steps));
        Some(summed(&self.nothing, misses.ok()?))
    }
}

/// The elements between two touches of each page, with arrays placed.
#[derive(Debug)]
pub(crate) struct Pages {
    form: PageForm,
    /// No misses, for each reference.
    nothing: PerReference<Counted>,
}

impl Pages {
    /// Those of a tree with pages, or lines, of so many bytes, with arrays where an execution places them; `None` where
    /// two of them share a page, or nothing could be derived.
    pub(crate) fn of(
        tree: &NestTree,
        page_size: u64,
        execution: &Execution<'_>,
        options: &MeasureOptions,
    ) -> Option<Self> {
        let mut ranges = execution.line_ranges(page_size)?;
        ranges.sort_unstable();
        let are_apart = ranges.windows(2).all(|pair| pair[0].1 < pair[1].0);
        let form = are_apart
            .then(|| PageForm::derive(tree, page_size, execution.bases(), options.effort))?;
        Some(Self {
            form: form.ok()?,
            nothing: per_reference(tree, &Counted::ZERO),
        })
    }

    /// The misses of a cache or TLB; `None` where they take more steps.
    pub(crate) fn decided(
        &self,
        geometry: CacheGeometry,
        steps: u64,
    ) -> Option<PerReference<Counted>> {
        let misses = self.form.misses(geometry, &mut Budget::new(steps));
        Some(summed(&self.nothing, misses.ok()?))
    }
}

/// Numbers for some references, and `nothing` for the others.
fn summed(
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
