//! The forms that the lines between two touches depend on.

use crate::part::{OverAxes, WeightedBox};
use crate::row::{AxisRow, least};
use premiss_arithmetic::{Interval, add, gcd, multiply};
use premiss_presburger::{Affine, Refusal};

/// Distinct affine forms over the columns of a sink, by number.
#[derive(Clone, Debug, Default)]
pub(crate) struct FormTable(Vec<Affine>);

/// The number of a form in its table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct FormId(usize);

impl FormTable {
    /// The number of a form, which is added if it is new.
    pub(crate) fn intern(&mut self, form: Affine) -> FormId {
        let known = self.0.iter().position(|other| *other == form);
        FormId(known.unwrap_or_else(|| {
            self.0.push(form);
            self.0.len() - 1
        }))
    }

    /// A form of the table.
    pub(crate) fn form(&self, id: FormId) -> &Affine {
        &self.0[id.0]
    }

    /// The forms, in the order of their numbers.
    pub(crate) fn forms(&self) -> &[Affine] {
        &self.0
    }
}

impl FormId {
    /// What a list in the order of the table has for the form.
    #[inline]
    pub(crate) fn of<T: Copy>(self, all: &[T]) -> T {
        all[self.0]
    }

    /// Where that is.
    #[inline]
    pub(crate) fn place(self) -> usize {
        self.0
    }
}

/// Iterations of a sink, by the axes that decide how many lines conflict with its own.
pub(crate) type ConflictBox = WeightedBox<AxisForms>;

/// The forms of a table as functions of axes.
#[derive(Clone, Debug)]
pub(crate) struct AxisForms(pub(crate) Vec<AxisRow>);

impl OverAxes for AxisForms {
    fn fix(&mut self, axis: usize, value: i128) -> Result<(), Refusal> {
        for row in &mut self.0 {
            let factor = i128::from(row.coefficients[axis]);
            if factor != 0 {
                row.constant = add(row.constant, multiply(factor, value)?)?;
                row.coefficients[axis] = 0;
            }
            *row = row.without(axis);
        }
        Ok(())
    }

    fn replaced(&self, axis: usize, form: &AxisRow) -> Result<Self, Refusal> {
        let replace = |row: &AxisRow| {
            let factor = row.coefficients[axis];
            let mut row = *row;
            row.coefficients[axis] = 0;
            row.plus_times(form, factor)
        };
        self.0
            .iter()
            .map(replace)
            .collect::<Result<_, _>>()
            .map(Self)
    }

    fn depends_on(&self, axis: usize) -> bool {
        self.0.iter().any(|row| row.coefficients[axis] != 0)
    }
}

/// The least and the greatest value of a form on a box.
pub(crate) fn interval(row: &AxisRow, ranges: &[Interval]) -> Result<(i64, i64), Refusal> {
    let narrow = |x: i128| i64::try_from(x).map_err(|_| Refusal::Overflow);
    let most = -least(&row.negated()?, ranges)?;
    Ok((narrow(least(row, ranges)?)?, narrow(most)?))
}

/// The least and the greatest value of a form on a part: of `2x - 2y` the least is 2, and not less, where a row of the part
/// says `1 <= x - y`.
pub(crate) fn interval_on(row: &AxisRow, part: &ConflictBox) -> Result<(i64, i64), Refusal> {
    let (mut least, mut most) = interval(row, &part.ranges)?;
    let narrow = |x: i128| i64::try_from(x).map_err(|_| Refusal::Overflow);
    let common = row.coefficients.iter().fold(0, |sum, x| gcd(sum, *x));
    for known in &part.rows {
        let is_multiple = |factor: i64| {
            let mut both = known.coefficients.iter().zip(&row.coefficients);
            both.all(|(x, y)| x.checked_mul(factor) == Some(*y))
        };
        let rest = multiply(i128::from(common), known.constant)?;
        if is_multiple(common) {
            least = least.max(narrow(row.constant - rest)?);
        } else if is_multiple(-common) {
            most = most.min(narrow(row.constant + rest)?);
        }
    }
    Ok((least, most))
}
