//! What is seen of systems at a glance.

use crate::rows::{Rows, opposite, tighten};
use crate::{Affine, Floor, System};

/// A system's constraints side by side, each in lowest terms and with a hash.
pub(crate) struct Outline<'a> {
    floors: &'a [Floor],
    /// `0 <= row` for each.
    rows: Rows,
    /// A number for the coefficients of each row, the negative one for opposite coefficients.
    keys: Vec<i64>,
}

impl<'a> Outline<'a> {
    pub(crate) fn of(system: &'a System) -> Self {
        let mut rows = Rows::new(system.columns());
        for form in &system.equalities {
            let row = form.coefficients();
            rows.push(row);
            if let Ok(row) = opposite(row) {
                rows.push(&row);
            }
        }
        let inequalities = system.inequalities.iter().map(Affine::coefficients);
        inequalities.for_each(|row| rows.push(row));
        rows.iter_mut().for_each(tighten);
        Self {
            floors: &system.floors,
            keys: rows.iter().map(key).collect(),
            rows,
        }
    }

    /// Whether two constraints of both systems contradict each other, such as `x <= 3` and `4 <= x`.
    /// If not, the systems may have points in common or not.
    pub(crate) fn is_apart_from(&self, other: &Self) -> bool {
        self.floors == other.floors
            && self.keys.iter().enumerate().any(|(index, key)| {
                let mut others = other.keys.iter().enumerate();
                let row = self.rows.row(index);
                others.any(|(place, other_key)| {
                    *other_key == key.wrapping_neg() && contradict(row, other.rows.row(place))
                })
            })
    }
}

/// Whether `0 <= row` and `0 <= other` have opposite coefficients and contradict each other.
pub(crate) fn contradict(row: &[i64], other: &[i64]) -> bool {
    let mut pairs = row[1..].iter().zip(&other[1..]);
    i128::from(row[0]) + i128::from(other[0]) < 0
        && pairs.all(|(x, y)| i128::from(*x) + i128::from(*y) == 0)
}

/// A hash of a row's coefficients, the constant left out, that changes its sign with theirs.
pub(crate) fn key(row: &[i64]) -> i64 {
    let mut sum: i64 = 0;
    let mut weight: i64 = 0x2545_F491_4F6C_DD1D;
    for coefficient in &row[1..] {
        weight = weight.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(12);
        sum = sum.wrapping_add(coefficient.wrapping_mul(weight));
    }
    sum
}
