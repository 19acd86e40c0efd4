//! How fast code can be at best, and what its accesses cost.
//!
//! Two answers, never confused. A [`Bound`] is a time that no run of the code as written falls below:
//! each resource of the machine needs so long for what is asked of it, and the slowest one binds (the
//! roofline). A [`Cost`] is an estimate: latencies, penalties of misses, and how much of them overlaps.
//! What they count with are misses and operations from elsewhere, or, in microseconds, the
//! [`Pattern`]s of Byna, Sun, Gropp and Thakur, *Predicting Memory-Access Cost Based on Data-Access
//! Patterns* (2004).

mod bound;
mod compute;
mod cost;
mod exact;
mod pattern;
mod walk;

pub use bound::{Bound, Ceiling, LevelTraffic, Resource, roofs};
pub use compute::{Arithmetic, Unit, Work, peak, units};
pub use cost::{Cost, Events, LevelEvents, Missing};
pub use exact::{Amount, Linear, Picoseconds, divisions, passing, roots, simple};
pub use pattern::{Pattern, PatternClass, PatternLevel};
pub use walk::{ReferencePattern, patterns};
