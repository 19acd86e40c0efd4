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
//! What is asked is whether a function takes more than so many: an edit concerns a file that calls it only where that is
//! told otherwise.

use super::{GlobalName, Linked, Program};
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

impl Program<'_> {
    /// Whether following a function takes more steps than these, roughly.
    pub(in crate::lowering) fn takes_more_than(&self, steps: u64, function: &GlobalName) -> bool {
        let takes_more = steps < self.linked.steps_of(function);
        self.noted.steps(function, steps, takes_more);
        takes_more
    }
}

impl Linked<'_> {
    /// How many steps following a function takes, roughly: at least one.
    pub(super) fn steps_of(&self, function: &GlobalName) -> u64 {
        let known = || self.steps.get(function);
        known().unwrap_or_else(|| {
            find(function, &self.steps, |name| self.body(name));
            known().unwrap_or(u64::MAX)
        })
    }

    fn body(&self, name: &GlobalName) -> Body {
        let function = self.surface(name.unit).functions.get(&name.name);
        let Some((steps, function)) = function.and_then(|x| Some((x.steps?, x))) else {
            return (1, Vec::new());
        };
        let calls = function.called.iter();
        let calls = calls.filter_map(|(called, n)| Some((self.definition(name.unit, called)?, *n)));
        (steps.into(), calls.collect())
    }
}

/// What a body has: its own steps, and the functions that it calls with how often that stands there.
type Body = (u64, Vec<(GlobalName, u32)>);

/// Finds the steps of a function and of all that it reaches.
fn find(function: &GlobalName, known: &StepsOfBodies, body_of: impl Fn(&GlobalName) -> Body) {
    let mut walk = Walk::default();
    walk.enter(function.clone(), body_of(function));
    while let Some((place, calls)) = walk.open.last_mut() {
        let Some((callee, n_calls)) = calls.pop() else {
            let place = *place;
            walk.open.pop();
            if let Some((functions, steps)) = walk.leave(place) {
                known.insert(functions, steps);
            }
            continue;
        };
        if let Some(steps) = known.get(&callee) {
            walk.add(steps.saturating_mul(n_calls.into()));
        } else if let Some(place) = walk.places.get(&callee) {
            walk.join_from(*place);
        } else {
            // It is looked at again when its steps are known.
            calls.push((callee.clone(), n_calls));
            let body = body_of(&callee);
            walk.enter(callee, body);
        }
    }
}

/// A walk along calls that finds the functions that call each other: path-based strong components (Gabow, Information
/// Processing Letters 74, 2000).
#[derive(Default)]
struct Walk {
    /// Functions whose steps are not known yet, in the order in which they were met, and their places there.
    met: Vec<GlobalName>,
    places: FxHashMap<GlobalName, usize>,
    /// The functions on the way here: the place of each, and the calls that are still to be looked at.
    open: Vec<(usize, Vec<(GlobalName, u32)>)>,
    /// Where those begin that were found to call each other, with their steps so far.
    groups: Vec<(usize, u64)>,
}

impl Walk {
    fn enter(&mut self, function: GlobalName, (steps, calls): Body) {
        let place = self.met.len();
        self.places.insert(function.clone(), place);
        self.met.push(function);
        self.open.push((place, calls));
        self.groups.push((place, steps));
    }

    /// Adds steps to the last group.
    fn add(&mut self, more: u64) {
        if let Some((_, steps)) = self.groups.last_mut() {
            *steps = steps.saturating_add(more);
        }
    }

    /// All functions from the one at a place on call each other.
    fn join_from(&mut self, place: usize) {
        while let Some((_, steps)) = self.groups.pop_if(|(first, _)| place < *first) {
            self.add(steps);
        }
    }

    /// A function has no further calls: where it was met first of its group, that group with its steps.
    fn leave(&mut self, place: usize) -> Option<(Vec<GlobalName>, u64)> {
        let (_, steps) = self.groups.pop_if(|(first, _)| *first == place)?;
        let functions = self.met.split_off(place);
        for function in &functions {
            self.places.remove(function);
        }
        Some((functions, steps))
    }
}

#[cfg(test)]
mod tests {
    use super::{Body, StepsOfBodies, find};
    use crate::lowering::program::GlobalName;
    use crate::syntax::UnitId;

    fn name(number: usize) -> GlobalName {
        GlobalName {
            unit: UnitId(0),
            name: number.to_string().as_str().into(),
        }
    }

    /// The steps of functions that have so many of their own, and call these so often, found from the first.
    fn steps(bodies: &[(u64, &[(usize, u32)])]) -> Vec<Option<u64>> {
        let known = StepsOfBodies::default();
        let body = |of: &GlobalName| -> Body {
            let (own, calls) = bodies[of.name.parse::<usize>().expect("a number")];
            (own, calls.iter().map(|(x, n)| (name(*x), *n)).collect())
        };
        find(&name(0), &known, body);
        (0..bodies.len()).map(|x| known.get(&name(x))).collect()
    }

    #[test]
    fn calls_count_as_often_as_they_stand_there() {
        let found = steps(&[(10, &[(1, 2), (2, 1)]), (5, &[(2, 3)]), (7, &[]), (1, &[])]);
        assert_eq!(found, [Some(69), Some(26), Some(7), None]);
    }

    #[test]
    fn functions_that_call_each_other_count_once_together() {
        let found = steps(&[(10, &[(1, 2)]), (5, &[(2, 1)]), (3, &[(1, 1)])]);
        assert_eq!(found, [Some(26), Some(8), Some(8)]);
        let nested = steps(&[
            (1, &[(1, 1), (0, 1)]),
            (2, &[(2, 1), (3, 1)]),
            (4, &[(3, 1), (0, 4)]),
            (8, &[(4, 2)]),
            (16, &[(5, 1)]),
            (32, &[(4, 1)]),
        ]);
        // 4 and 5 are one group, 0 to 2 another; 3 lies between.
        let three = 8 + 2 * 48;
        let all = 7 + 2 * three;
        let expected = [all, all, all, three, 48, 48].map(Some);
        assert_eq!(nested, expected);
    }

    #[test]
    fn long_chains_and_many_calls_end() {
        let known = StepsOfBodies::default();
        let n = 50_000;
        let chain = |of: &GlobalName| -> Body {
            let at: usize = of.name.parse().expect("a number");
            let calls = match at {
                0 => (1..=n).map(|x| (name(x), 1)).collect(),
                _ if at == n => vec![(name(0), 1)],
                _ => vec![(name(at + 1), 2), (name(at - 1), 2)],
            };
            (1, calls)
        };
        find(&name(0), &known, chain);
        assert_eq!(known.get(&name(n)), Some(n as u64 + 1));
    }
}
