//! How much work lowering may take: steps by function and file, steps in bodies of other files, nodes, and
//! the depth of nesting. A function that exceeds a limit becomes opaque, with the limit in its rejection.

use crate::syntax::GlobalName;
use std::collections::BTreeMap;

/// How many nodes and expressions one function may take, its calls followed.
const MAX_WORK: u64 = 2_000_000;

/// How many nodes and expressions all functions of a file may take together.
pub const MAX_FILE_WORK: u64 = 20_000_000;

/// How many of these may go into bodies of other files for a function without a loop: only what it passes
/// to others is asked for.
pub const MAX_LINKED_WORK_WITHOUT_LOOP: u64 = 500;

/// How many nodes one function's tree may hold, its calls followed.
const MAX_NODES: u64 = 200_000;

/// How deep calls are followed.
pub(crate) const MAX_CALLS: usize = 64;

/// How deep statements and expressions may nest, calls followed.
pub(crate) const MAX_DEPTH: u32 = 1_500;

/// The work that lowering a function has taken, and what it may take.
pub(crate) struct Budget {
    /// Steps so far.
    pub(crate) work: u64,
    pub(crate) allowance: Allowance,
    /// Steps that went into bodies of other files.
    pub(crate) linked_work: u64,
    /// How much work there may be while a call into another file is followed.
    pub(crate) linked_limit: Option<u64>,
    /// Functions of other files with numbers of steps that were too few to follow them.
    pub(crate) too_long: BTreeMap<GlobalName, u64>,
    /// How deep statements, expressions and calls nest here.
    pub(crate) depth: u32,
}

impl Budget {
    /// Nothing spent.
    pub(crate) fn new(allowance: Allowance) -> Self {
        Self {
            work: 0,
            allowance,
            linked_work: 0,
            linked_limit: None,
            too_long: BTreeMap::new(),
            depth: 0,
        }
    }

    /// Counts a step; where a limit is exceeded, yields which, with its value.
    pub(crate) fn spend(
        &mut self,
        n_nodes: u64,
        inlining_limit: impl FnOnce() -> String,
    ) -> Result<(), String> {
        self.work += 1;
        let is_over = |limit: u64| limit < self.work;
        Err(if self.linked_limit.is_some_and(is_over) {
            inlining_limit()
        } else if self.work - self.linked_work > self.allowance.remaining {
            let limit = self.allowance.file;
            format!("{limit} steps for one file, with calls followed")
        } else if MAX_WORK < self.work {
            format!("{MAX_WORK} steps for one function with its calls")
        } else if MAX_NODES < n_nodes {
            format!("{MAX_NODES} accesses, loops and assignments in one function with its calls")
        } else {
            return Ok(());
        })
    }

    /// How many steps each pass over a loop may take in bodies of other files: half of those that are
    /// left. What the first pass follows, the second can follow again.
    pub(crate) fn share_of_pass(&self) -> u64 {
        self.allowance.linked.saturating_sub(self.linked_work) / 2
    }
}

/// How much work a function may take.
#[derive(Clone, Copy)]
pub struct Allowance {
    /// The whole budget of its file.
    pub file: u64,
    /// What is left of its file's budget.
    pub remaining: u64,
    /// How much may go into bodies of other files.
    pub linked: u64,
}
