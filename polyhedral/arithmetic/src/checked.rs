//! Sums, products and powers of 128 bits that fail where they do not fit.

/// A number does not fit the integers it is computed in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a number does not fit 128 bits")]
pub struct Overflow;

/// `a + b`.
///
/// # Errors
/// The sum does not fit.
#[inline]
pub fn add(a: i128, b: i128) -> Result<i128, Overflow> {
    a.checked_add(b).ok_or(Overflow)
}

/// `a · b`. Factors of 64 bits, which most are, take a short way.
///
/// # Errors
/// The product does not fit.
#[inline]
pub fn multiply(a: i128, b: i128) -> Result<i128, Overflow> {
    match (i64::try_from(a), i64::try_from(b)) {
        (Ok(a), Ok(b)) => Ok(i128::from(a) * i128::from(b)),
        _ => a.checked_mul(b).ok_or(Overflow),
    }
}

/// `base` to the power of `exponent`; 1 where the exponent is zero.
///
/// # Errors
/// The power does not fit.
#[inline]
pub fn power(base: i128, exponent: u32) -> Result<i128, Overflow> {
    match exponent {
        0 => Ok(1),
        1 => Ok(base),
        2 => multiply(base, base),
        _ => base.checked_pow(exponent).ok_or(Overflow),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_exact_or_refused() {
        let large = 1 << 100;
        assert_eq!(multiply(-3, 7), Ok(-21));
        assert_eq!(multiply(large, 1 << 20), Ok(1 << 120));
        assert_eq!(multiply(large, large), Err(Overflow));
        assert_eq!(add(i128::MAX, 1), Err(Overflow));
        assert_eq!([power(-2, 0), power(-2, 3)], [Ok(1), Ok(-8)]);
        assert_eq!(power(large, 2), Err(Overflow));
    }
}
