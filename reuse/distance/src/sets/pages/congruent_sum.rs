//! Accesses of a part at whose points a form is a multiple of a number.
//!
//! A page starts at row `k` and place `o` if `1000·k + o` is a multiple of 512. The points `(k, o, i)` of a part that stand
//! for a page are found by going through `k`: every 512th `o` fits, and the values of `i` are summed in one step.
//!
//! Where these are many, the values of `i` become a weight of `k` and `o` first (`summed_axis`). The places are `o = α + β·k + 512·v`
//! then, and the weights of a polygon of `k` and `v` add up to powers of floors (`floor_moments`), however many rows there are.

use crate::floor_moments::MOST_DEGREE;
use crate::part::OverAxes;
use crate::row::{AxisRow, FAR};
use crate::sets::congruence::inverse;
use crate::sets::forms::ConflictBox;
use crate::sets::residues;
use crate::summed_axis::AxisBounds;
use premiss_arithmetic::{Exponents, PackedPolynomial, add, div_floor, gcd, multiply, univariate};
use premiss_presburger::{Budget, Refusal};

/// So many points are gone through one by one.
const FEW_POINTS: i128 = 64;

/// For how many points that are gone through a step pays.
const POINTS_PER_STEP: u64 = 4;

/// A form that is to be a multiple of a number.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Congruence {
    /// The place of the form.
    pub(crate) form: usize,
    pub(crate) modulus: i64,
}

/// The values `first + period·t` of an axis.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Steps {
    pub(crate) first: i128,
    pub(crate) period: i128,
}

impl Congruence {
    fn row(self, part: &ConflictBox) -> &AxisRow {
        &part.distance.0[self.form]
    }

    /// The axes that the form depends on, modulo the number.
    pub(crate) fn axes(self, part: &ConflictBox) -> Vec<usize> {
        let row = self.row(part);
        let axes = 0..part.axes();
        axes.filter(|axis| row.coefficients[*axis] % self.modulus != 0)
            .collect()
    }

    /// Whether the form is a multiple where it depends on no axis.
    pub(crate) fn holds(self, part: &ConflictBox) -> bool {
        self.row(part).constant % i128::from(self.modulus) == 0
    }

    /// How far apart the values of an axis are at which the form is a multiple, the others being known.
    pub(crate) fn period(self, part: &ConflictBox, axis: usize) -> i64 {
        self.modulus / gcd(self.row(part).coefficients[axis], self.modulus)
    }

    /// About how many values of an axis there are at which the form may be a multiple.
    pub(crate) fn n_steps(self, part: &ConflictBox, axis: usize) -> i128 {
        let period = self.but_for(part, axis).period(part, axis);
        part.extent(axis) / i128::from(period)
    }

    /// The values of an axis at which the form may be a multiple, from its least one on; `None` where there are none.
    pub(crate) fn steps(self, part: &ConflictBox, axis: usize) -> Option<Steps> {
        let row = self.row(part);
        let own = i128::from(row.coefficients[axis]);
        self.but_for(part, axis)
            .values(part, axis, own, row.constant)
    }

    /// What holds of an axis, whatever the others are: `1000·k + o` is a multiple of 512 only where `o` is a multiple of 8.
    fn but_for(self, part: &ConflictBox, axis: usize) -> Self {
        let coefficients = self.row(part).coefficients[..part.axes()].iter();
        let others = coefficients.enumerate().filter(|(idx, _)| *idx != axis);
        let modulus = others.fold(self.modulus, |modulus, (_, x)| gcd(*x, modulus));
        Self { modulus, ..self }
    }

    /// The values at which `coefficient·axis + rest` is a multiple.
    fn values(
        self,
        part: &ConflictBox,
        axis: usize,
        coefficient: i128,
        rest: i128,
    ) -> Option<Steps> {
        let (residue, period) = self.residue(coefficient, rest)?;
        let lo = part.ranges[axis].0;
        let first = residue + period * -div_floor(-(lo - residue), period);
        Some(Steps { first, period })
    }

    /// The residue of the numbers of which `coefficient` times one and `rest` are a multiple, and how far apart they are.
    fn residue(self, coefficient: i128, rest: i128) -> Option<(i128, i128)> {
        let modulus = i128::from(self.modulus);
        let coefficient = i64::try_from(coefficient.rem_euclid(modulus)).ok()?;
        let common = gcd(coefficient, self.modulus);
        if rest % i128::from(common) != 0 {
            return None;
        }
        let inverse = inverse(coefficient / common, self.modulus / common);
        let period = modulus / i128::from(common);
        let residue = (-(rest / i128::from(common)) * i128::from(inverse)).rem_euclid(period);
        Some((residue, period))
    }

