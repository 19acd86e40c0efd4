//! Call summaries: which names at file scope following a function's calls may modify, whether a call leads back to it, and
//! how many steps it takes, roughly. They are found on the call graph, from the interfaces of units.
//!
//! The steps are the statements and expressions of its body and of all bodies that its calls lead to, each as often as it
//! is called, and one for a function whose calls may be pure ([`pure_calls`](crate::pure_calls)). Functions that call
//! each other count once together, as a call that leads back is not followed. What branches leave out because of constants
//! is not known here, nor is what passes over loops add; half of them is what a call is likely to take.
//!
//! ```text
//! f: 10 and 2 calls of g      g: 5, and calls h      h: 3, and calls g
//! steps: g and h 8, f 26
//! ```
//!
//! A summary is found once for the whole program, and whoever reads it depends on its value, and on no text; of the steps,
//! on whether they are more than so many. So an edit concerns the files that call a function only where the answer is
//! another one.

use bit_set::BitSet;
use premiss_ast::syntax::GlobalName;
use rustc_hash::FxHashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// What following a function comes to, its own text included.
#[derive(Clone, Debug, Default)]
pub struct CallSummary {
    /// Names at file scope that may be modified, by their places among all that are.
    pub(crate) modified: BitSet,
    /// Whether a unit on the way has arrays, or pointers, at file scope.
    pub has_shared_arrays: bool,
    /// Whether a call leads back to it.
    pub is_recursive: bool,
    /// How many steps following it takes at most, roughly.
    pub(crate) steps: u64,
}

/// The summaries that were found so far, for all files. Whoever finds more has them alone: of functions that call each
/// other, all have one or none.
#[derive(Default)]
pub(crate) struct CallSummaryCache(Mutex<Summaries>);

type Summaries = FxHashMap<GlobalName, Arc<CallSummary>>;

/// A function in the call graph: what its body does by itself, and the functions that it calls, each with the number of
/// calls in the text.
pub(crate) struct CallGraphNode {
    pub(crate) local: CallSummary,
    pub(crate) calls: Vec<(GlobalName, u32)>,
    /// Whether its calls take no steps, as calls of it may be pure.
    pub(crate) may_be_pure: bool,
}

impl CallSummary {
    /// Whether following it modifies nothing at file scope.
    #[must_use]
    pub fn modifies_nothing(&self) -> bool {
        self.modified.is_empty()
    }

    /// How many steps following it is likely to take, at least one: branches leave out about half.
    pub(crate) fn likely_steps(&self) -> u64 {
        self.steps.div_ceil(2)
    }

    /// Adds that of a function that is called so often.
    fn add(&mut self, called: &Self, n_calls: u64) {
        self.modified.union_with(&called.modified);
        self.has_shared_arrays |= called.has_shared_arrays;
        let steps = called.steps.saturating_mul(n_calls);
        self.steps = self.steps.saturating_add(steps);
    }
}

impl CallSummaryCache {
    /// The summary of a function, found with `body_of` where it is not there.
    pub(crate) fn get_or_find(
        &self,
        function: &GlobalName,
        body_of: impl Fn(&GlobalName) -> CallGraphNode,
    ) -> Arc<CallSummary> {
        let mut summaries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !summaries.contains_key(function) {
            summarize(function, &mut summaries, body_of);
        }
        summaries.get(function).cloned().unwrap_or_default()
    }
}

/// Finds the summary of a function, and those of all functions on the way.
fn summarize(
    function: &GlobalName,
    summaries: &mut Summaries,
    body_of: impl Fn(&GlobalName) -> CallGraphNode,
) {
    let mut search = ComponentSearch::default();
    search.enter(function.clone(), body_of(function));
    while let Some(node) = search.path.last_mut() {
        let Some((callee, n_calls)) = node.calls.pop() else {
            if let Some((functions, summary)) = search.leave() {
                let summary = Arc::new(summary);
                summaries.extend(functions.into_iter().map(|x| (x, summary.clone())));
            }
            continue;
        };
        let n_steps = match node.may_be_pure {
            true => 0,
            false => n_calls.into(),
        };
        if let Some(summary) = summaries.get(&callee) {
            search.add(summary, n_steps);
        } else if let Some(place) = search.places.get(&callee) {
            search.join_from(*place);
        } else {
            // It is visited again when it has a summary.
            node.calls.push((callee.clone(), n_calls));
            let body = body_of(&callee);
            search.enter(callee, body);
        }
    }
}

/// A depth-first search of the call graph for the functions that call each other: path-based strong components (Gabow,
/// Information Processing Letters 74, 2000).
#[derive(Default)]
struct ComponentSearch {
    /// Functions that have no summary yet, in the order in which they were visited, and their places there.
    visited: Vec<GlobalName>,
    places: FxHashMap<GlobalName, usize>,
    /// The functions on the path to this one.
    path: Vec<PathNode>,
    /// Where those begin that were found to call each other, with their summary so far.
    components: Vec<(usize, CallSummary)>,
}

/// A function on the path of the search.
struct PathNode {
    place: usize,
    /// The calls that are still to be followed.
    calls: Vec<(GlobalName, u32)>,
    may_be_pure: bool,
}

