//! How often places are executed on average, where the text does not decide it and a profile does.
//!
//! Sizes determine how often a place is executed if every arm that data choose is taken, and every loop of unknown trip
//! count runs once. From the outside in, that leads from what is known of a place to what is known of those in it:
//!
//! ```text
//! for (i = 0; i < n; i++)          n       exact
//!     if (x[i] > 0)                0.3 n   an average: 0.3 for each time that the body runs
//!         for (j = 0; j < m; j++)  0.3 n m the loop's part is exact: n m over n
//! ```

use crate::marked::{Marked, PlaceOrigin};
use premiss_histogram::Counted;
use premiss_tree::{ReferenceId, SecondaryMap};

/// A number with its bounds, and about what it is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Averaged {
    bounds: Counted,
    /// `None` where some part has no estimate.
    estimate: Option<f64>,
}

impl Averaged {
    /// A number of which only the bounds are known.
    #[expect(clippy::cast_precision_loss, reason = "estimates are floating point")]
    pub(crate) fn bounded(bounds: Counted) -> Self {
        let estimate = bounds.exact().map(|x| x as f64);
        Self { bounds, estimate }
    }

    /// An estimate, clamped to the bounds.
    pub(crate) fn estimated(bounds: Counted, estimate: Option<f64>) -> Self {
        match (bounds, estimate) {
            (Counted::Exact(_), _) | (_, None) => Self::bounded(bounds),
            (_, Some(estimate)) => Self {
                bounds,
                estimate: Some(bounds.clamp(estimate)),
            },
        }
    }

    /// The exact number where the bounds meet; else the estimate where all parts have one, or the bounds.
    pub(crate) fn counted(self) -> Counted {
        match (self.bounds, self.estimate) {
            (Counted::Exact(_), _) | (_, None) => self.bounds,
            (_, Some(estimate)) => Counted::estimate(estimate),
        }
    }

    /// Where between the bounds the estimate is, from 0 to 1; in the middle where they meet.
    #[expect(clippy::cast_precision_loss, reason = "estimates are floating point")]
    pub(crate) fn share(self) -> Option<f64> {
        match (self.bounds, self.estimate) {
            (Counted::Exact(_), _) => Some(0.5),
            (Counted::Bounded { lower, upper }, Some(estimate)) => {
                Some((estimate - lower as f64) / (upper - lower) as f64)
            }
            _ => None,
        }
    }

    /// The bounds alone.
    pub(crate) fn guaranteed(self) -> Self {
        Self::bounded(self.bounds)
    }

    pub(crate) fn plus(self, other: Self) -> Self {
        let estimate = match (self.estimate, other.estimate) {
            (Some(a), Some(b)) => Some(a + b),
            _ => None,
        };
        let bounds = self.bounds + other.bounds;
        Self { bounds, estimate }
    }

    /// The number times `each`; its bounds are unknown where they do not fit.
    #[expect(clippy::cast_precision_loss, reason = "estimates are floating point")]
    pub(crate) fn times(self, each: u64) -> Self {
        let bounds = match self.bounds.bounds() {
            Some((lower, upper)) => match (lower.checked_mul(each), upper.checked_mul(each)) {
                (Some(lower), Some(upper)) => Counted::between(lower, upper),
                _ => Counted::Unknown,
            },
            None => self.bounds,
        };
        let is_lost = bounds == Counted::Unknown && self.bounds != Counted::Unknown;
        let estimate = self.estimate.filter(|_| !is_lost);
        Self {
            bounds,
            estimate: estimate.map(|x| x * each as f64),
        }
    }
}

/// The executions of places, given the bounds, and how often each is executed where all arms that data
/// choose are taken and repeated loops run once.
pub(crate) fn averaged(
    marked: &Marked,
    bounds: impl Fn(ReferenceId) -> Counted,
    taken: impl Fn(ReferenceId) -> Option<u64>,
) -> SecondaryMap<ReferenceId, Option<Averaged>> {
    let mut found: SecondaryMap<ReferenceId, Option<Averaged>> = SecondaryMap::new();
    for place in marked.places.keys() {
        let known = |place| found[place].and_then(|x: Averaged| x.estimate);
        // By the average of the profile, or by sizes.
        let by_average = || {
            let (of, times) = marked.averages.get(&place)?;
            Some(known(*of)? * times)
        };
        let by_sizes = || {
            let parent = marked.parent[place]?;
            let (own, all) = (taken(place)?, taken(parent)?);
            Some(known(parent)? * ratio(own, all))
        };
        let is_by_sizes = match marked.origins[place] {
            PlaceOrigin::Function | PlaceOrigin::Body(_) => true,
            PlaceOrigin::Repeated(_) | PlaceOrigin::Test => false,
            PlaceOrigin::Arm => is_decided(marked, place, &taken),
        };
        let estimate = match is_by_sizes {
            true => by_sizes().or_else(by_average),
            false => by_average(),
        };
        found[place] = Some(Averaged::estimated(bounds(place), estimate));
    }
    found
}

