//! The loops around the current point, and the results of the passes over them.

use crate::call_stack::CallPath;
use crate::domain::heap::HeapLosses;
use crate::domain::memory_version::MemoryVersion;
use crate::domain::reals::RealKnowledge;
use crate::domain::state::IntegerKnowledge;
use crate::domain::values::ArrayRow;
use crate::symbol_table::VariableOrigin;
use crate::syntax::{Name, Statement, TextRange};
use premiss_tree::{Arithmetic, Expression, Node, ParameterId, VariableId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};

/// The loops around the current point.
#[derive(Default)]
pub(crate) struct LoopContext {
    /// Whether the header of a loop is being evaluated.
    pub(crate) in_header: bool,
    /// The effects of evaluating that header.
    pub(crate) header: HeaderEffects,
    /// Iterators of the open loops, with what is known of their values in the bodies.
    pub(crate) iterators: BTreeMap<VariableId, IteratorRange>,
    /// The passes over the open loops.
    pub(crate) passes: PassStack,
    /// What earlier passes over the enclosing loops found about inner ones.
    pub(crate) fixpoint: FixpointMemo,
}

/// Bounds of the values of an iterator in the body of its loop.
#[derive(Clone, Debug, Default)]
pub(crate) struct IteratorRange {
    /// The minimum, where it is known.
    pub(crate) least: Option<i64>,
    /// Values that it does not fall below, made of what does not change in the loop.
    pub(crate) lower: Vec<Expression>,
    /// Values that it does not exceed.
    pub(crate) upper: Vec<Expression>,
}

/// A pass over a loop, with what it has read so far.
pub(crate) struct HeadReads {
    pub(crate) number: u32,
    /// The limit of steps in bodies of other files at its end.
    pub(crate) linked_end: u64,
    /// The number of versions of memory when it began.
    pub(crate) n_versions: u32,
    pub(crate) integers: FxHashSet<VariableId>,
    /// Real variables that were read as constants, with the bits of their values.
    pub(crate) constants: FxHashSet<(VariableId, u64)>,
    pub(crate) rows: FxHashSet<ArrayRow>,
}

/// The current passes, those over outer loops first.
#[derive(Default)]
pub(crate) struct PassStack {
    pub(crate) open: Vec<HeadReads>,
    /// The number of passes begun so far.
    pub(crate) n_begun: u32,
}

impl PassStack {
    /// Ends the pass over the innermost loop.
    pub(crate) fn finish_pass(&mut self) -> PassReads {
        PassReads(self.open.pop().expect("a pass was begun"))
    }

    /// Records that a real variable was read as this constant.
    pub(crate) fn record_constant(&mut self, id: VariableId, bits: u64) {
        for pass in &mut self.open {
            pass.constants.insert((id, bits));
        }
    }

    /// Records that the contents of an array were read as those since a version of memory.
    pub(crate) fn record_array(&mut self, row: ArrayRow, since: MemoryVersion) {
        let is_new = |pass: &HeadReads| matches!(since, MemoryVersion::TextRange(number) if pass.n_versions < number);
        let passes = self.open.iter_mut();
        for pass in passes.filter(|pass| !is_new(pass)) {
            pass.rows.insert(row);
        }
    }

    /// The number of current passes.
    pub(crate) fn depth(&self) -> usize {
        self.open.len()
    }

    /// The limit of steps in bodies of other files for the pass over the outermost loop.
    pub(crate) fn linked_end(&self) -> Option<u64> {
        self.open.first().map(|pass| pass.linked_end)
    }

    /// Abandons all passes but the `depth` outermost ones.
    pub(crate) fn truncate(&mut self, depth: usize) {
        self.open.truncate(depth);
    }
}

/// What a pass read of the state at its head.
pub(crate) struct PassReads(pub(crate) HeadReads);

/// The effects of evaluating a loop's header.
#[derive(Default)]
pub(crate) struct HeaderEffects {
    /// Computations before the loop, such as a call to a minimum with branches.
    pub(crate) computed: Vec<Node>,
    /// Loads of every test, including the one that ends the loop.
    pub(crate) test_loads: Vec<HeaderLoad>,
    /// Loads of every step.
    pub(crate) step_loads: Vec<HeaderLoad>,
    /// Names that an iteration may change.
    pub(crate) changed: BTreeSet<Name>,
    /// The arithmetic of test and step for each iteration.
    pub(crate) arithmetic: Arithmetic,
}

/// A load in the header of a loop that accesses the same element each time.
pub(crate) struct HeaderLoad {
    pub(crate) row: ArrayRow,
    pub(crate) offset: Expression,
    pub(crate) size: u32,
    pub(crate) at: TextRange,
}

/// A loop of the program, with the calls that led to it.
pub(crate) type LoopKey = (*const Statement, CallPath);

/// What one loop loses. Where two variables share a hash, or two paths lead to one place, more becomes unknown than
/// necessary, never less.
pub(crate) struct LoopLosses {
    /// Integers with their abstract values before the loop and at its head.
    pub(crate) integers: Vec<(VariableOrigin, IntegerKnowledge, IntegerKnowledge)>,
    /// Pointers whose targets are unknown.
    pub(crate) pointers: Vec<VariableOrigin>,
    /// Real variables with their abstract values at the head.
    pub(crate) reals: Vec<(VariableOrigin, RealKnowledge)>,
    pub(crate) memory: HeapLosses,
}

/// What all inner loops lose.
#[derive(Default)]
pub(crate) struct FixpointMemo {
    pub(crate) losses: FxHashMap<LoopKey, LoopLosses>,
    /// How often each loop has waited for the next pass over the enclosing loops.
    pub(crate) waits: FxHashMap<LoopKey, u32>,
    /// Whether some loop is waiting.
    pub(crate) is_waiting: bool,
    /// The most recent variable of each origin.
    pub(crate) variables: FxHashMap<VariableOrigin, VariableId>,
    /// The versions of memory at the entries of inner loops.
    pub(crate) versions: FxHashMap<LoopKey, u32>,
    /// The symbols for the bytes that an iteration of each loop allocates.
    pub(crate) strides: FxHashMap<LoopKey, ParameterId>,
}

impl FixpointMemo {
    pub(crate) fn record_variable(&mut self, origin: VariableOrigin, id: VariableId) {
        self.variables.insert(origin, id);
    }
}
