//! Polynomials with rational coefficients over the columns of a system.

use crate::{Affine, Column, Monomial, Rational, Refusal};
use premiss_arithmetic::terms::{collect_terms, multiply_terms};
use premiss_arithmetic::{add, gcd, lcm, multiply};

/// A polynomial over columns: of variables, and of floors, which makes it what is elsewhere called a
/// quasi-polynomial.
///
/// It is kept as integers over one common denominator, in lowest terms and in order of monomials, so
/// that equal polynomials are equal values.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Polynomial {
    denominator: i128,
    terms: Vec<(Monomial, i128)>,
}

impl Default for Polynomial {
    fn default() -> Self {
        Self::zero()
    }
}

impl Polynomial {
    /// Nothing.
    #[must_use]
    pub const fn zero() -> Self {
        Self {
            denominator: 1,
            terms: Vec::new(),
        }
    }

    /// One.
    #[must_use]
    pub fn one() -> Self {
        Self::integer(1)
    }

    /// An integer everywhere.
    #[must_use]
    pub fn integer(value: i128) -> Self {
        Self::constant(Rational::integer(value))
    }

    /// The same number everywhere.
    #[must_use]
    pub fn constant(value: Rational) -> Self {
        if value.is_zero() {
            return Self::zero();
        }
        Self {
            denominator: value.denominator(),
            terms: vec![(Monomial::ONE, value.numerator())],
        }
    }

    /// The variable of a column.
    ///
    /// # Errors
    /// The column is beyond 255.
    pub fn variable(column: Column) -> Result<Self, Refusal> {
        Ok(Self {
            denominator: 1,
            terms: vec![(Monomial::variable(column)?, 1)],
        })
    }

    /// The value of an affine form.
    ///
    /// # Errors
    /// It depends on a column beyond 255.
    pub fn from_affine(form: &Affine) -> Result<Self, Refusal> {
        Self::from_row(form.coefficients())
    }

    /// The value of the affine form with these coefficients, the constant first.
    pub(crate) fn from_row(row: &[i64]) -> Result<Self, Refusal> {
        let mut terms = Vec::with_capacity(row.len());
        for (column, coefficient) in Column::first(row.len()).zip(row) {
            let monomial = match column {
                _ if *coefficient == 0 => continue,
                Column::CONSTANT => Monomial::ONE,
                _ => Monomial::variable(column)?,
            };
            terms.push((monomial, i128::from(*coefficient)));
        }
        Ok(Self {
            denominator: 1,
            terms,
        })
    }

