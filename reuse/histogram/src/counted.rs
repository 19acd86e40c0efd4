//! A number of events and how it was obtained.

use crate::estimate::Estimate;
use std::ops::{Add, AddAssign};

/// A number of events (accesses, misses, bytes) and how far it can be trusted.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Counted {
    /// Exactly this many.
    Exact(u64),
    /// At least `lower` and at most `upper`, with `lower < upper`.
    Bounded {
        /// The least possible number.
        lower: u64,
        /// The greatest possible number.
        upper: u64,
    },
    /// About this many; nothing is guaranteed.
    Estimate(Estimate),
    /// Not known: anything from 0 up.
    Unknown,
}

impl Counted {
    /// No events, exactly.
    pub const ZERO: Self = Self::Exact(0);

    /// The number between two bounds: exact where they meet.
    ///
    /// # Panics
    ///
    /// Where `lower > upper`: no number lies between them.
    #[must_use]
    pub fn between(lower: u64, upper: u64) -> Self {
        assert!(lower <= upper, "bounds must not cross: {lower} > {upper}");
        if lower == upper {
            Self::Exact(lower)
        } else {
            Self::Bounded { lower, upper }
        }
    }

    /// The bounds, where the number is exact or bounded.
    #[must_use]
    pub fn bounds(self) -> Option<(u64, u64)> {
        match self {
            Self::Exact(value) => Some((value, value)),
            Self::Bounded { lower, upper } => Some((lower, upper)),
            Self::Estimate(_) | Self::Unknown => None,
        }
    }

    /// About this many, by a model or an average.
    #[must_use]
    pub fn estimate(value: f64) -> Self {
        Self::Estimate(Estimate::of(value))
    }

    /// The bounds where the number is exact or bounded, the interval where it comes from samples.
    #[must_use]
    pub fn interval(self) -> Option<(u64, u64)> {
        match self {
            Self::Estimate(estimate) => estimate.interval(),
            _ => self.bounds(),
        }
    }

    /// The bounds that two statements on the same number leave, both of which hold.
    #[must_use]
    pub fn narrowed(self, by: Self) -> Self {
        match (self.bounds(), by.bounds()) {
            (Some((a, b)), Some((c, d))) if a.max(c) <= b.min(d) => {
                Self::between(a.max(c), b.min(d))
            }
            _ => self,
        }
    }

    /// The bounds on a number that is no larger than another one.
    #[must_use]
    pub fn at_most(self, whole: Self) -> Self {
        match (self.bounds(), whole.bounds()) {
            (Some((lower, upper)), Some((_, most))) if lower <= most => {
                Self::between(lower, upper.min(most))
            }
            _ => self,
        }
    }

    /// The value, where it is exact.
    #[must_use]
    pub fn exact(self) -> Option<u64> {
        match self {
            Self::Exact(value) => Some(value),
            _ => None,
        }
    }

    /// The middle of the bounds, or the estimate; `None` where the number is unknown.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "estimates are floating point")]
    pub fn middle(self) -> Option<f64> {
        match self {
            Self::Estimate(estimate) => Some(estimate.value),
            _ => {
                let (lower, upper) = self.bounds()?;
                Some(f64::midpoint(lower as f64, upper as f64))
            }
        }
    }

    /// `estimate`, clamped to the bounds where there are some.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "estimates are floating point")]
    pub fn clamp(self, estimate: f64) -> f64 {
        match self.bounds() {
            Some((lower, upper)) => estimate.clamp(lower as f64, upper as f64),
            None => estimate,
        }
    }

    /// One number to rank or draw by: the value, the upper bound, or the estimate; `None` where the number is unknown.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a picture, not a count")]
    pub fn magnitude(self) -> Option<f64> {
        match self {
            Self::Exact(value) => Some(value as f64),
            Self::Bounded { upper, .. } => Some(upper as f64),
            Self::Estimate(estimate) => Some(estimate.value),
            Self::Unknown => None,
        }
    }
}

impl Default for Counted {
    /// No events, exactly.
    fn default() -> Self {
        Self::ZERO
    }
}

impl Add for Counted {
    type Output = Self;

    /// The sum is as certain as the less certain of the two; bounds that do not fit make it unknown.
    fn add(self, other: Self) -> Self {
        if let (Some((a, b)), Some((c, d))) = (self.bounds(), other.bounds()) {
            return match (a.checked_add(c), b.checked_add(d)) {
                (Some(lower), Some(upper)) => Self::between(lower, upper),
                _ => Self::Unknown,
            };
        }
        match (Estimate::from_count(self), Estimate::from_count(other)) {
            (Some(a), Some(b)) => Self::Estimate(a.plus(b)),
            _ => Self::Unknown,
        }
    }
}

impl AddAssign for Counted {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl std::iter::Sum for Counted {
    fn sum<I: Iterator<Item = Self>>(counts: I) -> Self {
        counts.fold(Self::ZERO, Add::add)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_narrowed() {
        let bounded = Counted::between(1, 8);
        assert_eq!(
            bounded.narrowed(Counted::between(0, 5)),
            Counted::between(1, 5)
        );
        assert_eq!(bounded.narrowed(Counted::Unknown), bounded);
        assert_eq!(
            bounded.at_most(Counted::between(3, 4)),
            Counted::between(1, 4)
        );
        assert_eq!(
            Counted::Exact(2).at_most(Counted::Exact(1)),
            Counted::Exact(2)
        );
    }

    #[test]
    fn a_sum_is_as_good_as_its_worst_part() {
        let bounded = Counted::between(1, 3);
        assert_eq!(Counted::Exact(2) + Counted::Exact(3), Counted::Exact(5));
        assert_eq!(Counted::Exact(2) + bounded, Counted::between(3, 5));
        assert_eq!(bounded + Counted::estimate(1.0), Counted::estimate(3.0));
        assert_eq!(bounded + Counted::Unknown, Counted::Unknown);
        assert_eq!(
            Counted::Exact(u64::MAX) + Counted::Exact(1),
            Counted::Unknown
        );
    }
}
