//! Accesses whose distance depends on one axis, most of those that depend on any.

use premiss_arithmetic::univariate;
use premiss_arithmetic::{Interval, add, multiply};
use premiss_presburger::Refusal;

/// For each integer `v` of a range, `multiplicity(v)` accesses at the distance `distance(v)`, both of degree at most
/// three.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WeightedLine {
    pub(crate) range: Interval,
    pub(crate) distance: Cubic,
    pub(crate) multiplicity: Cubic,
}

/// `(c[0] + c[1]·v + c[2]·v² + c[3]·v³) / denominator`
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cubic {
    pub(crate) coefficients: [i128; 4],
    pub(crate) denominator: i128,
}

impl Cubic {
    /// How many coefficients there are up to the last that is not zero.
    pub(crate) fn len(&self) -> usize {
        let last = self.coefficients.iter().rposition(|x| *x != 0);
        last.map_or(0, |last| last + 1)
    }

    /// The value, times the denominator.
    fn scaled_at(&self, value: i128) -> Result<i128, Refusal> {
        Ok(univariate::at(&self.coefficients[..self.len()], value)?)
    }

    /// The value, which is an integer.
    pub(crate) fn at(&self, value: i128) -> Result<i128, Refusal> {
        Ok(self.scaled_at(value)? / self.denominator)
    }

    /// The sum of the values on a range.
    fn sum(&self, (lo, hi): Interval) -> Result<i128, Refusal> {
        let sum = univariate::sum(&self.coefficients[..self.len()], lo, hi)?;
        Ok(sum / self.denominator)
    }

    /// Whether it is plainly monotone on a range.
    fn is_monotone(&self, (lo, hi): Interval) -> Result<bool, Refusal> {
        let [_, linear, square, cube] = self.coefficients;
        if cube != 0 {
            return Ok(false);
        }
        let slope = |value| add(linear, multiply(multiply(2, square)?, value)?);
        Ok(square == 0 || (slope(lo)? < 0) == (slope(hi)? < 0))
    }
}

impl WeightedLine {
    /// The number of accesses with `capacity <= distance`.
    ///
    /// Where the distance is monotone, its values at the ends of the range often show that all accesses count, or none.
    ///
    /// # Errors
    /// A number does not fit.
    pub(crate) fn at_least(&self, capacity: i128) -> Result<i128, Refusal> {
        let threshold = multiply(capacity, self.distance.denominator)?;
        if self.distance.is_monotone(self.range)? {
            let first = self.distance.scaled_at(self.range.0)?;
            let last = self.distance.scaled_at(self.range.1)?;
            if first.max(last) < threshold {
                return Ok(0);
            }
            if threshold <= first.min(last) {
                return self.multiplicity.sum(self.range);
            }
        }
        let mut excess = self.distance.coefficients;
        excess[0] = add(excess[0], -threshold)?;
        let mut sum = 0;
        for range in univariate::not_negative(&excess, self.range.0, self.range.1)? {
            sum = add(sum, self.multiplicity.sum(range)?)?;
        }
        Ok(sum)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accesses_are_those_of_enumeration() {
        let mut seed = 7_u64;
        let mut next = |span: i128| {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695);
            i128::from(seed >> 40) % (2 * span + 1) - span
        };
        for round in 0..3000 {
            let mut cubic = |len: usize| {
                let mut coefficients = [0; 4];
                coefficients[..len].iter_mut().for_each(|x| *x = next(9));
                Cubic {
                    coefficients,
                    denominator: 1,
                }
            };
            let (distance, multiplicity) = (cubic(1 + round % 4), cubic(1 + round / 4 % 4));
            let lo = next(8);
            let line = WeightedLine {
                range: (lo, lo + next(6).abs()),
                distance,
                multiplicity,
            };
            let threshold = next(90);
            let mut expected = 0;
            for value in line.range.0..=line.range.1 {
                if threshold <= line.distance.at(value).expect("small") {
                    expected += line.multiplicity.at(value).expect("small");
                }
            }
            assert_eq!(
                line.at_least(threshold),
                Ok(expected),
                "{line:?} from {threshold}"
            );
        }
    }
}
