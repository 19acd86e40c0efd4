//! Integer sets: isl made safe.
//!
//! A [`Set`] is a union of [`System`](premiss_presburger::System)s over the same columns, on which
//! isl computes; a relation is a set over its inputs and outputs. Systems go in and come out, and
//! in between nothing is exposed of isl. Every operation that may take long counts against the
//! budget that [`with_budget`] sets.

mod budget;
mod convert;
mod extremum;
mod raw;
mod set;

pub use budget::with_budget;
pub use extremum::Extremum;
pub use set::{Set, SetSpace};
