//! How many steps following a function takes, roughly, before anything of it is followed.
//!
//! These are the statements and expressions of its body and of all bodies that its calls lead to, each as often as it is
//! called, and one step for a function that may be answered ([`answers`](crate::lowering::answers)). Functions that call
//! each other count once together, as a call that leads back is not followed. What branches leave out because of constants
//! is not known here, nor is what passes over loops add.
//!
//! ```text
//! f: 10 and 2 calls of g      g: 5, and calls h      h: 3, and calls g
//! steps: g and h 8, f 26
//! ```
//!
//! A body counts as a number of two binary digits: most edits leave it as it was, so that an edit of one function does not
//! concern all files that reach it.

use super::{GlobalName, Program};
use crate::lowering::answers::may_be_answered;
use crate::lowering::facts::Facts;
use crate::syntax::Function;
use rustc_hash::FxHashMap;
use std::sync::{Mutex, PoisonError};

/// What was found so far, for all files.
#[derive(Default)]
pub(super) struct StepsOfBodies(Mutex<FxHashMap<GlobalName, u64>>);

impl StepsOfBodies {
    fn get(&self, function: &GlobalName) -> Option<u64> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.get(function).copied()
    }

    fn insert(&self, functions: Vec<GlobalName>, steps: u64) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.extend(functions.into_iter().map(|function| (function, steps)));
    }
}

impl Facts {
    /// The weight of a function in two binary digits, rounded down; 1 of one that may be answered.
    pub(super) fn rough_weight(&self, function: &Function) -> u32 {
        if may_be_answered(function) {
            return 1;
        }
        let n_dropped = (u32::BITS - self.weight.leading_zeros()).saturating_sub(2);
        self.weight >> n_dropped << n_dropped
    }
}

impl Program<'_> {
    /// How many steps following a function takes, roughly. It depends on the surfaces of units that [`Self::reach`] notes,
    /// and notes nothing by itself.
    pub(in crate::lowering) fn steps_of(&self, function: &GlobalName) -> u64 {
        let known = || self.linked.steps.get(function);
        known().unwrap_or_else(|| {
            self.noted.of_surfaces(|| self.find_steps(function));
            known().unwrap_or(u64::MAX)
        })
    }

    /// Finds the steps of a function and of all that it reaches: what is on the way there lies in groups of functions that
    /// call each other (path-based strong components: Gabow, Information Processing Letters 74, 2000).
    fn find_steps(&self, function: &GlobalName) {
        let mut open = vec![vec![function.clone()]];
        while let Some(group) = open.last() {
            match self.steps_of_group(group) {
                Ok(steps) => {
                    let group = open.pop().unwrap_or_default();
                    self.linked.steps.insert(group, steps);
                }
                Err(callee) => match open.iter().position(|group| group.contains(&callee)) {
                    Some(first) => {
                        let together = open.split_off(first).concat();
                        open.push(together);
                    }
                    None => open.push(vec![callee]),
                },
            }
        }
    }

    /// The steps of functions that call each other; where those of another one are missing that they call, that one.
    fn steps_of_group(&self, group: &[GlobalName]) -> Result<u64, GlobalName> {
        let mut steps = 0_u64;
        for name in group {
            let Some(function) = self.function(name).filter(|x| !may_be_answered(x)) else {
                steps = steps.saturating_add(1);
                continue;
            };
            let facts = self.facts_of(name);
            steps = steps.saturating_add(facts.rough_weight(function).into());
            for (called, n_calls) in &facts.called {
                let Some(callee) = self.definition(name.unit, called) else {
                    continue;
                };
                if !group.contains(&callee) {
                    let one = self.linked.steps.get(&callee).ok_or(callee)?;
                    steps = steps.saturating_add(one.saturating_mul((*n_calls).into()));
                }
            }
        }
        Ok(steps)
    }
}
