//! Whether a count grew beyond its limit, as far as counts are certain.

use crate::limits::Limit;
use premiss_histogram::Counted;

/// The code of a finding for a metric that exceeds its limit.
pub const REGRESSION: &str = "regression";
/// The code of a finding for a metric that may exceed its limit.
pub const UNDECIDED: &str = "undecided";

/// The code of a finding for a setting that the head of a comparison changes.
pub const POLICY: &str = "policy";

/// Whether a metric, or all metrics of a nest, stayed within limits; ordered from best to worst.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Verdict {
    /// The growth is certainly within the limit.
    Within,
    /// The counts leave both possible.
    Undecided,
    /// The growth certainly exceeds the limit.
    Exceeds,
}

impl Verdict {
    /// Its name in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Within => "within",
            Self::Undecided => "undecided",
            Self::Exceeds => "exceeds",
        }
    }
}

/// Compares a count before and after with a limit, for all values between the bounds of both. More after is worse and
/// more before is better, so that the ends of the intervals decide: those of counts from samples hold with a probability of
/// 95 %. Other estimates and unknown counts leave it undecided.
#[must_use]
pub fn verdict(before: Counted, after: Counted, limit: &Limit) -> Verdict {
    let (Some((least_before, most_before)), Some((least, most))) =
        (before.interval(), after.interval())
    else {
        return Verdict::Undecided;
    };
    if limit.is_exceeded(most_before, least) {
        Verdict::Exceeds
    } else if limit.is_exceeded(least_before, most) {
        Verdict::Undecided
    } else {
        Verdict::Within
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;
    use Counted::{Exact, Unknown};
    use Verdict::{Exceeds, Undecided, Within};
    use premiss_histogram::{Estimate, SamplingError};

    #[test]
    fn only_what_is_certain_counts() {
        let limits = Limits::parse("m=10%", &["m".to_owned()]).expect("limits");
        let check = |before, after, expected| {
            assert_eq!(
                verdict(before, after, &limits.of("m")),
                expected,
                "{before:?} {after:?}"
            );
        };
        check(Exact(100), Exact(110), Within);
        check(Exact(100), Exact(111), Exceeds);
        check(Exact(100), Counted::between(50, 110), Within);
        check(Exact(100), Counted::between(50, 111), Undecided);
        check(
            Counted::between(50, 100),
            Counted::between(111, 120),
            Exceeds,
        );
        check(
            Counted::between(50, 100),
            Counted::between(110, 120),
            Undecided,
        );
        check(Exact(100), Counted::estimate(1.0), Undecided);
        let sampled = |value| {
            // 22 to either side.
            let error = SamplingError {
                variance: 100.0,
                common: 0.0,
            };
            Counted::Estimate(Estimate::sampled(value, error))
        };
        check(Exact(1000), sampled(1000.0), Within);
        check(Exact(1000), sampled(1079.0), Undecided);
        check(Exact(1000), sampled(1123.0), Exceeds);
        check(sampled(1000.0), sampled(1150.0), Exceeds);
        check(sampled(1000.0), sampled(1100.0), Undecided);
        check(Exact(100), Unknown, Undecided);
        check(Unknown, Exact(0), Undecided);
    }
}
