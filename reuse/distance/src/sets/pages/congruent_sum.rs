//! Accesses of a part at whose points a form is a multiple of a number.
//!
//! A page starts at row `k` and place `o` if `1000·k + o` is a multiple of 512. The points `(k, o, i)` of a part that stand
//! for a page are found by going through `k`: every 512th `o` fits, and the values of `i` are summed in one step.

use crate::part::OverAxes;
use crate::row::AxisRow;
use crate::sets::congruence::inverse;
use crate::sets::forms::ConflictBox;
use crate::sets::residues;
use premiss_arithmetic::{Exponents, PackedPolynomial, add, div_floor, gcd, multiply, univariate};
use premiss_presburger::{Budget, Refusal};

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
        let modulus = i128::from(self.modulus);
        let coefficient = i64::try_from(coefficient.rem_euclid(modulus)).ok()?;
        let common = gcd(coefficient, self.modulus);
        if rest % i128::from(common) != 0 {
            return None;
        }
        let inverse = inverse(coefficient / common, self.modulus / common);
        let period = modulus / i128::from(common);
        let first = (-(rest / i128::from(common)) * i128::from(inverse)).rem_euclid(period);
        let lo = part.ranges[axis].0;
        let first = first + period * -div_floor(-(lo - first), period);
        Some(Steps { first, period })
    }

    /// The accesses of a part at the points where the form is a multiple, times the denominator of the multiplicity.
    ///
    /// # Errors
    /// The budget runs out, or a number does not fit.
    pub(crate) fn sum(self, part: &ConflictBox, budget: &mut Budget) -> Result<i128, Refusal> {
        let own = self.axes(part);
        if own.is_empty() {
            return match self.holds(part) {
                true => residues::sum(part, budget),
                false => Ok(0),
            };
        }
        let (near, far) = split(part, &own)?;
        let sum = self.connected(&near, budget)?;
        match far {
            Some(far) if sum != 0 => Ok(multiply(sum, residues::sum(&far, budget)?)?),
            _ => Ok(sum),
        }
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
                    sum = add(sum, self.sum(&slice, budget)?)?;
                }
                value += period;
            }
            return Ok(sum);
        }
        let others = own.into_iter().filter(|axis| *axis != last);
        let outer = others.min_by_key(|axis| part.extent(*axis));
        let outer = outer.unwrap_or(last);
        budget.spend(u64::try_from(part.extent(outer)).unwrap_or(u64::MAX))?;
        part.sum_over(outer, |slice| self.sum(slice, budget))
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
