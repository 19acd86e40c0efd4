//! Polynomials in one variable, and their sign changes.
//!
//! Between two neighbouring sign changes of `p(x + 1) - p(x)`, `p` is monotonic, so that bisection finds where it
//! passes 0; and that difference has a degree one less.

use premiss_presburger::{Affine, Polynomial, Refusal};

/// Sizes from this one on count as infinite.
pub(crate) const GREATEST: i128 = 1 << 31;

/// A polynomial in one variable with integer coefficients, by rising degree.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Univariate(Vec<i128>);

impl Univariate {
    pub(crate) fn of_form(form: &Affine) -> Result<Self, Refusal> {
        Self::of(&Polynomial::from_affine(form)?)
    }

    /// The polynomial times its common denominator.
    pub(crate) fn of(polynomial: &Polynomial) -> Result<Self, Refusal> {
        let mut denominator = 1_i128;
        for (_, coefficient) in polynomial.terms() {
            denominator = denominator
                .checked_mul(coefficient.denominator())
                .ok_or(Refusal::Overflow)?;
        }
        let mut coefficients = vec![0; polynomial.degree() + 1];
        for (monomial, coefficient) in polynomial.terms() {
            let factor = denominator / coefficient.denominator();
            coefficients[monomial.degree()] = coefficient
                .numerator()
                .checked_mul(factor)
                .ok_or(Refusal::Overflow)?;
        }
        Ok(Self(coefficients))
    }

    /// The value; on overflow, a number of the same sign.
    pub(crate) fn at(&self, x: i128) -> i128 {
        let step = |value: i128, next: &i128| value.saturating_mul(x).saturating_add(*next);
        self.0.iter().rev().fold(0, step)
    }

    /// The first number in `from..to` at which a range of positive values begins; `None` if no value is positive.
    pub(crate) fn first_positive(mut self, from: i128, to: i128) -> Option<i128> {
        // Values are integers: a positive one is at least 1.
        if let Some(constant) = self.0.first_mut() {
            *constant = constant.saturating_sub(1);
        }
        let changes = self.changes().into_iter().filter(|x| from < *x && *x < to);
        let mut starts = std::iter::once(from)
            .filter(|from| *from < to)
            .chain(changes);
        starts.find(|x| 0 <= self.at(*x))
    }

    /// `p(x + 1) - p(x)`.
    fn difference(&self) -> Self {
        let mut binomials = vec![1_i128];
        let mut result = vec![0_i128; self.0.len().saturating_sub(1)];
        for (power, coefficient) in self.0.iter().enumerate() {
            for (lower, sum) in result.iter_mut().enumerate().take(power) {
                let term = coefficient.saturating_mul(binomials[lower]);
                *sum = sum.saturating_add(term);
            }
            let pairs = binomials.windows(2).map(|pair| pair[0] + pair[1]);
            let mut next = vec![1];
            next.extend(pairs);
            next.push(1);
            binomials = next;
        }
        Self(result)
    }

    /// The arguments at which the polynomial becomes negative or ceases to be.
    pub(crate) fn changes(&self) -> Vec<i128> {
        if self.0.len() < 2 {
            return Vec::new();
        }
        let mut cuts = vec![0];
        cuts.extend(self.difference().changes());
        cuts.push(GREATEST);
        let mut found = Vec::new();
        for pair in cuts.windows(2) {
            let (mut low, mut high) = (pair[0], pair[1]);
            let before = self.at(low) < 0;
            if (self.at(high) < 0) == before {
                continue;
            }
            while 1 < high - low {
                let middle = i128::midpoint(low, high);
                if (self.at(middle) < 0) == before {
                    low = middle;
                } else {
                    high = middle;
                }
            }
            found.push(high);
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_of_sign_are_found_exactly() {
        let check = |coefficients: &[i128]| {
            let polynomial = Univariate(coefficients.to_vec());
            let sign = |x: i128| polynomial.at(x) < 0;
            let by_hand: Vec<i128> = (1..400).filter(|x| sign(*x) != sign(x - 1)).collect();
            let mut found = polynomial.changes();
            found.retain(|x| *x < 400);
            assert_eq!(found, by_hand, "{coefficients:?}");
        };
        check(&[-7, 2]);
        check(&[7, -2]);
        check(&[30, -11, 1]);
        check(&[-30, 11, -1]);
        check(&[-1000, 310, -31, 1]);
        check(&[5, 0, 0]);
        check(&[35_999, -60_000, 1_100, -1]);
    }

    #[test]
    fn the_first_positive_value_is_found() {
        let first = |coefficients: &[i128], from, to| {
            Univariate(coefficients.to_vec()).first_positive(from, to)
        };
        assert_eq!(first(&[-6, 1], 0, 100), Some(7));
        assert_eq!(first(&[-6, 1], 0, 7), None);
        assert_eq!(first(&[6, -1], 6, 100), None);
        assert_eq!(first(&[6, -1], 5, 100), Some(5));
        assert_eq!(first(&[-9, 6, -1], 0, 100), None);
        assert_eq!(first(&[-8, 6, -1], 0, 100), Some(3));
        assert_eq!(first(&[0], 0, 100), None);
        assert_eq!(first(&[1], 4, 5), Some(4));
    }

    #[test]
    fn differences() {
        assert_eq!(Univariate(vec![5, 1, 2, 1]).difference().0, [4, 7, 3]);
    }
}
