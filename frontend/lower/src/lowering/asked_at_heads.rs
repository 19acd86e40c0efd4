//! What a pass over a loop asks of what is known at its head.
//!
//! A pass over a loop that loses something is not due again where it asked for nothing of what it lost: with less known at
//! the head it would go the same way and lose the same.
//!
//! ```text
//! for (i = 0; i < n; i++) {       info is 0 at the head, and at the end nobody knows it
//!     info = data[i];             given before anything asks for it: one pass is enough
//!     if (info != 0) …
//!     m = k;                      k is asked for: would it be lost, a second pass would find it unknown
//! }
//! ```
//!
//! This holds for what is lost wholly, so that no further pass could lose more of it: integers that only running the program
//! would tell, real numbers that are no constants any more, places in memory that vary. A value that a pass gave itself says
//! nothing of the head: for integers [`State::given`](super::value::State::given) has the pass that did.

use super::Lowering;
use super::content::Epoch;
use super::reals::RealKnowledge;
use super::value::{ArrayRow, Knowledge, State};
use imbl::ordmap::DiffItem;
use premiss_tree::VariableId;
use rustc_hash::FxHashSet;

/// A pass over a loop, with what it has asked for so far.
struct Pass {
    number: u32,
    /// How many steps may have gone into bodies of other files when it ends.
    linked_end: u64,
    /// How many moments memory had had when it began.
    n_moments: u32,
    integers: FxHashSet<VariableId>,
    /// Real numbers with the bits of what they were.
    constants: FxHashSet<(VariableId, u64)>,
    rows: FxHashSet<ArrayRow>,
}

/// The passes that are being made, those over outer loops first.
#[derive(Default)]
pub(super) struct Passes {
    open: Vec<Pass>,
    /// How many have begun.
    n_begun: u32,
}

/// What a pass asked for of what was known at its head.
pub(super) struct AskedAtHead(Pass);

impl Passes {
    /// How many are being made.
    pub(super) fn depth(&self) -> usize {
        self.open.len()
    }

    /// How many steps may have gone into bodies of other files when the pass over the outermost loop ends.
    pub(super) fn linked_end(&self) -> Option<u64> {
        self.open.first().map(|pass| pass.linked_end)
    }

    /// Gives up all but the outer ones.
    pub(super) fn truncate(&mut self, depth: usize) {
        self.open.truncate(depth);
    }
}

impl Lowering<'_> {
    /// Begins a pass over a loop that may take so many steps in bodies of other files, where no loop is around.
    pub(super) fn begin_pass(&mut self, linked_share: u64) {
        self.passes.n_begun += 1;
        self.passes.open.push(Pass {
            number: self.passes.n_begun,
            linked_end: (self.linked_work + linked_share).min(self.allowance.linked),
            n_moments: self.symbols.n_moments(),
            integers: FxHashSet::default(),
            constants: FxHashSet::default(),
            rows: FxHashSet::default(),
        });
    }

    /// Ends the pass over the innermost loop.
    pub(super) fn end_pass(&mut self) -> AskedAtHead {
        AskedAtHead(self.passes.open.pop().expect("a pass was begun"))
    }

    /// What is known of an integer is what was just found, whatever was known at the heads of the loops around.
    pub(super) fn give(&mut self, id: VariableId, knowledge: Knowledge) {
        self.state.integers.insert(id, knowledge);
        self.note_given(id);
    }

    /// What is known of an integer here does not depend on the heads of the loops around.
    pub(super) fn note_given(&mut self, id: VariableId) {
        let Some(pass) = self.passes.open.last() else {
            return;
        };
        if self.state.given.get(&id) != Some(&pass.number) {
            self.state.given.insert(id, pass.number);
        }
    }

    /// What is known of an integer, for what depends on it.
    pub(super) fn knowledge(&mut self, id: VariableId) -> Option<&Knowledge> {
        let known = self.state.integers.get(&id);
        if let None | Some(Knowledge::Unknown) = known {
            return known;
        }
        let given = self.state.given.get(&id).copied().unwrap_or(0);
        let passes = self.passes.open.iter_mut().rev();
        for pass in passes.take_while(|pass| given < pass.number) {
            pass.integers.insert(id);
        }
        known
    }

    /// A real number is asked for that is this constant here.
    pub(super) fn ask_constant(&mut self, id: VariableId, bits: u64) {
        for pass in &mut self.passes.open {
            pass.constants.insert((id, bits));
        }
    }

    /// An array is asked for what it holds since some moment.
    pub(super) fn ask_row(&mut self, row: ArrayRow, since: Epoch) {
        let is_new = |pass: &Pass| matches!(since, Epoch::At(number) if pass.n_moments < number);
        let passes = self.passes.open.iter_mut();
        for pass in passes.filter(|pass| !is_new(pass)) {
            pass.rows.insert(row);
        }
    }

    /// Whether a pass that began with `head` would find the same with `after`, which is what it lost of it.
    pub(super) fn is_same_after(&self, asked: &AskedAtHead, head: &State, after: &State) -> bool {
        let AskedAtHead(pass) = asked;
        let is_lost = |difference: DiffItem<VariableId, Knowledge>| match difference {
            DiffItem::Update { new: (id, new), .. } => {
                *new == Knowledge::Unknown && !pass.integers.contains(id)
            }
            DiffItem::Add(..) | DiffItem::Remove(..) => true,
        };
        let is_no_constant = |difference: DiffItem<VariableId, RealKnowledge>| match difference {
            DiffItem::Update {
                old: (id, RealKnowledge::Constant(bits)),
                ..
            } => !pass.constants.contains(&(*id, *bits)),
            _ => true,
        };
        let mut integers = head.integers.diff(&after.integers);
        let mut reals = head.reals.diff(&after.reals);
        let mut rows = pass.rows.iter();
        (!self.program.is_dense() || head.reals == after.reals)
            && head.pointers == after.pointers
            && head.nullable == after.nullable
            && integers.all(is_lost)
            && reals.all(is_no_constant)
            && head.memory.loses_wholly(&after.memory)
            && rows.all(|row| head.memory.holds_same(&after.memory, *row))
    }
}