    /// The accesses of a part at the points where the form is a multiple, times the denominator of the multiplicity.
    ///
    /// # Errors
    /// The budget runs out, or a number does not fit.
    pub(crate) fn sum(self, part: &ConflictBox, budget: &mut Budget) -> Result<i128, Refusal> {
        // Of all forms, only this one matters.
        let mut lean = part.clone();
        lean.distance.0 = vec![*self.row(part)];
        Self { form: 0, ..self }.lean_sum(&lean, budget)
    }

    /// The same of a part that has no other form.
    fn lean_sum(self, part: &ConflictBox, budget: &mut Budget) -> Result<i128, Refusal> {
        let own = self.axes(part);
        if own.is_empty() {
            return match self.holds(part) {
                true => residues::sum(part, budget),
                false => Ok(0),
            };
        }
        let extents = own.iter().map(|axis| part.extent(*axis));
        let points = extents.fold(1, i128::saturating_mul) / i128::from(self.modulus);
        if FEW_POINTS < points {
            match self.closed(part, budget) {
                // Numbers may fit point by point that do not fit here.
                Ok(None) | Err(Refusal::Overflow) => {}
                Ok(Some(sum)) => return Ok(sum),
                Err(refusal) => return Err(refusal),
            }
        }
        let (near, far) = split(part, &own)?;
        let sum = self.connected(&near, budget)?;
        match far {
            Some(far) if sum != 0 => Ok(multiply(sum, residues::sum(&far, budget)?)?),
            _ => Ok(sum),
        }
    }

    /// The same by adding up along each axis that the form does not depend on, and then over the points of a lattice; `None` where
    /// rows or axes do not allow it.
    fn closed(self, part: &ConflictBox, budget: &mut Budget) -> Result<Option<i128>, Refusal> {
        budget.spend(1)?;
        let own = self.axes(part);
        if own.is_empty() {
            return self.lean_sum(part, budget).map(Some);
        }
        if MOST_DEGREE < part.multiplicity.degree() as usize {
            return Ok(None);
        }
        let mut fewest: Option<AxisBounds> = None;
        for axis in (0..part.axes()).filter(|axis| !own.contains(axis)) {
            if let Some(bounds) = AxisBounds::new(part, axis)? {
                let n_parts = fewest.as_ref().map(AxisBounds::n_parts);
                if n_parts.is_none_or(|n| bounds.n_parts() < n) {
                    fewest = Some(bounds);
                }
            }
        }
        let parts = match (fewest, &own[..]) {
            (Some(bounds), _) => bounds.summed(part)?,
            (None, own) if own.len() < part.axes() => return Ok(None),
            (None, [axis]) => self.in_class(part, *axis)?.into_iter().collect(),
            (None, [x, y]) => match self.but_for(part, *x).period(part, *x) {
                1 => self.on_lattice(part, (*x, *y))?.into_iter().collect(),
                _ => self.in_class(part, *x)?.into_iter().collect(),
            },
            _ => return Ok(None),
        };
        let mut sum = 0;
        for own in &parts {
            let Some(scaled) = self.closed(own, budget)? else {
                return Ok(None);
            };
            let scaled = multiply(scaled, part.multiplicity.denominator)?;
            sum = add(sum, scaled / own.multiplicity.denominator)?;
        }
        Ok(Some(sum))
    }

    /// The same points, over a number of the values of an axis at which the form may be a multiple.
    fn in_class(self, part: &ConflictBox, axis: usize) -> Result<Option<ConflictBox>, Refusal> {
        let Some(Steps { first, period }) = self.steps(part, axis) else {
            return Ok(None);
        };
        let residue = i64::try_from(first.rem_euclid(period)).map_err(|_| Refusal::Overflow)?;
        let period = i64::try_from(period).map_err(|_| Refusal::Overflow)?;
        part.in_class(axis, period, residue)
    }

    /// The points at which the form is a multiple, where it is for some `y` whatever `x` is, if it ever is: `y` is
    /// `residue + factor·x + period·v` then.
    fn on_lattice(
        self,
        part: &ConflictBox,
        (x, y): (usize, usize),
    ) -> Result<Option<ConflictBox>, Refusal> {
        let row = self.row(part);
        let (of_x, of_y) = (row.coefficients[x], row.coefficients[y]);
        let values = |rest: i128| self.residue(i128::from(of_y), rest);
        let Some((residue, period)) = values(row.constant) else {
            return Ok(None);
        };
        let (factor, _) = values(i128::from(of_x)).ok_or(Refusal::Failed)?;
        let short = |x: i128| i64::try_from(x).map_err(|_| Refusal::Overflow);
        let form = AxisRow::new(residue).plus(x, short(factor)?)?;
        let mut on_lattice = part.renamed(y, &form.plus(y, short(period)?)?)?;
        on_lattice.ranges[y] = (-FAR, FAR);
        on_lattice.reduced()
    }

