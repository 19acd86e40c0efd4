//! What the sets of a level do to the references of a function, and what would separate lines that share them.
//!
//! The search for another layout is greedy: the best change of one array, then the best second one on top of it. All layouts
//! are counted exactly and without running a loop, from one reuse relation, within a number of steps.

use crate::counts::ReferenceCounts;
use crate::engine_choice::heeding_distance;
use crate::function_analysis::FunctionAnalysis;
use crate::layout_change::{ArraysInMemory, LayoutChange};
use crate::options::MeasureOptions;
use crate::task::{execution_within, steps_per_run};
use premiss_cache::CacheGeometry;
use premiss_formulas::{Explanation, LineLayout, ReferenceExplanation, ReuseExplanation};
use premiss_presburger::Budget;
use premiss_scop::NodeId;
use premiss_tree::{ArrayId, NestTree, ReferenceId};
use std::collections::BTreeMap;

/// On each level, all reuses may take the effort, and so may all layouts: one reuse this part of it.
const REUSE: u64 = 4;

/// One layout this part of what is left for those with as many changes.
const CANDIDATE: u64 = 8;

/// The most changes at a time.
const MOST_CHANGES: usize = 2;

/// A change is of use if it avoids one in so many misses.
const ONE_IN: u64 = 100;

/// A layout is good enough if it leaves one in so many of the conflict misses.
const LEFT: u64 = 20;

/// What the sets of a level that sees all accesses do to the references of an explanation.
#[derive(Debug)]
pub struct LevelConflicts {
    /// The misses of the function, if they are exact.
    pub misses: Option<u64>,
    /// One for each reference of the explanation, in its order.
    pub references: Vec<ReferenceConflicts>,
    /// The best other layout that was found, if one avoids misses.
    pub remedy: Option<LayoutRemedy>,
}

/// What they do to one reference.
#[derive(Debug)]
pub struct ReferenceConflicts {
    /// Its misses, if they are exact.
    pub misses: Option<u64>,
    /// Its misses in a fully associative LRU cache of the same capacity.
    pub fully_associative: Option<u64>,
    /// One for each of its reuses, in their order; `None` where it took too many steps.
    pub reuses: Vec<Option<ReuseConflicts>>,
}

impl ReferenceConflicts {
    /// The misses that as many lines in one set would not have; negative where they would have more.
    #[must_use]
    pub fn conflict(&self) -> Option<i64> {
        let apart = i128::from(self.misses?) - i128::from(self.fully_associative?);
        i64::try_from(apart).ok()
    }
}

/// What they do to the accesses of one group of reuses.
#[derive(Debug)]
pub struct ReuseConflicts {
    /// How many of them miss.
    pub misses: u64,
    /// The other lines of the set that are touched in between; `None` where nothing misses, or where it took too many steps.
    pub lines: Option<SharedSet>,
}

/// How many other lines of a line's set there are, from the least number to the most.
#[derive(Debug)]
pub struct SharedSet {
    /// Of all arrays.
    pub all: (u64, u64),
    /// Of each array that is touched in between.
    pub arrays: Vec<(ArrayId, (u64, u64))>,
}

/// A layout with fewer misses.
#[derive(Debug)]
pub struct LayoutRemedy {
    /// What is different.
    pub changes: Vec<LayoutChange>,
    /// The arrays that start elsewhere then, with their addresses.
    pub addresses: Vec<(ArrayId, u64)>,
    /// The misses of the function.
    pub misses: u64,
    /// The misses of each reference of the explanation, in its order.
    pub references: Vec<u64>,
}

