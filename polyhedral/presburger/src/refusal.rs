//! Why a set operation or a count was given up.

use crate::Column;
use premiss_arithmetic::Overflow;

/// Why a set operation or a count was given up. The answer stays unknown; it is never wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Refusal {
    /// The effort allowed ran out.
    #[error("the effort budget of the derivation ran out")]
    Budget,
    /// A coefficient or a count does not fit its integer type.
    #[error("a coefficient or count does not fit 128 bits")]
    Overflow,
    /// The set has infinitely many points.
    #[error("the set is not bounded")]
    Unbounded,
    /// What was asked for is no affine function of the variables at hand.
    #[error("a place that depends on others is no affine function of them")]
    NotAffine,
    /// It depends on the remainder of a column by this number, which is not known.
    #[error("a place depends on the remainder of a size by {1}, which is not known")]
    Remainder(Column, i64),
    /// The library that computes with sets could not do an operation.
    #[error("the library of integer sets could not do an operation")]
    Failed,
}

impl From<Overflow> for Refusal {
    fn from(_: Overflow) -> Self {
        Self::Overflow
    }
}
