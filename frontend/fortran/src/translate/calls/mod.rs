//! Calls: the association of actual with dummy arguments, and function results.

pub(crate) mod argument_association;
pub(crate) mod argument_list;
pub(crate) mod call_statements;
pub(crate) mod copy_in_copy_out;
pub(crate) mod function_results;
pub(crate) mod hoisting;
pub(crate) mod implicit_interface;
