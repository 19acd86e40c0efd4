//! Runs through a chain of caches of any kind.

use crate::chain::{Bytes, Chain};
use crate::run::{AccessRun, RunAccess};
use crate::walk::{Recur, Shortcut, Sink};
use premiss_tree::{AccessKind, EntityRef};

/// Hands every access to a chain.
///
/// Where accesses of consecutive iterations stay in their lines, they do again what they did before
/// once they have hit, and have sent nothing below, without changing more than the order of last
/// accesses: the iterations that are left of such a stretch are passed over. (An order of last
/// accesses, and the bits of a tree, are the same after one repetition as after several.)
#[derive(Debug)]
pub(crate) struct SimulationSink {
    pub(crate) chain: Chain,
}

impl SimulationSink {
    fn iteration(&mut self, run: &AccessRun<'_>, t: u64) {
        for access in run.accesses {
            if let Some(bytes) = bytes(access, t) {
                let is_store = access.kind == AccessKind::Store;
                self.chain.access(access.reference.index(), bytes, is_store);
            }
        }
    }
}

fn bytes(access: &RunAccess, t: u64) -> Option<Bytes> {
    let first = access.address_at(t)?;
    let last = first + i64::from(access.size.max(1)) - 1;
    Some(Bytes { first, last })
}

impl Sink for SimulationSink {
    const SHORTCUT: Shortcut = Shortcut::Never;

    fn at_once(&self, run: &AccessRun<'_>) -> u64 {
        run.iterations_at_once(self.chain.line_size())
    }

    fn n_bytes(&self) -> u64 {
        self.chain.n_bytes()
    }

    fn run(&mut self, run: &AccessRun<'_>) -> u64 {
        let before = self.chain.work;
        let line_size = self.chain.line_size().cast_unsigned();
        let moves_on = |access: &RunAccess| line_size <= access.stride.unsigned_abs();
        let is_brief = run.accesses.iter().any(moves_on);
        let (mut t, mut until) = (0, 0);
        // Lines beyond the budget are not examined: the walk ends with this run.
        while t < run.iterations && !self.chain.is_spent() {
            if until <= t && !is_brief {
                until = t + run.stretch(t, self.chain.line_size());
            }
            let stirs = self.chain.stirs();
            self.iteration(run, t);
            t += 1;
            if t < until && stirs == self.chain.stirs() {
                t = until;
            }
        }
        self.chain.work - before + 1
    }
}

impl Recur for SimulationSink {}
