//! Bailouts: failures to lower a construct, which propagate to the enclosing statement, loop or function that is given
//! up instead.

use crate::syntax::TextRange;
use premiss_tree::RejectReason;

/// A construct that cannot be lowered; an enclosing construct is given up instead.
#[derive(Debug, Clone)]
pub(crate) struct Bailout {
    pub(crate) reason: RejectReason,
    pub(crate) at: TextRange,
    pub(crate) level: BailoutLevel,
}

impl Bailout {
    /// The failure of a whole function with an exhausted budget; `limit` is the limit and its value.
    pub(crate) fn exhausted(limit: String, at: TextRange) -> Self {
        Self {
            reason: RejectReason::Budget { limit },
            at,
            level: BailoutLevel::Tree,
        }
    }
}

/// The construct that is given up because of a [`Bailout`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BailoutLevel {
    /// The innermost loop.
    Loop,
    /// The outermost loop of the function; what follows it becomes possible.
    OutermostLoop,
    /// The whole function.
    Tree,
}

pub(crate) type Lowered<T> = Result<T, Bailout>;

/// The failure of a loop whose trip count is not known.
pub(crate) fn uncounted(why: String, at: TextRange) -> Bailout {
    Bailout {
        reason: RejectReason::UncountedLoop { reason: why },
        at,
        level: BailoutLevel::Loop,
    }
}
