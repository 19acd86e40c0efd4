//! Calls: inlined bodies, the array accesses of library functions, and opaque nodes for all others.

pub(crate) mod argument_effects;
pub(crate) mod array_ends;
pub(crate) mod dispatch;
pub(crate) mod inlining;
pub(crate) mod library_calls;
pub(crate) mod library_functions;
pub(crate) mod memory_copies;
pub(crate) mod own_parameters;
pub(crate) mod pure_calls;
pub(crate) mod text_functions;
