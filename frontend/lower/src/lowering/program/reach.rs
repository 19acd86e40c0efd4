//! What following a function's calls comes to, found from what is seen of units: which names at file scope it may change,
//! whether a call leads back to it, and how many steps it takes, roughly.
//!
//! The steps are the statements and expressions of its body and of all bodies that its calls lead to, each as often as it
//! is called, and one for a function that may be answered ([`answers`](crate::lowering::answers)). Functions that call
//! each other count once together, as a call that leads back is not followed. What branches leave out because of constants
//! is not known here, nor is what passes over loops add; half of them is what a call is likely to take.
//!
//! ```text
//! f: 10 and 2 calls of g      g: 5, and calls h      h: 3, and calls g
//! steps: g and h 8, f 26
//! ```
//!
//! All of it is found once for the whole program, and whoever asks depends on what came of it, and on no text: of the steps
//! on whether these are more than so many. An edit concerns the files that reach a function only where that is told
//! otherwise.

use super::{Linked, Program};
use crate::lowering::noted::Steps;
use crate::syntax::GlobalName;
use bit_set::BitSet;
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};
use std::sync::{Arc, Mutex, PoisonError};

/// What a function reaches by its calls, its own text included.
#[derive(Clone, Debug, Default)]
pub(in crate::lowering) struct Reach {
    /// Names at file scope that are changed, by their places among all that are.
    changed: BitSet,
    /// Whether a unit on the way has arrays, or pointers, at file scope.
    pub(in crate::lowering) has_shared_arrays: bool,
    /// Whether a call leads back to it.
    pub(in crate::lowering) is_recursive: bool,
    /// How many steps following it takes at most, roughly.
    steps: u64,
}

/// What was found so far, for all files. Whoever finds more has it alone: of functions that call each other, all are known
/// or none.
#[derive(Default)]
pub(super) struct Reaches(Mutex<Known>);

type Known = FxHashMap<GlobalName, Arc<Reach>>;

/// What a body has by itself, and the functions that it calls with how often that stands there.
struct Body {
    own: Reach,
    calls: Vec<(GlobalName, u32)>,
    /// Whether its calls take no steps, as it may be answered.
    may_be_answered: bool,
}

impl Reach {
    /// Whether following it changes nothing at file scope.
    pub(in crate::lowering) fn changes_nothing(&self) -> bool {
        self.changed.is_empty()
    }

    /// How many steps following it is likely to take, at least one: branches leave out about half.
    fn likely_steps(&self) -> u64 {
        self.steps.div_ceil(2)
    }

    /// Takes in what a function reaches that is called so often.
    fn add(&mut self, called: &Self, n_calls: u64) {
        self.changed.union_with(&called.changed);
        self.has_shared_arrays |= called.has_shared_arrays;
        let steps = called.steps.saturating_mul(n_calls);
        self.steps = self.steps.saturating_add(steps);
    }
}

impl Program<'_> {
    /// What a function reaches by its calls.
    pub(in crate::lowering) fn reach(&self, function: &GlobalName) -> Arc<Reach> {
        self.noted.reach(function);
        self.linked.reach(function)
    }

    /// Whether following a function is likely to take more steps than these.
    pub(in crate::lowering) fn takes_more_than(&self, steps: u64, function: &GlobalName) -> bool {
        let takes_more = steps < self.linked.reach(function).likely_steps();
        self.noted.steps(function, Steps::of(steps, takes_more));
        takes_more
    }

    /// The names at file scope that are changed on the way, in order.
    pub(in crate::lowering) fn changed(&self, reach: &Reach) -> Vec<GlobalName> {
        let places = reach.changed.iter();
        places.map(|x| self.linked.written[x].clone()).collect()
    }

    /// Whether a name at file scope is changed on the way.
    pub(in crate::lowering) fn is_changed(&self, reach: &Reach, name: &GlobalName) -> bool {
        let place = self.linked.written.binary_search(name);
        place.is_ok_and(|place| reach.changed.contains(place))
    }
}

