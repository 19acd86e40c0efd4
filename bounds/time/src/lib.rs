//! How fast code can be at best, and what its accesses cost.
//!
//! Two answers, kept apart. A [`Bound`] is a time that no run of the code as written falls below: each resource of the
//! machine needs some time for its part of the work, and the slowest one binds (the roofline). A [`Cost`] is an
//! estimate: latencies, penalties of misses, and how much of them overlaps. Both are computed from misses and
//! operations that are counted elsewhere, or, in microseconds, from the [`Pattern`]s of Byna, Sun, Gropp and Thakur,
//! *Predicting Memory-Access Cost Based on Data-Access Patterns* (2004).
//!
//! # Bound and estimate
//!
//! The *least* time is what arithmetic takes with full vectors and all pairs fused (`compute`), and what the way below
//! each cache takes for the bytes that cross it; the slowest binds (`bound`). It holds for code that does what is
//! written, and says nothing of the way between the first cache and registers: what a compiler keeps in registers, no
//! one knows from the source. Counts that are bounded enter with their lower end; estimates and unknowns add nothing.
//!
//! The *estimate* is Byna's equation (4.1) with the overlap written out (`cost`). A machine that leaves a figure out
//! has fewer ceilings, and no estimate where a latency is missing. Speeds are no part of a machine's fingerprint:
//! misses do not depend on them.
//!
//! `pattern` has the access-pattern classes with their formulas. The paper has one walk through one array; here a walk
//! that is repeated misses again where what is touched in between does not fit, and the working set is that of one
//! iteration of the loop that comes back to the same lines (`walk`). The same patterns show which references hardware
//! prefetchers would follow, which the estimate needs. `cargo bench -p premiss-testdata --bench patterns` compares them
//! with the trace, by class.

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
