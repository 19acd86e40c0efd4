//! What tests compare premiss with, and the programs that they compare it on.
//!
//! - [`oracle`]: executes a tree access by access and simulates caches in the plainest way.
//! - [`sketch`]: trees without a source text.
//! - [`truth`]: numbers recorded from executed kernels.

pub mod oracle;
pub mod sketch;
pub mod truth;
