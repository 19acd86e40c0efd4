//! Adversarial programs: what texts mean and readers of texts get wrong, in every language, executed without a compiler.
//!
//! A [`Program`](program::Program) is abstract: counters of narrow and unsigned types, loops that go down, by a factor or
//! from both ends, bounds that the body changes, sections, ranges of unequal length, shadowed names, macros and closures,
//! calls with the same array twice, and every kind of early exit. It is written as text in a language, which premiss
//! reads, and interpreted with the meaning that it has in that language, which shares nothing with premiss. Every decision
//! follows from the number of the program.

mod generate;
mod interpret;
mod judge;
mod program;
mod text;

pub use judge::{Verdict, judge};
