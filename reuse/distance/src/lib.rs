//! Reuse-distance histograms as closed forms in a program's own sizes.
//!
//! [`derive()`] turns a [`ReuseRelation`](premiss_dataflow::ReuseRelation) into a
//! [`SymbolicHistogram`]: for each reference a list of (distance, number of accesses) in which both
//! are polynomials in the sizes that are symbolic, and in the few loop variables that the distance
//! itself depends on.

mod between;
mod columns;
mod derive;
mod display;
mod form;
mod frame;
mod gather;
mod known;
mod line;
mod part;
mod places;
mod projection;
mod ready;
mod row;
mod shape;
mod shares;
mod sized;
mod sizes;
mod solved;
mod threshold;
mod total;

pub use derive::derive;
pub use form::{Entry, ReferenceHistogram, SymbolicHistogram};
pub use ready::ReadyHistogram;
pub use sized::{SizedHistogram, SizedReference};
