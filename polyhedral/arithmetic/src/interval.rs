//! Closed intervals of integers under the operations of polynomials.

use crate::{Overflow, multiply, power};

/// `first ..= last`; empty where `last < first`.
pub type Interval = (i128, i128);

/// The least interval that holds the powers of an interval's numbers.
#[inline]
pub(crate) fn raise((lo, hi): Interval, exponent: u32) -> Result<Interval, Overflow> {
    let (a, b) = (power(lo, exponent)?, power(hi, exponent)?);
    Ok(if exponent % 2 == 1 || 0 <= lo {
        (a, b)
    } else if hi <= 0 {
        (b, a)
    } else {
        (0, a.max(b))
    })
}

/// The least interval that holds the products of two intervals' numbers.
#[inline]
pub(crate) fn multiply_intervals(a: Interval, b: Interval) -> Result<Interval, Overflow> {
    if a.0 == a.1 {
        let (x, y) = (multiply(a.0, b.0)?, multiply(a.0, b.1)?);
        return Ok(if a.0 < 0 { (y, x) } else { (x, y) });
    }
    let ends = [
        multiply(a.0, b.0)?,
        multiply(a.0, b.1)?,
        multiply(a.1, b.0)?,
        multiply(a.1, b.1)?,
    ];
    let least = ends.iter().fold(ends[0], |x, y| x.min(*y));
    Ok((least, ends.iter().fold(ends[0], |x, y| x.max(*y))))
}
