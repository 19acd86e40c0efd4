//! Misses of a set-associative cache where the sets of addresses are not known.
//!
//! Marin and Mellor-Crummey, *Scalable Cross-Architecture Predictions of Memory Hierarchy Response
//! for Scientific Applications* (2005), section 5.2: if each of the n distinct lines accessed since
//! falls into one of s sets with equal chance, the number that fall into the set of this one is
//! binomial, and the access hits if fewer than k of them do:
//!
//! ```text
//! P_hit(s, k, n) = sum for i = 0 ..= min(k - 1, n) of  C(n, i) (1/s)^i ((s - 1)/s)^(n - i)
//! ```

use premiss_cache::CacheGeometry;
use premiss_histogram::{Bin, Counted, Distance, ReuseDistanceHistogram};

/// The expected number of misses, always as an estimate. The histogram is for lines of the cache's size. A bin with
/// bounds counts half of the accesses that are only possible, at the mean of the miss probabilities at both of its
/// ends.
#[must_use]
pub fn estimate(histogram: &ReuseDistanceHistogram, geometry: CacheGeometry) -> Counted {
    let mut chance = MissChance::new(geometry);
    let misses = histogram.bins().map(|bin| chance.weight(&bin)).sum();
    Counted::estimate(misses)
}

/// The probability that an access hits in a cache of `sets` sets of `ways` lines, `distance` distinct other lines after
/// the last access to its line: `P_hit(sets, ways, distance)`, between 0 and 1.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "an estimate")]
pub fn hit_probability(sets: u64, ways: u64, distance: u64) -> f64 {
    if distance < ways {
        return 1.0;
    }
    if sets <= 1 {
        return 0.0;
    }
    let (n, s) = (distance as f64, sets as f64);
    // ln of the term for i, and of the sum of all so far, kept apart from e^x, which underflows.
    let mut term = n * (-1.0 / s).ln_1p();
    let mut sum = term;
    let ln_others = (s - 1.0).ln();
    for i in 1..ways {
        let i = i as f64;
        term += ((n - i + 1.0) / i).ln() - ln_others;
        sum = ln_sum(sum, term);
        // Past the mode terms fall; none of the rest can change the sum.
        if n < i * s && term < sum - 40.0 {
            break;
        }
    }
    sum.exp().clamp(0.0, 1.0)
}

/// ln(e^a + e^b)
fn ln_sum(a: f64, b: f64) -> f64 {
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    high + (low - high).exp().ln_1p()
}

/// The probability of a miss by distance, for one cache; remembers the last distance, as many bins share one.
struct MissChance {
    geometry: CacheGeometry,
    last: Option<(u64, f64)>,
}

impl MissChance {
    fn new(geometry: CacheGeometry) -> Self {
        let last = None;
        Self { geometry, last }
    }

    fn at(&mut self, distance: Distance) -> f64 {
        let Distance::Finite(distance) = distance else {
            return 1.0;
        };
        if let Some((known, chance)) = self.last
            && known == distance
        {
            return chance;
        }
        let chance = 1.0 - hit_probability(self.geometry.sets, self.geometry.ways, distance);
        self.last = Some((distance, chance));
        chance
    }

    #[expect(clippy::cast_precision_loss, reason = "an estimate")]
    fn weight(&mut self, bin: &Bin) -> f64 {
        let chance = f64::midpoint(self.at(bin.lower), self.at(bin.upper));
        chance * (bin.certain as f64 + bin.possible as f64 / 2.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sum as it stands, in floating point, for small n.
    fn direct(sets: u64, ways: u64, distance: u64) -> f64 {
        let s = sets as f64;
        let mut binomial = 1.0;
        let mut sum = 0.0;
        for i in 0..=distance.min(ways - 1) {
            let (here, there) = (i as f64, (distance - i) as f64);
            sum += binomial * (1.0 / s).powf(here) * ((s - 1.0) / s).powf(there);
            binomial *= (distance - i) as f64 / (i + 1) as f64;
        }
        sum
    }

    /// The share of all ways to place `distance` lines into sets that leave fewer than `ways` in
    /// set 0: s^n of them, each as a number in base s.
    fn enumerated(sets: u64, ways: u64, distance: u32) -> f64 {
        let all = sets.pow(distance);
        let in_first = |mut placement: u64| {
            (0..distance).fold(0, |count, _| {
                let set = placement % sets;
                placement /= sets;
                count + u64::from(set == 0)
            })
        };
        let hits = (0..all).filter(|&x| in_first(x) < ways).count();
        hits as f64 / all as f64
    }

    #[test]
    fn log_space_agrees_with_the_direct_sum() {
        for sets in [2, 3, 7, 64, 212_992] {
            for ways in [1, 2, 8, 15, 40] {
                for distance in [0, 1, 2, 7, 8, 9, 30, 64, 100] {
                    let (got, expected) = (
                        hit_probability(sets, ways, distance),
                        direct(sets, ways, distance),
                    );
                    let context = format!("{sets} sets, {ways} ways, {distance} lines");
                    assert!(
                        (got - expected).abs() < 1e-11,
                        "{context}: {got} {expected}"
                    );
                }
            }
        }
    }

    #[test]
    fn it_is_the_share_of_placements_that_hit() {
        for sets in 1..=4 {
            for ways in 1..=4 {
                for distance in 0..=8 {
                    let expected = enumerated(sets, ways, distance);
                    let got = hit_probability(sets, ways, u64::from(distance));
                    let context = format!("{sets} sets, {ways} ways, {distance} lines");
                    assert!(
                        (got - expected).abs() < 1e-12,
                        "{context}: {got} {expected}"
                    );
                }
            }
        }
    }

    #[test]
    fn great_numbers_neither_overflow_nor_leave_the_unit_interval() {
        for (sets, ways, distance) in [
            (1 << 20, 16, u64::MAX),
            (2, 1 << 20, 1 << 21),
            (1 << 40, 1 << 10, 1 << 50),
            (114_688, 15, 1_720_320),
            (2, 1, 10_000_000),
        ] {
            let chance = hit_probability(sets, ways, distance);
            assert!((0.0..=1.0).contains(&chance), "{chance}");
        }
        // A cache as full as its size allows: about half of the sets are too full.
        let chance = hit_probability(114_688, 15, 1_720_320);
        assert!((0.4..0.6).contains(&chance), "{chance}");
        // The mean of many: half of 2^21 lines in each of two sets, of 2^20 ways.
        let chance = hit_probability(2, 1 << 20, 1 << 21);
        assert!((0.49..0.51).contains(&chance), "{chance}");
    }

    #[test]
    fn bins_are_weighted() {
        let mut histogram = ReuseDistanceHistogram::default();
        let mut add = |lower, upper, certain, possible| {
            histogram.add(Bin {
                lower,
                upper,
                certain,
                possible,
            });
        };
        let one = Distance::Finite(1);
        add(Distance::Infinite, Distance::Infinite, 10, 0);
        add(one, one, 8, 4);
        let geometry = CacheGeometry {
            line_size: 64,
            sets: 4,
            ways: 1,
        };
        assert_eq!(estimate(&histogram, geometry), Counted::estimate(12.5));
    }
}