impl Linked<'_> {
    /// Whether a function takes so many steps as was told of it.
    pub(super) fn takes(&self, function: &GlobalName, steps: Steps) -> bool {
        steps.contains(self.reach(function).likely_steps())
    }

    /// A digest of what a function reaches, but for the steps.
    pub(super) fn reach_digest(&self, function: &GlobalName) -> u64 {
        let mut hasher = FxHasher::default();
        let reach = self.reach(function);
        (reach.has_shared_arrays, reach.is_recursive).hash(&mut hasher);
        let changed = reach.changed.iter();
        changed.for_each(|place| self.written[place].hash(&mut hasher));
        hasher.finish()
    }

    fn reach(&self, function: &GlobalName) -> Arc<Reach> {
        let known = self.reaches.0.lock();
        let mut known = known.unwrap_or_else(PoisonError::into_inner);
        if !known.contains_key(function) {
            find(function, &mut known, |name| self.body(name));
        }
        known.get(function).cloned().unwrap_or_default()
    }

    fn body(&self, name: &GlobalName) -> Body {
        let surface = self.surface(name.unit);
        let mut body = Body {
            own: Reach {
                has_shared_arrays: surface.has_shared_arrays,
                steps: 1,
                ..Reach::default()
            },
            calls: Vec::new(),
            may_be_answered: true,
        };
        let Some(function) = surface.functions.get(&name.name) else {
            return body;
        };
        if let Some(steps) = function.steps {
            body.own.steps = steps.into();
            body.may_be_answered = false;
        }
        let at_pointers = function.calls_pointer.then_some(&surface.objects);
        for name in function
            .changed
            .iter()
            .chain(at_pointers.into_iter().flatten())
        {
            // What a pointer leads to changes no more than all functions do.
            body.own
                .changed
                .extend(self.written.binary_search(name).ok());
        }
        let calls = function.called.iter();
        let calls = calls.filter_map(|(called, n)| Some((self.definition(name.unit, called)?, *n)));
        body.calls = calls.collect();
        body
    }
}

/// Finds what a function reaches, and all that are on the way.
fn find(function: &GlobalName, known: &mut Known, body_of: impl Fn(&GlobalName) -> Body) {
    let mut walk = Walk::default();
    walk.enter(function.clone(), body_of(function));
    while let Some(open) = walk.open.last_mut() {
        let Some((callee, n_calls)) = open.calls.pop() else {
            if let Some((functions, reach)) = walk.leave() {
                let reach = Arc::new(reach);
                known.extend(functions.into_iter().map(|x| (x, reach.clone())));
            }
            continue;
        };
        let n_steps = match open.may_be_answered {
            true => 0,
            false => n_calls.into(),
        };
        if let Some(reach) = known.get(&callee) {
            walk.add(reach, n_steps);
        } else if let Some(place) = walk.places.get(&callee) {
            walk.join_from(*place);
        } else {
            // It is looked at again when it is known.
            open.calls.push((callee.clone(), n_calls));
            let body = body_of(&callee);
            walk.enter(callee, body);
        }
    }
}

/// A walk along calls that finds the functions that call each other: path-based strong components (Gabow, Information
/// Processing Letters 74, 2000).
#[derive(Default)]
struct Walk {
    /// Functions of which it is not known yet what they reach, in the order in which they were met, and their places there.
    met: Vec<GlobalName>,
    places: FxHashMap<GlobalName, usize>,
    /// The functions on the way here.
    open: Vec<Open>,
    /// Where those begin that were found to call each other, with what they reach so far.
    groups: Vec<(usize, Reach)>,
}

/// A function that is being looked at.
struct Open {
    place: usize,
    /// The calls that are still to be looked at.
    calls: Vec<(GlobalName, u32)>,
    may_be_answered: bool,
}

impl Walk {
    fn enter(&mut self, function: GlobalName, body: Body) {
        let place = self.met.len();
        self.places.insert(function.clone(), place);
        self.met.push(function);
        self.open.push(Open {
            place,
            calls: body.calls,
            may_be_answered: body.may_be_answered,
        });
        self.groups.push((place, body.own));
    }

    /// Adds what is reached to the last group.
    fn add(&mut self, called: &Reach, n_calls: u64) {
        if let Some((_, reach)) = self.groups.last_mut() {
            reach.add(called, n_calls);
        }
    }

