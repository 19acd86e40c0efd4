//! Counts that say how far they can be trusted, and histograms of reuse distance.
//!
//! Both engines answer in these types: the trace by counting, the closed form by evaluation.

mod counted;
mod histogram;

pub use counted::Counted;
pub use histogram::{Bin, Distance, ReuseDistanceHistogram};
