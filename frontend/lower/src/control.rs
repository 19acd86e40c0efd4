//! Statements, branches and jumps: which statements are executed, and where states are joined.

pub(crate) mod branch_merge;
pub(crate) mod branches;
pub(crate) mod conditions;
pub(crate) mod function_body;
pub(crate) mod gotos;
pub(crate) mod jump_flags;
pub(crate) mod jumps;
pub(crate) mod opaque;
pub(crate) mod program_ends;
pub(crate) mod returns;
pub(crate) mod statement_lists;
pub(crate) mod statements;
pub(crate) mod switches;
pub(crate) mod tail;
