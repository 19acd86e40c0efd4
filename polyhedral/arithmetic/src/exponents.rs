//! Products of a few numbered axes, as the list of their exponents.

use crate::Overflow;
use crate::interval::{Interval, multiply_intervals, raise};
use crate::terms::Product;

/// The greatest number of axes.
pub const AXES: usize = 16;

/// A product of at most [`AXES`] axes: the exponent of axis `a` is byte `a` of a word, lowest first.
///
/// Multiplying is adding words. [`Monomial`](crate::Monomial) is the other packing: of few factors among many columns.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub struct Exponents(u128);

impl Exponents {
    /// The exponent of an axis.
    ///
    /// # Panics
    /// The axis is not below [`AXES`].
    #[inline]
    #[must_use]
    pub fn exponent(self, axis: usize) -> u32 {
        u32::from(self.0.to_le_bytes()[axis])
    }

    /// The exponent of axis 0.
    #[must_use]
    pub fn first_exponent(self) -> usize {
        usize::from(self.0.to_le_bytes()[0])
    }

    /// The product multiplied by `axis` to the power of `power`.
    ///
    /// # Errors
    /// `axis` is not below [`AXES`], or its exponent would exceed 255.
    pub fn times(self, axis: usize, power: u32) -> Result<Self, Overflow> {
        let mut bytes = self.0.to_le_bytes();
        let slot = bytes.get_mut(axis).ok_or(Overflow)?;
        let raised = u8::try_from(u32::from(*slot) + power);
        *slot = raised.map_err(|_| Overflow)?;
        Ok(Self(u128::from_le_bytes(bytes)))
    }

    /// The product without an axis; the axes after it take the next lower number.
    #[inline]
    pub(crate) fn without(self, axis: usize) -> Self {
        let low = (1_u128 << (8 * axis)) - 1;
        let above = if axis + 1 == AXES {
            0
        } else {
            self.0 >> (8 * (axis + 1)) << (8 * axis)
        };
        Self(self.0 & low | above)
    }

    /// The product divided by `axis` to the power of `power`, which is at most the exponent of that axis.
    #[inline]
    pub(crate) fn divided(self, axis: usize, power: u32) -> Self {
        Self(self.0 - (u128::from(power) << (8 * axis)))
    }

    /// The sum of all exponents.
    #[inline]
    pub(crate) fn total(self) -> u32 {
        let mut rest = self.0;
        let mut sum = 0;
        while rest != 0 {
            let zeros = rest.trailing_zeros() / 8 * 8;
            rest >>= zeros;
            sum += (rest & 255) as u32;
            rest >>= 8;
        }
        sum
    }

    /// An interval that holds `factor` times the product on a box, with `range` giving the interval of each axis.
    #[inline]
    pub(crate) fn interval(
        self,
        factor: i128,
        range: impl Fn(usize) -> Interval,
    ) -> Result<Interval, Overflow> {
        let mut term = (factor, factor);
        let (mut rest, mut axis) = (self.0, 0);
        while rest != 0 {
            if rest & 255 != 0 {
                term = multiply_intervals(term, raise(range(axis), self.exponent(axis))?)?;
            }
            axis += 1;
            rest >>= 8;
        }
        Ok(term)
    }
}

impl Product for Exponents {
    #[inline]
    fn checked_times(self, other: Self) -> Result<Self, Overflow> {
        // Only the highest byte is checked: degrees of polynomials here are taken to be far below 256.
        self.0.checked_add(other.0).map(Self).ok_or(Overflow)
    }
}
