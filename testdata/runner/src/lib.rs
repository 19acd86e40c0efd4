//! What tests compare premiss with, and the programs that they compare it on.
//!
//! - [`truth`]: numbers recorded from executed kernels; [`judge`]: premiss against them.
//! - [`compare`]: the trace engine against `premiss-oracle`, which executes trees access by access.
//! - [`kernel`]: the kernels of `testdata`, read as premiss reads them, in each [`language`];
//!   [`mangle`]: texts that are no longer programs; [`any_text`]: what has to end whatever the text.
//! - [`comments`]: what the comments of kernels say.
//! - [`native`]: the addresses that compiled kernels touch, and premiss against them.
//! - [`scop_walk`]: executes a scop point by point; scops against the trace engine.
//! - [`closed`]: closed forms, derived stage by stage.
//! - [`memo`]: comparisons that an earlier run passed, and traces that it made.
//! - [`programs`]: random programs with counters in them, compiled, and premiss against them.
//! - [`adversarial`]: programs that mean what readers of texts get wrong, interpreted, and premiss against them.
//! - [`random`]: random nests; [`sketch`]: trees without a source text.
//! - [`usage`]: the memory and the time that this process took.

pub mod adversarial;
pub mod any_text;
pub mod closed;
pub mod comments;
pub mod compare;
mod decisions;
pub mod judge;
pub mod kernel;
pub mod language;
pub mod mangle;
pub mod memo;
pub mod native;
pub mod pages;
pub mod programs;
pub mod random;
pub mod scop_walk;
pub mod sketch;
pub mod truth;
pub mod usage;
