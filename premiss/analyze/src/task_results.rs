//! The results of the tasks of one function, combined by level, loop, reference and line size.

use crate::closed_counts::per_reference;
use crate::count_error::CountError;
use crate::counts::{LevelCounts, LineCounts, LoopCounts, Provenance, ReferenceCounts};
use crate::opaque_regions::OpaqueRegions;
use crate::options::{Engine, MeasureOptions};
use crate::task::{CountedLevel, LevelOutcome, Outcomes, Task, TaskOutcome};
use premiss_cache::CacheModel;
use premiss_histogram::{Counted, ReuseDistanceHistogram};
use premiss_machine::{CacheChain, chains, line_sizes};
use premiss_misses::{SignedCount, ThreeC, estimate, three_c, three_c_of};
use premiss_trace::{PerReference, TraceError, Traffic};
use premiss_tree::{AccessKind, EntityRef, NestTree, Reference, ReferenceId};
use std::borrow::Cow;

/// The tasks of a function with their results, to be combined by level, loop, reference and line size.
pub(crate) struct TaskResults<'a> {
    tree: &'a NestTree,
    opaque: OpaqueRegions,
    outcomes: &'a Outcomes,
    options: &'a MeasureOptions,
}

/// The misses of a level by reference, where they are known, and the engine that counted them.
type LevelMisses<'a> = (Provenance, Option<Cow<'a, PerReference<Counted>>>);

impl<'a> TaskResults<'a> {
    pub(crate) fn new(
        tree: &'a NestTree,
        outcomes: &'a Outcomes,
        options: &'a MeasureOptions,
    ) -> Self {
        Self {
            tree,
            opaque: OpaqueRegions::of(tree),
            outcomes,
            options,
        }
    }

    /// All, loads, stores: the sums of a count over the references of the function; unknown if the function has opaque
    /// nodes, whose accesses belong to no reference.
    pub(crate) fn totals(
        &self,
        counts: impl Iterator<Item = (ReferenceId, Counted)>,
    ) -> [Counted; 3] {
        if self.opaque.somewhere {
            return [Counted::Unknown; 3];
        }
        let [mut loads, mut stores] = [Counted::ZERO; 2];
        for (id, count) in counts {
            match self.tree.references[id].kind {
                AccessKind::Load => loads += count,
                AccessKind::Store => stores += count,
            }
        }
        [loads + stores, loads, stores]
    }

    fn outcome(&self, task: &Task) -> Option<&TaskOutcome> {
        let (_, outcome) = self.outcomes.iter().find(|(known, _)| known == task)?;
        outcome.as_ref().ok()
    }

    fn accesses(&self) -> Option<&PerReference<Counted>> {
        match self.outcome(&Task::Accesses)? {
            TaskOutcome::Accesses(counts) => Some(counts),
            _ => None,
        }
    }

    fn histograms(&self, line_size: u64) -> Option<&PerReference<ReuseDistanceHistogram>> {
        match self.outcome(&Task::Histograms(line_size))? {
            TaskOutcome::Histograms(histograms) => Some(histograms),
            _ => None,
        }
    }

    /// What was counted of a level of a chain, or why it was not.
    fn level_outcome(&self, chain: &CacheChain, idx: usize) -> Option<&LevelOutcome> {
        match self.outcome(&Task::Misses(chain.clone()))? {
            TaskOutcome::Misses(levels) => levels.get(idx),
            _ => None,
        }
    }

    fn counted_level(&self, chain: &CacheChain, idx: usize) -> Option<&CountedLevel> {
        self.level_outcome(chain, idx)?.as_ref().ok()
    }

