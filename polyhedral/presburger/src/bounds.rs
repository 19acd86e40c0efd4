//! Lower and upper bounds on a column.

use crate::Column;
use crate::Refusal;
use crate::rows::{RowMatrix, add};

/// The constraints on a column with coefficients 1 and -1, and those that are free of it.
pub(crate) struct ColumnBounds {
    pub(crate) lower: Vec<Vec<i64>>,
    pub(crate) upper: Vec<Vec<i64>>,
    pub(crate) free_rows: RowMatrix,
}

impl ColumnBounds {
    pub(crate) fn of(rows: &RowMatrix, column: Column) -> Self {
        let side = |sign: i64| {
            let on_side = rows.iter().filter(|row| row[column].signum() == sign);
            let mut side: Vec<Vec<i64>> = on_side.map(<[i64]>::to_vec).collect();
            side.sort_unstable();
            side
        };
        let mut free_rows = rows.clone();
        free_rows.retain(|row| row[column] == 0);
        Self {
            lower: side(1),
            upper: side(-1),
            free_rows,
        }
    }

    /// Where this lower and this upper bound are the tightest ones, of equal ones the first, and the
    /// upper one is not below the lower one by more than one.
    pub(crate) fn conditions(
        &self,
        first: usize,
        last: usize,
        rows: &mut RowMatrix,
    ) -> Result<(), Refusal> {
        for (side, best) in [(&self.lower, first), (&self.upper, last)] {
            for (index, other) in side.iter().enumerate() {
                if index != best {
                    // l = -e: e(other) - e(best) is l(best) - l(other).
                    let mut row = other.clone();
                    add(&mut row, -1, &side[best])?;
                    add(&mut row, -i64::from(index < best), &[1])?;
                    rows.push(&row);
                }
            }
        }
        let mut row = self.lower[first].clone();
        add(&mut row, 1, &self.upper[last])?;
        add(&mut row, 1, &[1])?;
        rows.push(&row);
        Ok(())
    }
}
