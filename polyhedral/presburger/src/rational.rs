//! Fractions of 128-bit integers, checked.

use std::cmp::Ordering;
use std::fmt;

use crate::Refusal;

/// `numerator / denominator` in lowest terms, the denominator positive.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Rational {
    numerator: i128,
    denominator: i128,
}

impl Rational {
    /// Nothing.
    pub const ZERO: Self = Self::integer(0);
    /// One.
    pub const ONE: Self = Self::integer(1);

    /// The fraction that is an integer.
    #[must_use]
    pub const fn integer(value: i128) -> Self {
        Self {
            numerator: value,
            denominator: 1,
        }
    }

    /// `numerator / denominator`; the denominator is not zero.
    ///
    /// # Errors
    /// A part of the result does not fit 128 bits.
    pub fn new(numerator: i128, denominator: i128) -> Result<Self, Refusal> {
        assert!(denominator != 0, "a denominator is not zero");
        let divisor = common_divisor(numerator, denominator)?;
        let sign = denominator.signum();
        let part = |x: i128| (x / divisor).checked_mul(sign).ok_or(Refusal::Overflow);
        Ok(Self {
            numerator: part(numerator)?,
            denominator: part(denominator)?,
        })
    }

    /// What is divided, in lowest terms.
    #[must_use]
    pub fn numerator(self) -> i128 {
        self.numerator
    }

    /// What it is divided by, in lowest terms: positive.
    #[must_use]
    pub fn denominator(self) -> i128 {
        self.denominator
    }

    /// Its value if that is an integer.
    #[must_use]
    pub fn to_integer(self) -> Option<i128> {
        (self.denominator == 1).then_some(self.numerator)
    }

    /// Whether it is nothing.
    #[must_use]
    pub fn is_zero(self) -> bool {
        self.numerator == 0
    }

    /// The largest integer that is not above it.
    #[must_use]
    pub fn floor(self) -> i128 {
        self.numerator.div_euclid(self.denominator)
    }

    /// `self + other`.
    ///
    /// # Errors
    /// A part of the result does not fit 128 bits.
    pub fn plus(self, other: Self) -> Result<Self, Refusal> {
        let common = common_multiple(self.denominator, other.denominator)?;
        let scale = |x: Self| product(x.numerator, common / x.denominator);
        let sum = scale(self)?.checked_add(scale(other)?);
        Self::new(sum.ok_or(Refusal::Overflow)?, common)
    }

    /// `self · other`.
    ///
    /// # Errors
    /// A part of the result does not fit 128 bits.
    pub fn times(self, other: Self) -> Result<Self, Refusal> {
        let left = common_divisor(self.numerator, other.denominator)?;
        let right = common_divisor(other.numerator, self.denominator)?;
        Ok(Self {
            numerator: product(self.numerator / left, other.numerator / right)?,
            denominator: product(self.denominator / right, other.denominator / left)?,
        })
    }

    /// Its order relative to `other`.
    ///
    /// # Errors
    /// A cross product does not fit 128 bits.
    pub fn compare(self, other: Self) -> Result<Ordering, Refusal> {
        let left = product(self.numerator, other.denominator)?;
        Ok(left.cmp(&product(other.numerator, self.denominator)?))
    }
}

impl fmt::Display for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.denominator {
            1 => write!(f, "{}", self.numerator),
            _ => write!(f, "{}/{}", self.numerator, self.denominator),
        }
    }
}

/// The greatest common divisor, positive; 1 for two zeros.
pub(crate) fn common_divisor(a: i128, b: i128) -> Result<i128, Refusal> {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    while b != 0 {
        if let (Ok(small), Ok(other)) = (u64::try_from(a), u64::try_from(b)) {
            a = u128::from(common_divisor_of_words(small, other));
            break;
        }
        (a, b) = (b, a % b);
    }
    i128::try_from(a.max(1)).map_err(|_| Refusal::Overflow)
}

/// The greatest common divisor; zero for two zeros.
pub(crate) fn common_divisor_of_words(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// The least common multiple of two positive integers.
pub(crate) fn common_multiple(a: i128, b: i128) -> Result<i128, Refusal> {
    if a == b {
        return Ok(a);
    }
    product(a, b / common_divisor(a, b)?)
}

/// The product, if it fits.
pub(crate) fn product(a: i128, b: i128) -> Result<i128, Refusal> {
    a.checked_mul(b).ok_or(Refusal::Overflow)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arithmetic_in_lowest_terms() {
        let half = Rational::new(-3, -6).expect("fits");
        assert_eq!((half.numerator(), half.denominator()), (1, 2));
        let third = Rational::new(1, 3).expect("fits");
        assert_eq!(half.plus(third), Rational::new(5, 6));
        assert_eq!(half.times(third), Rational::new(1, 6));
        assert_eq!(half.times(Rational::integer(4)), Ok(Rational::integer(2)));
        assert_eq!(Rational::new(-7, 2).map(Rational::floor), Ok(-4));
        assert_eq!(half.compare(third), Ok(Ordering::Greater));
        assert_eq!(format!("{half} {}", Rational::ZERO), "1/2 0");
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let large = Rational::integer(i128::MAX);
        assert_eq!(large.plus(Rational::ONE), Err(Refusal::Overflow));
        assert_eq!(large.times(Rational::integer(2)), Err(Refusal::Overflow));
        assert_eq!(Rational::new(1, i128::MIN), Err(Refusal::Overflow));
        assert_eq!(Rational::new(i128::MIN, i128::MIN), Err(Refusal::Overflow));
    }
}
