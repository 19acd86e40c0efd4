//! Numbers that are about right, and how far those from samples may be off.

use crate::Counted;

/// So many standard deviations make intervals of 95 %: 1.96, and some more because draws end when the interval is close.
const DEVIATIONS: f64 = 2.2;

/// A number of events that is about right.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// The number.
    pub value: f64,
    /// How far it may be off, where it comes from samples alone; `None` where a model or an average went into it.
    pub error: Option<SamplingError>,
}

/// How far a number from samples may be off.
///
/// Two samples that were drawn independently of each other err by `a` and `b`, and their sum by `√(a² + b²)`: their variances add
/// up. What several numbers have in common, as they rest on the same draws, may be off in the same direction in all of them, and
/// so may what no draw decided: there the errors themselves add up.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct SamplingError {
    /// The variance of what was drawn for this number alone.
    pub variance: f64,
    /// What it may be off by besides.
    pub common: f64,
}

impl Estimate {
    /// By a model or an average.
    #[must_use]
    pub fn of(value: f64) -> Self {
        Self { value, error: None }
    }

    /// From samples.
    #[must_use]
    pub fn sampled(value: f64, error: SamplingError) -> Self {
        let error = Some(error);
        Self { value, error }
    }

    /// A count as an estimate: bounds may be off by half of what is between them. `None` where it is unknown.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "estimates are floating point")]
    pub fn from_count(count: Counted) -> Option<Self> {
        match count {
            Counted::Estimate(estimate) => Some(estimate),
            _ => {
                let (lower, upper) = count.bounds()?;
                let common = (upper - lower) as f64 / 2.0;
                let error = SamplingError {
                    variance: 0.0,
                    common,
                };
                Some(Self::sampled(count.middle()?, error))
            }
        }
    }

    /// The sum of two, whose samples are independent but for what they have in common.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        let sum = |a: SamplingError, b: SamplingError| SamplingError {
            variance: a.variance + b.variance,
            common: a.common + b.common,
        };
        Self {
            value: self.value + other.value,
            error: self.error.zip(other.error).map(|(a, b)| sum(a, b)),
        }
    }

    /// So many times the number, as bytes of so many lines.
    #[must_use]
    pub fn times(self, factor: f64) -> Self {
        Self {
            value: self.value * factor,
            error: self.error.map(|error| SamplingError {
                variance: error.variance * factor * factor,
                common: error.common * factor,
            }),
        }
    }

    /// The interval, from least to greatest, that holds the number with a probability of 95 %; `None` where nothing is said.
    ///
    /// ```
    /// # use premiss_histogram::{Estimate, SamplingError};
    /// let error = SamplingError { variance: 25.0, common: 1.0 };
    /// assert_eq!(Estimate::sampled(100.0, error).interval(), Some((88, 112)));
    /// // Ten independent ones, of 10 · 11 to either side in the worst case and √10 · 11 most often.
    /// let error = SamplingError { variance: 25.0, common: 0.0 };
    /// let sum = (0..9).fold(Estimate::sampled(100.0, error), |sum, _| sum.plus(Estimate::sampled(100.0, error)));
    /// assert_eq!(sum.interval(), Some((965, 1035)));
    /// ```
    #[must_use]
    pub fn interval(self) -> Option<(u64, u64)> {
        let half = self.error?.half();
        Some((
            rounded((self.value - half).floor()),
            rounded((self.value + half).ceil()),
        ))
    }
}

impl SamplingError {
    /// How far an interval of 95 % reaches to either side.
    #[must_use]
    pub fn half(self) -> f64 {
        DEVIATIONS * self.variance.sqrt() + self.common
    }
}

/// A number that is not negative.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a cast saturates"
)]
fn rounded(number: f64) -> u64 {
    number.max(0.0) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sampled(value: f64, variance: f64, common: f64) -> Counted {
        let error = SamplingError { variance, common };
        Counted::Estimate(Estimate::sampled(value, error))
    }

    #[test]
    fn variances_of_independent_samples_add_up_and_what_they_share_does_itself() {
        let sum = sampled(100.0, 9.0, 2.0) + sampled(50.0, 16.0, 1.0);
        assert_eq!(sum, sampled(150.0, 25.0, 3.0));
        assert_eq!(sum.interval(), Some((136, 164)));
        assert_eq!(
            sampled(100.0, 9.0, 0.0) + Counted::Exact(7),
            sampled(107.0, 9.0, 0.0)
        );
        assert_eq!(
            sampled(100.0, 9.0, 0.0) + Counted::between(2, 6),
            sampled(104.0, 9.0, 2.0)
        );
    }

    #[test]
    fn models_say_nothing_of_how_far_they_are_off() {
        let sum = sampled(100.0, 9.0, 2.0) + Counted::estimate(1.0);
        assert_eq!((sum, sum.interval()), (Counted::estimate(101.0), None));
        assert_eq!(sum + Counted::Unknown, Counted::Unknown);
    }

    #[test]
    fn intervals_do_not_go_below_zero() {
        assert_eq!(sampled(1.0, 100.0, 0.0).interval(), Some((0, 23)));
        assert_eq!(Counted::between(3, 5).interval(), Some((3, 5)));
        assert_eq!(Counted::Unknown.interval(), None);
    }
}
