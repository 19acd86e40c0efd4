//! Call summaries: which names at file scope a call of a function may modify (mod analysis), whether the function is
//! recursive, and roughly how many steps inlining it takes. They are computed on the call graph from the interfaces of
//! units.
//!
//! The steps are the statements and expressions of the function's body and of the bodies of its callees, once per call
//! in the text; a function whose calls may be pure counts one step ([`pure_calls`](crate::pure_calls)). The functions
//! of a strongly connected component count once together, as recursive calls are not inlined. Branches that constants
//! decide and repeated passes over loops are not considered; half of the steps is the estimate for a call.
//!
//! ```text
//! f: 10 and 2 calls of g      g: 5, and calls h      h: 3, and calls g
//! steps: g and h 8, f 26
//! ```
//!
//! Each summary is computed once for the whole program. A computation that uses it depends on its value and not on any
//! text, and on its steps only by comparison with a limit. So an edit invalidates the callers of a function only if
//! such a value changes.

use bit_set::BitSet;
use premiss_ast::syntax::GlobalName;
use rustc_hash::FxHashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The summary of a call of a function, with all callees included.
#[derive(Clone, Debug, Default)]
pub struct CallSummary {
    /// The names at file scope that may be modified, as indices into the sorted list of all modified names.
    pub(crate) modified: BitSet,
    /// Whether one of the units involved has arrays or pointers at file scope that other files may use.
    pub has_shared_arrays: bool,
    /// Whether the function is recursive.
    pub is_recursive: bool,
    /// The approximate maximum of steps that inlining it takes.
    pub(crate) steps: u64,
}

/// The summaries found so far, shared by all units. The lock is held while new ones are computed: of a strongly
/// connected component, all functions have a summary or none.
#[derive(Default)]
pub(crate) struct CallSummaryCache(Mutex<Summaries>);

type Summaries = FxHashMap<GlobalName, Arc<CallSummary>>;

/// A function in the call graph: the summary of its own body, and its callees with the number of calls in the text.
pub(crate) struct CallGraphNode {
    pub(crate) local: CallSummary,
    pub(crate) calls: Vec<(GlobalName, u32)>,
    /// Whether its calls may be pure, so that the steps of its callees do not count.
    pub(crate) may_be_pure: bool,
}

impl CallSummary {
    /// Whether a call modifies nothing at file scope.
    #[must_use]
    pub fn modifies_nothing(&self) -> bool {
        self.modified.is_empty()
    }

    /// The likely number of steps of inlining it, at least 1: about half is skipped by branches.
    pub(crate) fn likely_steps(&self) -> u64 {
        self.steps.div_ceil(2)
    }

    /// Joins the summary of a function that is called `n_calls` times.
    fn add(&mut self, called: &Self, n_calls: u64) {
        self.modified.union_with(&called.modified);
        self.has_shared_arrays |= called.has_shared_arrays;
        let steps = called.steps.saturating_mul(n_calls);
        self.steps = self.steps.saturating_add(steps);
    }
}

impl CallSummaryCache {
    /// The summary of a function; computes missing ones from the call graph given by `body_of`.
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

/// Computes the summary of a function and of all functions that it reaches.
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
            // It is visited again once it has a summary.
            node.calls.push((callee.clone(), n_calls));
            let body = body_of(&callee);
            search.enter(callee, body);
        }
    }
}

/// A depth-first search for the strongly connected components of the call graph: the path-based algorithm (Gabow,
/// Information Processing Letters 74, 2000).
#[derive(Default)]
struct ComponentSearch {
    /// Functions without a summary in order of discovery, and their indices in this list.
    visited: Vec<GlobalName>,
    places: FxHashMap<GlobalName, usize>,
    /// The functions on the path from the root of the search.
    path: Vec<PathNode>,
    /// The components found so far on the path: the index of the first function, and the summary so far.
    components: Vec<(usize, CallSummary)>,
}

/// A function on the path of the search.
struct PathNode {
    place: usize,
    /// The calls that are not visited yet.
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

    /// Adds a callee to the innermost component.
    fn add(&mut self, called: &CallSummary, n_calls: u64) {
        if let Some((_, summary)) = self.components.last_mut() {
            summary.add(called, n_calls);
        }
    }

    /// Merges the components from the one that contains the function at `place` on: there is a cycle.
    fn join_from(&mut self, place: usize) {
        while let Some((_, summary)) = self.components.pop_if(|(first, _)| place < *first) {
            self.add(&summary, 1);
        }
        if let Some((_, summary)) = self.components.last_mut() {
            summary.is_recursive = true;
        }
    }

    /// Removes the last function from the path, as all its calls are visited; returns its component with the summary
    /// if the function was its first.
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

    /// A body with this many steps of its own that modifies one object and makes these calls.
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

    /// The summaries found from the first function, where each function has this many steps, modifies the object of
    /// its number and makes these calls.
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
        // 4 and 5 are one component, 0 to 2 another; 3 is between them.
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
