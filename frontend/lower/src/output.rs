//! The tree under construction, and its completion when the function ends: dead assignments are removed, entities are
//! numbered, and arithmetic is separated.

pub(crate) mod dead_nodes;
pub(crate) mod finish;
pub(crate) mod fresh_symbols;
pub(crate) mod jump_functions;
pub(crate) mod literals;
pub(crate) mod numbering;
pub(crate) mod open_ranges;
pub(crate) mod operation_recorder;
pub(crate) mod operation_rows;
pub(crate) mod operations;
pub(crate) mod row_reach;
pub(crate) mod row_strides;
pub(crate) mod scalar_updates;
pub(crate) mod scalar_uses;
pub(crate) mod tree_builder;
pub(crate) mod tree_rows;
pub(crate) mod work_tree;
