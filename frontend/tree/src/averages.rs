//! How often parts of a function run on average, where its text does not say: by a profile, or by the
//! word of its author.
//!
//! ```text
//! for (i = 0; i < n; i++)          B0  the function
//!     if (x[i] > 0)                B1  the body of i
//!         s += y[i];               B2  0.3 times for each time that B1 runs
//!     else                         B3  0.7 times
//!         while (…) …              B4  12.5 times for each time that B3 runs
//! ```

use crate::LoopId;
use cranelift_entity::entity_impl;
use std::collections::BTreeMap;

/// A list of nodes of the body of a [`Work`](crate::Work): first the body itself, then, in the order of
/// the tree, the body of each loop and both arms of each branch, also those with nothing in them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ListId(u32);
entity_impl!(ListId, "B");

/// How often something runs, for each time that a list around it does.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Average {
    /// The list around it, not always the nearest.
    pub per: ListId,
    /// How often; finite, at least 0.
    pub times: f64,
}

/// What is known of how often lists run on average.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Averages {
    /// Arms, and bodies of loops.
    pub lists: BTreeMap<ListId, Average>,
    /// How often loops that run nobody knows how often test whether to go on.
    pub tests: BTreeMap<LoopId, Average>,
}

impl Averages {
    /// The same with what others know where nothing is known.
    #[must_use]
    pub fn or(mut self, others: Self) -> Self {
        for (list, average) in others.lists {
            self.lists.entry(list).or_insert(average);
        }
        for (inner, average) in others.tests {
            self.tests.entry(inner).or_insert(average);
        }
        self
    }

    /// Whether nothing is known.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.lists.is_empty()
    }
}
