//! The tree under construction: rows of loops, references and rejections, and the open block.

use crate::domain::values::ArrayRow;
use crate::output::operation_recorder::{OperationRecorder, OperationsRow};
use crate::syntax::{Name, TextRange};
use premiss_tree::{
    AccessKind, Arithmetic, Combination, Expression, LoopId, Node, Operands, RejectReason,
    RejectionId,
};
use std::collections::HashMap;

/// The tree under construction: its rows, and the block that nodes are appended to.
pub(crate) struct TreeBuilder {
    pub(crate) loops: Vec<LoopRow>,
    pub(crate) references: Vec<ReferenceRow>,
    pub(crate) rejections: Vec<(RejectReason, TextRange)>,
    /// Rows of rejections. The start of the place is a separate part of the key, as the hash of a place ignores it.
    pub(crate) rejection_rows: HashMap<(u32, TextRange, RejectReason), usize>,
    /// The nodes of the innermost open list.
    pub(crate) block: Vec<Node>,
    /// The loops around the block, outermost first.
    pub(crate) open_loops: Vec<usize>,
    /// Nodes emitted so far, for the budget.
    pub(crate) n_nodes: u64,
    pub(crate) operations: OperationRecorder,
}

impl TreeBuilder {
    /// An empty tree.
    pub(crate) fn new(start: TextRange) -> Self {
        Self {
            loops: Vec::new(),
            references: Vec::new(),
            rejections: Vec::new(),
            rejection_rows: HashMap::new(),
            block: Vec::new(),
            open_loops: Vec::new(),
            n_nodes: 0,
            operations: OperationRecorder::new(start),
        }
    }

    /// Appends a node to the open block.
    pub(crate) fn emit(&mut self, node: Node) {
        self.n_nodes += 1;
        self.block.push(node);
    }

    /// Appends an opaque node without effects on the abstract heap.
    pub(crate) fn add_rejection(&mut self, reason: RejectReason, at: TextRange) {
        let next = self.rejections.len();
        let row = *self
            .rejection_rows
            .entry((at.start, at, reason.clone()))
            .or_insert(next);
        if row == next {
            self.rejections.push((reason, at));
        }
        let id = u32::try_from(row).unwrap_or(u32::MAX);
        self.emit(Node::Opaque(RejectionId::from_u32(id)));
    }

    /// Records that data end a loop: its trip count is only known after the last iteration.
    pub(crate) fn mark_ended_by_data(&mut self, id: LoopId) {
        if let Some(row) = self.loops.get_mut(id.as_u32() as usize) {
            row.ends_by_data = true;
        }
    }

    pub(crate) fn checkpoint(&self) -> TreeCheckpoint {
        TreeCheckpoint {
            n_loops: self.loops.len(),
            n_references: self.references.len(),
            n_rejections: self.rejections.len(),
            n_open_loops: self.open_loops.len(),
            n_nodes: self.n_nodes,
            n_block: self.block.len(),
            n_operations: self.operations.rows.len(),
            last_operations: self.operations.rows.last().cloned(),
        }
    }

    pub(crate) fn roll_back(&mut self, to: &TreeCheckpoint) {
        self.loops.truncate(to.n_loops);
        self.references.truncate(to.n_references);
        for (reason, at) in self.rejections.drain(to.n_rejections..) {
            self.rejection_rows.remove(&(at.start, at, reason));
        }
        self.open_loops.truncate(to.n_open_loops);
        self.n_nodes = to.n_nodes;
        self.block.truncate(to.n_block);
        self.operations
            .roll_back(to.n_operations, to.last_operations.as_ref());
    }
}

/// A state of the tree that a rollback restores.
pub(crate) struct TreeCheckpoint {
    n_loops: usize,
    n_references: usize,
    n_rejections: usize,
    n_open_loops: usize,
    n_nodes: u64,
    n_block: usize,
    n_operations: usize,
    /// The last row of operations, as operations may be added to it later.
    last_operations: Option<OperationsRow>,
}

pub(crate) struct LoopRow {
    pub(crate) iterator: String,
    pub(crate) inside: Option<usize>,
    pub(crate) header: TextRange,
    pub(crate) function: Name,
    /// The arithmetic of its header per iteration.
    pub(crate) arithmetic: Arithmetic,
    /// Whether data end it, so that its trip count is only known after the last iteration.
    pub(crate) ends_by_data: bool,
}

pub(crate) struct ReferenceRow {
    pub(crate) array: ArrayRow,
    pub(crate) kind: AccessKind,
    pub(crate) offset: Expression,
    pub(crate) size: u32,
    /// The type of the accessed element, if it is known.
    pub(crate) holds: Option<Operands>,
    /// How a store combines the old value with other values.
    pub(crate) combines: Option<Combination>,
    pub(crate) at: TextRange,
    pub(crate) inside: Option<usize>,
    pub(crate) function: Name,
}
