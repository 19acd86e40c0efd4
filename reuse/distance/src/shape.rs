//! Integer points of a polytope within a box.

use crate::projection::first_range;
use crate::row::{AxisRow, FAR, least, narrow};
use premiss_arithmetic::{AXES, Interval};
use premiss_presburger::Refusal;

/// The integer points of a box that satisfy some rows.
#[derive(Clone, Debug)]
pub(crate) struct ConstrainedBox {
    /// The least and the greatest value of each axis.
    pub(crate) ranges: Vec<Interval>,
    pub(crate) rows: Vec<AxisRow>,
}

/// The greatest number of rounds in which ranges are narrowed.
pub(crate) const ROUNDS: usize = 8;

impl ConstrainedBox {
    /// The points of all axes that satisfy the rows; `None` where there is plainly none.
    ///
    /// # Errors
    /// An axis has no bounds, or a number does not fit.
    pub(crate) fn new(axes: usize, rows: Vec<AxisRow>) -> Result<Option<Self>, Refusal> {
        if AXES < axes {
            return Err(Refusal::Overflow);
        }
        let mut shape = Self {
            ranges: vec![(-FAR, FAR); axes],
            rows,
        };
        shape.rows.iter_mut().for_each(AxisRow::tidy);
        if !narrow(&shape.rows, &mut shape.ranges, ROUNDS)? {
            return Ok(None);
        }
        if is_far(&shape.ranges) && !shape.project()? {
            return Ok(None);
        }
        drop_plain_rows(&mut shape.rows, &shape.ranges)?;
        Ok(Some(shape))
    }

    /// Finds ranges by Fourier-Motzkin elimination, where narrowing one axis after another found none; returns whether
    /// there may be a point.
    fn project(&mut self) -> Result<bool, Refusal> {
        let axes = self.ranges.len();
        for axis in 0..axes {
            let order = std::iter::once(axis).chain((0..axes).filter(|x| *x != axis));
            let order: Vec<usize> = order.collect();
            let number = |row: &AxisRow| {
                let axes = order.iter().map(|x| i128::from(row.coefficients[*x]));
                std::iter::once(row.constant).chain(axes).collect()
            };
            let rows = self.rows.iter().map(number).collect();
            match first_range(axes, rows)? {
                None => return Ok(false),
                Some(range) => self.ranges[axis] = range,
            }
        }
        Ok(true)
    }
}

/// Whether an axis has no bound.
pub(crate) fn is_far(ranges: &[Interval]) -> bool {
    ranges.iter().any(|(lo, hi)| *lo == -FAR || *hi == FAR)
}

/// Drops rows that hold in the whole box.
pub(crate) fn drop_plain_rows(rows: &mut Vec<AxisRow>, ranges: &[Interval]) -> Result<(), Refusal> {
    let mut kept = 0;
    for index in 0..rows.len() {
        let row = rows[index];
        if least(&row, ranges)? < 0 && !rows[..kept].contains(&row) {
            rows[kept] = row;
            kept += 1;
        }
    }
    rows.truncate(kept);
    Ok(())
}
