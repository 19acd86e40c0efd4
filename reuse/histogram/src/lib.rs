//! Counts that say how far they can be trusted, and histograms of reuse distance.
//!
//! Both engines answer in these types: the trace by counting, the closed form by evaluation.

mod counted;
mod estimate;
mod histogram;

pub use counted::Counted;
pub use estimate::{Estimate, SamplingError};
pub use histogram::{Bin, Distance, ReuseDistanceHistogram};
