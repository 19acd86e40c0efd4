//! Control flow: blocks, branches, loops, jumps, returns.

pub(crate) mod blocks;
pub(crate) mod branches;
pub(crate) mod conditionals;
pub(crate) mod jump_scan;
pub(crate) mod jumps;
pub(crate) mod loop_statements;
pub(crate) mod loops;
pub(crate) mod program_iterators;
pub(crate) mod returns;
