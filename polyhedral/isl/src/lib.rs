//! Integer sets: isl made safe.
//!
//! A [`Set`] is a union of [`System`](premiss_presburger::System)s over the same columns, on which isl computes; a
//! relation is a set over its inputs and outputs. Systems go in and come out, and nothing of isl is exposed in between.
//! Every operation that may take long counts against the budget that [`with_budget`] sets. The library is Verdoolaege,
//! *isl: An Integer Set Library for the Polyhedral Model* (2010).
//!
//! # Inside
//!
//! `raw` alone (with its folder) calls isl, and is alone in having `unsafe` code; its head says what makes it sound: a
//! context per thread that is never freed, and handles that own one reference each and cannot leave their thread.
//! `budget` limits how many operations isl may do; an operation that is broken off yields `Refusal::Budget` and leaves
//! its operands as they were. `.cargo/config.toml` points isl's `configure` at `isl.config.site`, which chooses its
//! fast integers.

mod budget;
mod convert;
mod extremum;
mod raw;
mod set;

pub use budget::with_budget;
pub use extremum::Extremum;
pub use set::{Set, SetSpace};
