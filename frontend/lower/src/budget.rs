//! Limits of the work of lowering: steps per function and file, steps in bodies of other files, nodes, and nesting
//! depth. A function that exceeds a limit becomes opaque, with the limit in its rejection.

use crate::syntax::GlobalName;
use std::collections::BTreeMap;

/// The maximum number of steps (nodes and expressions) for one function, inlined calls included.
const MAX_WORK: u64 = 2_000_000;

/// The maximum number of steps (nodes and expressions) for all functions of a file together.
pub const MAX_FILE_WORK: u64 = 20_000_000;

/// The maximum number of steps in bodies of other files for a function without a loop, of which only the jump
/// functions are needed.
pub const MAX_LINKED_WORK_WITHOUT_LOOP: u64 = 500;

/// The maximum number of nodes in the tree of one function, inlined calls included.
const MAX_NODES: u64 = 200_000;

/// The maximum depth of inlined calls.
pub(crate) const MAX_CALLS: usize = 64;

/// The maximum number of functions inside each other that call each other in a circle: ten of them with four calls each
/// would otherwise be followed along each of their millions of paths, all of which end in a refused call.
pub(crate) const MAX_RECURSIVE: usize = 3;

/// The maximum nesting depth of statements and expressions, across inlined calls.
pub(crate) const MAX_DEPTH: u32 = 1_500;

/// A pass over an outermost loop may take this fraction of the steps of its function in bodies of other files, even
/// where none are left.
const LOOP_FRACTION: u64 = 25;

/// The work of lowering a function so far, and its limits.
pub(crate) struct Budget {
    /// Steps so far.
    pub(crate) work: u64,
    pub(crate) allowance: Allowance,
    /// Steps in bodies of other files.
    pub(crate) linked_work: u64,
    /// The limit of `work` while a call into another file is inlined.
    pub(crate) linked_limit: Option<u64>,
    /// Functions of other files with the numbers of steps that were too few to inline them.
    pub(crate) too_long: BTreeMap<GlobalName, u64>,
    /// The current nesting depth of statements, expressions and calls.
    pub(crate) depth: u32,
}

impl Budget {
    /// No work yet.
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

    /// Counts a step; if a limit is exceeded, returns the limit and its value as text.
    pub(crate) fn spend(
        &mut self,
        n_nodes: u64,
        inlining_limit: impl FnOnce() -> String,
    ) -> Result<(), String> {
        self.work += 1;
        let is_over = |limit: u64| limit < self.work;
        let own = self.work - self.linked_work;
        Err(if self.linked_limit.is_some_and(is_over) {
            inlining_limit()
        } else if self.allowance.remaining < own {
            let limit = self.allowance.file;
            format!("{limit} steps for one file, with calls followed")
        } else if self.allowance.own_file < own && self.linked_limit.is_none() {
            let limit = self.allowance.own_file;
            format!("{limit} steps for one function in its own file, with calls followed")
        } else if MAX_WORK < self.work {
            format!("{MAX_WORK} steps for one function with its calls")
        } else if MAX_NODES < n_nodes {
            format!("{MAX_NODES} accesses, loops and assignments in one function with its calls")
        } else {
            return Ok(());
        })
    }

    /// The steps that each pass over a loop may take in bodies of other files: half of those that are left, so that
    /// the second pass can inline what the first one did.
    pub(crate) fn share_of_pass(&self) -> u64 {
        self.allowance.linked.saturating_sub(self.linked_work) / 2
    }

    /// The number of steps in bodies of other files at which a pass over an outermost loop ends that may take `share`
    /// of them. However much calls before the loop took, some are left for the short ones in it.
    pub(crate) fn end_of_pass(&self, share: u64) -> u64 {
        let Allowance {
            linked,
            linked_for_loops,
            ..
        } = self.allowance;
        let regular = (self.linked_work + share).min(linked);
        let least = self.linked_work + linked / LOOP_FRACTION;
        regular.max(least.min(linked + linked_for_loops))
    }
}

/// The steps that lowering a function may take.
#[derive(Clone, Copy)]
pub struct Allowance {
    /// The total for the function's file, for messages.
    pub file: u64,
    /// The steps that are left of the file's total; steps in bodies of other files do not count.
    pub remaining: u64,
    /// The steps that the function may take in its own file.
    pub own_file: u64,
    /// The steps that the function may take in bodies of other files.
    pub linked: u64,
    /// The steps that its loops may take there beyond these.
    pub linked_for_loops: u64,
}
