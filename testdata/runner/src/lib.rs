//! What tests compare premiss with, and the programs that they compare it on.
//!
//! - [`compare`]: the trace engine against the oracle.
//! - [`oracle`]: executes a tree access by access and simulates caches in the plainest way.
//! - [`random`]: random nests.
//! - [`sketch`]: trees without a source text.
//! - [`truth`]: numbers recorded from executed kernels.

pub mod compare;
pub mod oracle;
pub mod random;
pub mod sketch;
pub mod truth;
