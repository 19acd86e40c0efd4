//! Executable statements and constructs. [`execution_part`] lists all statements with the pass that translates each.

pub(crate) mod assignments;
pub(crate) mod associate;
pub(crate) mod branches;
pub(crate) mod constructs;
pub(crate) mod data_transfer;
pub(crate) mod do_loops;
pub(crate) mod do_variables;
pub(crate) mod execution_part;
pub(crate) mod jumps;
pub(crate) mod where_construct;
