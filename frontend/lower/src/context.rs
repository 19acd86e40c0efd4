//! The context of lowering one function: its whole state, divided into parts.
//!
//! Apart from the parts it manages budgets, blocks, scopes, and checkpoints to which a failed attempt is rolled back.

use crate::bailout::{Bailout, Lowered};
use crate::budget::{Allowance, Budget, MAX_DEPTH};
use crate::call_stack::{CallLog, CallPath, ControlState, Frame};
use crate::calls::array_ends::ArrayEnds;
use crate::constant_images::ConstantImages;
use crate::domain::constant_tables::ConstantTables;
use crate::domain::heap_symbols::HeapSymbols;
use crate::domain::predicates::Predicates;
use crate::domain::row_pointers::AllocationLevel;
use crate::domain::state::AbstractState;
use crate::domain::value_ranges::ValueRanges;
use crate::eval::foreign_stores::start_foreign_stores;
use crate::loops::loop_context::{IteratorRange, LoopContext};
use crate::output::tree_builder::{TreeBuilder, TreeCheckpoint};
use crate::symbol_table::SymbolTable;
use crate::syntax::{Function, TextRange, UnitId};
use premiss_link::{CallSummary, Queries};
use premiss_tree::{Assumption, Node, VariableId};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The state of lowering one function.
///
/// Passes are free functions that take it first. The mutually recursive judgments are inherent methods, defined in
/// [`judgments`](super::judgments).
pub(crate) struct Lowering<'p> {
    /// The program, which lowering reads by queries alone.
    pub(crate) program: &'p dyn Queries,
    /// The values of constant objects, shared by all functions.
    pub(crate) images: &'p ConstantImages,
    /// The call summary of the function.
    pub(crate) call_summary: Arc<CallSummary>,
    pub(crate) symbols: SymbolTable,
    /// The function itself, and the calls that are being inlined.
    pub(crate) frames: Vec<Frame>,
    /// The abstract state at the current point.
    pub(crate) state: AbstractState,
    pub(crate) heap_symbols: HeapSymbols,
    pub(crate) constants: ConstantTables,
    pub(crate) predicates: Predicates,
    pub(crate) ranges: ValueRanges,
    pub(crate) loops: LoopContext,
    /// The tree so far.
    pub(crate) tree: TreeBuilder,
    pub(crate) calls: CallLog,
    pub(crate) ends: ArrayEnds,
    pub(crate) budget: Budget,
    /// What the tree rests on beyond the text.
    pub(crate) assumptions: BTreeSet<Assumption>,
}

impl<'p> Lowering<'p> {
    /// The context before anything of a function is lowered.
    pub(crate) fn new(
        program: &'p dyn Queries,
        images: &'p ConstantImages,
        function: &Arc<Function>,
        allowance: Allowance,
    ) -> Self {
        let name = function.global_name();
        let start = TextRange::start_of(name.unit);
        let facts = program.syntax_facts(&name);
        let mut ctx = Self {
            program,
            images,
            call_summary: program.call_summary(&name),
            symbols: SymbolTable::new(start),
            frames: vec![Frame::new(name, start, CallPath::default(), facts)],
            state: AbstractState::default(),
            heap_symbols: HeapSymbols::default(),
            constants: ConstantTables::default(),
            predicates: Predicates::default(),
            ranges: ValueRanges::default(),
            loops: LoopContext::default(),
            tree: TreeBuilder::new(start),
            calls: CallLog::default(),
            ends: ArrayEnds::default(),
            budget: Budget::new(allowance),
            assumptions: BTreeSet::new(),
        };
        start_foreign_stores(&mut ctx);
        ctx
    }

    /// The innermost open call.
    pub(crate) fn frame(&self) -> &Frame {
        self.frames.last().expect("a function is being lowered")
    }

    /// The innermost open call, mutable.
    pub(crate) fn frame_mut(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("a function is being lowered")
    }

    /// The unit of the text that is being lowered.
    pub(crate) fn unit(&self) -> UnitId {
        self.frame().unit
    }

