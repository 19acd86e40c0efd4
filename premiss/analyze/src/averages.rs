//! Estimates that replace inexact counts where the average frequency of arms and trip count of loops is known.
//!
//! Accesses are estimated by `bounds/operations`. Misses have bounds alone, as which of them happen depends
//! on the order in which arms run; an estimate lies between them where the accesses lie between theirs, and
//! is at most what would miss if all arms ran each time:
//!
//! ```text
//! if (x[i] > 0)        the arm runs 0.25 n times of 0 to n
//!     s += y[i];       0 to n misses, n/8 if it ran each time: about n/8
//! ```
//!
//! For a reference whose number of executions is known, while data decide which other lines evict or bring its lines,
//! the estimate is the middle of the bounds. The guaranteed counts are kept as well, because bounds on time use them.

use crate::counts::{LevelCounts, LoopCounts, ReferenceCounts};
use crate::options::MeasureOptions;
use crate::task::{LevelOutcome, Task, TaskOutcome, trace};
use premiss_histogram::Counted;
use premiss_machine::CacheChain;
use premiss_operations::{ElementKind, FunctionCounts, Scope};
use premiss_trace::PerReference;
use premiss_tree::{AccessKind, Expression, LoopId, NestTree, Node, ReferenceId};

/// The average counts of a function that has averages.
pub(crate) struct AverageEstimates<'a> {
    tree: &'a NestTree,
    operations: &'a FunctionCounts,
    /// The misses of each level if all arms ran each time, where they are known.
    if_all_ran: Vec<Option<PerReference<Counted>>>,
}

impl<'a> AverageEstimates<'a> {
    /// For the levels of some chains; `None` where the function has no averages.
    pub(crate) fn of(
        tree: &'a NestTree,
        operations: &'a FunctionCounts,
        chains: &[CacheChain],
        options: &MeasureOptions,
    ) -> Option<Self> {
        if tree.work.averages.is_empty() {
            return None;
        }
        let all = NestTree {
            body: with_all_arms(&tree.body),
            ..tree.clone()
        };
        let mut if_all_ran = Vec::new();
        for chain in chains {
            let task = Task::Misses(chain.clone());
            match trace(&task, &all, options) {
                Ok(TaskOutcome::Misses(levels)) => {
                    let misses = |level: LevelOutcome| Some(level.ok()?.run.misses);
                    if_all_ran.extend(levels.into_iter().map(misses));
                }
                _ => if_all_ran.extend(chain.levels.iter().map(|_| None)),
            }
        }
        Some(Self {
            tree,
            operations,
            if_all_ran,
        })
    }

    /// Replaces the totals of accesses, loads and stores by estimates where they are not exact.
    pub(crate) fn replace_accesses(
        &self,
        [accesses, loads, stores]: [&mut Counted; 3],
        scope: Scope,
    ) {
        let counts = self.operations.of(scope);
        let is_any = |_: AccessKind, _: ElementKind| true;
        let of_kind = |wanted| move |kind: AccessKind, _: ElementKind| kind == wanted;
        *accesses = averaged(*accesses, counts.elements(is_any));
        *loads = averaged(*loads, counts.elements(of_kind(AccessKind::Load)));
        *stores = averaged(*stores, counts.elements(of_kind(AccessKind::Store)));
    }

    /// The same for the accesses of each reference and loop.
    pub(crate) fn replace_in_parts(
        &self,
        references: &mut [ReferenceCounts],
        loops: &mut [LoopCounts],
    ) {
        for inner in loops {
            let counts = [&mut inner.accesses, &mut inner.loads, &mut inner.stores];
            self.replace_accesses(counts, Scope::Loop(inner.id));
        }
        for reference in references {
            let average = self.operations.executions(reference.id);
            reference.accesses = averaged(reference.accesses, average);
        }
    }

