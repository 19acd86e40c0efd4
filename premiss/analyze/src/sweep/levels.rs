//! The misses of all levels at one point of a sweep: from closed forms, the trace, or estimates.

use super::forms::{SweepForms, is_fully_associative};
use super::point::{Point, tree_at};
use crate::assemble::assemble;
use crate::averages::AverageEstimates;
use crate::closed_counts::counts;
use crate::counts::{LevelCounts, Provenance};
use crate::operations::{FunctionArithmetic, operations};
use crate::options::Engine;
use crate::run_tasks::{choose_engines, run_all};
use crate::task::{CountedLevel, Task, TaskOutcome, steps_per_run, trace};
use premiss_cache::CacheGeometry;
use premiss_histogram::Counted;
use premiss_machine::CacheChain;
use premiss_misses::estimate;
use premiss_operations::FunctionCounts;
use premiss_presburger::Refusal;
use premiss_tree::NestTree;
use std::collections::BTreeMap;

/// The misses of a level.
#[derive(Clone, Copy)]
pub(super) struct LevelMisses {
    /// As reports show them.
    pub(super) misses: Counted,
    /// Without averages: what holds for every run.
    pub(super) guaranteed: Counted,
    pub(super) provenance: Provenance,
}

impl LevelMisses {
    fn new(misses: Counted, provenance: Provenance) -> Self {
        Self {
            misses,
            guaranteed: misses,
            provenance,
        }
    }
}

/// The misses of the levels of each chain, `None` where its trace did not run to its end.
pub(super) type TracedChains = Vec<Option<Vec<LevelMisses>>>;

impl SweepForms<'_> {
    /// The misses of each chain by the trace.
    pub(super) fn traced_chains(&self, point: &Point) -> TracedChains {
        let chains = self.chains();
        let traced = chains.iter().map(|chain| self.traced(chain, point));
        traced.collect()
    }

    /// The misses of all levels at a point, and the reason why some are estimates, if so.
    pub(super) fn levels_at(
        &self,
        point: &Point,
        traced: &TracedChains,
    ) -> (Vec<LevelMisses>, Option<String>) {
        let mut levels = Vec::new();
        let mut reason = None;
        let mut fixed = None;
        for (chain, traced) in self.chains().iter().zip(traced) {
            for (idx, model) in chain.levels.iter().enumerate() {
                let geometry = &model.geometry;
                let closed = if chain.heeds_distance(idx) {
                    self.closed(geometry, point)
                } else {
                    None
                };
                let exact = traced.as_ref().and_then(|traced| traced.get(idx).copied());
                levels.push(match (closed, exact) {
                    (Some(closed), _) if geometry.sets == 1 => {
                        LevelMisses::new(closed, Provenance::ClosedForm)
                    }
                    (_, Some(traced)) => traced,
                    (Some(estimate), None) => {
                        reason = Some(format!(
                            "`~` is an estimate, where tracing a point takes more than {} steps: it supposes that lines \
                             spread evenly over sets, and strides of a power of two can miss far more",
                            steps_per_run(self.options)
                        ));
                        LevelMisses::new(estimate, Provenance::Estimate)
                    }
                    (None, None) => {
                        let all = fixed.get_or_insert_with(|| self.fixed(point));
                        all.get(levels.len())
                            .copied()
                            .unwrap_or(LevelMisses::new(Counted::Unknown, Provenance::Uncounted))
                    }
                });
            }
        }
        (levels, reason)
    }

    /// The misses of a level by a closed form: exact where it is fully associative.
    fn closed(&self, geometry: &CacheGeometry, point: &Point) -> Option<Counted> {
        let (form, values) = self.form(geometry.line_size, point)?;
        let sized = form.prepared.at(&values).ok()?;
        if geometry.sets == 1 {
            let misses = sized
                .references
                .iter()
                .map(|part| part.misses(geometry.ways));
            let total: Result<Vec<u64>, Refusal> = misses.collect();
            return Some(total.ok()?.into_iter().map(Counted::Exact).sum());
        }
        let counts = counts(self.tree, &form.prepared, &values, &[]).ok()?;
        let histograms = counts.histograms?;
        let ids = self.tree.references.keys();
        Some(ids.map(|id| estimate(&histograms[id], *geometry)).sum())
    }

    /// The misses of a chain by the trace, where some of its levels are set-associative or there is no closed form, and
    /// the budget suffices.
    fn traced(&self, chain: &CacheChain, point: &Point) -> Option<Vec<LevelMisses>> {
        let is_closed = |idx: usize| {
            let line_size = chain.levels[idx].geometry.line_size;
            is_fully_associative(chain, idx) && self.form(line_size, point).is_some()
        };
        let mut all = 0..chain.levels.len();
        if self.options.engine == Engine::Closed || all.all(is_closed) {
            return None;
        }
        let tree = tree_at(self.tree, point);
        let outcome = trace(&Task::Misses(chain.clone()), &tree, self.options);
        let Ok(TaskOutcome::Misses(levels)) = outcome else {
            return None;
        };
        let runs: Vec<&CountedLevel> = levels
            .iter()
            .map(|level| level.as_ref().ok())
            .collect::<Option<_>>()?;
        if !tree.rejections.is_empty() {
            let unknown = LevelMisses::new(Counted::Unknown, Provenance::Trace);
            return Some(vec![unknown; runs.len()]);
        }
        let counts = self.averages(&tree);
        let chains = std::slice::from_ref(chain);
        let averages = counts.as_ref();
        let averages = averages.and_then(|x| AverageEstimates::of(&tree, x, chains, self.options));
        let of_level = |(idx, level): (usize, &CountedLevel)| {
            let parts: Vec<_> = tree
                .references
                .keys()
                .map(|id| (id, level.run.misses[id]))
                .collect();
            let sum: Counted = parts.iter().map(|(_, misses)| *misses).sum();
            let misses = averages.as_ref().map_or(sum, |x| x.total(idx, sum, &parts));
            LevelMisses {
                misses,
                ..LevelMisses::new(sum, Provenance::Trace)
            }
        };
        Some(runs.into_iter().enumerate().map(of_level).collect())
    }

    /// The operations of a tree with sizes, where its averages turn counts into estimates.
    fn averages(&self, tree: &NestTree) -> Option<FunctionCounts> {
        let is_known = !tree.work.averages.is_empty();
        is_known.then(|| operations(tree, self.options))
    }

    /// All levels at one point, derived or traced for the sizes of this point only.
    fn fixed(&self, point: &Point) -> Vec<LevelMisses> {
        let tree = tree_at(self.tree, point);
        let choices = choose_engines(&tree, self.options);
        let outcomes = run_all(&tree, &choices, self.options);
        let operations = self.averages(&tree);
        let operations = operations.unwrap_or_else(FunctionCounts::unknown);
        let nothing = BTreeMap::new();
        let analysis = assemble(
            tree,
            &nothing,
            &choices,
            &outcomes,
            FunctionArithmetic {
                operations,
                vectors: BTreeMap::new(),
            },
            self.options,
        );
        let levels = analysis.levels.iter();
        let of_one = |level: &LevelCounts| LevelMisses {
            misses: level.misses,
            guaranteed: level.guaranteed,
            provenance: level.provenance,
        };
        levels.map(of_one).collect()
    }
}
