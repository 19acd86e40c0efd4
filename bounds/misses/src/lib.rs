//! Misses of a cache from reuse-distance histograms.
//!
//! A histogram says how far apart accesses to a line are; a [`CacheGeometry`] how much fits in
//! between. [`fully_associative`] is exact for a cache of one set. For caches with sets the
//! histogram alone allows an [`estimate()`]; given the true misses, [`three_c()`] splits them by cause.
//!
//! [`CacheGeometry`]: premiss_cache::CacheGeometry

mod estimate;
mod three_c;

pub use estimate::{estimate, hit_probability};
pub use three_c::{SignedCount, ThreeC, fully_associative, three_c, three_c_of};
