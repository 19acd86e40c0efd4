//! Fractions of 128-bit integers, in lowest terms and checked.

use std::cmp::Ordering;
use std::fmt;

use crate::{Overflow, gcd, lcm, multiply};

/// `numerator / denominator` in lowest terms, the denominator positive, so that equal fractions are equal values.
///
/// # Examples
///
/// ```
/// # use premiss_arithmetic::Rational;
/// let half = Rational::new(-3, -6)?;
/// let third = Rational::new(1, 3)?;
/// assert_eq!(half.plus(third)?.to_string(), "5/6");
/// # Ok::<(), premiss_arithmetic::Overflow>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Rational {
    numerator: i128,
    denominator: i128,
}

impl Rational {
    /// Zero.
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
    ///
    /// # Panics
    /// `denominator` is zero.
    #[inline]
    pub fn new(numerator: i128, denominator: i128) -> Result<Self, Overflow> {
        assert!(denominator != 0, "a denominator is not zero");
        let divisor = gcd(numerator, denominator);
        let sign = denominator.signum();
        let part = |x: i128| (x / divisor).checked_mul(sign).ok_or(Overflow);
        Ok(Self {
            numerator: part(numerator)?,
            denominator: part(denominator)?,
        })
    }

    /// The numerator in lowest terms; it carries the sign.
    #[must_use]
    #[inline]
    pub fn numerator(self) -> i128 {
        self.numerator
    }

    /// The denominator in lowest terms, positive.
    #[must_use]
    #[inline]
    pub fn denominator(self) -> i128 {
        self.denominator
    }

    /// Its value if that is an integer.
    #[must_use]
    #[inline]
    pub fn to_integer(self) -> Option<i128> {
        (self.denominator == 1).then_some(self.numerator)
    }

    /// Whether it is zero.
    #[must_use]
    #[inline]
    pub fn is_zero(self) -> bool {
        self.numerator == 0
    }

    /// The largest integer that is at most its value.
    #[must_use]
    #[inline]
    pub fn floor(self) -> i128 {
        self.numerator.div_euclid(self.denominator)
    }

    /// `self + other`.
    ///
    /// # Errors
    /// A part of the result does not fit 128 bits.
    #[inline]
    pub fn plus(self, other: Self) -> Result<Self, Overflow> {
        let common = lcm(self.denominator, other.denominator).ok_or(Overflow)?;
        let scale = |x: Self| multiply(x.numerator, common / x.denominator);
        let sum = scale(self)?.checked_add(scale(other)?);
        Self::new(sum.ok_or(Overflow)?, common)
    }

    /// `self · other`.
    ///
    /// # Errors
    /// A part of the result does not fit 128 bits.
    #[inline]
    pub fn times(self, other: Self) -> Result<Self, Overflow> {
        let left = gcd(self.numerator, other.denominator);
        let right = gcd(other.numerator, self.denominator);
        Ok(Self {
            numerator: multiply(self.numerator / left, other.numerator / right)?,
            denominator: multiply(self.denominator / right, other.denominator / left)?,
        })
    }

    /// Its order relative to `other`.
    ///
    /// # Errors
    /// A cross product does not fit 128 bits.
    #[inline]
    pub fn compare(self, other: Self) -> Result<Ordering, Overflow> {
        let left = multiply(self.numerator, other.denominator)?;
        Ok(left.cmp(&multiply(other.numerator, self.denominator)?))
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
        assert_eq!(large.plus(Rational::ONE), Err(Overflow));
        assert_eq!(large.times(Rational::integer(2)), Err(Overflow));
        assert_eq!(Rational::new(1, i128::MIN), Err(Overflow));
        assert_eq!(Rational::new(i128::MIN, i128::MIN), Err(Overflow));
    }
}
