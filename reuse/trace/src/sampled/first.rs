//! How many lines are touched at all.

use super::FEWEST_DRAWS;
use super::nest::DecidedNest;
use super::search::Search;

/// The lines of all arrays, and what is known of some of them.
///
/// Lines are taken in steps that have no factor in common with their number, so that none is taken twice.
#[derive(Debug)]
pub(super) struct FirstTouches {
    /// The first line of each range, and how many there are before it.
    ranges: Vec<(u64, u64)>,
    pub(super) n_lines: u64,
    stride: u64,
    next: u64,
    n_examined: u64,
    n_present: u64,
    n_open: u64,
    pub(super) steps: u64,
}

/// The fractional part of the golden ratio, in units of 2^-64: its multiples are spread evenly.
const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

#[expect(clippy::cast_precision_loss, reason = "estimates are floating point")]
impl FirstTouches {
    /// Of arrays with the given first and last lines, some of which may be shared.
    pub(super) fn new(mut ends: Vec<(u64, u64)>) -> Self {
        ends.sort_unstable();
        let mut ranges = Vec::new();
        let mut n_lines = 0;
        let mut free = 0;
        for (first, last) in ends {
            let first = first.max(free);
            if first <= last {
                ranges.push((first, n_lines));
                n_lines += last + 1 - first;
                free = last + 1;
            }
        }
        let near = (u128::from(n_lines) * u128::from(GOLDEN)) >> 64;
        let near = u64::try_from(near).unwrap_or(0).max(1);
        let stride = (near..).find(|x| is_coprime(*x, n_lines)).unwrap_or(1);
        Self {
            ranges,
            n_lines,
            stride,
            next: 0,
            n_examined: 0,
            n_present: 0,
            n_open: 0,
            steps: 0,
        }
    }

    /// Looks at more lines, as long as steps are left.
    pub(super) fn draw<'n>(
        &mut self,
        search: &mut Search<'n>,
        nest: &'n DecidedNest<'n>,
        count: u64,
        limit: u64,
    ) {
        for _ in 0..count.min(self.n_lines - self.n_examined) {
            let before = search.steps;
            let idx = self
                .ranges
                .partition_point(|(_, earlier)| *earlier <= self.next)
                - 1;
            let (first, earlier) = self.ranges[idx];
            let line = (first + self.next - earlier).cast_signed();
            match search.is_touched(line, nest, limit) {
                Some(true) => self.n_present += 1,
                Some(false) => {}
                None => self.n_open += 1,
            }
            self.next = (self.next + self.stride) % self.n_lines;
            self.n_examined += 1;
            self.steps += search.steps - before;
        }
    }

    /// Whether enough were looked at to say something.
    pub(super) fn has_enough(&self) -> bool {
        FEWEST_DRAWS.min(self.n_lines) <= self.n_examined
    }

    /// How many were looked at.
    pub(super) fn n_examined(&self) -> u64 {
        self.n_examined
    }

    /// An estimate of the lines that are touched.
    pub(super) fn misses(&self) -> f64 {
        self.scaled(self.n_present as f64) + self.open()
    }

    /// How far the number may be from the estimate because of lines of which nothing is known.
    pub(super) fn open(&self) -> f64 {
        self.scaled(self.n_open as f64) / 2.0
    }

    /// The variance of the estimate, as [`Ratio::variance`](super::ratio::Ratio::variance); lines are not taken twice.
    pub(super) fn variance(&self) -> f64 {
        if self.n_examined == 0 {
            return 0.0;
        }
        let n = self.n_examined as f64;
        let share = (self.n_present as f64 + 2.0) / (n + 4.0);
        let all = self.n_lines as f64;
        all * all * share * (1.0 - share) / n * (1.0 - n / all)
    }

    fn scaled(&self, number: f64) -> f64 {
        number / self.n_examined.max(1) as f64 * self.n_lines as f64
    }
}

fn is_coprime(a: u64, b: u64) -> bool {
    let (mut a, mut b) = (a, b);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_joined_and_no_line_is_taken_twice() {
        let all = FirstTouches::new(vec![(10, 12), (3, 5), (12, 14), (5, 5)]);
        assert_eq!(all.n_lines, 8);
        assert_eq!(all.ranges, [(3, 0), (10, 3), (13, 6)]);
        for n in 1..200 {
            let all = FirstTouches::new(vec![(0, n - 1)]);
            assert!(is_coprime(all.stride, n), "{n}: {}", all.stride);
        }
    }
}