    /// The same where all axes depend on each other.
    fn connected(self, part: &ConflictBox, budget: &mut Budget) -> Result<i128, Refusal> {
        let own = self.axes(part);
        let last = own.iter().copied().max_by_key(|axis| {
            let period = i128::from(self.period(part, *axis));
            period.min(part.extent(*axis))
        });
        let Some(last) = last else {
            return match self.holds(part) {
                true => residues::sum(part, budget),
                false => Ok(0),
            };
        };
        if part.axes() <= 3 {
            // No part is made for each value.
            let others: Vec<usize> = own.iter().copied().filter(|axis| *axis != last).collect();
            let rest: Vec<usize> = (0..part.axes())
                .filter(|axis| *axis != last && !others.contains(axis))
                .collect();
            if rest.len() <= 1 {
                let mut values = [0; 3];
                return self.through(part, &others, last, &rest, &mut values, budget);
            }
        }
        if own.len() == 1 {
            let Some(Steps { first, period }) = self.steps(part, last) else {
                return Ok(0);
            };
            let mut sum = 0;
            let mut value = first;
            while value <= part.ranges[last].1 {
                budget.spend(1)?;
                if let Some(slice) = part.at(last, value)? {
                    sum = add(sum, self.lean_sum(&slice, budget)?)?;
                }
                value += period;
            }
            return Ok(sum);
        }
        let others = own.into_iter().filter(|axis| *axis != last);
        let outer = others.min_by_key(|axis| part.extent(*axis));
        let outer = outer.unwrap_or(last);
        budget.spend(u64::try_from(part.extent(outer)).unwrap_or(u64::MAX))?;
        part.sum_over(outer, |slice| self.lean_sum(slice, budget))
    }

    /// Goes through the values of `others`, then through those of `last` that fit, and sums along the one axis that is
    /// left, if any.
    fn through(
        self,
        part: &ConflictBox,
        others: &[usize],
        last: usize,
        rest: &[usize],
        values: &mut [i128; 3],
        budget: &mut Budget,
    ) -> Result<i128, Refusal> {
        let mut sum = 0;
        if let Some((axis, others)) = others.split_first() {
            for value in part.ranges[*axis].0..=part.ranges[*axis].1 {
                values[*axis] = value;
                let slice = self.through(part, others, last, rest, values, budget)?;
                sum = add(sum, slice)?;
            }
            return Ok(sum);
        }
        let row = self.row(part);
        let own = i128::from(row.coefficients[last]);
        let fixed = row.rest(last, &values[..part.axes()])?;
        let without_rest = match rest {
            [axis] => fixed - i128::from(row.coefficients[*axis]) * values[*axis],
            _ => fixed,
        };
        let Some(Steps { first, period }) = self.values(part, last, own, without_rest) else {
            return Ok(0);
        };
        let end = part.ranges[last].1;
        let n = u64::try_from((end - first).div_euclid(period) + 1).unwrap_or(0);
        budget.spend(1 + n / POINTS_PER_STEP)?;
        let mut value = first;
        while value <= end {
            values[last] = value;
            let values = &values[..part.axes()];
            if let [axis] = rest {
                if let Some((lo, hi)) = part.line(*axis, values)? {
                    let weight = part.multiplicity.univariate(*axis, values)?;
                    sum = add(sum, univariate::sum(&weight, lo, hi)?)?;
                }
            } else if part
                .line(last, values)?
                .is_some_and(|(lo, hi)| (lo..=hi).contains(&value))
            {
                let weight = part.multiplicity.univariate(last, values)?;
                sum = add(sum, univariate::at(&weight, value)?)?;
            }
            value += period;
        }
        Ok(sum)
    }
}

