//! Affine constraints on a few axes, and how they narrow a box.

use premiss_arithmetic::{AXES, Interval, add, div_floor, gcd, multiply};
use premiss_presburger::Refusal;

/// `0 <= constant + Σ coefficients · axes`
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct AxisRow {
    pub(crate) constant: i128,
    pub(crate) coefficients: [i64; AXES],
}

/// Stands for no bound; numbers of this size do not occur in arithmetic that is checked.
pub(crate) const FAR: i128 = 1 << 100;

impl AxisRow {
    pub(crate) fn new(constant: i128) -> Self {
        Self {
            constant,
            coefficients: [0; AXES],
        }
    }

    /// `self + coefficient · axis`
    ///
    /// # Errors
    /// There are too many axes or a number is too large.
    pub(crate) fn plus(mut self, axis: usize, coefficient: i64) -> Result<Self, Refusal> {
        let slot = self.coefficients.get_mut(axis).ok_or(Refusal::Overflow)?;
        *slot = slot.checked_add(coefficient).ok_or(Refusal::Overflow)?;
        Ok(self)
    }

    /// `self + factor · other`
    ///
    /// # Errors
    /// A number is too large.
    pub(crate) fn plus_times(mut self, other: &Self, factor: i64) -> Result<Self, Refusal> {
        if factor != 0 {
            let term = multiply(i128::from(factor), other.constant)?;
            self.constant = add(self.constant, term)?;
            for (slot, x) in self.coefficients.iter_mut().zip(&other.coefficients) {
                let term = factor.checked_mul(*x);
                *slot = term
                    .and_then(|x| slot.checked_add(x))
                    .ok_or(Refusal::Overflow)?;
            }
        }
        Ok(self)
    }

    /// `Some(Some(axis))` where the row is one axis, `Some(None)` where it is a number, and `None` otherwise.
    pub(crate) fn single(&self) -> Option<Option<usize>> {
        let mut parts = self.coefficients.iter().enumerate();
        let mut parts = parts.by_ref().filter(|(_, x)| **x != 0);
        match (parts.next(), parts.next()) {
            (None, _) => Some(None),
            (Some((axis, 1)), None) if self.constant == 0 => Some(Some(axis)),
            _ => None,
        }
    }

    /// `0 <= -self`
    pub(crate) fn negated(mut self) -> Result<Self, Refusal> {
        self.constant = self.constant.checked_neg().ok_or(Refusal::Overflow)?;
        for slot in &mut self.coefficients {
            *slot = slot.checked_neg().ok_or(Refusal::Overflow)?;
        }
        Ok(self)
    }

    /// `0 <= sign · axis + constant`
    pub(crate) fn bound(axis: usize, sign: i64, constant: i128) -> Self {
        let mut row = Self::new(constant);
        row.coefficients[axis] = sign;
        row
    }

    /// The value without the term of `axis`; values of axes whose coefficients are zero are not read.
    pub(crate) fn rest(&self, axis: usize, values: &[i128]) -> Result<i128, Refusal> {
        let mut sum = self.constant;
        for (other, value) in values.iter().enumerate() {
            if other != axis && self.coefficients[other] != 0 {
                sum = add(sum, multiply(i128::from(self.coefficients[other]), *value)?)?;
            }
        }
        Ok(sum)
    }

    /// Divides by the common factor; the constant is rounded down.
    pub(crate) fn tidy(&mut self) {
        let mut common = 0;
        for coefficient in self.coefficients.iter().filter(|x| **x != 0) {
            common = gcd(*coefficient, common);
            if common == 1 {
                return;
            }
        }
        if 1 < common {
            self.constant = self.constant.div_euclid(i128::from(common));
            self.coefficients.iter_mut().for_each(|x| *x /= common);
        }
    }

    pub(crate) fn is_opposite(&self, other: &Self) -> bool {
        let mut both = self.coefficients.iter().zip(&other.coefficients);
        self.constant == -other.constant && both.all(|(a, b)| *a == -*b)
    }

    /// The row without an axis; the axes after it take the next lower number.
    pub(crate) fn without(mut self, axis: usize) -> Self {
        self.coefficients.copy_within(axis + 1.., axis);
        self.coefficients[AXES - 1] = 0;
        self
    }

    /// Fixes an axis at a number and removes it.
    pub(crate) fn fixed(mut self, axis: usize, value: i128) -> Result<Self, Refusal> {
        let factor = self.coefficients[axis];
        if factor != 0 {
            let term = multiply(i128::from(factor), value)?;
            self.constant = add(self.constant, term)?;
            self.coefficients[axis] = 0;
            self.tidy();
        }
        Ok(self.without(axis))
    }

    /// Substitutes a form for an axis.
    pub(crate) fn replaced(&self, axis: usize, form: &Self) -> Result<Self, Refusal> {
        let factor = self.coefficients[axis];
        let mut row = *self;
        row.coefficients[axis] = 0;
        if factor != 0 {
            row = row.plus_times(form, factor)?;
            row.tidy();
        }
        Ok(row)
    }
}

/// The least value on a box.
pub(crate) fn least(row: &AxisRow, ranges: &[Interval]) -> Result<i128, Refusal> {
    let mut least = row.constant;
    for (range, coefficient) in ranges.iter().zip(row.coefficients) {
        if coefficient != 0 {
            let end = if coefficient < 0 { range.1 } else { range.0 };
            least = add(least, multiply(i128::from(coefficient), end)?)?;
        }
    }
    Ok(least)
}

/// Narrows ranges to what the rows leave of them; returns whether there may be a point.
pub(crate) fn narrow(
    rows: &[AxisRow],
    ranges: &mut [Interval],
    rounds: usize,
) -> Result<bool, Refusal> {
    for _ in 0..rounds {
        let mut changed = false;
        for row in rows {
            changed |= narrow_by(row, ranges)?;
        }
        if ranges.iter().any(|(lo, hi)| hi < lo) {
            return Ok(false);
        }
        if !changed {
            break;
        }
    }
    let contradicts = |row: &AxisRow| row.constant < 0 && row.coefficients.iter().all(|x| *x == 0);
    Ok(!rows.iter().any(contradicts))
}

/// Narrows ranges by one row: each axis must make up for the most that the others contribute.
fn narrow_by(row: &AxisRow, ranges: &mut [Interval]) -> Result<bool, Refusal> {
    let mut greatest = row.constant;
    let mut endless = None;
    for (axis, range) in ranges.iter().enumerate() {
        let coefficient = i128::from(row.coefficients[axis]);
        if coefficient == 0 {
            continue;
        }
        let end = if coefficient < 0 { range.0 } else { range.1 };
        if FAR <= end.abs() {
            if endless.is_some() {
                return Ok(false);
            }
            endless = Some(axis);
        } else {
            greatest = add(greatest, multiply(coefficient, end)?)?;
        }
    }
    let mut changed = false;
    for (axis, range) in ranges.iter_mut().enumerate() {
        let coefficient = i128::from(row.coefficients[axis]);
        if coefficient == 0 || endless.is_some_and(|other| other != axis) {
            continue;
        }
        let end = if coefficient < 0 { range.0 } else { range.1 };
        let own = if endless.is_some() {
            0
        } else {
            coefficient * end
        };
        let others = greatest - own;
        if 0 < coefficient {
            let bound = -div_floor(others, coefficient);
            changed |= range.0 < bound;
            range.0 = range.0.max(bound);
        } else {
            let bound = div_floor(others, -coefficient);
            changed |= bound < range.1;
            range.1 = range.1.min(bound);
        }
        if range.1 < range.0 {
            return Ok(true);
        }
    }
    Ok(changed)
}
