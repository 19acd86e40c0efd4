//! Reuse-distance histograms as closed forms in a program's own sizes.
//!
//! [`derive()`] turns a [`ReuseRelation`](premiss_dataflow::ReuseRelation) into a
//! [`SymbolicHistogram`]: for each reference a list of (distance, number of accesses) in which both
//! are polynomials in the sizes that are symbolic, and in the few loop variables that the distance
//! itself depends on.

mod between;
mod columns;
mod count_cache;
mod derive;
mod display;
mod domain_table;
mod form;
mod frame;
mod gather;
mod line;
mod part;
mod projection;
mod ready;
mod row;
mod shape;
mod shares;
mod sized;
mod sizes;
mod split_pieces;
mod threshold;
mod total;

pub use derive::derive;
pub use form::{HistogramEntry, ReferenceHistogram, SymbolicHistogram};
pub use ready::ReadyHistogram;
pub use sized::{SizedHistogram, SizedReference};
