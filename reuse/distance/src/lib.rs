//! Reuse-distance histograms as closed forms in a program's own sizes.
//!
//! [`derive()`] turns a [`ReuseRelation`](premiss_dataflow::ReuseRelation) into a
//! [`SymbolicHistogram`]: for each reference a list of (distance, number of accesses) in which both
//! are polynomials in the sizes that are symbolic, and in the few loop variables that the distance
//! itself depends on.

mod between;
mod columns;
mod derive;
mod evaluate;
mod form;
mod frame;
mod gather;
mod known;
mod part;
mod polynomial;
mod projection;
mod row;
mod shares;
mod solved;
mod threshold;
mod total;
mod univariate;

pub use derive::derive;
pub use evaluate::{SizedHistogram, SizedReference};
pub use form::{Entry, ReferenceHistogram, SymbolicHistogram};