    /// All functions from the one at a place on call each other.
    fn join_from(&mut self, place: usize) {
        while let Some((_, reach)) = self.groups.pop_if(|(first, _)| place < *first) {
            self.add(&reach, 1);
        }
        if let Some((_, reach)) = self.groups.last_mut() {
            reach.is_recursive = true;
        }
    }

    /// The last function on the way has no further calls: where it was met first of its group, that group with what it
    /// reaches.
    fn leave(&mut self) -> Option<(Vec<GlobalName>, Reach)> {
        let Open { place, .. } = self.open.pop()?;
        let (_, reach) = self.groups.pop_if(|(first, _)| *first == place)?;
        let functions = self.met.split_off(place);
        for function in &functions {
            self.places.remove(function);
        }
        Some((functions, reach))
    }
}

#[cfg(test)]
mod tests {
    use super::{Body, Known, Reach, find};
    use crate::syntax::{GlobalName, UnitId};

    fn name(number: usize) -> GlobalName {
        GlobalName {
            unit: UnitId(0),
            name: number.to_string().as_str().into(),
        }
    }

    /// A body with so many steps of its own that changes one object, and calls these so often.
    fn body(steps: u64, changed: usize, calls: &[(usize, u32)]) -> Body {
        Body {
            own: Reach {
                steps,
                changed: [changed].into_iter().collect(),
                ..Reach::default()
            },
            calls: calls.iter().map(|(x, n)| (name(*x), *n)).collect(),
            may_be_answered: false,
        }
    }

    /// What functions reach that have so many steps of their own, change the object of their number, and call these so
    /// often, found from the first.
    fn reaches(bodies: &[(u64, &[(usize, u32)])]) -> Vec<Option<Reach>> {
        let mut known = Known::default();
        let body = |of: &GlobalName| {
            let number = of.name.parse::<usize>().expect("a number");
            body(bodies[number].0, number, bodies[number].1)
        };
        find(&name(0), &mut known, body);
        let reach = |x| known.get(&name(x)).map(|x| Reach::clone(x));
        (0..bodies.len()).map(reach).collect()
    }

    fn steps(bodies: &[(u64, &[(usize, u32)])]) -> Vec<Option<u64>> {
        let found = reaches(bodies).into_iter();
        found.map(|reach| Some(reach?.steps)).collect()
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
    fn what_is_changed_on_the_way_and_whether_calls_lead_back() {
        let found = reaches(&[
            (1, &[(1, 2), (4, 1)]),
            (1, &[(2, 1)]),
            (1, &[(3, 1), (1, 1)]),
            (1, &[]),
            (1, &[(4, 1), (3, 1)]),
        ]);
        let found: Vec<(Vec<usize>, bool)> = found
            .into_iter()
            .flatten()
            .map(|x| (x.changed.iter().collect(), x.is_recursive))
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
    fn what_may_be_answered_takes_one_step_and_reaches_all() {
        let mut known = Known::default();
        let body = |of: &GlobalName| match &*of.name {
            "0" => body(10, 0, &[(1, 3)]),
            "1" => Body {
                may_be_answered: true,
                ..body(1, 1, &[(2, 5)])
            },
            _ => body(100, 2, &[]),
        };
        find(&name(0), &mut known, body);
        let [all, answered] = [0, 1].map(|x| known.get(&name(x)).expect("it was met"));
        assert_eq!((all.steps, answered.steps), (13, 1));
        assert_eq!(all.changed.iter().collect::<Vec<_>>(), [0, 1, 2]);
    }

    #[test]
    fn long_chains_and_many_calls_end() {
        let mut known = Known::default();
        let n = 50_000;
        let chain = |of: &GlobalName| -> Body {
            let at: usize = of.name.parse().expect("a number");
            match at {
                0 => body(1, 0, &(1..=n).map(|x| (x, 1)).collect::<Vec<_>>()),
                _ if at == n => body(1, 0, &[(0, 1)]),
                _ => body(1, 0, &[(at + 1, 2), (at - 1, 2)]),
            }
        };
        find(&name(0), &mut known, chain);
        let last = known.get(&name(n)).map(|reach| reach.steps);
        assert_eq!(last, Some(n as u64 + 1));
    }
}
