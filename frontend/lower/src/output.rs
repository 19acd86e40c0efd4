//! The tree under construction, and what is made of it when the function ends: dead assignments removed,
//! rows numbered, arithmetic kept apart.

pub(crate) mod dead_nodes;
pub(crate) mod finish;
pub(crate) mod fresh_symbols;
pub(crate) mod jump_functions;
pub(crate) mod literals;
pub(crate) mod numbering;
pub(crate) mod operation_recorder;
pub(crate) mod operation_rows;
pub(crate) mod operations;
pub(crate) mod scalar_updates;
pub(crate) mod scalar_uses;
pub(crate) mod tree_builder;
pub(crate) mod tree_rows;
pub(crate) mod work_tree;