/// What the sets of each level of an explanation do to its references, `counted` being the counts of the function. `None` where a
/// level has one set or does not see all accesses, and where sizes have no values.
#[must_use]
pub fn set_conflicts(
    counted: &FunctionAnalysis,
    explanation: &Explanation,
    levels: &[(String, CacheGeometry)],
    options: &MeasureOptions,
) -> Vec<Option<LevelConflicts>> {
    let nothing = || levels.iter().map(|_| None).collect();
    let Some(memory) = arrays_in_memory(&counted.tree, explanation, options) else {
        return nothing();
    };
    let fitting = heeding_distance(options, explanation.scop.line_size);
    let of_level = |(name, geometry): &(String, CacheGeometry)| {
        let question = SetQuestion {
            explanation,
            geometry: *geometry,
            memory: &memory,
        };
        let has_sets = 1 < geometry.sets && fitting.contains(geometry);
        let before = CountedMisses::of(counted, name);
        has_sets.then(|| question.conflicts(&before, options))?
    };
    levels.iter().map(of_level).collect()
}

fn arrays_in_memory(
    tree: &NestTree,
    explanation: &Explanation,
    options: &MeasureOptions,
) -> Option<ArraysInMemory> {
    if !explanation.has_sets() {
        return None;
    }
    let execution = execution_within(tree, options, steps_per_run(options)).ok()?;
    ArraysInMemory::of(tree, explanation, &execution, options.alignment()?)
}

/// The misses of a level, as far as they are exact.
struct CountedMisses {
    all: Option<u64>,
    references: BTreeMap<ReferenceId, u64>,
}

impl CountedMisses {
    /// Those of the level with a name.
    fn of(counted: &FunctionAnalysis, name: &str) -> Self {
        let idx = counted.levels.iter().position(|level| level.name == name);
        let level = idx.map(|idx| &counted.levels[idx]);
        let of_one = |reference: &ReferenceCounts| {
            let misses = reference.misses.get(idx?)?;
            Some((reference.id, misses.exact()?))
        };
        Self {
            all: level.and_then(|level| level.misses.exact()),
            references: counted.references.iter().filter_map(of_one).collect(),
        }
    }
}

/// The misses of all accesses, by reference.
struct Misses(BTreeMap<ReferenceId, u64>);

impl Misses {
    fn new(all: Vec<(ReferenceId, u64)>) -> Self {
        let mut misses = BTreeMap::new();
        for (reference, own) in all {
            *misses.entry(reference).or_default() += own;
        }
        Self(misses)
    }

    fn all(&self) -> u64 {
        self.0.values().sum()
    }

    fn of(&self, reference: ReferenceId) -> u64 {
        self.0.get(&reference).copied().unwrap_or(0)
    }
}

/// A level, the references in question, and where arrays lie.
struct SetQuestion<'a> {
    explanation: &'a Explanation,
    geometry: CacheGeometry,
    memory: &'a ArraysInMemory,
}

