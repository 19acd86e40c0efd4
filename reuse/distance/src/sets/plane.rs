//! Affine forms of two axes, and boxes of their values.

use crate::row::AxisRow;
use premiss_arithmetic::div_floor;
use premiss_presburger::Refusal;

/// Boxes have so many axes at most.
pub(crate) const BOX_AXES: usize = 2;

/// A range of values for each axis, the same two numbers for one that there is not.
pub(crate) type PlaneBox = [(i64, i64); BOX_AXES];

/// An affine form of at most two axes: most rows of a search are made once and looked at once, so they are small.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PlaneRow {
    pub(crate) constant: i64,
    pub(crate) coefficients: [i64; BOX_AXES],
}

impl PlaneRow {
    pub(crate) const fn constant(constant: i64) -> Self {
        Self {
            constant,
            coefficients: [0; BOX_AXES],
        }
    }

    /// A form of no other axes.
    ///
    /// # Errors
    /// The constant does not fit.
    pub(crate) fn of(row: &AxisRow) -> Result<Self, Refusal> {
        let constant = i64::try_from(row.constant).map_err(|_| Refusal::Overflow)?;
        let mut coefficients = [0; BOX_AXES];
        coefficients.copy_from_slice(&row.coefficients[..BOX_AXES]);
        Ok(Self {
            constant,
            coefficients,
        })
    }

    /// The same form among those of more axes.
    pub(crate) fn widened(self) -> AxisRow {
        let mut row = AxisRow::new(i128::from(self.constant));
        row.coefficients[..BOX_AXES].copy_from_slice(&self.coefficients);
        row
    }

    pub(crate) fn is_constant(self) -> bool {
        self.coefficients == [0; BOX_AXES]
    }

    pub(crate) fn plus_constant(mut self, more: i64) -> Result<Self, Refusal> {
        self.constant = self.constant.checked_add(more).ok_or(Refusal::Overflow)?;
        Ok(self)
    }

    /// The sum with so many times another form.
    pub(crate) fn plus_times(mut self, other: Self, factor: i64) -> Result<Self, Refusal> {
        let plus = |own: i64, x: i64| {
            let sum = x.checked_mul(factor).and_then(|x| own.checked_add(x));
            sum.ok_or(Refusal::Overflow)
        };
        self.constant = plus(self.constant, other.constant)?;
        for (own, x) in self.coefficients.iter_mut().zip(other.coefficients) {
            *own = plus(*own, x)?;
        }
        Ok(self)
    }

    /// Its least and its greatest value on a box.
    pub(crate) fn interval(self, ranges: &PlaneBox) -> Result<(i64, i64), Refusal> {
        let (mut lo, mut hi) = (i128::from(self.constant), i128::from(self.constant));
        for (coefficient, range) in self.coefficients.iter().zip(ranges) {
            let (first, last) = match 0 <= *coefficient {
                true => *range,
                false => (range.1, range.0),
            };
            lo += i128::from(*coefficient) * i128::from(first);
            hi += i128::from(*coefficient) * i128::from(last);
        }
        let short = |x: i128| i64::try_from(x).map_err(|_| Refusal::Overflow);
        Ok((short(lo)?, short(hi)?))
    }

    /// Whether it is not negative wherever another form is not negative, which has the same direction.
    pub(crate) fn follows_from(self, other: Self) -> bool {
        let wide = |row: Self| row.coefficients.map(i128::from);
        let ([a, b], [c, d]) = (wide(self), wide(other));
        let (own, factor) = (c.abs() + d.abs(), a.abs() + b.abs());
        // `own · self` is `factor · other` and a constant.
        a * d == b * c
            && 0 < a * c + b * d
            && factor * i128::from(other.constant) <= own * i128::from(self.constant)
    }

    /// Narrows a box to where the form may be not negative; `None` where it certainly is negative, else whether anything
    /// changed.
    fn narrow(self, ranges: &mut PlaneBox) -> Result<Option<bool>, Refusal> {
        let (least, most) = self.interval(ranges)?;
        if most < 0 {
            return Ok(None);
        }
        let mut changed = false;
        if 0 <= least {
            return Ok(Some(changed));
        }
        for (coefficient, range) in self.coefficients.iter().zip(ranges) {
            // At the end where it contributes most it is `most`, and less by so much for each step from there.
            let steps = match coefficient {
                0 => continue,
                _ => div_floor(most, coefficient.abs()),
            };
            if steps < range.1 - range.0 {
                changed = true;
                match 0 < *coefficient {
                    true => range.0 = range.1 - steps,
                    false => range.1 = range.0 + steps,
                }
            }
        }
        Ok(Some(changed))
    }
}

/// Narrows a box by several forms that are not to be negative, in so many rounds at most; returns whether there may be a point.
///
/// # Errors
/// A number does not fit.
pub(crate) fn narrow_box(
    rows: &[PlaneRow],
    ranges: &mut PlaneBox,
    rounds: usize,
) -> Result<bool, Refusal> {
    for _ in 0..rounds {
        let mut changed = false;
        for row in rows {
            match row.narrow(ranges)? {
                None => return Ok(false),
                Some(own) => changed |= own,
            }
        }
        if !changed {
            break;
        }
    }
    Ok(true)
}