/// A part as the product of two: one of the axes that `own` depend on, and one of the others, if there are any.
fn split(part: &ConflictBox, own: &[usize]) -> Result<(ConflictBox, Option<ConflictBox>), Refusal> {
    let axes = part.axes();
    let mut is_near = vec![false; axes];
    for axis in own {
        is_near[*axis] = true;
    }
    let weighted: Vec<usize> = (0..axes)
        .filter(|axis| part.multiplicity.depends_on(*axis))
        .collect();
    // All axes of the multiplicity stay together.
    loop {
        let mut changed = false;
        let groups = part.rows.iter().map(|row| {
            (0..axes)
                .filter(|axis| row.coefficients[*axis] != 0)
                .collect::<Vec<_>>()
        });
        for group in groups.chain([weighted.clone()]) {
            if group.iter().any(|axis| is_near[*axis]) {
                for axis in group {
                    changed |= !is_near[axis];
                    is_near[axis] = true;
                }
            }
        }
        if !changed {
            break;
        }
    }
    if is_near.iter().all(|x| *x) {
        return Ok((part.clone(), None));
    }
    let one = PackedPolynomial::new(1, vec![(Exponents::default(), 1)])?;
    let weighs_near = weighted.first().is_none_or(|axis| is_near[*axis]);
    let side = |near: bool| {
        let mut side = part.clone();
        if near != weighs_near {
            side.multiplicity = one.clone();
        }
        for axis in (0..axes).rev().filter(|axis| is_near[*axis] != near) {
            side.ranges.remove(axis);
            side.rows.retain(|row| row.coefficients[axis] == 0);
            side.rows
                .iter_mut()
                .for_each(|row| *row = row.without(axis));
            side.distance.fix(axis, 0)?;
            side.multiplicity.fix(axis, 0)?;
        }
        Ok::<_, Refusal>(side)
    };
    Ok((side(true)?, Some(side(false)?)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::part::WeightedBox;
    use crate::sets::forms::AxisForms;
    use proptest::collection::vec;
    use proptest::prelude::*;

    /// `constant + Σ coefficients · axes`
    type Form = (i64, [i64; 4]);

    fn row((constant, coefficients): Form) -> AxisRow {
        let mut row = AxisRow::new(i128::from(constant));
        row.coefficients[..4].copy_from_slice(&coefficients);
        row
    }

    fn value((constant, coefficients): Form, values: &[i64]) -> i64 {
        let terms = coefficients.iter().zip(values);
        terms.fold(constant, |sum, (x, y)| sum + x * y)
    }

    fn points(extents: &[i64]) -> Vec<Vec<i64>> {
        extents.iter().fold(vec![Vec::new()], |all, extent| {
            let longer = |point: Vec<i64>| (0..*extent).map(move |x| [&point[..], &[x]].concat());
            all.into_iter().flat_map(longer).collect()
        })
    }

    proptest! {
        #[test]
        fn sums_are_those_of_enumeration(
            extents in [2..7_i64, 2..40_i64, 2..9_i64, 2..9_i64],
            rows in vec((-4..9_i64, [-1..2_i64, -1..2_i64, -1..2_i64, -1..2_i64]), 0..4),
            (constant, a, b) in (-99..99_i64, -60..60_i64, -60..60_i64),
            weight in (1..5_i64, -3..4_i64, -3..4_i64),
            modulus in 1..25_i64,
        ) {
            let form = (constant, [a, b, 0, 0]);
            let weight = (weight.0, [weight.1, 0, weight.2, 0]);
            let all = points(&extents).into_iter().filter(|point| {
                rows.iter().all(|row| 0 <= value(*row, point)) && value(form, point) % modulus == 0
            });
            let expected: i64 = all.map(|point| value(weight, &point)).sum();

            let ends = extents.iter().zip(0..).flat_map(|(extent, axis)| {
                [AxisRow::bound(axis, 1, 0), AxisRow::bound(axis, -1, i128::from(extent - 1))]
            });
            let rows: Vec<AxisRow> = rows.iter().copied().map(row).chain(ends).collect();
            let mut terms = vec![(Exponents::default(), i128::from(weight.0))];
            for (axis, factor) in weight.1.iter().enumerate() {
                let power = Exponents::default().times(axis, 1).expect("it is small");
                terms.push((power, i128::from(*factor)));
            }
            let weight = PackedPolynomial::new(1, terms).expect("it is small");
            let forms = AxisForms(vec![row(form)]);
            let part = WeightedBox::new(4, rows, forms, weight).expect("it is small");
            let Some(part) = part else {
                prop_assert_eq!(expected, 0);
                return Ok(());
            };
            let congruence = Congruence { form: 0, modulus };
            let sum = congruence.sum(&part, &mut Budget::new(1 << 20)).expect("it is small");
            prop_assert_eq!(sum, i128::from(expected));
            let closed = congruence.closed(&part, &mut Budget::new(1 << 20));
            let closed = closed.expect("it is small");
            prop_assert_eq!(closed.unwrap_or(sum), sum);
        }
    }
}