impl SetQuestion<'_> {
    /// What the level does to the references of the explanation, which has `before` misses.
    fn conflicts(
        &self,
        before: &CountedMisses,
        options: &MeasureOptions,
    ) -> Option<LevelConflicts> {
        let layout = self.memory.changed(&[])?;
        let lines = self.geometry.lines();
        let full = self.explanation.fully_associative_misses(lines);
        let full = full.ok().map(Misses::new);
        let steps = options.effort.steps;
        let mut budget = Budget::new(steps);
        let stories = self.explanation.references.iter();
        let references = stories.map(|story| ReferenceConflicts {
            misses: before.references.get(&story.id).copied(),
            fully_associative: full.as_ref().map(|full| full.of(story.id)),
            reuses: self.reuses(story, &layout, steps / REUSE, &mut budget),
        });
        let references: Vec<ReferenceConflicts> = references.collect();
        let has_conflicts = |x: &ReferenceConflicts| x.conflict().is_some_and(|x| 0 < x);
        let remedy = match (before.all, full) {
            (Some(all), Some(full)) if references.iter().any(has_conflicts) => {
                let conflict = all.saturating_sub(full.all());
                let goal = full.all().saturating_add(conflict / LEFT);
                self.remedy(&layout, (all, goal), &mut Budget::new(steps))
            }
            _ => None,
        };
        Some(LevelConflicts {
            misses: before.all,
            references,
            remedy,
        })
    }

    /// What the sets do to each reuse of a reference, in at most so many steps for each.
    fn reuses(
        &self,
        story: &ReferenceExplanation,
        layout: &LineLayout,
        most: u64,
        budget: &mut Budget,
    ) -> Vec<Option<ReuseConflicts>> {
        let reuses = story.reuses.iter();
        let of_one = |reuse| {
            within(budget, most, |budget| {
                self.reuse((story.node, reuse), layout, budget)
            })
        };
        reuses.map(of_one).collect()
    }

    fn reuse(
        &self,
        question: (NodeId, &ReuseExplanation),
        layout: &LineLayout,
        budget: &mut Budget,
    ) -> Option<ReuseConflicts> {
        let lines = self.explanation.lines_in_set(question, layout, budget);
        let lines = lines.ok()?;
        let misses = lines.misses(self.geometry, budget).ok()?;
        let shared = (0 < misses).then(|| lines.least_and_most(self.geometry, budget));
        let shared = shared.and_then(Result::ok);
        Some(ReuseConflicts {
            misses,
            lines: shared.map(|(all, arrays)| SharedSet { all, arrays }),
        })
    }

    /// The best of a small number of other layouts, if it is of use: if one has at most `goal` misses, the first such one.
    fn remedy(
        &self,
        own: &LineLayout,
        (before, goal): (u64, u64),
        budget: &mut Budget,
    ) -> Option<LayoutRemedy> {
        let mut changes: Vec<LayoutChange> = Vec::new();
        let mut best: Option<(LineLayout, Misses)> = None;
        while changes.len() < MOST_CHANGES {
            let bar = best.as_ref().map_or(before, |(_, misses)| misses.all());
            if bar <= goal {
                break;
            }
            let Some((change, layout, misses)) = self.best_change(&changes, goal, budget) else {
                break;
            };
            if bar < misses.all().saturating_add((bar / ONE_IN).max(1)) {
                break;
            }
            changes.push(change);
            best = Some((layout, misses));
        }
        let (layout, misses) = best?;
        let is_moved = |(id, base): &(ArrayId, u64)| own.bases[*id] != *base;
        let bases = layout.bases.iter().map(|(id, base)| (id, *base));
        let stories = self.explanation.references.iter();
        Some(LayoutRemedy {
            changes,
            addresses: bases.filter(is_moved).collect(),
            misses: misses.all(),
            references: stories.map(|story| misses.of(story.id)).collect(),
        })
    }

    /// The change after which there are fewest misses, on top of others: the first of several, or the first with at most `goal`.
    fn best_change(
        &self,
        before: &[LayoutChange],
        goal: u64,
        budget: &mut Budget,
    ) -> Option<(LayoutChange, LineLayout, Misses)> {
        let most = budget.left() / CANDIDATE;
        let mut best: Option<(LayoutChange, LineLayout, Misses)> = None;
        for change in self.memory.candidates(self.geometry.sets) {
            if before.iter().any(|other| other.array() == change.array()) {
                continue;
            }
            let changes: Vec<LayoutChange> = before.iter().copied().chain([change]).collect();
            let Some(layout) = self.memory.changed(&changes) else {
                continue;
            };
            let share = budget.left().min(most);
            let mut own = Budget::new(share);
            let misses = self
                .explanation
                .misses_in_sets(&layout, self.geometry, &mut own);
            let is_affordable = budget.spend(share - own.left()).is_ok();
            let Some(misses) = misses.ok().map(Misses::new).filter(|_| is_affordable) else {
                continue;
            };
            let total = misses.all();
            if best.as_ref().is_none_or(|(_, _, x)| total < x.all()) {
                best = Some((change, layout, misses));
            }
            if total <= goal {
                break;
            }
        }
        best
    }
}

/// What is found in at most so many steps of a budget.
fn within<T>(budget: &mut Budget, most: u64, find: impl FnOnce(&mut Budget) -> T) -> T {
    let share = budget.left().min(most);
    let mut own = Budget::new(share);
    let answer = find(&mut own);
    let spent = budget.spend(share - own.left());
    debug_assert!(spent.is_ok(), "a share is no more than the budget");
    answer
}
