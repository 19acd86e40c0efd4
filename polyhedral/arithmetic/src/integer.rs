//! Common divisors, common multiples, and quotients that are rounded down or up.

/// Integers that have greatest common divisors here.
pub trait Integer: Copy + PartialEq {
    /// The greatest number that divides both, and is not negative; 0 where both are 0.
    ///
    /// Where that divisor exceeds the type by one (both numbers are 0 or the least number of a signed type), the result
    /// is 1, which divides both too.
    #[must_use]
    fn gcd(self, other: Self) -> Self;

    /// `self / divisor · factor`, where that fits; `divisor` divides `self` and is not 0.
    #[must_use]
    fn checked_scale(self, divisor: Self, factor: Self) -> Option<Self>;

    /// Whether it is 0.
    #[must_use]
    fn is_zero(self) -> bool;
}

impl Integer for u64 {
    #[inline]
    fn gcd(self, other: Self) -> Self {
        let (mut a, mut b) = (self, other);
        while b != 0 {
            (a, b) = (b, a % b);
        }
        a
    }

    #[inline]
    fn checked_scale(self, divisor: Self, factor: Self) -> Option<Self> {
        (self / divisor).checked_mul(factor)
    }

    #[inline]
    fn is_zero(self) -> bool {
        self == 0
    }
}

impl Integer for i64 {
    #[inline]
    fn gcd(self, other: Self) -> Self {
        Self::try_from(self.unsigned_abs().gcd(other.unsigned_abs())).unwrap_or(1)
    }

    #[inline]
    fn checked_scale(self, divisor: Self, factor: Self) -> Option<Self> {
        (self / divisor).checked_mul(factor)
    }

    #[inline]
    fn is_zero(self) -> bool {
        self == 0
    }
}

impl Integer for i128 {
    /// Division of 128 bits is slow: numbers of 64 bits, which most are, go on as such.
    #[inline]
    fn gcd(self, other: Self) -> Self {
        let (mut a, mut b) = (self.unsigned_abs(), other.unsigned_abs());
        while b != 0 {
            if let (Ok(small), Ok(other)) = (u64::try_from(a), u64::try_from(b)) {
                return Self::from(small.gcd(other));
            }
            (a, b) = (b, a % b);
        }
        Self::try_from(a).unwrap_or(1)
    }

    #[inline]
    fn checked_scale(self, divisor: Self, factor: Self) -> Option<Self> {
        (self / divisor).checked_mul(factor)
    }

    #[inline]
    fn is_zero(self) -> bool {
        self == 0
    }
}

/// The greatest common divisor by Euclid's algorithm, not negative; `gcd(0, b)` is `|b|`. See [`Integer::gcd`] for a
/// divisor that does not fit.
///
/// # Examples
///
/// ```
/// # use premiss_arithmetic::gcd;
/// assert_eq!(gcd(-12_i64, 18), 6);
/// assert_eq!(gcd(0_u64, 5), 5);
/// ```
#[inline]
#[must_use]
pub fn gcd<T: Integer>(a: T, b: T) -> T {
    a.gcd(b)
}

/// The least common multiple of two positive numbers, where it fits.
///
/// # Examples
///
/// ```
/// # use premiss_arithmetic::lcm;
/// assert_eq!(lcm(4_i64, 6), Some(12));
/// assert_eq!(lcm(1 << 40, (1_i64 << 40) - 1), None);
/// ```
#[inline]
#[must_use]
pub fn lcm<T: Integer>(a: T, b: T) -> Option<T> {
    if a == b {
        return Some(a);
    }
    let divisor = a.gcd(b);
    if divisor.is_zero() {
        return Some(a);
    }
    a.checked_scale(divisor, b)
}

/// Signed integers that can be divided with rounding.
pub trait Signed: Integer {
    /// The largest integer that is at most `self / divisor`; the divisor is positive.
    #[must_use]
    fn floor_quotient(self, divisor: Self) -> Self;

    /// The least integer that is at least `self / divisor`; the divisor is positive, and `self` is not the least number
    /// of its type.
    #[must_use]
    fn ceil_quotient(self, divisor: Self) -> Self;
}

impl Signed for i64 {
    #[inline]
    fn floor_quotient(self, divisor: Self) -> Self {
        self.div_euclid(divisor)
    }

    #[inline]
    fn ceil_quotient(self, divisor: Self) -> Self {
        -(-self).div_euclid(divisor)
    }
}

impl Signed for i128 {
    /// Most divisors are 1, and division of 128 bits is slow.
    #[inline]
    fn floor_quotient(self, divisor: Self) -> Self {
        match divisor {
            1 => self,
            _ => self.div_euclid(divisor),
        }
    }

    #[inline]
    fn ceil_quotient(self, divisor: Self) -> Self {
        -(-self).floor_quotient(divisor)
    }
}

/// `⌊x / divisor⌋`; the divisor is positive.
///
/// # Examples
///
/// ```
/// # use premiss_arithmetic::div_floor;
/// assert_eq!(div_floor(-7_i64, 2), -4);
/// ```
#[inline]
#[must_use]
pub fn div_floor<T: Signed>(x: T, divisor: T) -> T {
    x.floor_quotient(divisor)
}

/// `⌈x / divisor⌉`; the divisor is positive, and `x` is not the least number of its type.
///
/// # Examples
///
/// ```
/// # use premiss_arithmetic::div_ceil;
/// assert_eq!(div_ceil(-7_i64, 2), -3);
/// ```
#[inline]
#[must_use]
pub fn div_ceil<T: Signed>(x: T, divisor: T) -> T {
    x.ceil_quotient(divisor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn divisors_have_no_sign() {
        assert_eq!(gcd(-12_i64, -18), 6);
        assert_eq!(gcd(0_i64, -5), 5);
        assert_eq!(gcd(0_u64, 0), 0);
        let large = 3_i128 << 80;
        assert_eq!(gcd(large, -(1 << 70)), 1 << 70);
        assert_eq!(gcd(large, 12), 12);
    }

    #[test]
    fn a_divisor_that_does_not_fit_is_one() {
        assert_eq!(gcd(i64::MIN, 0), 1);
        assert_eq!(gcd(i128::MIN, i128::MIN), 1);
        assert_eq!(gcd(i64::MIN, 6), 2);
    }

    #[test]
    fn multiples_fit_or_are_none() {
        assert_eq!(lcm(4_u64, 6), Some(12));
        assert_eq!(lcm(7_i128, 7), Some(7));
        assert_eq!(lcm(u64::MAX, u64::MAX - 1), None);
    }

    #[test]
    fn quotients_are_rounded_down_or_up() {
        for x in -9_i128..10 {
            for divisor in 1..5 {
                let (low, high) = (div_floor(x, divisor), div_ceil(x, divisor));
                assert!(low * divisor <= x && x < (low + 1) * divisor);
                assert!((high - 1) * divisor < x && x <= high * divisor);
            }
        }
    }
}
