//! Blocks that start at a known residue, and axes by whose residues others do.
//!
//! All lines of a column of rows of 500 lines are congruent to its first one modulo 4, and so are the sets that they lie in. If
//! that starts at `x - y`, relative to the sink's line, three of four iterations have none of them in their set, and the others
//! one of 16. So iterations are told apart by `x - y` modulo 4.

use super::block::LineBlock;
use super::congruence::congruent_bounds;
use super::forms::ConflictBox;
use crate::row::AxisRow;
use premiss_arithmetic::{add, gcd};
use premiss_presburger::Refusal;

/// Iterations fall into no more classes than this.
const MOST_CLASSES: i64 = 64;

impl LineBlock {
    /// Modulo what all lines of the block are congruent to the one that it starts with; a divisor of the number of sets.
    fn common(&self, sets: i64) -> i64 {
        let strides = self.directions.iter().map(|direction| direction.stride);
        strides.fold(sets, |common, stride| gcd(stride, common))
    }

    /// Bounds on the lines of the block in the sink's set where it starts at the values of a form over so many axes; `bounds`
    /// has an interval for each form that bounds blocks.
    pub(super) fn rough_bounds_from(
        &self,
        (start, axes): (&AxisRow, usize),
        bounds: &[(i64, i64)],
        sets: i64,
    ) -> (u64, u64) {
        let rough = self.rough_bounds(bounds, sets);
        let common = self.common(sets);
        if common == 1 || rough.0 == rough.1 {
            return rough;
        }
        let steps = start.coefficients[..axes].iter();
        let modulus = steps.fold(common, |modulus, step| gcd(*step, modulus));
        if start.constant % i128::from(modulus) != 0 {
            return (0, 0);
        }
        if modulus < common {
            return rough;
        }
        let lengths = self.directions.iter().map(|direction| {
            let mut lengths = direction.lengths(bounds);
            lengths.stride /= common;
            lengths
        });
        let (least, most) = congruent_bounds(sets / common, &lengths.collect::<Vec<_>>());
        let is_certain = self.is_product && self.is_certain(bounds) == Some(true);
        match is_certain {
            true => (least.min(most), most),
            false => (0, most),
        }
    }

    /// The classes of iterations by whose residues it is known whether there are lines in the sink's set, if the block starts
    /// at the values of a form; nothing where that is known.
    pub(super) fn classes(
        &self,
        start: &AxisRow,
        part: &ConflictBox,
        sets: i64,
    ) -> Result<Option<Classes>, Refusal> {
        let common = self.common(sets);
        let mut form = AxisRow::new(0);
        for axis in 0..part.axes() {
            let step = start.coefficients[axis].rem_euclid(common);
            let is_nearer = common < 2 * step;
            form.coefficients[axis] = if is_nearer { step - common } else { step };
        }
        let steps = form.coefficients.into_iter().enumerate();
        let mut steps = steps.filter(|x| x.1 != 0);
        let (axis, modulus) = match (steps.next(), steps.next()) {
            (None, _) => return Ok(None),
            (Some((axis, step)), None) => {
                form = AxisRow::bound(axis, 1, 0);
                (axis, common / gcd(step, common))
            }
            _ => {
                let mut axes = (0..part.axes()).rev();
                match axes.find(|axis| form.coefficients[*axis].abs() == 1) {
                    Some(axis) => (axis, common),
                    None => return Ok(None),
                }
            }
        };
        let classes = Classes {
            axis,
            form,
            modulus,
        };
        let is_possible = modulus <= MOST_CLASSES && 2 * i128::from(modulus) <= part.extent(axis);
        Ok(is_possible.then_some(classes))
    }
}

/// Iterations by the residue of a form in which an axis has the factor 1 or -1.
#[derive(Clone, Copy, Debug)]
pub(super) struct Classes {
    axis: usize,
    form: AxisRow,
    modulus: i64,
}

impl Classes {
    /// The sum of a function of the iterations of each class.
    ///
    /// # Errors
    /// The function's, or a number does not fit.
    pub(super) fn sum(
        self,
        part: &ConflictBox,
        mut function: impl FnMut(&ConflictBox) -> Result<i128, Refusal>,
    ) -> Result<i128, Refusal> {
        let by_form;
        let is_axis = self.form == AxisRow::bound(self.axis, 1, 0);
        let part = match is_axis {
            true => part,
            false => match part.with_axis_for(self.axis, &self.form)? {
                Some(straight) => {
                    by_form = straight;
                    &by_form
                }
                None => return Ok(0),
            },
        };
        let mut sum = 0;
        for residue in 0..self.modulus {
            if let Some(class) = part.in_class(self.axis, self.modulus, residue)? {
                sum = add(sum, function(&class)?)?;
            }
        }
        Ok(sum)
    }
}

#[cfg(test)]
mod tests {
    use super::super::recurrence::tests::{multiples, parts};
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn classes_have_all_iterations(part in parts(), modulus in 1..9_i64, other in -3..4_i64) {
            for axis in 0..part.axes() {
                let mut form = AxisRow::bound(axis, 1, 0);
                for place in (0..part.axes()).filter(|place| *place != axis) {
                    form.coefficients[place] = other;
                }
                let classes = Classes { axis, form, modulus };
                let sum = classes.sum(&part, |class| Ok(multiples(class, 5)));
                prop_assert_eq!(sum.expect("it is small"), multiples(&part, 5));
            }
        }
    }
}
