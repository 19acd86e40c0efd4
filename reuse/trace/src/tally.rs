//! Counting distances while they come in.

use premiss_histogram::{Bin, Distance, ReuseDistanceHistogram};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// Distances below this are counted in an array.
const NEAR: usize = 64;

/// How often each distance has been seen.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    near: Vec<u64>,
    far: HashMap<u64, u64, BuildHasherDefault<MultiplyHasher>>,
    infinite: u64,
}

impl Tally {
    /// Counts in a distance `times` over.
    pub(crate) fn add(&mut self, distance: Distance, times: u64) {
        match distance {
            Distance::Infinite => self.infinite += times,
            Distance::Finite(distance) => match usize::try_from(distance) {
                Ok(near) if near < NEAR => {
                    if self.near.is_empty() {
                        self.near.resize(NEAR, 0);
                    }
                    self.near[near] += times;
                }
                _ => *self.far.entry(distance).or_default() += times,
            },
        }
    }

    /// The memory that it takes, in bytes, about.
    pub(crate) fn n_bytes(&self) -> u64 {
        let entry = size_of::<(u64, u64)>() + 1;
        (self.near.capacity() * 8 + self.far.capacity() * entry) as u64
    }

    /// The histogram of accesses that are sure to happen.
    pub(crate) fn histogram(&self) -> ReuseDistanceHistogram {
        let mut histogram = ReuseDistanceHistogram::default();
        let mut add = |distance: Distance, certain: u64| {
            histogram.add(Bin {
                lower: distance,
                upper: distance,
                certain,
                possible: 0,
            });
        };
        for (distance, count) in (0..).zip(&self.near) {
            add(Distance::Finite(distance), *count);
        }
        for (distance, count) in &self.far {
            add(Distance::Finite(*distance), *count);
        }
        add(Distance::Infinite, self.infinite);
        histogram
    }
}

/// Spreads numbers by multiplication: enough for distances, and quick.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct MultiplyHasher(u64);

impl Hasher for MultiplyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u64(u64::from(*byte));
        }
    }

    fn write_isize(&mut self, value: isize) {
        self.write_u64(value.cast_unsigned() as u64);
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = (self.0.rotate_left(5) ^ value).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }
}
