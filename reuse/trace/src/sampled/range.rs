//! The values that formulas may have.

use super::nest::NestLoop;
use crate::formula::{Affine, Formula};
use crate::program::{trips, value_at};
use premiss_tree::{BinaryOperator, VariableId};

/// The least and the greatest value.
pub(super) type ValueRange = (i64, i64);

/// How often a loop runs at most and the values of its iterator; nothing where it never runs, `None` where no bound is known.
pub(super) fn range_of_loop(
    inner: &NestLoop,
    of: &impl Fn(VariableId) -> Option<ValueRange>,
) -> Option<Option<(u64, ValueRange)>> {
    let first = range(&inner.header.first, of)?;
    let bound = range(&inner.header.bound, of)?;
    let (start, end) = match 0 < inner.step {
        true => (first.0, bound.1),
        false => (first.1, bound.0),
    };
    let most = trips(start, inner.header.comparison, end, inner.step)?;
    if most == 0 {
        return Some(None);
    }
    // Where it starts further on than at first, it may go on beyond the last of these iterations, by less than a step.
    let last = value_at(start, inner.step, most - 1)?;
    let values = match 0 < inner.step {
        true => (first.0, last.checked_add(inner.step - 1)?.max(first.1)),
        false => (last.checked_add(inner.step + 1)?.min(first.0), first.1),
    };
    Some(Some((most, values)))
}

/// The least and the greatest value of a formula.
fn range(formula: &Formula, of: &impl Fn(VariableId) -> Option<ValueRange>) -> Option<ValueRange> {
    match formula {
        Formula::Affine(form) => affine_range(form, of),
        Formula::Binary(operator, a, b) => {
            let (a, b) = (range(a, of)?, range(b, of)?);
            match operator {
                BinaryOperator::Minimum => Some((a.0.min(b.0), a.1.min(b.1))),
                BinaryOperator::Maximum => Some((a.0.max(b.0), a.1.max(b.1))),
                BinaryOperator::Add => Some((a.0.checked_add(b.0)?, a.1.checked_add(b.1)?)),
                BinaryOperator::Subtract => Some((a.0.checked_sub(b.1)?, a.1.checked_sub(b.0)?)),
                _ => None,
            }
        }
        _ => None,
    }
}

pub(super) fn affine_range(
    form: &Affine,
    of: &impl Fn(VariableId) -> Option<ValueRange>,
) -> Option<ValueRange> {
    let mut sum = (form.constant, form.constant);
    for (variable, coefficient) in &form.terms {
        let (least, most) = of(*variable)?;
        let ends = (
            least.checked_mul(*coefficient)?,
            most.checked_mul(*coefficient)?,
        );
        sum.0 = sum.0.checked_add(ends.0.min(ends.1))?;
        sum.1 = sum.1.checked_add(ends.0.max(ends.1))?;
    }
    Some(sum)
}
