//! Constructs that cannot be lowered where they stand: the failure that travels to the statement, loop or
//! function that is given up in their place.

use crate::syntax::At;
use premiss_tree::RejectReason;

/// A construct that cannot be lowered where it stands; what is around it takes its place.
#[derive(Debug, Clone)]
pub(crate) struct Bailout {
    pub(crate) reason: RejectReason,
    pub(crate) at: At,
    pub(crate) level: BailoutLevel,
}

impl Bailout {
    /// The failure of a whole function whose budget is exhausted, with the limit and its value.
    pub(crate) fn exhausted(limit: String, at: At) -> Self {
        Self {
            reason: RejectReason::Budget { limit },
            at,
            level: BailoutLevel::Tree,
        }
    }
}

/// What has to be given up for a [`Bailout`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BailoutLevel {
    /// The innermost loop.
    Loop,
    /// The outermost loop of the function, and the certainty of what follows it.
    OutermostLoop,
    /// The whole tree.
    Tree,
}

pub(crate) type Lowered<T> = Result<T, Bailout>;

/// The failure of a loop whose number of iterations is not known.
pub(crate) fn uncounted(why: String, at: At) -> Bailout {
    Bailout {
        reason: RejectReason::UncountedLoop { reason: why },
        at,
        level: BailoutLevel::Loop,
    }
}
