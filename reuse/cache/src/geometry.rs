//! The shape of a cache.

/// The shape of a cache: `sets` sets of `ways` lines of `line_size` bytes; line `n` goes to set `n mod sets`. A TLB is
/// a cache whose lines are pages. Unless a [`CacheModel`](crate::CacheModel) says otherwise, it is LRU, write-back and
/// write-allocate.
///
/// # Examples
///
/// ```
/// # use premiss_cache::CacheGeometry;
/// let l1 = CacheGeometry { line_size: 64, sets: 64, ways: 8 };
/// assert_eq!(l1.lines() * l1.line_size, 32 << 10);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct CacheGeometry {
    /// Bytes in a line, at least 1.
    pub line_size: u64,
    /// Sets, at least 1; 1 makes it fully associative.
    pub sets: u64,
    /// Lines in a set, at least 1.
    pub ways: u64,
}

impl CacheGeometry {
    /// Its capacity in lines, `sets · ways`; `u64::MAX` where that does not fit.
    #[inline]
    #[must_use]
    pub fn lines(self) -> u64 {
        self.sets.saturating_mul(self.ways)
    }

    /// Whether all lines of some ranges, each from a first to a last line, fit at the same time: each set has a way for
    /// each of its lines. In an LRU cache, only first accesses to them miss then. A line of several ranges counts once for
    /// each.
    ///
    /// ```
    /// # use premiss_cache::CacheGeometry;
    /// let cache = CacheGeometry { line_size: 64, sets: 4, ways: 2 };
    /// // Sets 0 to 3, and 0 again; then sets 2, 3 and 0.
    /// assert!(cache.holds(&[(0, 4), (10, 11)]));
    /// assert!(!cache.holds(&[(0, 4), (10, 12)]));
    /// ```
    #[must_use]
    pub fn holds(self, ranges: &[(u64, u64)]) -> bool {
        let mut rounds = 0_u64;
        // Where a range that is no whole round through the sets begins and ends.
        let mut starts = Vec::new();
        let mut ends = Vec::new();
        for (first, last) in ranges {
            let Some(count) = last.checked_sub(*first).and_then(|x| x.checked_add(1)) else {
                return false;
            };
            rounds = rounds.saturating_add(count / self.sets);
            let (start, rest) = (first % self.sets, count % self.sets);
            let before_end = rest.min(self.sets - start);
            for (start, length) in [(start, before_end), (0, rest - before_end)] {
                if 0 < length {
                    starts.push(start);
                    ends.push(start + length);
                }
            }
        }
        starts.sort_unstable();
        ends.sort_unstable();
        let mut ended = 0;
        let overlapping = starts.iter().enumerate().map(|(n_before, start)| {
            while ends[ended] <= *start {
                ended += 1;
            }
            (n_before + 1 - ended) as u64
        });
        let most = overlapping.max().unwrap_or(0);
        rounds.saturating_add(most) <= self.ways
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same, line by line.
    fn holds_each(cache: CacheGeometry, ranges: &[(u64, u64)]) -> bool {
        let lines = ranges.iter().flat_map(|(first, last)| *first..=*last);
        let of_set = |set: u64| {
            lines
                .clone()
                .filter(|line| line % cache.sets == set)
                .count()
        };
        (0..cache.sets).all(|set| of_set(set) as u64 <= cache.ways)
    }

    #[test]
    fn ranges_fit_if_each_set_has_ways_for_its_lines() {
        let mut fitting = 0;
        for sets in 1..6 {
            for (first, count, second, other) in
                (0..2000_u64).map(|n| (n % 7, 1 + n / 7 % 9, 20 + n / 63 % 5, n / 315 % 8))
            {
                let mut ranges = vec![(first, first + count - 1), (second, second + other)];
                ranges.extend((other == 0).then_some((40, 40)));
                for ways in 1..5 {
                    let cache = CacheGeometry {
                        line_size: 64,
                        sets,
                        ways,
                    };
                    let expected = holds_each(cache, &ranges);
                    assert_eq!(cache.holds(&ranges), expected, "{cache:?} {ranges:?}");
                    fitting += usize::from(expected);
                }
            }
        }
        assert!((5_000..35_000).contains(&fitting), "{fitting}");
    }

    #[test]
    fn no_cache_holds_all_addresses_and_each_holds_nothing() {
        let cache = CacheGeometry {
            line_size: 64,
            sets: 3,
            ways: u64::MAX,
        };
        assert!(!cache.holds(&[(0, u64::MAX)]));
        assert!(cache.holds(&[(1, u64::MAX), (0, 5)]));
        assert!(cache.holds(&[]));
    }
}
