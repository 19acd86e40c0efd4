//! Why accesses miss: compulsory, capacity, conflict (Hill 1987; rule 11 of the access model).

use premiss_cache::CacheGeometry;
use premiss_histogram::{Counted, Distance, ReuseDistanceHistogram};

/// A difference of numbers of events, which may be negative, and how far it can be trusted.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum SignedCount {
    /// Exactly this many.
    Exact(i64),
    /// At least `lower` and at most `upper`, with `lower < upper`.
    Bounded {
        /// The least possible number.
        lower: i64,
        /// The greatest possible number.
        upper: i64,
    },
    /// About this many.
    Estimate(f64),
    /// Not known.
    Unknown,
}

/// The misses of a level by cause; their sum is the number of misses.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ThreeC {
    /// Accesses to lines never accessed before.
    pub compulsory: Counted,
    /// The misses of a fully associative LRU cache of the same size beyond those.
    pub capacity: Counted,
    /// The remaining misses. Negative where sets serve the program better than full associativity does.
    pub conflict: SignedCount,
}

/// The misses of a fully associative LRU cache of the same capacity; the histogram is for lines of the same size.
#[must_use]
pub fn fully_associative(histogram: &ReuseDistanceHistogram, geometry: CacheGeometry) -> Counted {
    histogram.misses(geometry.lines())
}

/// Splits the misses of a level by cause, given the histogram of all accesses that it sees, for lines of its size.
#[must_use]
pub fn three_c(
    histogram: &ReuseDistanceHistogram,
    geometry: CacheGeometry,
    misses: Counted,
) -> ThreeC {
    let conflict = if geometry.sets == 1 {
        SignedCount::Exact(0)
    } else {
        SignedCount::difference(misses, fully_associative(histogram, geometry))
    };
    ThreeC {
        compulsory: histogram.cold(),
        capacity: capacity_misses(histogram, geometry.lines()),
        conflict,
    }
}

/// Splits the misses of a level that does not see every access, given how many of them are compulsory and how many
/// misses a fully associative level of the same size would have in its place.
#[must_use]
pub fn three_c_of(compulsory: Counted, fully_associative: Counted, misses: Counted) -> ThreeC {
    ThreeC {
        compulsory,
        capacity: beyond(fully_associative, compulsory),
        conflict: SignedCount::difference(misses, fully_associative),
    }
}

/// `whole - part`, where the part is known to be at most the whole; unknown where one of them has no bounds.
fn beyond(whole: Counted, part: Counted) -> Counted {
    match (whole.bounds(), part.bounds()) {
        (Some((lower, upper)), Some((least, greatest))) => {
            Counted::between(lower.saturating_sub(greatest), upper.saturating_sub(least))
        }
        _ => Counted::Unknown,
    }
}

/// Accesses with a distance from `capacity` up that are not the first to their line. Taken from the
/// bins, not as a difference of bounds, which would be wider.
fn capacity_misses(histogram: &ReuseDistanceHistogram, capacity: u64) -> Counted {
    let least = Distance::Finite(capacity);
    let (mut lower, mut upper) = (0_u64, 0_u64);
    for bin in histogram.bins() {
        if least <= bin.lower && bin.upper < Distance::Infinite {
            lower = lower.saturating_add(bin.certain);
        }
        if least <= bin.upper && bin.lower < Distance::Infinite {
            upper = upper
                .saturating_add(bin.certain)
                .saturating_add(bin.possible);
        }
    }
    Counted::between(lower, upper)
}

impl SignedCount {
    /// `a - b`; unknown where it does not fit.
    #[must_use]
    pub fn difference(a: Counted, b: Counted) -> Self {
        let minus = |x: u64, y: u64| i64::try_from(i128::from(x) - i128::from(y)).ok();
        match (a.bounds(), b.bounds()) {
            (Some((a_lower, a_upper)), Some((b_lower, b_upper))) => {
                match (minus(a_lower, b_upper), minus(a_upper, b_lower)) {
                    (Some(lower), Some(upper)) if lower == upper => Self::Exact(lower),
                    (Some(lower), Some(upper)) => Self::Bounded { lower, upper },
                    _ => Self::Unknown,
                }
            }
            _ => match (a.middle(), b.middle()) {
                (Some(a), Some(b)) => Self::Estimate(a - b),
                _ => Self::Unknown,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use premiss_histogram::Bin;

    fn histogram(bins: &[(Distance, Distance, u64, u64)]) -> ReuseDistanceHistogram {
        let mut histogram = ReuseDistanceHistogram::default();
        for &(lower, upper, certain, possible) in bins {
            histogram.add(Bin {
                lower,
                upper,
                certain,
                possible,
            });
        }
        histogram
    }

    const COLD: Distance = Distance::Infinite;

    fn at(distance: u64) -> Distance {
        Distance::Finite(distance)
    }

    fn geometry(sets: u64, ways: u64) -> CacheGeometry {
        CacheGeometry {
            line_size: 64,
            sets,
            ways,
        }
    }

    #[test]
    fn misses_split_by_cause() {
        let histogram = histogram(&[
            (COLD, COLD, 10, 0),
            (at(8), at(8), 5, 0),
            (at(7), at(7), 3, 0),
        ]);
        let split = three_c(&histogram, geometry(4, 2), Counted::Exact(16));
        assert_eq!(split.compulsory, Counted::Exact(10));
        assert_eq!(split.capacity, Counted::Exact(5));
        assert_eq!(split.conflict, SignedCount::Exact(1));
    }

    #[test]
    fn sets_can_serve_better_than_none() {
        let histogram = histogram(&[(COLD, COLD, 3, 0), (at(2), at(2), 10, 0)]);
        let split = three_c(&histogram, geometry(2, 1), Counted::Exact(9));
        assert_eq!(split.conflict, SignedCount::Exact(-4));
        let split = three_c(&histogram, geometry(1, 2), Counted::Exact(13));
        assert_eq!(split.conflict, SignedCount::Exact(0));
    }

    #[test]
    fn bounds_stay_bounds() {
        let histogram = histogram(&[
            (COLD, COLD, 2, 1),
            (at(3), COLD, 1, 0),
            (at(5), at(9), 4, 2),
        ]);
        let split = three_c(&histogram, geometry(2, 2), Counted::between(6, 10));
        assert_eq!(split.compulsory, Counted::between(2, 4));
        assert_eq!(split.capacity, Counted::between(4, 7));
        let conflict = SignedCount::Bounded {
            lower: -4,
            upper: 4,
        };
        assert_eq!(split.conflict, conflict);
    }
}
