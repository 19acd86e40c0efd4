//! Accesses over fewer axes: those along one axis are added up.
//!
//! Of the points `x + 2 <= y <= z - 1`, each pair of `x` and `z` has `z - x - 2`, where that is not negative. If several bounds
//! may be the tightest one, there is a part for each of them.

use crate::part::{OverAxes, WeightedBox};
use crate::row::{AxisRow, least};
use premiss_arithmetic::{Interval, PackedPolynomial, multiply};
use premiss_presburger::Refusal;

/// The bounds on an axis, over the other axes.
#[derive(Debug)]
pub(crate) struct AxisBounds {
    axis: usize,
    lower: Vec<AxisRow>,
    upper: Vec<AxisRow>,
}

impl AxisBounds {
    /// Those of a part, but for bounds that others imply; `None` where a row has another factor of the axis than 1 or -1.
    ///
    /// # Errors
    /// A number does not fit.
    pub(crate) fn new<D>(part: &WeightedBox<D>, axis: usize) -> Result<Option<Self>, Refusal> {
        let (lo, hi) = part.ranges[axis];
        let (mut lower, mut upper) = (vec![AxisRow::new(lo)], vec![AxisRow::new(hi)]);
        for row in &part.rows {
            let mut rest = *row;
            rest.coefficients[axis] = 0;
            match row.coefficients[axis] {
                0 => {}
                1 => lower.push(rest.negated()?),
                -1 => upper.push(rest),
                _ => return Ok(None),
            }
        }
        Ok(Some(Self {
            axis,
            lower: tightest(lower, &part.ranges, 1)?,
            upper: tightest(upper, &part.ranges, -1)?,
        }))
    }

    /// How many parts there are at most.
    pub(crate) fn n_parts(&self) -> usize {
        self.lower.len() * self.upper.len()
    }

    /// Parts over the other axes that have as many accesses together. What has the place of the distance does not depend on
    /// the axis.
    ///
    /// # Errors
    /// A number does not fit.
    pub(crate) fn summed<D: OverAxes>(
        &self,
        part: &WeightedBox<D>,
    ) -> Result<Vec<WeightedBox<D>>, Refusal> {
        let mut over_others = part.clone();
        over_others
            .rows
            .retain(|row| row.coefficients[self.axis] == 0);
        // The axis is left out once it has one value.
        over_others.ranges[self.axis] = (0, 0);
        let sums = part.multiplicity.accumulated(self.axis)?;
        let mut parts = Vec::with_capacity(self.n_parts());
        for (low, lower) in self.lower.iter().enumerate() {
            for (high, upper) in self.upper.iter().enumerate() {
                let mut own = over_others.clone();
                own.rows.push(upper.plus_times(lower, -1)?);
                for (idx, other) in self.lower.iter().enumerate() {
                    own.rows.extend(is_tighter(lower, other, (low, idx))?);
                }
                for (idx, other) in self.upper.iter().enumerate() {
                    own.rows.extend(is_tighter(other, upper, (idx, high))?);
                }
                own.rows.iter_mut().for_each(AxisRow::tidy);
                own.multiplicity = between(&sums, self.axis, (lower, upper))?;
                parts.extend(own.reduced()?);
            }
        }
        Ok(parts)
    }
}

/// A row for one bound not being less than another one, and greater if the other one comes first; nothing for the same one.
fn is_tighter(
    one: &AxisRow,
    other: &AxisRow,
    (place, other_place): (usize, usize),
) -> Result<Option<AxisRow>, Refusal> {
    if place == other_place {
        return Ok(None);
    }
    let mut row = one.plus_times(other, -1)?;
    row.constant -= i128::from(other_place < place);
    Ok(Some(row))
}

/// Bounds that no other one implies on the box: greater ones do if `sign` is 1, less ones if it is -1.
fn tightest(
    mut bounds: Vec<AxisRow>,
    ranges: &[Interval],
    sign: i64,
) -> Result<Vec<AxisRow>, Refusal> {
    let mut idx = 0;
    while idx < bounds.len() {
        let mut is_implied = false;
        for (place, other) in bounds.iter().enumerate() {
            if place != idx {
                let gap = AxisRow::new(0).plus_times(other, sign)?;
                let gap = gap.plus_times(&bounds[idx], -sign)?;
                is_implied |= 0 <= least(&gap, ranges)?;
            }
        }
        match is_implied {
            true => drop(bounds.remove(idx)),
            false => idx += 1,
        }
    }
    Ok(bounds)
}

/// What values add up to from one bound on an axis to another, by what they add up to up to a value.
fn between(
    sums: &PackedPolynomial,
    axis: usize,
    (lower, upper): (&AxisRow, &AxisRow),
) -> Result<PackedPolynomial, Refusal> {
    let upto = sums.substituted(axis, upper.constant, &upper.coefficients)?;
    let below = sums.substituted(axis, lower.constant - 1, &lower.coefficients)?;
    let mut terms = upto.terms().to_vec();
    for (exponents, coefficient) in below.terms() {
        terms.push((*exponents, multiply(*coefficient, -1)?));
    }
    Ok(PackedPolynomial::new(sums.denominator, terms)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::total::total;
    use premiss_arithmetic::Exponents;
    use proptest::collection::vec;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn parts_have_as_many_accesses(
            rows in vec((-5..12_i64, [-1..2_i64, -2..3_i64]), 0..5),
            (lo, wide, high) in (-7..4_i128, 1..9_i128, 1..9_i128),
            power in 0..6_u32,
        ) {
            let mut all = Vec::new();
            for (constant, coefficients) in rows {
                let mut row = AxisRow::new(i128::from(constant));
                row.coefficients[..2].copy_from_slice(&coefficients);
                all.push(row);
            }
            for (axis, extent) in [(0, wide), (1, high)] {
                all.push(AxisRow::bound(axis, 1, -lo));
                all.push(AxisRow::bound(axis, -1, lo + extent - 1));
            }
            let own = Exponents::default().times(0, power);
            let both = own.and_then(|own| own.times(1, 1)).expect("it is small");
            let weight = PackedPolynomial::new(1, vec![(Exponents::default(), 1), (both, 3)]);
            let part = WeightedBox::new(2, all, (), weight.expect("it is small"));
            let Some(part) = part.expect("it is small").filter(|part| part.axes() == 2) else {
                return Ok(());
            };
            let bounds = AxisBounds::new(&part, 0).expect("it is small");
            let mut sum = 0;
            for own in bounds.expect("factors are small").summed(&part).expect("it is small") {
                let own_sum = total(&own).expect("it is small");
                prop_assert_eq!(own_sum % own.multiplicity.denominator, 0);
                sum += own_sum / own.multiplicity.denominator;
            }
            prop_assert_eq!(sum, total(&part).expect("it is small"));
        }
    }
}