    /// The misses of a level of a chain, by reference, and the engine that counted them.
    fn level(&self, chain: &CacheChain, idx: usize) -> LevelMisses<'_> {
        if let Some(level) = self.counted_level(chain, idx) {
            return (level.provenance, Some(Cow::Borrowed(&level.run.misses)));
        }
        let geometry = chain.levels[idx].geometry;
        match self.histograms(geometry.line_size) {
            Some(histograms) if chain.heeds_distance(idx) && self.is_over_budget(chain, idx) => {
                let mut misses = per_reference(self.tree, &Counted::ZERO);
                for id in self.tree.references.keys() {
                    misses[id] = estimate(&histograms[id], geometry);
                }
                (Provenance::Estimate, Some(Cow::Owned(misses)))
            }
            _ => (Provenance::Uncounted, None),
        }
    }

    /// Whether the trace of a level exceeded its budget, and estimates may replace it.
    fn is_over_budget(&self, chain: &CacheChain, idx: usize) -> bool {
        self.options.engine == Engine::Auto
            && matches!(
                self.level_outcome(chain, idx),
                Some(Err(CountError::Trace(
                    TraceError::Budget(_) | TraceError::Memory(_)
                )))
            )
    }

    /// The traffic below a level of a chain; `None` for TLBs.
    fn traffic(&self, chain: &CacheChain, idx: usize) -> Option<Traffic> {
        let level = self.counted_level(chain, idx);
        let known = level.and_then(|level| level.run.traffic);
        let alone = Task::Traffic(chain.levels[idx].geometry);
        let known = known.or_else(|| match self.outcome(&alone)? {
            TaskOutcome::Traffic(traffic) => Some(*traffic),
            _ => None,
        });
        chain.has_data.then(|| known.unwrap_or(Traffic::UNKNOWN))
    }

    fn chains(&self) -> Vec<CacheChain> {
        chains(&self.options.machine, self.options.hierarchy)
    }

    /// For each level, in order, the misses by reference and the engine that counted them.
    fn all_levels(&self) -> Vec<LevelMisses<'_>> {
        let mut levels = Vec::new();
        for chain in &self.chains() {
            levels.extend((0..chain.levels.len()).map(|idx| self.level(chain, idx)));
        }
        levels
    }

    pub(crate) fn references(&self) -> Vec<ReferenceCounts> {
        let levels = self.all_levels();
        let count = |counts: Option<&PerReference<Counted>>, id| {
            counts.map_or(Counted::Unknown, |counts| counts[id])
        };
        let of_one = |id| ReferenceCounts {
            id,
            accesses: count(self.accesses(), id),
            misses: levels
                .iter()
                .map(|(_, misses)| count(misses.as_deref(), id))
                .collect(),
        };
        self.tree.references.keys().map(of_one).collect()
    }

    pub(crate) fn lines(&self, accesses: Counted) -> Vec<LineCounts> {
        let of_one = |line_size| {
            let known = self
                .histograms(line_size)
                .filter(|_| accesses != Counted::Unknown);
            let ids = self.tree.references.keys();
            let by_reference: Vec<_> =
                known.map_or_else(Vec::new, |known| ids.map(|id| known[id].clone()).collect());
            let mut histogram = ReuseDistanceHistogram::default();
            by_reference.iter().for_each(|part| histogram.merge(part));
            LineCounts {
                line_size,
                histogram: known.is_some().then_some(histogram),
                by_reference,
            }
        };
        line_sizes(&self.options.machine)
            .into_iter()
            .map(of_one)
            .collect()
    }

    pub(crate) fn loops(&self, references: &[ReferenceCounts]) -> Vec<LoopCounts> {
        let n_levels = self.options.machine.levels().count();
        let start = |id| {
            let inside = self.opaque.loops.contains(&id);
            let start = if inside {
                Counted::Unknown
            } else {
                Counted::ZERO
            };
            LoopCounts {
                id,
                accesses: start,
                loads: start,
                stores: start,
                misses: vec![start; n_levels],
            }
        };
        let mut loops: Vec<_> = self.tree.loops.keys().map(start).collect();
        let mut n_inside = vec![0; loops.len()];
        let mut levels = 0;
        for reference in references {
            let Reference { kind, inside, .. } = self.tree.references[reference.id];
            let mut around = inside;
            while let Some(id) = around {
                let counts = &mut loops[id.index()];
                n_inside[id.index()] += 1;
                counts.accesses += reference.accesses;
                match kind {
                    AccessKind::Load => counts.loads += reference.accesses,
                    AccessKind::Store => counts.stores += reference.accesses,
                }
                for (sum, misses) in counts.misses.iter_mut().zip(&reference.misses) {
                    *sum += *misses;
                }
                around = self.tree.loops[id].inside;
            }
        }
        // A loop around all references misses as often as the function does.
        for chain in &self.chains() {
            let first = levels;
            levels += chain.levels.len();
            let all = loops
                .iter_mut()
                .filter(|counts| n_inside[counts.id.index()] == references.len());
            for counts in all {
                for idx in 0..chain.levels.len() {
                    let misses = &mut counts.misses[first + idx];
                    *misses = self.better(*misses, chain, idx);
                }
            }
        }
        loops
    }

    /// The sum of the misses of all references in a level, or what is known of all of them together.
    fn better(&self, sum: Counted, chain: &CacheChain, idx: usize) -> Counted {
        let level = self.counted_level(chain, idx);
        let joint = level.and_then(|level| level.run.total);
        let total = level.and_then(|level| level.total);
        match (sum, total) {
            (Counted::Bounded { .. }, _) => joint.map_or(sum, |joint| sum.narrowed(joint)),
            (Counted::Estimate(sum), Some(total)) if sum.error.is_some() => {
                Counted::Estimate(total)
            }
            _ => sum,
        }
    }

    pub(crate) fn levels(
        &self,
        references: &[ReferenceCounts],
        lines: &[LineCounts],
    ) -> Vec<LevelCounts> {
        let names = self.options.machine.levels().map(|(name, _)| name);
        let mut names = names.map(str::to_owned);
        let mut levels = Vec::new();
        for chain in &self.chains() {
            for idx in 0..chain.levels.len() {
                let name = names.next().unwrap_or_default();
                let counts = references.iter().map(|x| (x.id, x.misses[levels.len()]));
                let mut misses = self.totals(counts);
                misses[0] = self.better(misses[0], chain, idx);
                for part in 1..misses.len() {
                    misses[part] = misses[part].at_most(misses[0]);
                }
                levels.push(self.level_counts(name, chain, idx, misses, lines));
            }
        }
        levels
    }

    /// The counts of a level, given its misses of all accesses, of loads, and of stores.
    fn level_counts(
        &self,
        name: String,
        chain: &CacheChain,
        idx: usize,
        [misses, load_misses, store_misses]: [Counted; 3],
        lines: &[LineCounts],
    ) -> LevelCounts {
        let model = chain.levels[idx];
        let line_size = model.geometry.line_size;
        let line = lines.iter().find(|x| x.line_size == line_size);
        let (three_c, estimate) = match line.and_then(|line| line.histogram.as_ref()) {
            Some(histogram) => self.causes(histogram, chain, idx, misses),
            None => (UNKNOWN, Counted::Unknown),
        };
        let level = self.counted_level(chain, idx);
        LevelCounts {
            name,
            geometry: model.geometry,
            model,
            provenance: self.level(chain, idx).0,
            misses,
            guaranteed: misses,
            load_misses,
            store_misses,
            three_c,
            estimate,
            has_causes: chain.heeds_distance(idx) || chain.is_filtered_lru(),
            traffic: self.traffic(chain, idx),
            spread: level.and_then(|level| level.run.spread),
            interval: level.and_then(|level| level.interval),
        }
    }

    /// The misses of a level by cause, and their estimate. The histogram is of all accesses: below a level that filters
    /// them, the level is compared with a fully associative one in its place, and there is no estimate.
    fn causes(
        &self,
        histogram: &ReuseDistanceHistogram,
        chain: &CacheChain,
        idx: usize,
        misses: Counted,
    ) -> (ThreeC, Counted) {
        let geometry = chain.levels[idx].geometry;
        if chain.heeds_distance(idx) {
            let causes = three_c(histogram, geometry, misses);
            return (causes, estimate(histogram, geometry));
        }
        if !chain.is_filtered_lru() {
            return (UNKNOWN, Counted::Unknown);
        }
        // A first access to a line misses in all levels above only if their lines lie within this line.
        let within = |x: &CacheModel| geometry.line_size.is_multiple_of(x.geometry.line_size);
        match self.counted_level(&chain.fully_associative_at(idx), idx) {
            Some(full) if chain.levels[..idx].iter().all(within) => {
                let ids = self.tree.references.keys();
                let full = ids.map(|id| full.run.misses[id]).sum();
                let causes = three_c_of(histogram.cold(), full, misses);
                (causes, Counted::Unknown)
            }
            _ => (UNKNOWN, Counted::Unknown),
        }
    }
}

const UNKNOWN: ThreeC = ThreeC {
    compulsory: Counted::Unknown,
    capacity: Counted::Unknown,
    conflict: SignedCount::Unknown,
};