    /// Whether the current code may be executed more than once.
    pub(crate) fn is_in_loop(&self) -> bool {
        self.loops.in_header || !self.tree.open_loops.is_empty()
    }

    /// Counts one step of work; fails if a budget is exhausted.
    pub(crate) fn spend(&mut self, at: TextRange) -> Lowered<()> {
        let program = self.program;
        let spent = self
            .budget
            .spend(self.tree.n_nodes, || program.inline_budget().describe());
        spent.map_err(|limit| Bailout::exhausted(limit, at))
    }

    /// Lowers one level deeper; fails if statements, expressions and calls are nested too deeply.
    pub(crate) fn deeper<T>(
        &mut self,
        at: TextRange,
        lower: impl FnOnce(&mut Self) -> Lowered<T>,
    ) -> Lowered<T> {
        self.spend(at)?;
        if MAX_DEPTH <= self.budget.depth {
            let limit = format!("{MAX_DEPTH} levels of nesting, calls followed");
            return Err(Bailout::exhausted(limit, at));
        }
        self.budget.depth += 1;
        let result = lower(self);
        self.budget.depth -= 1;
        result
    }

    /// Lowers into a new block; returns its nodes.
    pub(crate) fn in_block<T>(
        &mut self,
        lower: impl FnOnce(&mut Self) -> Lowered<T>,
    ) -> Lowered<(Vec<Node>, T)> {
        let outer = std::mem::take(&mut self.tree.block);
        let result = lower(self);
        let inner = std::mem::replace(&mut self.tree.block, outer);
        Ok((inner, result?))
    }

    /// Lowers in a new scope. A failure leaves the scope open; the rollback that follows closes it.
    pub(crate) fn in_scope<T>(
        &mut self,
        lower: impl FnOnce(&mut Self) -> Lowered<T>,
    ) -> Lowered<T> {
        self.frame_mut().scopes.push(FxHashMap::default());
        let result = lower(self);
        if result.is_ok() {
            self.frame_mut().scopes.pop();
        }
        result
    }

    /// The current point, for [`roll_back`](Self::roll_back).
    pub(crate) fn checkpoint(&self) -> Checkpoint {
        let frame = self.frame();
        Checkpoint {
            control: frame.control.clone(),
            tree: self.tree.checkpoint(),
            n_frames: self.frames.len(),
            n_scopes: frame.scopes.len(),
            n_calls: self.calls.records.len(),
            n_passes: self.loops.passes.depth(),
            depth: self.budget.depth,
            iterators: self.loops.iterators.clone(),
            levels: self.heap_symbols.levels.clone(),
            keeps_blocks: self.heap_symbols.keeps_blocks,
            state: self.state.clone(),
        }
    }

    /// Undoes what was lowered since a checkpoint. Symbols stay, so their ids are never reused.
    pub(crate) fn roll_back(&mut self, to: &Checkpoint) {
        self.tree.roll_back(&to.tree);
        self.frames.truncate(to.n_frames);
        self.calls.records.truncate(to.n_calls);
        self.loops.passes.truncate(to.n_passes);
        self.budget.depth = to.depth;
        self.loops.iterators.clone_from(&to.iterators);
        self.heap_symbols.levels.clone_from(&to.levels);
        self.heap_symbols.keeps_blocks = to.keeps_blocks;
        self.state = to.state.clone();
        let frame = self.frame_mut();
        frame.scopes.truncate(to.n_scopes);
        frame.control.clone_from(&to.control);
    }
}

/// A point to which a failed attempt is rolled back.
pub(crate) struct Checkpoint {
    pub(crate) control: ControlState,
    tree: TreeCheckpoint,
    n_frames: usize,
    n_scopes: usize,
    n_calls: usize,
    n_passes: usize,
    depth: u32,
    iterators: BTreeMap<VariableId, IteratorRange>,
    levels: Vec<AllocationLevel>,
    keeps_blocks: bool,
    state: AbstractState,
}
