//! The misses of caches of every capacity, as a step function.

use premiss_histogram::{Counted, Distance, ReuseDistanceHistogram};
use std::collections::BTreeSet;

/// With more steps, a curve is drawn at eight capacities for each power of two.
const MOST_STEPS: usize = 120;

/// The misses of fully associative LRU caches with lines of one size.
pub(super) struct Curve {
    pub(super) line_size: u64,
    /// Capacities in lines, rising, each with the misses from there up to the next.
    pub(super) steps: Vec<(u64, Counted)>,
}

impl Curve {
    pub(super) fn new(line_size: u64, histogram: &ReuseDistanceHistogram) -> Self {
        let mut capacities = BTreeSet::from([1]);
        for bin in histogram.bins() {
            for distance in [bin.lower, bin.upper] {
                if let Distance::Finite(lines) = distance {
                    capacities.insert(lines.saturating_add(1));
                }
            }
        }
        if MOST_STEPS < capacities.len() {
            let last = capacities.last().copied().unwrap_or(1);
            capacities = spread(last);
        }
        let mut steps: Vec<(u64, Counted)> = Vec::new();
        for lines in capacities {
            let misses = histogram.misses(lines);
            if steps.last().is_none_or(|(_, before)| *before != misses) {
                steps.push((lines, misses));
            }
        }
        Self { line_size, steps }
    }

    pub(super) fn bytes(&self, lines: u64) -> f64 {
        lines as f64 * self.line_size as f64
    }
}

/// Eight capacities for each power of two, up to `last`.
fn spread(last: u64) -> BTreeSet<u64> {
    let mut capacities = BTreeSet::from([last]);
    let mut power = 1_u64;
    while power <= last {
        let parts = (0..8).map(|part| power + power / 8 * part + power % 8 * part / 8);
        capacities.extend(parts.filter(|lines| *lines <= last));
        match power.checked_mul(2) {
            Some(next) => power = next,
            None => break,
        }
    }
    capacities
}

#[cfg(test)]
mod tests {
    use super::*;
    use premiss_histogram::Bin;

    #[test]
    fn a_curve_is_the_misses_of_every_capacity() {
        let mut histogram = ReuseDistanceHistogram::default();
        for (lower, certain) in [
            (Distance::Infinite, 2),
            (Distance::Finite(3), 5),
            (Distance::Finite(100), 7),
        ] {
            histogram.add(Bin {
                lower,
                upper: lower,
                certain,
                possible: 0,
            });
        }
        let steps = Curve::new(64, &histogram).steps;
        let expected = [(1, 14), (4, 9), (101, 2)];
        assert_eq!(
            steps,
            expected.map(|(lines, misses)| (lines, Counted::Exact(misses)))
        );
        for (lines, misses) in steps {
            assert_eq!(histogram.misses(lines), misses);
        }
    }

    #[test]
    fn many_capacities_are_spread() {
        let all: Vec<u64> = spread(40).into_iter().collect();
        let expected = [
            1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 18, 20, 22, 24, 26, 28, 30, 32,
            36, 40,
        ];
        assert_eq!(all, expected);
    }
}
