//! How the functions of a run share its budget.
//!
//! A run over a few functions counts each with all of the budget and the effort: functions that may take as many steps as
//! [`FUNCTIONS_IN_FULL`] that use up the budget. A run over a folder has hundreds, and should end in minutes: if together
//! they may take more, budget and effort are halved for all of them until they take no more than one part in
//! [`PARTS`] of a budget. Functions that need less than a share leave the rest of it to the others. With a budget of 64
//! steps, of which many functions together may take 32:
//!
//! ```text
//! accesses    in full   1/2   1/4   1/8
//! 400            64      32    16     8
//! 160            64      32    16     8
//! 120            64      32    16     8
//! 70             64      32    16     8
//! 6               6       6     6     6
//! together      262     134    70    38      1/16: 4·4 + 4 = 20, at most 32
//! ```
//!
//! What a function needs is taken from its text and its sizes alone, and halving comes in large steps: the same share
//! holds after most edits, on any number of processors, and in each shard of a run. Functions that are traced at once
//! with any share ([`is_quick`]) need not wait until all functions of a run have been read.

use crate::engine_choice::{STEPS_PER_PAIR, expected_derivation, missing_sizes};
use crate::options::{Engine, MeasureOptions};
use crate::task::execution_within;
use premiss_formulas::Effort;
use premiss_parallel as parallel;
use premiss_trace::TraceError;
use premiss_tree::NestTree;

/// Functions have all of the budget where they take as much as so many that use it up, at most.
const FUNCTIONS_IN_FULL: u64 = 4;

/// More functions than that may take this part of a budget together. Where data decide, a budget takes minutes.
const PARTS: u64 = 2;

/// No share is smaller than the budget halved so many times.
const MOST_HALVINGS: u32 = 16;

/// Functions with so many accesses are traced before anything is derived.
const QUICK_STEPS: u64 = STEPS_PER_PAIR;

/// Counting the accesses of a function may take this many steps; one that has more counts in full.
const COST_STEPS: u64 = 1 << 16;

/// Whose the budget and the effort of the options are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BudgetScope {
    /// Each function's own, however many there are.
    Function,
    /// Those of a function in a run over few; many share what these may take.
    Run,
    /// A function's share: halved so many times, as there are many.
    Share(u32),
}

impl MeasureOptions {
    /// The options for the functions of a run, which share its budget; the same if they do not.
    #[must_use]
    pub fn shared_by<'t>(&self, functions: impl IntoIterator<Item = &'t NestTree>) -> Self {
        if self.budget_scope != BudgetScope::Run {
            return self.clone();
        }
        let functions: Vec<&NestTree> = functions.into_iter().collect();
        let costs = parallel::map(functions, |tree| expected_steps(tree, self));
        self.with_share(halvings(&costs, self.budget))
    }

    /// The options with all of the budget for each function.
    #[must_use]
    pub fn with_own_budget(&self) -> Self {
        Self {
            budget_scope: BudgetScope::Function,
            ..self.clone()
        }
    }

    /// The options with the budget and the effort halved so many times.
    #[must_use]
    pub fn with_share(&self, halvings: u32) -> Self {
        let part = |steps: u64| (steps >> halvings).max(1);
        Self {
            budget: part(self.budget),
            effort: Effort {
                steps: part(self.effort.steps),
            },
            budget_scope: BudgetScope::Share(halvings),
            ..self.clone()
        }
    }
}

/// How many steps a function of a run is expected to take with all of the budget; 0 where its sizes have no value.
#[must_use]
pub fn expected_steps(tree: &NestTree, options: &MeasureOptions) -> u64 {
    if !missing_sizes(tree).is_empty() {
        return 0;
    }
    match options.engine {
        Engine::Closed => expected_derivation(tree).min(options.budget),
        Engine::Auto | Engine::Trace => accesses(tree, options).min(options.budget),
    }
}

/// Whether functions that take so many steps are counted alike with any share.
#[must_use]
pub fn is_quick(expected_steps: u64, options: &MeasureOptions) -> bool {
    options.engine == Engine::Auto && expected_steps <= QUICK_STEPS
}

/// How often the budget has to be halved for functions that take so many steps.
#[must_use]
pub fn halvings(expected_steps: &[u64], budget: u64) -> u32 {
    let taken = |halvings: u32| -> u128 {
        let part = budget >> halvings;
        let steps = expected_steps.iter();
        steps.map(|steps| u128::from(*steps.min(&part))).sum()
    };
    let budget = u128::from(budget);
    if taken(0) <= budget * u128::from(FUNCTIONS_IN_FULL) {
        return 0;
    }
    let most = budget / u128::from(PARTS);
    let suffices = |halvings: &u32| taken(*halvings) <= most;
    (1..MOST_HALVINGS).find(suffices).unwrap_or(MOST_HALVINGS)
}

/// The most accesses that a function makes, as far as they are known; more than any budget where counting them takes
/// too long.
fn accesses(tree: &NestTree, options: &MeasureOptions) -> u64 {
    let execution = execution_within(tree, options, COST_STEPS);
    match execution.and_then(|execution| execution.accesses()) {
        Ok(counts) => {
            let most = counts.values().filter_map(|count| count.bounds());
            most.fold(0, |sum, (_, most)| sum.saturating_add(most))
        }
        Err(TraceError::Budget(_)) => u64::MAX,
        // It is not counted with any budget.
        Err(_) => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::{FUNCTIONS_IN_FULL, MOST_HALVINGS, halvings};

    #[test]
    fn few_functions_have_all_of_the_budget_and_many_a_share_that_suffices_for_all() {
        let budget = 1 << 20;
        let heavy = |n_functions: u64| vec![u64::MAX; usize::try_from(n_functions).expect("few")];
        assert_eq!(halvings(&heavy(FUNCTIONS_IN_FULL), budget), 0);
        assert_eq!(halvings(&heavy(FUNCTIONS_IN_FULL + 1), budget), 4);
        assert_eq!(halvings(&heavy(16), budget), 5);
        assert_eq!(halvings(&heavy(1 << 22), budget), MOST_HALVINGS);
        assert_eq!(halvings(&[], budget), 0);
    }

    #[test]
    fn functions_leave_what_they_do_not_need_to_others() {
        let budget = 1 << 20;
        let mut steps = vec![10; 10_000];
        steps.extend([budget; 3]);
        assert_eq!(halvings(&steps, budget), 0);
        steps.extend([budget; 5]);
        assert_eq!(halvings(&steps, budget), 5);
    }
}
