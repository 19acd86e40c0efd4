//! Sinks that count accesses, measure how far arrays are reached, and show addresses.

use crate::AddressedAccess;
use crate::layout::Reach;
use crate::run::AccessRun;
use crate::walk::{Recur, Shortcut, Sink};
use premiss_tree::EntityRef;
use std::ops::ControlFlow;

/// Counts executions of each reference: certain and possible ones.
#[derive(Debug)]
pub(crate) struct AccessCounts {
    pub(crate) certain: Vec<u64>,
    pub(crate) possible: Vec<u64>,
    weight: u64,
}

impl AccessCounts {
    pub(crate) fn new(n_references: usize) -> Self {
        Self {
            certain: vec![0; n_references],
            possible: vec![0; n_references],
            weight: 1,
        }
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
        1
    }

    fn set_weight(&mut self, weight: u64) {
        self.weight = weight;
    }
}

impl Recur for AccessCounts {}

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
