//! Axes along which the same comes again.
//!
//! Where blocks are as long as they are whatever `i` is, only where they start matters: if that moves by 500 lines with `i`, it
//! is the same of 64 sets for `i + 16`. So of 3,000 values of `i`, 16 are looked at. A row such as `j < i` makes no difference
//! beyond the greatest `j`.

use super::forms::ConflictBox;
use crate::row::least;
use premiss_arithmetic::{Interval, add, div_floor, gcd, multiply};
use premiss_presburger::Refusal;

/// Values of an axis, so many of which are a period: what happens at one of them also happens a period further on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Recurrence {
    axis: usize,
    range: Interval,
    period: i128,
}

impl Recurrence {
    /// The one that leaves fewest values to be looked at of those that have two periods or more, if `starts` are the places of
    /// all forms whose residues matter, and of those `open` the values do.
    ///
    /// # Errors
    /// A number does not fit.
    pub(super) fn of(
        part: &ConflictBox,
        open: &[usize],
        starts: &[usize],
        sets: i64,
    ) -> Result<Option<Self>, Refusal> {
        let forms = &part.distance.0;
        let mut best: Option<(i128, Self)> = None;
        for axis in 0..part.axes() {
            let depends = |form: &usize| forms[*form].coefficients[axis] != 0;
            if part.multiplicity.depends_on(axis) || open.iter().any(depends) {
                continue;
            }
            let steps = starts.iter().map(|form| forms[*form].coefficients[axis]);
            let common = steps.fold(sets, |common, step| gcd(step, common));
            let period = i128::from(sets / common);
            if part.extent(axis) < 2 * period {
                continue;
            }
            let range = free_range(part, axis)?;
            let times = (range.1 - range.0 + 1) / period;
            if 2 <= times && best.as_ref().is_none_or(|(most, _)| *most < times) {
                best = Some((
                    times,
                    Self {
                        axis,
                        range,
                        period,
                    },
                ));
            }
        }
        Ok(best.map(|x| x.1))
    }

    /// The sum of a function of a part over all values of the axis: each value of a period counts as often as it comes again.
    ///
    /// # Errors
    /// The function's, or a number does not fit.
    pub(super) fn sum(
        self,
        part: &ConflictBox,
        mut function: impl FnMut(&ConflictBox) -> Result<i128, Refusal>,
    ) -> Result<i128, Refusal> {
        let (lo, hi) = part.ranges[self.axis];
        let (first, last) = self.range;
        let length = last - first + 1;
        let (times, rest) = (length / self.period, length % self.period);
        let pieces = [
            ((lo, first - 1), 1),
            ((first, first + rest - 1), times + 1),
            ((first + rest, first + self.period - 1), times),
            ((last + 1, hi), 1),
        ];
        let mut sum = 0;
        for (range, times) in pieces {
            if range.0 <= range.1
                && let Some(values) = part.within(self.axis, range)?
            {
                sum = add(sum, multiply(times, function(&values)?)?)?;
            }
        }
        Ok(sum)
    }
}

/// The values of an axis for which all rows that it is in hold, whatever the other axes are.
fn free_range(part: &ConflictBox, axis: usize) -> Result<Interval, Refusal> {
    let (mut lo, mut hi) = part.ranges[axis];
    for row in &part.rows {
        let coefficient = i128::from(row.coefficients[axis]);
        if coefficient == 0 {
            continue;
        }
        let mut others = *row;
        others.coefficients[axis] = 0;
        let others = least(&others, &part.ranges)?;
        match 0 < coefficient {
            true => lo = lo.max(-div_floor(others, coefficient)),
            false => hi = hi.min(div_floor(others, -coefficient)),
        }
    }
    Ok((lo, hi))
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::part::WeightedBox;
    use crate::row::AxisRow;
    use crate::sets::forms::AxisForms;
    use premiss_arithmetic::{Exponents, PackedPolynomial};
    use proptest::prelude::*;

    /// The accesses of a part at which its first form is a multiple of a number, one by one.
    pub(in crate::sets) fn multiples(part: &ConflictBox, sets: i64) -> i128 {
        if part.axes() == 0 {
            return i128::from(part.distance.0[0].constant.rem_euclid(sets.into()) == 0);
        }
        let sum = part.sum_over(0, |slice| Ok(multiples(slice, sets)));
        sum.expect("it is small")
    }

    /// Points of a box with a row, and a form.
    pub(in crate::sets) fn parts() -> impl Strategy<Value = ConflictBox> {
        let forms = (-9..9_i64, -9..9_i64, -9..9_i64);
        let all = (forms.clone(), forms, 1..40_i128, 1..12_i128);
        all.prop_filter_map("no points", |(row, start, wide, high)| {
            let form = |(constant, a, b): (i64, i64, i64)| {
                let row = AxisRow::new(constant.into()).plus(0, a);
                row.and_then(|row| row.plus(1, b)).expect("it is small")
            };
            let mut rows = vec![form(row)];
            for (axis, extent) in [(0, wide), (1, high)] {
                rows.extend([AxisRow::bound(axis, 1, 0), AxisRow::bound(axis, -1, extent)]);
            }
            let weight = PackedPolynomial::new(1, vec![(Exponents::default(), 1)]);
            let forms = AxisForms(vec![form(start)]);
            let part = WeightedBox::new(2, rows, forms, weight.expect("it is small"));
            part.expect("it is small")
        })
    }

    proptest! {
        #[test]
        fn periods_count_as_often_as_they_come_again(part in parts(), sets in 1..9_i64) {
            let recurrence = Recurrence::of(&part, &[], &[0], sets).expect("it is small");
            if let Some(recurrence) = recurrence {
                let sum = recurrence.sum(&part, |values| Ok(multiples(values, sets)));
                prop_assert_eq!(sum.expect("it is small"), multiples(&part, sets));
            }
        }
    }
}
