//! Sinks that count accesses, measure how far arrays are reached, and show addresses.

use crate::AddressedAccess;
use crate::layout::Reach;
use crate::run::{AccessRun, RunAccess, RunArm};
use crate::walk::{BranchPoint, Recur, Shortcut, Sink};
use premiss_tree::{AccessKind, EntityRef};
use std::ops::ControlFlow;

/// Counts executions of each reference: certain and possible ones.
#[derive(Debug)]
pub(crate) struct AccessCounts {
    pub(crate) certain: Vec<u64>,
    pub(crate) possible: Vec<u64>,
    /// Of all references together.
    joint: JointAccesses,
    weight: u64,
}

impl AccessCounts {
    pub(crate) fn new(n_references: usize) -> Self {
        Self {
            certain: vec![0; n_references],
            possible: vec![0; n_references],
            joint: JointAccesses::default(),
            weight: 1,
        }
    }

    /// At least and at most how many accesses, loads and stores there are.
    pub(crate) fn joint(&self) -> Joint {
        self.joint.sums
    }
}

impl Sink for AccessCounts {
    const SHORTCUT: Shortcut = Shortcut::Multiply;

    fn run(&mut self, run: &AccessRun<'_>) -> u64 {
        for access in run.accesses {
            let counts = if access.certain {
                &mut self.certain
            } else {
                &mut self.possible
            };
            counts[access.reference.index()] += run.iterations * self.weight;
        }
        self.joint.add_run(run, run.iterations * self.weight);
        1
    }

    fn at_branch(&mut self, point: BranchPoint) {
        self.joint.at_branch(point);
    }

    fn set_weight(&mut self, weight: u64) {
        self.weight = weight;
    }
}

impl Recur for AccessCounts {}

/// At least and at most how many accesses, loads and stores.
pub(crate) type Joint = [(u64, u64); 3];

/// Counts the accesses of all references together. Of a branch on data, one arm is executed: in
/// `if (?) { load x; load y; } else { load x; }`, there are one to two loads, not none to three.
#[derive(Debug, Default)]
struct JointAccesses {
    /// Of the arm under way, or outside of all.
    sums: Joint,
    /// For each branch under way, what there was outside of it, and its first arm once that has ended.
    branches: Vec<(Joint, Joint)>,
}

impl JointAccesses {
    fn at_branch(&mut self, point: BranchPoint) {
        let sums = std::mem::take(&mut self.sums);
        match (point, self.branches.last_mut()) {
            (BranchPoint::Second, Some((_, first))) => *first = sums,
            (BranchPoint::End, Some(_)) => {
                let (outside, first) = self.branches.pop().unwrap_or_default();
                self.sums = added(outside, one_of(first, sums));
            }
            _ => self.branches.push((sums, Joint::default())),
        }
    }

    /// Adds a run, whose arms are part of it.
    fn add_run(&mut self, run: &AccessRun<'_>, times: u64) {
        // What each arm has outside of arms within it; first what is outside of all.
        let mut arms = vec![Joint::default(); run.arms.len() + 1];
        for access in run.accesses {
            let sums = &mut arms[access.arm.number as usize];
            *sums = added(*sums, of_one(access, times));
        }
        self.sums = added(self.sums, of_arm(0, run.arms, &arms));
    }
}

/// The sums of an arm with those of the branches in it.
fn of_arm(number: u32, places: &[RunArm], direct: &[Joint]) -> Joint {
    let seconds = places
        .iter()
        .filter(|arm| arm.enclosing == number && arm.first != 0);
    let of_branch = |second: &RunArm| {
        let [a, b] = [second.first, second.number].map(|arm| of_arm(arm, places, direct));
        one_of(a, b)
    };
    seconds.fold(direct[number as usize], |sums, second| {
        added(sums, of_branch(second))
    })
}

fn of_one(access: &RunAccess, times: u64) -> Joint {
    let of = |is_one: bool| if is_one { (times, times) } else { (0, 0) };
    let is_load = access.kind == AccessKind::Load;
    [of(true), of(is_load), of(!is_load)]
}

fn added(a: Joint, b: Joint) -> Joint {
    [0, 1, 2].map(|idx| (a[idx].0 + b[idx].0, a[idx].1 + b[idx].1))
}

fn one_of(a: Joint, b: Joint) -> Joint {
    [0, 1, 2].map(|idx| (a[idx].0.min(b[idx].0), a[idx].1.max(b[idx].1)))
}

/// Measures how far each array is reached.
#[derive(Debug)]
pub(crate) struct Reaches {
    pub(crate) reaches: Vec<Option<Reach>>,
}

impl Sink for Reaches {
    const SHORTCUT: Shortcut = Shortcut::Ends;

    fn run(&mut self, run: &AccessRun<'_>) -> u64 {
        for access in run.accesses {
            let Some((low, high)) = access.ends(run.iterations) else {
                continue;
            };
            let reach = self.reaches[access.array.index()].get_or_insert(Reach {
                start: low,
                end: high + 1,
            });
            reach.start = reach.start.min(low);
            reach.end = reach.end.max(high + 1);
        }
        1
    }
}

impl Recur for Reaches {}

/// Shows every access.
pub(crate) struct Shower<'a> {
    pub(crate) visit: &'a mut dyn FnMut(AddressedAccess) -> ControlFlow<()>,
    pub(crate) has_broken: bool,
}

impl Sink for Shower<'_> {
    const SHORTCUT: Shortcut = Shortcut::Never;

    fn at_once(&self, _run: &AccessRun<'_>) -> u64 {
        1 << 14
    }

    fn run(&mut self, run: &AccessRun<'_>) -> u64 {
        for t in 0..run.iterations {
            for access in run.accesses {
                if self.has_broken {
                    // Spends the rest of the budget: nothing more is to be shown.
                    return u64::MAX;
                }
                let shown = AddressedAccess {
                    reference: access.reference,
                    kind: access.kind,
                    address: access.address_at(t).map(i64::cast_unsigned),
                    size: access.size,
                    certain: access.certain,
                };
                self.has_broken = (self.visit)(shown).is_break();
            }
        }
        run.iterations
    }
}

impl Recur for Shower<'_> {}
