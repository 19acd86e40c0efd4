//! Two axes that count on from each other as one.
//!
//! An iteration `j` is the line `x` of a row of lines of 8 elements and the place `y` in it: `j = 8x + y`. Where nothing else
//! depends on `x` and `y` but whether lines are before or behind others, `j` is the only axis that matters.

use crate::part::{OverAxes, WeightedBox};
use crate::row::AxisRow;
use premiss_arithmetic::{Interval, add, multiply};
use premiss_presburger::Refusal;

impl<D: OverAxes> WeightedBox<D> {
    /// The same accesses over fewer axes, as far as two count on from each other: `y` has `block` values, and all depends on
    /// `block·x + y` only, but for rows that bound `x`.
    ///
    /// # Errors
    /// A number does not fit.
    pub(crate) fn fused(mut self) -> Result<Self, Refusal> {
        loop {
            let axes = self.axes();
            let pairs = (0..axes).flat_map(|x| (0..axes).map(move |y| (x, y)));
            let mut fused = None;
            for (x, y) in pairs.filter(|(x, y)| x != y) {
                fused = self.fused_pair(x, y)?;
                if fused.is_some() {
                    break;
                }
            }
            match fused.map(Self::reduced).transpose()?.flatten() {
                Some(part) => self = part,
                None => return Ok(self),
            }
        }
    }

    /// The same accesses with `v = block·x + y` for the axes `x` and `y`.
    fn fused_pair(&self, x: usize, y: usize) -> Result<Option<Self>, Refusal> {
        let (lo, hi) = self.ranges[y];
        let Some(block) = i64::try_from(hi - lo + 1).ok().filter(|block| 1 < *block) else {
            return Ok(None);
        };
        let mut form = AxisRow::bound(y, 1, 0);
        form.coefficients[x] = -block;
        let mut rows = Vec::with_capacity(self.rows.len());
        for row in &self.rows {
            match fused_row(row, (x, y), (block, lo))? {
                Some(row) => rows.push(row.without(x)),
                None => return Ok(None),
            }
        }
        let mut distance = self.distance.replaced(y, &form)?;
        let mut multiplicity = OverAxes::replaced(&self.multiplicity, y, &form)?;
        if distance.depends_on(x) || multiplicity.depends_on(x) {
            return Ok(None);
        }
        distance.fix(x, 0)?;
        OverAxes::fix(&mut multiplicity, x, 0)?;
        let block = i128::from(block);
        let end = |x: i128, y: i128| Ok::<i128, Refusal>(add(multiply(block, x)?, y)?);
        let range: Interval = (end(self.ranges[x].0, lo)?, end(self.ranges[x].1, hi)?);
        let mut ranges = self.ranges.clone();
        ranges[y] = range;
        ranges.remove(x);
        Ok(Some(Self {
            ranges,
            rows,
            distance,
            multiplicity,
        }))
    }
}

/// A row over `v = block·x + y` in the place of `y`, where `y` counts from `first`; nothing where `x` and `y` matter apart.
fn fused_row(
    row: &AxisRow,
    (x, y): (usize, usize),
    (block, first): (i64, i128),
) -> Result<Option<AxisRow>, Refusal> {
    let (of_x, of_y) = (row.coefficients[x], row.coefficients[y]);
    let mut row = *row;
    row.coefficients[x] = 0;
    if Some(of_x) == of_y.checked_mul(block) {
        return Ok(Some(row));
    }
    if of_y != 0 || of_x.abs() != 1 {
        return Ok(None);
    }
    // `e <= x` is `block·e + first <= v`, and `x <= e` is `v <= block·e + first + block - 1`.
    let mut bound = AxisRow::new(multiply(-i128::from(of_x), first)?);
    if of_x == -1 {
        bound.constant = add(bound.constant, i128::from(block) - 1)?;
    }
    let bound = bound.plus_times(&row, block)?;
    bound.plus(y, of_x).map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::total::total;
    use premiss_arithmetic::{Exponents, PackedPolynomial};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn fused_axes_have_the_same_points(
            (first, block) in (-3..4_i128, 2..9_i64),
            (lo, extent) in (-9..9_i128, 1..9_i128),
            of_both in (-20..20_i128, -3..4_i64, -2..3_i64),
            of_one in (-20..20_i128, prop_oneof![Just(1_i64), Just(-1)], -2..3_i64),
        ) {
            // The axes are `x`, `y` and another one.
            let mut rows = vec![AxisRow::new(of_both.0), AxisRow::new(of_one.0)];
            rows[0].coefficients[..3].copy_from_slice(&[of_both.1 * block, of_both.1, of_both.2]);
            rows[1].coefficients[..3].copy_from_slice(&[of_one.1, 0, of_one.2]);
            let one = PackedPolynomial::new(1, vec![(Exponents::default(), 1)]).expect("it is small");
            let last = first + i128::from(block) - 1;
            let part = WeightedBox {
                ranges: vec![(lo, lo + extent), (first, last), (0, 9)],
                rows,
                distance: (),
                multiplicity: one,
            };
            let fused = part.fused_pair(0, 1).expect("it fits").expect("they count on from each other");
            prop_assert_eq!(fused.axes(), 2);
            prop_assert_eq!(total(&fused), total(&part));
        }
    }
}