impl ComponentSearch {
    fn enter(&mut self, function: GlobalName, body: CallGraphNode) {
        let place = self.visited.len();
        self.places.insert(function.clone(), place);
        self.visited.push(function);
        self.path.push(PathNode {
            place,
            calls: body.calls,
            may_be_pure: body.may_be_pure,
        });
        self.components.push((place, body.local));
    }

    /// Adds a callee to the last component.
    fn add(&mut self, called: &CallSummary, n_calls: u64) {
        if let Some((_, summary)) = self.components.last_mut() {
            summary.add(called, n_calls);
        }
    }

    /// All functions from the one at a place on call each other: they become one component.
    fn join_from(&mut self, place: usize) {
        while let Some((_, summary)) = self.components.pop_if(|(first, _)| place < *first) {
            self.add(&summary, 1);
        }
        if let Some((_, summary)) = self.components.last_mut() {
            summary.is_recursive = true;
        }
    }

    /// The last function on the path has no further calls: where it was visited first of its component, that component
    /// with its summary.
    fn leave(&mut self) -> Option<(Vec<GlobalName>, CallSummary)> {
        let PathNode { place, .. } = self.path.pop()?;
        let (_, summary) = self.components.pop_if(|(first, _)| *first == place)?;
        let functions = self.visited.split_off(place);
        for function in &functions {
            self.places.remove(function);
        }
        Some((functions, summary))
    }
}

#[cfg(test)]
mod tests {
    use super::{CallGraphNode, CallSummary, Summaries, summarize};
    use premiss_ast::syntax::{GlobalName, UnitId};

    fn name(number: usize) -> GlobalName {
        GlobalName {
            unit: UnitId(0),
            name: number.to_string().as_str().into(),
        }
    }

    /// A body with so many steps of its own that modifies one object, and calls these so often.
    fn body(steps: u64, modified: usize, calls: &[(usize, u32)]) -> CallGraphNode {
        CallGraphNode {
            local: CallSummary {
                steps,
                modified: [modified].into_iter().collect(),
                ..CallSummary::default()
            },
            calls: calls.iter().map(|(x, n)| (name(*x), *n)).collect(),
            may_be_pure: false,
        }
    }

    /// The summaries of functions that have so many steps of their own, modify the object of their number, and call these so
    /// often, found from the first.
    fn summaries(bodies: &[(u64, &[(usize, u32)])]) -> Vec<Option<CallSummary>> {
        let mut found = Summaries::default();
        let body = |of: &GlobalName| {
            let number = of.name.parse::<usize>().expect("a number");
            body(bodies[number].0, number, bodies[number].1)
        };
        summarize(&name(0), &mut found, body);
        let summary = |x| found.get(&name(x)).map(|x| CallSummary::clone(x));
        (0..bodies.len()).map(summary).collect()
    }

    fn steps(bodies: &[(u64, &[(usize, u32)])]) -> Vec<Option<u64>> {
        let found = summaries(bodies).into_iter();
        found.map(|summary| Some(summary?.steps)).collect()
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
    fn what_callees_modify_and_whether_calls_lead_back() {
        let found = summaries(&[
            (1, &[(1, 2), (4, 1)]),
            (1, &[(2, 1)]),
            (1, &[(3, 1), (1, 1)]),
            (1, &[]),
            (1, &[(4, 1), (3, 1)]),
        ]);
        let found: Vec<(Vec<usize>, bool)> = found
            .into_iter()
            .flatten()
            .map(|x| (x.modified.iter().collect(), x.is_recursive))
            .collect();
        let group = vec![1, 2, 3];
        let expected = [
            (vec![0, 1, 2, 3, 4], false),
            (group.clone(), true),
            (group, true),
            (vec![3], false),
            (vec![3, 4], true),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn what_may_be_pure_takes_one_step_and_reaches_all() {
        let mut found = Summaries::default();
        let body = |of: &GlobalName| match &*of.name {
            "0" => body(10, 0, &[(1, 3)]),
            "1" => CallGraphNode {
                may_be_pure: true,
                ..body(1, 1, &[(2, 5)])
            },
            _ => body(100, 2, &[]),
        };
        summarize(&name(0), &mut found, body);
        let [all, pure] = [0, 1].map(|x| found.get(&name(x)).expect("it was visited"));
        assert_eq!((all.steps, pure.steps), (13, 1));
        assert_eq!(all.modified.iter().collect::<Vec<_>>(), [0, 1, 2]);
    }

    #[test]
    fn long_chains_and_many_calls_end() {
        let mut found = Summaries::default();
        let n = 50_000;
        let chain = |of: &GlobalName| -> CallGraphNode {
            let at: usize = of.name.parse().expect("a number");
            match at {
                0 => body(1, 0, &(1..=n).map(|x| (x, 1)).collect::<Vec<_>>()),
                _ if at == n => body(1, 0, &[(0, 1)]),
                _ => body(1, 0, &[(at + 1, 2), (at - 1, 2)]),
            }
        };
        summarize(&name(0), &mut found, chain);
        let last = found.get(&name(n)).map(|summary| summary.steps);
        assert_eq!(last, Some(n as u64 + 1));
    }
}
