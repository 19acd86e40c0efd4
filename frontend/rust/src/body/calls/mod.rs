//! Calls: of functions, closures, methods and macros, inlined or as calls.

pub(crate) mod closures;
pub(crate) mod functions;
pub(crate) mod macros;
pub(crate) mod methods;
pub(crate) mod paths;
pub(crate) mod signatures;
pub(crate) mod unknown;
pub(crate) mod vector_lengths;