    /// Replaces bounded misses by estimates.
    pub(crate) fn replace_misses(
        &self,
        references: &mut [ReferenceCounts],
        loops: &mut [LoopCounts],
        levels: &mut [LevelCounts],
    ) {
        for (idx, level) in levels.iter_mut().enumerate() {
            let parts = |is_part: &dyn Fn(ReferenceId) -> bool| -> Vec<(ReferenceId, Counted)> {
                let parts = references.iter().filter(|x| is_part(x.id));
                parts.map(|x| (x.id, x.misses[idx])).collect()
            };
            let kind = |id: ReferenceId| self.tree.references[id].kind;
            let is_load = |id: ReferenceId| kind(id) == AccessKind::Load;
            level.misses = self.total(idx, level.misses, &parts(&|_| true));
            level.load_misses = self.total(idx, level.load_misses, &parts(&is_load));
            let stores = parts(&|id| !is_load(id));
            level.store_misses = self.total(idx, level.store_misses, &stores);
            for inner in &mut *loops {
                let parts = parts(&|id| self.is_inside(id, inner.id));
                inner.misses[idx] = self.total(idx, inner.misses[idx], &parts);
            }
        }
        for reference in references {
            for (idx, misses) in reference.misses.iter_mut().enumerate() {
                *misses = self.total(idx, *misses, &[(reference.id, *misses)]);
            }
        }
    }

    /// The sum over references of their misses in a level, whose bounds are known: an estimate where it is bounded and
    /// every part has an estimate.
    pub(crate) fn total(
        &self,
        level: usize,
        sum: Counted,
        parts: &[(ReferenceId, Counted)],
    ) -> Counted {
        let Counted::Bounded { .. } = sum else {
            return sum;
        };
        let estimates = parts
            .iter()
            .map(|(id, misses)| self.expected_misses(level, *id, *misses));
        let estimate: Option<f64> = estimates.sum();
        estimate.map_or(sum, |x| Counted::estimate(sum.clamp(x)))
    }

    /// The expected number of misses of a reference.
    #[expect(clippy::cast_precision_loss, reason = "estimates are floating point")]
    fn expected_misses(&self, level: usize, id: ReferenceId, misses: Counted) -> Option<f64> {
        match misses {
            Counted::Bounded { lower, upper } => {
                let share = self.operations.share(id)?;
                let most = self.if_all_ran[level].as_ref();
                let most = most.and_then(|all| all[id].exact()).unwrap_or(upper);
                let between = lower as f64 + share * (upper - lower) as f64;
                Some(between.min(most.max(lower) as f64))
            }
            other => other.middle(),
        }
    }

    fn is_inside(&self, id: ReferenceId, wanted: LoopId) -> bool {
        let inside = self.tree.references[id].inside;
        let mut around = std::iter::successors(inside, |id| self.tree.loops[*id].inside);
        around.any(|id| id == wanted)
    }
}

/// The same nodes with branches on data replaced such that each arm runs each time.
fn with_all_arms(nodes: &[Node]) -> Vec<Node> {
    let mut all = Vec::new();
    for node in nodes {
        match node {
            Node::Branch {
                condition,
                then,
                otherwise,
            } => {
                let arms = [with_all_arms(then), with_all_arms(otherwise)];
                if condition.any(|part| *part == Expression::Data) {
                    all.extend(arms.into_iter().flatten());
                    continue;
                }
                let [then, otherwise] = arms;
                all.push(Node::Branch {
                    condition: condition.clone(),
                    then,
                    otherwise,
                });
            }
            Node::Loop(inner) => {
                all.push(Node::Loop(inner.with_body(with_all_arms(&inner.body))));
            }
            other => all.push(other.clone()),
        }
    }
    all
}

/// The average in place of a count that is not exact, clamped to the bounds of that count.
fn averaged(count: Counted, average: Counted) -> Counted {
    match (count, average) {
        (Counted::Bounded { .. }, Counted::Estimate(x)) => Counted::estimate(count.clamp(x.value)),
        (Counted::Unknown, _) => average,
        _ => count,
    }
}