/// Whether sizes alone choose an arm: then exactly one of the two arms is taken each time, while of arms that data
/// choose each may be.
fn is_decided(
    marked: &Marked,
    arm: ReferenceId,
    taken: impl Fn(ReferenceId) -> Option<u64>,
) -> bool {
    let both = || {
        let other = taken(*marked.opposite_arms.get(&arm)?)?;
        let all = taken(marked.parent[arm]?)?;
        Some(taken(arm)?.checked_add(other)? == all)
    };
    both().unwrap_or(false)
}

#[expect(clippy::cast_precision_loss, reason = "estimates are floating point")]
fn ratio(part: u64, all: u64) -> f64 {
    match all {
        0 => 0.0,
        _ => part as f64 / all as f64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn estimated(lower: u64, upper: u64, estimate: f64) -> Averaged {
        Averaged::estimated(Counted::between(lower, upper), Some(estimate))
    }

    #[test]
    fn an_estimate_lies_between_the_bounds_and_changes_no_exact_number() {
        assert_eq!(estimated(0, 10, 3.5).counted(), Counted::estimate(3.5));
        assert_eq!(estimated(0, 10, 12.0).counted(), Counted::estimate(10.0));
        assert_eq!(estimated(4, 10, 1.0).counted(), Counted::estimate(4.0));
        assert_eq!(estimated(7, 7, 3.0).counted(), Counted::Exact(7));
        let unknown = Averaged::estimated(Counted::Unknown, Some(3.0));
        assert_eq!(unknown.counted(), Counted::estimate(3.0));
    }

    #[test]
    fn without_an_average_the_bounds_are_what_is_known() {
        let bounds = Counted::between(0, 10);
        assert_eq!(Averaged::estimated(bounds, None).counted(), bounds);
        assert_eq!(estimated(0, 10, 3.0).guaranteed().counted(), bounds);
        let unknown = Averaged::bounded(Counted::Unknown);
        assert_eq!(unknown.counted(), Counted::Unknown);
    }

    #[test]
    fn a_sum_has_an_estimate_where_all_parts_have_and_its_bounds_in_any_case() {
        let exact = Averaged::bounded(Counted::Exact(5));
        let part = estimated(0, 10, 3.0);
        assert_eq!(part.plus(exact).counted(), Counted::estimate(8.0));
        let open = Averaged::bounded(Counted::between(1, 2));
        let sum = part.plus(open);
        assert_eq!(sum.counted(), Counted::between(1, 12));
        assert_eq!(
            part.plus(exact).guaranteed().counted(),
            Counted::between(5, 15)
        );
    }

    #[test]
    fn a_multiple_scales_bounds_and_estimate_as_long_as_they_fit() {
        let part = estimated(1, 10, 3.0);
        assert_eq!(part.times(4).counted(), Counted::estimate(12.0));
        assert_eq!(
            part.times(4).guaranteed().counted(),
            Counted::between(4, 40)
        );
        assert_eq!(part.times(0).counted(), Counted::ZERO);
        assert_eq!(part.times(1 << 62).counted(), Counted::Unknown);
        let unknown = Averaged::estimated(Counted::Unknown, Some(3.0));
        assert_eq!(unknown.times(4).counted(), Counted::estimate(12.0));
    }

    #[test]
    fn a_share_is_where_between_its_bounds_a_number_is() {
        assert_eq!(estimated(10, 20, 10.0).share(), Some(0.0));
        assert_eq!(estimated(10, 20, 12.5).share(), Some(0.25));
        assert_eq!(estimated(10, 20, 30.0).share(), Some(1.0));
        assert_eq!(Averaged::bounded(Counted::Exact(7)).share(), Some(0.5));
        assert_eq!(Averaged::bounded(Counted::between(0, 3)).share(), None);
        assert_eq!(Averaged::bounded(Counted::Unknown).share(), None);
    }

    #[test]
    fn what_never_runs_has_no_part_in_anything() {
        assert_eq!(ratio(0, 0), 0.0);
        assert_eq!(ratio(3, 12), 0.25);
    }
}
