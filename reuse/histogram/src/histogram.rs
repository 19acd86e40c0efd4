//! How many accesses have which reuse distance.

use crate::Counted;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The reuse distance of an access: the number of distinct other lines accessed since the previous access to the same
/// line. It is the stack distance of Mattson et al. (1970), counted from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Distance {
    /// This number of lines.
    Finite(u64),
    /// There was no previous access to the line.
    Infinite,
}

/// Accesses of equal bounds on their distance.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bin {
    /// The least distance that each of them can have.
    pub lower: Distance,
    /// The greatest distance that each of them can have; equal to `lower` where it is known.
    pub upper: Distance,
    /// How many accesses are sure to happen.
    pub certain: u64,
    /// How many more may happen.
    pub possible: u64,
}

/// (certain, possible) accesses by (lower, upper) distance.
type Bins = BTreeMap<(Distance, Distance), (u64, u64)>;

/// A reuse-distance histogram for one line size: accesses by the bounds on their distance. It may have millions of bins; a
/// clone shares them until one of the two changes.
///
/// ```
/// # use premiss_histogram::*;
/// let mut histogram = ReuseDistanceHistogram::default();
/// histogram.add(Bin { lower: Distance::Infinite, upper: Distance::Infinite, certain: 2, possible: 0 });
/// histogram.add(Bin { lower: Distance::Finite(3), upper: Distance::Finite(5), certain: 1, possible: 4 });
/// assert_eq!(histogram.accesses(), Counted::between(3, 7));
/// assert_eq!(histogram.misses(3), Counted::between(3, 7));  // 3 lines: distance 3 misses
/// assert_eq!(histogram.misses(4), Counted::between(2, 7));
/// assert_eq!(histogram.misses(6), Counted::Exact(2));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ReuseDistanceHistogram {
    bins: Arc<Bins>,
}

impl ReuseDistanceHistogram {
    /// The histogram of accesses of which `least` has the least distances, of those that are sure to happen, and `greatest`
    /// the greatest ones, of all. What is known is how many accesses are at least as far as any distance: the farthest of
    /// one are put together with the farthest of the other, which need not be the same access.
    ///
    /// ```
    /// # use premiss_histogram::*;
    /// let at = |distance, certain| {
    ///     let (lower, upper) = (Distance::Finite(distance), Distance::Finite(distance));
    ///     Bin { lower, upper, certain, possible: 0 }
    /// };
    /// let of = |bins: &[Bin]| {
    ///     let mut histogram = ReuseDistanceHistogram::default();
    ///     bins.iter().for_each(|bin| histogram.add(*bin));
    ///     histogram
    /// };
    /// let bounded = ReuseDistanceHistogram::between(&of(&[at(3, 2)]), &of(&[at(5, 1), at(4, 2)]));
    /// assert_eq!(bounded.accesses(), Counted::between(2, 3));
    /// assert_eq!(bounded.misses(4), Counted::between(0, 3));
    /// ```
    ///
    /// # Panics
    ///
    /// Where more accesses have a least distance from some number on than a greatest one.
    #[must_use]
    pub fn between(least: &Self, greatest: &Self) -> Self {
        let mut all = Self::default();
        let mut open: Vec<Bin> = least.bins().collect();
        for bin in greatest.bins.iter().rev() {
            let (&(_, upper), &(accesses, _)) = bin;
            let mut left = accesses;
            while let (1.., Some(farthest)) = (left, open.last_mut()) {
                let lower = farthest.lower;
                assert!(
                    lower <= upper,
                    "bounds must not cross: {lower:?}, {upper:?}"
                );
                let certain = left.min(farthest.certain);
                all.add(Bin {
                    lower,
                    upper,
                    certain,
                    possible: 0,
                });
                farthest.certain -= certain;
                left -= certain;
                if farthest.certain == 0 {
                    open.pop();
                }
            }
            all.add(Bin {
                lower: Distance::Finite(0),
                upper,
                certain: 0,
                possible: left,
            });
        }
        assert!(open.is_empty(), "what is sure to happen may happen");
        all
    }

    /// Adds the accesses of a bin.
    pub fn add(&mut self, bin: Bin) {
        if bin.certain == 0 && bin.possible == 0 {
            return;
        }
        let bins = Arc::make_mut(&mut self.bins);
        let counts = bins.entry((bin.lower, bin.upper)).or_default();
        counts.0 += bin.certain;
        counts.1 += bin.possible;
    }

    /// Adds all accesses of another histogram for the same line size.
    pub fn merge(&mut self, other: &Self) {
        if self.bins.is_empty() {
            self.bins = Arc::clone(&other.bins);
            return;
        }
        other.bins().for_each(|bin| self.add(bin));
    }

    /// The bins that hold accesses, by rising lower, then upper distance.
    pub fn bins(&self) -> impl Iterator<Item = Bin> {
        self.bins
            .iter()
            .map(|(&(lower, upper), &(certain, possible))| Bin {
                lower,
                upper,
                certain,
                possible,
            })
    }

    /// The number of accesses: bounded where some are only possible.
    #[must_use]
    pub fn accesses(&self) -> Counted {
        self.count(|_| true)
    }

    /// The number of accesses to lines never accessed before: compulsory misses.
    #[must_use]
    pub fn cold(&self) -> Counted {
        self.count(|distance| distance == Distance::Infinite)
    }

    /// The misses of a fully associative LRU cache of `capacity` lines: the accesses at distances of at least
    /// `capacity`.
    #[must_use]
    pub fn misses(&self, capacity: u64) -> Counted {
        self.count(|distance| distance >= Distance::Finite(capacity))
    }

    /// How many accesses satisfy a predicate that holds for all greater distances too.
    fn count(&self, beyond: impl Fn(Distance) -> bool) -> Counted {
        let certain = |bin: &Bin| if beyond(bin.lower) { bin.certain } else { 0 };
        let possible = |bin: &Bin| {
            if beyond(bin.upper) {
                bin.certain + bin.possible
            } else {
                0
            }
        };
        Counted::between(
            self.bins().map(|bin| certain(&bin)).sum(),
            self.bins().map(|bin| possible(&bin)).sum(),
        )
    }
}
