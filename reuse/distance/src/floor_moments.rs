//! Sums of products of powers of a number and of a floor.
//!
//! `Σ t · floor((4t + 1) / 7)²` is what a polynomial adds up to over the points below a line. The line is a path of steps: one
//! to the right for each `t`, and one up wherever the floor grows by one. What is known of two paths tells that of one behind
//! the other, and so a path that comes again many times takes few operations. Like Euclid's algorithm, steps up and steps
//! to the right are taken together until nothing is left; so the sum takes about as many operations as the numbers have digits.

use premiss_arithmetic::{add, div_floor, multiply};
use premiss_presburger::Refusal;

/// The greatest degree.
pub(crate) const MOST_DEGREE: usize = 5;

const SIZE: usize = MOST_DEGREE + 1;

/// For each `i` and `j`, a sum of `x^i · y^j`.
pub(crate) type Moments = [[i128; SIZE]; SIZE];

/// A floor of a line, `floor((slope · t + constant) / divisor)` with `0 < divisor`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FloorLine {
    pub(crate) constant: i128,
    pub(crate) slope: i128,
    pub(crate) divisor: i128,
}

/// The sums of `t^i · floor(…)^j` for `t` from `lo` to `hi`, where `i + j` is at most `degree`; others are zero.
///
/// # Errors
/// A number does not fit.
pub(crate) fn floor_moments(
    line: FloorLine,
    (lo, hi): (i128, i128),
    degree: usize,
) -> Result<Moments, Refusal> {
    if hi < lo {
        return Ok(Moments::default());
    }
    let FloorLine { slope, divisor, .. } = line;
    let first = add(line.constant, multiply(slope, lo)?)?;
    // Beyond this many steps for each `t`, the line rises by less than one.
    let steep = div_floor(slope, divisor);
    let slope = slope - steep * divisor;
    let algebra = Paths { degree };
    let mut right = Path {
        up: steep,
        ..Path::RIGHT
    };
    right.sums[0][0] = 1;
    // What the algorithm has before the step to the right number `x` is the floor at `x`, counted from one.
    let constant = first - slope;
    let begin = Path {
        right: lo,
        up: div_floor(constant, divisor),
        ..Path::default()
    };
    let line = FloorLine {
        constant: constant.rem_euclid(divisor),
        slope,
        divisor,
    };
    let path = algebra.below(line, hi - lo + 1, (Path::UP, right))?;
    Ok(algebra.joined(&begin, &path)?.sums)
}

/// Steps to the right and up, and what the points add up to from which steps to the right are taken.
#[derive(Clone, Default)]
struct Path {
    right: i128,
    up: i128,
    sums: Moments,
}

impl Path {
    /// A step up.
    const UP: Self = Self {
        right: 0,
        up: 1,
        sums: [[0; SIZE]; SIZE],
    };

    /// A step to the right from the origin, but for its sums.
    const RIGHT: Self = Self {
        right: 1,
        up: 0,
        sums: [[0; SIZE]; SIZE],
    };
}

/// What paths add up to, up to some degree.
#[derive(Clone, Copy)]
struct Paths {
    degree: usize,
}

impl Paths {
    /// One path and then another.
    fn joined(self, one: &Path, other: &Path) -> Result<Path, Refusal> {
        let mut path = Path {
            right: add(one.right, other.right)?,
            up: add(one.up, other.up)?,
            sums: one.sums,
        };
        if other.sums[0][0] == 0 {
            return Ok(path);
        }
        // (x + right)^i · (y + up)^j, first along y.
        let mut lifted = Moments::default();
        let lines = lifted.iter_mut().zip(&other.sums).enumerate();
        for (i, (lifted, row)) in lines.take(self.degree + 1) {
            for (j, sum) in lifted.iter_mut().enumerate().take(self.degree - i + 1) {
                *sum = shifted(one.up, j, |power| row[power])?;
            }
        }
        for (i, row) in path.sums.iter_mut().enumerate().take(self.degree + 1) {
            for (j, sum) in row.iter_mut().enumerate().take(self.degree - i + 1) {
                let own = shifted(one.right, i, |power| lifted[power][j])?;
                *sum = add(*sum, own)?;
            }
        }
        Ok(path)
    }

    /// A path so many times.
    fn repeated(self, path: &Path, times: i128) -> Result<Path, Refusal> {
        let mut result = Path::default();
        let mut doubled = path.clone();
        let mut left = times;
        while 0 < left {
            if left % 2 == 1 {
                result = self.joined(&result, &doubled)?;
            }
            left /= 2;
            if 0 < left {
                doubled = self.joined(&doubled, &doubled)?;
            }
        }
        Ok(result)
    }

    /// The path below `floor((slope · x + constant) / divisor)` for `x` from 1 to `n`, by paths for a step up and for one to
    /// the right, where `0 <= slope` and `0 <= constant < divisor`.
    fn below(self, line: FloorLine, n: i128, (up, right): (Path, Path)) -> Result<Path, Refusal> {
        let FloorLine {
            constant,
            slope,
            divisor,
        } = line;
        if n == 0 {
            return Ok(Path::default());
        }
        if divisor <= slope {
            let steep = self.repeated(&up, slope / divisor)?;
            let right = self.joined(&steep, &right)?;
            let slope = slope % divisor;
            return self.below(FloorLine { slope, ..line }, n, (up, right));
        }
        let height = add(multiply(slope, n)?, constant)? / divisor;
        if height == 0 {
            return self.repeated(&right, n);
        }
        // Steps to the right before the first one up, behind the last one, and what lies between, mirrored.
        let before = self.repeated(&right, (divisor - constant - 1) / slope)?;
        let behind = n - (multiply(divisor, height)? - constant - 1) / slope;
        let behind = self.repeated(&right, behind)?;
        let mirrored = FloorLine {
            constant: (divisor - constant - 1) % slope,
            slope: divisor,
            divisor: slope,
        };
        let first = self.joined(&before, &up)?;
        let between = self.below(mirrored, height - 1, (right, up))?;
        self.joined(&self.joined(&first, &between)?, &behind)
    }
}

/// The sum of `(z + by)^power`, from sums of powers of `z`.
fn shifted(by: i128, power: usize, sum: impl Fn(usize) -> i128) -> Result<i128, Refusal> {
    let mut total = 0;
    let (mut binomial, mut factor) = (1_i128, 1_i128);
    for less in 0..=power {
        let own = multiply(multiply(binomial, factor)?, sum(power - less))?;
        total = add(total, own)?;
        if less < power {
            factor = multiply(factor, by)?;
            binomial = binomial * (power - less) as i128 / (less as i128 + 1);
        }
    }
    Ok(total)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn moments_are_those_of_enumeration(
            (constant, slope, divisor) in (-200..200_i128, -40..40_i128, 1..30_i128),
            (lo, length) in (-20..20_i128, 0..40_i128),
            degree in 0..=MOST_DEGREE,
        ) {
            let line = FloorLine { constant, slope, divisor };
            let range = (lo, lo + length - 1);
            let moments = floor_moments(line, range, degree).expect("it is small");
            for (i, row) in moments.iter().enumerate() {
                for (j, moment) in row.iter().enumerate() {
                    let value = |t: i128| {
                        let floor = div_floor(slope * t + constant, divisor);
                        let power = |x: i128, n: usize| (0..n).fold(1, |product, _| product * x);
                        power(t, i) * power(floor, j)
                    };
                    let expected = match i + j <= degree {
                        true => (range.0..=range.1).map(value).sum(),
                        false => 0_i128,
                    };
                    prop_assert_eq!(*moment, expected, "{} {}", i, j);
                }
            }
        }
    }
}
