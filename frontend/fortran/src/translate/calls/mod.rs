//! Calls: how actual arguments are associated with dummy arguments, and how results come back.

pub(crate) mod argument_association;
pub(crate) mod argument_list;
pub(crate) mod call_statements;
pub(crate) mod copy_in_copy_out;
pub(crate) mod function_results;
pub(crate) mod hoisting;
pub(crate) mod implicit_interface;
