//! Average execution counts of parts of a function that its text does not determine: from a profile, or stated by the
//! author of the program.
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

/// A list of nodes in the body of a [`Work`](crate::Work). Lists are numbered in pre-order: first the body itself,
/// then, in the order of the tree, the body of each loop and both arms of each branch, empty ones included.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ListId(u32);
entity_impl!(ListId, "B");

/// How often something runs per execution of an enclosing list.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Average {
    /// The enclosing list, not necessarily the innermost one.
    pub per: ListId,
    /// Average number of executions for each execution of `per`; finite, at least 0.
    pub times: f64,
}

/// The average execution counts that are known.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Averages {
    /// Executions of branch arms and loop bodies, by their list.
    pub lists: BTreeMap<ListId, Average>,
    /// Evaluations of the loop condition, for loops whose trip count is not known.
    pub tests: BTreeMap<LoopId, Average>,
}

impl Averages {
    /// Adds the entries of `others` for lists and loops that have none here.
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

    /// Whether no list has an average; `tests` is not considered.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.lists.is_empty()
    }
}