    /// Whether it is nothing everywhere.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        self.terms.is_empty()
    }

    /// Its value if it is the same everywhere.
    #[must_use]
    pub fn to_constant(&self) -> Option<Rational> {
        match self.terms[..] {
            [] => Some(Rational::ZERO),
            [(Monomial::ONE, numerator)] => Rational::new(numerator, self.denominator).ok(),
            _ => None,
        }
    }

    /// Its products of columns with their coefficients that are not zero, in order of monomials.
    pub fn terms(&self) -> impl Iterator<Item = (Monomial, Rational)> + '_ {
        self.terms.iter().filter_map(|(monomial, numerator)| {
            let coefficient = Rational::new(*numerator, self.denominator).ok()?;
            Some((*monomial, coefficient))
        })
    }

    /// Integer coefficients, and what they are all divided by; in order of monomials.
    #[must_use]
    pub fn scaled_terms(&self) -> (&[(Monomial, i128)], i128) {
        (&self.terms, self.denominator)
    }

    /// The polynomial with these integer coefficients, all divided by one positive number.
    ///
    /// # Errors
    /// The divisor is not positive, or a number does not fit 128 bits.
    pub fn from_scaled_terms(
        terms: Vec<(Monomial, i128)>,
        denominator: i128,
    ) -> Result<Self, Refusal> {
        if denominator < 1 {
            return Err(Refusal::Overflow);
        }
        Self::reduced(collect_terms(terms)?, denominator)
    }

    /// The largest number of factors in a product; 0 for constants.
    #[must_use]
    pub fn degree(&self) -> usize {
        let degrees = self.terms.iter().map(|(monomial, _)| monomial.degree());
        degrees.max().unwrap_or(0)
    }

    /// The largest exponent of a column.
    #[must_use]
    pub fn degree_in(&self, column: Column) -> usize {
        let degree = |(monomial, _): &(Monomial, i128)| monomial.degree_in(column);
        self.terms.iter().map(degree).max().unwrap_or(0)
    }

    /// The columns that it depends on, in order.
    #[must_use]
    pub fn support(&self) -> Vec<Column> {
        let factors = self
            .terms
            .iter()
            .flat_map(|(monomial, _)| monomial.factors());
        let mut columns: Vec<Column> = factors.collect();
        columns.sort_unstable();
        columns.dedup();
        columns
    }

    /// `self + other`.
    ///
    /// # Errors
    /// A number does not fit 128 bits.
    pub fn plus(&self, other: &Self) -> Result<Self, Refusal> {
        self.combined(other, 1)
    }

    /// `self - other`.
    ///
    /// # Errors
    /// A number does not fit 128 bits.
    pub fn minus(&self, other: &Self) -> Result<Self, Refusal> {
        self.combined(other, -1)
    }

    /// `self + sign·other`.
    fn combined(&self, other: &Self, sign: i128) -> Result<Self, Refusal> {
        let denominator = lcm(self.denominator, other.denominator).ok_or(Refusal::Overflow)?;
        let (left, right) = (
            denominator / self.denominator,
            multiply(sign, denominator / other.denominator)?,
        );
        let mut terms = Vec::with_capacity(self.terms.len() + other.terms.len());
        let (mut a, mut b) = (self.terms.iter().peekable(), other.terms.iter().peekable());
        loop {
            let (x, y) = match (a.peek(), b.peek()) {
                (None, None) => break,
                (Some(x), Some(y)) if x.0 == y.0 => (a.next(), b.next()),
                (Some(x), Some(y)) if y.0 < x.0 => (None, b.next()),
                (None, Some(_)) => (None, b.next()),
                (Some(_), _) => (a.next(), None),
            };
            let scaled = |term: Option<&(Monomial, i128)>, factor| match term {
                Some((_, numerator)) => multiply(*numerator, factor),
                None => Ok(0),
            };
            let sum = add(scaled(x, left)?, scaled(y, right)?)?;
            if let Some((monomial, _)) = x.or(y).filter(|_| sum != 0) {
                terms.push((*monomial, sum));
            }
        }
        Self::reduced(terms, denominator)
    }

    /// `self · other`.
    ///
    /// # Errors
    /// A number does not fit 128 bits, or a product has more than sixteen factors.
    pub fn times(&self, other: &Self) -> Result<Self, Refusal> {
        let denominator = multiply(self.denominator, other.denominator)?;
        let terms = multiply_terms(&self.terms, &other.terms)?;
        Self::reduced(collect_terms(terms)?, denominator)
    }

    /// `factor · self`.
    ///
    /// # Errors
    /// A number does not fit 128 bits.
    pub fn scaled(&self, factor: Rational) -> Result<Self, Refusal> {
        self.times(&Self::constant(factor))
    }

    /// The polynomial after a column is replaced by a polynomial.
    ///
    /// # Errors
    /// A number does not fit 128 bits, or a product has more than sixteen factors.
    pub fn substituted(&self, column: Column, value: &Self) -> Result<Self, Refusal> {
        let mut sum = Self::zero();
        for coefficient in self.coefficients_in(column)?.iter().rev() {
            sum = sum.times(value)?.plus(coefficient)?;
        }
        Ok(sum)
    }

    /// `c` such that the polynomial is the sum of `c[i]·x^i`, `x` the variable of a column on which
    /// no `c[i]` depends.
    pub(crate) fn coefficients_in(&self, column: Column) -> Result<Vec<Self>, Refusal> {
        let mut parts = vec![Vec::new(); self.degree_in(column) + 1];
        for (monomial, numerator) in &self.terms {
            parts[monomial.degree_in(column)].push((monomial.without(column), *numerator));
        }
        let whole = |mut terms: Vec<(Monomial, i128)>| {
            terms.sort_unstable();
            Self::reduced(terms, self.denominator)
        };
        parts.into_iter().map(whole).collect()
    }

    /// The polynomial with each column replaced by another one.
    ///
    /// # Errors
    /// A new column is beyond 255, or a number does not fit 128 bits.
    pub fn renumbered(&self, column: impl Fn(Column) -> Column) -> Result<Self, Refusal> {
        let mut terms = Vec::with_capacity(self.terms.len());
        for (monomial, numerator) in &self.terms {
            let mut renamed = Monomial::ONE;
            for factor in monomial.factors() {
                renamed = renamed.times(Monomial::variable(column(factor))?)?;
            }
            terms.push((renamed, *numerator));
        }
        Self::reduced(collect_terms(terms)?, self.denominator)
    }

    /// Its value at a point, `point[c - 1]` being the value of column `c`.
    ///
    /// # Errors
    /// A number on the way does not fit 128 bits.
    pub fn at(&self, point: &[i128]) -> Result<Rational, Refusal> {
        let mut sum: i128 = 0;
        for (monomial, numerator) in &self.terms {
            let mut term = *numerator;
            for column in monomial.factors() {
                term = multiply(term, point[column.place()])?;
            }
            sum = add(sum, term)?;
        }
        Ok(Rational::new(sum, self.denominator)?)
    }

    /// The polynomial of terms in order, in lowest terms.
    fn reduced(mut terms: Vec<(Monomial, i128)>, denominator: i128) -> Result<Self, Refusal> {
        let mut divisor = denominator;
        for (_, numerator) in &terms {
            if divisor == 1 {
                break;
            }
            divisor = gcd(divisor, *numerator);
        }
        if divisor != 1 {
            terms
                .iter_mut()
                .for_each(|(_, numerator)| *numerator /= divisor);
        }
        Ok(Self {
            denominator: denominator / divisor,
            terms,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn x(column: usize) -> Polynomial {
        Polynomial::variable(Column::new(column)).expect("a small column")
    }

    #[test]
    fn equal_polynomials_are_equal_values() {
        let half = Polynomial::constant(Rational::new(1, 2).expect("fits"));
        let sum = x(1).plus(&x(2)).expect("fits");
        let square = sum.times(&sum).expect("fits");
        let parts = [(x(1), x(1)), (x(1), x(2)), (x(2), x(1)), (x(2), x(2))];
        let whole = parts.iter().fold(Polynomial::zero(), |acc, (a, b)| {
            let term = a.times(b).expect("fits").times(&half).expect("fits");
            acc.plus(&term).expect("fits")
        });
        assert_eq!(whole.scaled(Rational::integer(2)), Ok(square.clone()));
        assert_eq!((square.degree(), square.degree_in(Column::new(1))), (2, 2));
        assert_eq!(square.support(), [1, 2].map(Column::new));
        assert!(square.minus(&square).expect("fits").is_zero());
    }

    #[test]
    fn substitution_and_values() {
        // (x1² + x2)/2 with x1 = x2 - 1 is (x2² - x2 + 1)/2.
        let half = Rational::new(1, 2).expect("fits");
        let whole = x(1).times(&x(1)).expect("fits").plus(&x(2)).expect("fits");
        let whole = whole.scaled(half).expect("fits");
        let less = Polynomial::from_row(&[-1, 0, 1]).expect("fits");
        let result = whole.substituted(Column::new(1), &less).expect("fits");
        for value in -9..9 {
            let there = result.at(&[99, value]).expect("fits");
            assert_eq!(whole.at(&[value - 1, value]), Ok(there));
            assert_eq!(Rational::new(value * value - value + 1, 2), Ok(there));
        }
        let renamed = result
            .renumbered(|_| Column::new(7))
            .expect("a small column");
        assert_eq!(renamed.support(), [Column::new(7)]);
    }
}
