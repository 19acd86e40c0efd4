//! The loops around the point that is being lowered, and what the passes over them have found.

use crate::bailout::Bailout;
use crate::call_stack::CallPath;
use crate::domain::heap::HeapLosses;
use crate::domain::memory_version::MemoryVersion;
use crate::domain::reals::RealKnowledge;
use crate::domain::state::IntegerKnowledge;
use crate::domain::values::ArrayRow;
use crate::symbol_table::VariableOrigin;
use crate::syntax::{At, Name, Statement};
use premiss_tree::{Arithmetic, Expression, Node, VariableId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};

/// The loops around the point that is being lowered.
#[derive(Default)]
pub(crate) struct LoopContext {
    /// Whether the header of a loop is being evaluated.
    pub(crate) in_header: bool,
    /// What evaluating that header does.
    pub(crate) header: HeaderEffects,
    /// Iterators of the open loops, with their least values where known.
    pub(crate) iterators: BTreeMap<VariableId, Option<i64>>,
    /// The passes over the open loops.
    pub(crate) passes: LoopPasses,
    /// What earlier passes over the loops around found of inner ones.
    pub(crate) fixpoint: FixpointMemo,
}

/// A pass over a loop, with what it has asked for so far.
pub(crate) struct HeadReads {
    pub(crate) number: u32,
    /// How many steps may have gone into bodies of other files when it ends.
    pub(crate) linked_end: u64,
    /// How many versions memory had had when it began.
    pub(crate) n_versions: u32,
    pub(crate) integers: FxHashSet<VariableId>,
    /// Real numbers with the bits of what they were.
    pub(crate) constants: FxHashSet<(VariableId, u64)>,
    pub(crate) rows: FxHashSet<ArrayRow>,
}

/// The passes that are being made, those over outer loops first.
#[derive(Default)]
pub(crate) struct LoopPasses {
    pub(crate) open: Vec<HeadReads>,
    /// How many have begun.
    pub(crate) n_begun: u32,
}

impl LoopPasses {
    /// Ends the pass over the innermost loop.
    pub(crate) fn finish_pass(&mut self) -> PassReads {
        PassReads(self.open.pop().expect("a pass was begun"))
    }

    /// Records that a real number is read that is this constant here.
    pub(crate) fn record_constant(&mut self, id: VariableId, bits: u64) {
        for pass in &mut self.open {
            pass.constants.insert((id, bits));
        }
    }

    /// Records that an array is read for what it has held since some version of memory.
    pub(crate) fn record_array(&mut self, row: ArrayRow, since: MemoryVersion) {
        let is_new = |pass: &HeadReads| matches!(since, MemoryVersion::At(number) if pass.n_versions < number);
        let passes = self.open.iter_mut();
        for pass in passes.filter(|pass| !is_new(pass)) {
            pass.rows.insert(row);
        }
    }

    /// How many are being made.
    pub(crate) fn depth(&self) -> usize {
        self.open.len()
    }

    /// How many steps may have gone into bodies of other files when the pass over the outermost loop ends.
    pub(crate) fn linked_end(&self) -> Option<u64> {
        self.open.first().map(|pass| pass.linked_end)
    }

    /// Gives up all but the outer ones.
    pub(crate) fn truncate(&mut self, depth: usize) {
        self.open.truncate(depth);
    }
}

/// What a pass asked for of what was known at its head.
pub(crate) struct PassReads(pub(crate) HeadReads);

/// What evaluating a loop's header does.
#[derive(Default)]
pub(crate) struct HeaderEffects {
    /// Computations before the loop, such as a call to a minimum with branches.
    pub(crate) computed: Vec<Node>,
    /// Loads that every test makes, the one that ends the loop included.
    pub(crate) test_loads: Vec<HeaderLoad>,
    /// Loads that every step makes.
    pub(crate) step_loads: Vec<HeaderLoad>,
    /// Names that an iteration may change.
    pub(crate) changed: BTreeSet<Name>,
    /// What is known only when the program runs, and stays as it is in the loop.
    pub(crate) unknown: Vec<Bailout>,
    /// What test and step compute for each iteration.
    pub(crate) arithmetic: Arithmetic,
}

/// A load in the header of a loop, of the same element each time.
pub(crate) struct HeaderLoad {
    pub(crate) row: ArrayRow,
    pub(crate) offset: Expression,
    pub(crate) size: u32,
    pub(crate) at: At,
}

/// A loop of the program, with the calls that led to it.
pub(crate) type LoopKey = (*const Statement, CallPath);

/// What one loop loses. A digest that two variables share, or a place that two paths lead to, makes more unknown than
/// has to be, never less.
pub(crate) struct LoopLosses {
    /// Integers with what was known of them before and at the head.
    pub(crate) integers: Vec<(VariableOrigin, IntegerKnowledge, IntegerKnowledge)>,
    /// Pointers of which nobody knows where they point.
    pub(crate) pointers: Vec<VariableOrigin>,
    /// Real numbers with what is known of them at the head.
    pub(crate) reals: Vec<(VariableOrigin, RealKnowledge)>,
    pub(crate) memory: HeapLosses,
}

/// What all loops lose that are inside of others.
#[derive(Default)]
pub(crate) struct FixpointMemo {
    pub(crate) losses: FxHashMap<LoopKey, LoopLosses>,
    /// How often loops have waited for the next pass over those around.
    pub(crate) waits: FxHashMap<LoopKey, u32>,
    /// Whether one does.
    pub(crate) is_waiting: bool,
    /// The variables that were made last.
    pub(crate) variables: FxHashMap<VariableOrigin, VariableId>,
    /// The versions at which loops are entered, where these are inside of others.
    pub(crate) versions: FxHashMap<LoopKey, u32>,
}

impl FixpointMemo {
    pub(crate) fn record_variable(&mut self, origin: VariableOrigin, id: VariableId) {
        self.variables.insert(origin, id);
    }
}
