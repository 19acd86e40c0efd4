//! Bounds on the misses of all references together.
//!
//! The sum of what each reference may miss is too much: in
//!
//! ```text
//! if (?) load x;        may miss
//! if (?) store x;       may miss, but then the load was not executed
//! ```
//!
//! there is one miss at most. Every line is taken by itself. Of its accesses, the possible ones are executed or not such that it
//! misses most often, while all other lines are touched as often as possible in between:
//!
//! - an access that misses after the last one that is executed is executed;
//! - one that hits is left out unless it is certain, so that the next one may miss.
//!
//! That is the greedy choice of most disjoint intervals: executing an access that hits never makes more misses, and one that
//! misses may as well be executed as soon as possible. Likewise, it misses least often where a possible access is executed if it
//! hits, with certain touches of other lines alone in between. Each choice is made line by line, and bounds the sum whatever is
//! chosen for other lines.

use crate::bounded::Moment;

/// The last accesses of a line that are executed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Chains {
    /// Where the line misses most often.
    pub(crate) worst: Option<Moment>,
    /// Where the line misses least often.
    pub(crate) best: Option<u64>,
}

/// Whether an access counts as a miss of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct JointMisses {
    /// In the best case.
    pub(crate) is_certain: bool,
    /// In the worst case.
    pub(crate) is_possible: bool,
}
