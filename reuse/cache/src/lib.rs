//! What a cache is: plain data, with the meaning of each policy in words.
//!
//! [`CacheGeometry`] is its shape, [`CacheModel`] adds its replacement and store policies, [`Hierarchy`] says how
//! levels are combined. Nothing here simulates or counts anything, and nothing knows machine files, programs or limits:
//! this is the vocabulary that simulators, closed forms and machines share.

mod check;
mod error;
mod geometry;
mod hierarchy;
mod model;
#[cfg(test)]
mod tests;

pub use error::CacheError;
pub use geometry::CacheGeometry;
pub use hierarchy::Hierarchy;
pub use model::{AllocationPolicy, CacheModel, MAX_WAYS_WITH_BITS, ReplacementPolicy, WritePolicy};
