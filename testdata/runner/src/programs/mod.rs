//! Random programs with counters compiled into them: how often each line loads and stores elements, and what it computes.
//!
//! A program is one function `fN` with what it calls. Its text exists twice, with the same lines: as premiss reads it,
//! and with a counter at every access, which a compiler reads. Many programs are compiled together, as a batch. Every
//! decision follows from the number of the program, so that what fails once fails again.
//!
//! What programs contain is what a language lets people write and a reader of texts gets wrong: see [`c`], [`fortran`]
//! and [`rust`]. Programs that do not end in a few thousand iterations, or leave their arrays, say so and are left out.

mod batch;
mod build;
mod c;
mod counters;
mod fortran;
mod judge;
mod marked;
mod rust;
mod writer;

pub use batch::{Batch, LineCounts};
pub use judge::{Judgement, judge};
