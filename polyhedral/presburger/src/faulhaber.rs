//! Sums of powers.
//!
//! `S_p(x) = 1^p + 2^p + … + x^p` is a polynomial in `x` of degree `p + 1` (Faulhaber). Extended to all
//! integers by `S_p(x) - S_p(x - 1) = x^p`, the sum of `v^p` over `l <= v <= u` is
//! `S_p(u) - S_p(l - 1)`, right for `l - 1 <= u`, negative numbers included.

use crate::{Column, Polynomial, Rational, Refusal};

/// The coefficients of the sums of powers found so far: those of `S_p` at index `p`, the one of `x^i`
/// at index `i`.
#[derive(Clone, Debug, Default)]
pub(crate) struct PowerSums(Vec<Vec<Rational>>);

impl PowerSums {
    /// A polynomial `q` with `q(v) - q(v - 1) = p(v)`, `v` being the variable of a column.
    pub(crate) fn antidifference(
        &mut self,
        summand: &Polynomial,
        column: Column,
    ) -> Result<Polynomial, Refusal> {
        let variable = Polynomial::variable(column)?;
        let mut sum = Polynomial::zero();
        for (exponent, coefficient) in summand.coefficients_in(column)?.iter().enumerate() {
            if coefficient.is_zero() {
                continue;
            }
            let powers = self.power_sum(exponent)?;
            let mut part = Polynomial::zero();
            for factor in powers.iter().rev() {
                let factor = Polynomial::constant(*factor);
                part = part.times(&variable)?.plus(&factor)?;
            }
            sum = sum.plus(&part.times(coefficient)?)?;
        }
        Ok(sum)
    }

    /// `(x + 1)^(p+1) - 1 = Σ binomial(p+1, q) S_q(x)` for `q = 0 … p`, solved for `S_p`.
    fn power_sum(&mut self, power: usize) -> Result<&[Rational], Refusal> {
        while self.0.len() <= power {
            let next = self.0.len();
            let binomials = binomials(next + 1)?;
            let mut sum = vec![Rational::ZERO; next + 2];
            sum[1..].copy_from_slice(&binomials[1..]);
            for (earlier, binomial) in self.0.iter().zip(&binomials) {
                let less = binomial.times(Rational::integer(-1))?;
                for (total, x) in sum.iter_mut().zip(earlier) {
                    *total = total.plus(x.times(less)?)?;
                }
            }
            let share = Rational::new(1, binomials[next].numerator())?;
            for total in &mut sum {
                *total = total.times(share)?;
            }
            self.0.push(sum);
        }
        Ok(&self.0[power])
    }
}

/// A row of Pascal's triangle.
fn binomials(row: usize) -> Result<Vec<Rational>, Refusal> {
    let mut line = vec![Rational::ONE];
    for _ in 0..row {
        let mut next = line.clone();
        next.push(Rational::ONE);
        for index in 1..line.len() {
            next[index] = line[index - 1].plus(line[index])?;
        }
        line = next;
    }
    Ok(line)
}

impl Polynomial {
    /// `Σ self` over the values `lower <= v <= upper` of a column: right where `lower - 1 <= upper`.
    ///
    /// # Errors
    /// A number does not fit 128 bits, or a product has more than sixteen factors.
    pub fn summed(&self, column: Column, lower: &Self, upper: &Self) -> Result<Self, Refusal> {
        let whole = PowerSums::default().antidifference(self, column)?;
        let below = lower.minus(&Self::one())?;
        let upper = whole.substituted(column, upper)?;
        upper.minus(&whole.substituted(column, &below)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_of_powers_are_those_of_loops() {
        let x = Polynomial::variable(Column::new(1)).expect("a small column");
        let (lower, upper) = (
            Polynomial::variable(Column::new(2)),
            Polynomial::variable(Column::new(3)),
        );
        let (lower, upper) = (lower.expect("small"), upper.expect("small"));
        let mut power = Polynomial::one();
        for exponent in 0..9 {
            let sum = power.summed(Column::new(1), &lower, &upper).expect("fits");
            assert_eq!(sum.degree(), usize::try_from(exponent).expect("small") + 1);
            for low in -6..6_i128 {
                for high in low - 1..8 {
                    let expected = (low..=high).map(|v| v.pow(exponent)).sum();
                    let found = sum.at(&[77, low, high]).expect("fits");
                    assert_eq!(
                        found.to_integer(),
                        Some(expected),
                        "{exponent} {low} {high}"
                    );
                }
            }
            power = power.times(&x).expect("fits");
        }
    }

    #[test]
    fn the_first_sums() {
        // x/2 + x²/2 and x/6 + x²/2 + x³/3
        let mut sums = PowerSums::default();
        let of = |n, d| Rational::new(n, d).expect("fits");
        let squares = [Rational::ZERO, of(1, 6), of(1, 2), of(1, 3)];
        assert_eq!(sums.power_sum(2), Ok(&squares[..]));
        assert_eq!(
            sums.power_sum(1),
            Ok(&[Rational::ZERO, of(1, 2), of(1, 2)][..])
        );
    }
}
