//! How many of a part's accesses have at least some distance.

use crate::part::{Part, Row};
use crate::polynomial::{Polynomial, Range, add, multiply};
use crate::total::total;
use crate::univariate;
use premiss_presburger::Refusal;

/// The number of accesses with `threshold <= distance`, times the multiplicity's denominator; the
/// threshold is times the distance's.
///
/// An interval that holds the distances mostly tells: none or all are meant. A distance that is affine
/// makes one more row. Otherwise the values of one axis are halved, again and again, until intervals
/// tell or one value is left, and with it one axis less; neighbouring values for which all are meant
/// are summed together. On the last axis the condition's roots are found.
///
/// # Errors
/// A number does not fit.
pub(crate) fn at_least(part: &Part, threshold: i128) -> Result<i128, Refusal> {
    match verdict(&part.distance, &part.ranges, threshold)? {
        Verdict::None => return Ok(0),
        Verdict::All => return total(part),
        Verdict::Some => {}
    }
    if part.axes() <= 1 {
        return line(part, 0, &[0][..part.axes()], threshold);
    }
    if let Some(row) = condition(part, threshold) {
        return part.with(row)?.map_or(Ok(0), |rest| total(&rest));
    }
    let mut walk = Walk {
        part,
        axis: steepest(part)?,
        threshold,
        sum: 0,
        all: None,
    };
    walk.halve(part.ranges[walk.axis])?;
    walk.finish()
}

enum Verdict {
    None,
    Some,
    All,
}

/// What an interval of distances says.
fn verdict(distance: &Polynomial, ranges: &[Range], threshold: i128) -> Result<Verdict, Refusal> {
    let (least, greatest) = distance.bounds(ranges)?;
    Ok(if greatest < threshold {
        Verdict::None
    } else if threshold <= least {
        Verdict::All
    } else {
        Verdict::Some
    })
}

/// `threshold <= distance` as a row, where the distance is affine and has a coefficient of one.
fn condition(part: &Part, threshold: i128) -> Option<Row> {
    let (constant, coefficients) = part.distance.affine(part.axes())?;
    let mut numbers = vec![constant.checked_sub(threshold)?];
    numbers.extend(coefficients);
    let mut row = Row::read(&numbers).ok()?;
    row.tidy();
    row.coefficients.iter().any(|x| x.abs() == 1).then_some(row)
}

/// The axis whose values leave least to be looked at one by one.
///
/// Along an axis the distance changes by some *spread*; values are looked at one by one for about as
/// long as the others' spreads may make up for what it gives.
fn steepest(part: &Part) -> Result<usize, Refusal> {
    let mut spreads = Vec::with_capacity(part.axes());
    for axis in 0..part.axes() {
        let (least, greatest) = part.distance.slope(axis, &part.ranges)?;
        let step = add(least, greatest)?.abs() / 2;
        spreads.push(multiply(step, part.extent(axis) - 1)?.max(1));
    }
    let all = spreads.iter().try_fold(0, |sum, x| add(sum, *x))?;
    let mut best = (i128::MAX, 0);
    for (axis, spread) in spreads.iter().enumerate() {
        let others = (all - spread).min(*spread);
        let single = multiply(part.extent(axis), others)? / spread;
        best = best.min((single, axis));
    }
    Ok(best.1)
}

/// The sum on a line along an axis, the others having values.
fn line(part: &Part, axis: usize, values: &[i128], threshold: i128) -> Result<i128, Refusal> {
    let Some((lo, hi)) = (match part.axes() {
        0 => Some((0, 0)),
        _ => part.line(axis, values)?,
    }) else {
        return Ok(0);
    };
    let mut excess = part.distance.along(axis, values)?;
    match excess.first_mut() {
        Some(constant) => *constant = add(*constant, -threshold)?,
        None => excess.push(-threshold),
    }
    let intervals = univariate::not_negative(&excess, lo, hi)?;
    let mut sum = 0;
    if !intervals.is_empty() {
        let weight = part.multiplicity.along(axis, values)?;
        for (from, to) in intervals {
            sum = add(sum, univariate::sum(&weight, from, to)?)?;
        }
    }
    Ok(sum)
}

/// The values of one axis, gone through in order.
struct Walk<'a> {
    part: &'a Part,
    axis: usize,
    threshold: i128,
    sum: i128,
    /// The last values for which all accesses are meant, not yet in the sum.
    all: Option<Range>,
}

impl Walk<'_> {
    fn halve(&mut self, (lo, hi): Range) -> Result<(), Refusal> {
        if lo == hi {
            return self.single(lo);
        }
        let Some(ranges) = self.part.ranges_within(self.axis, (lo, hi))? else {
            return Ok(());
        };
        match verdict(&self.part.distance, &ranges, self.threshold)? {
            Verdict::None => Ok(()),
            Verdict::All => self.take((lo, hi)),
            Verdict::Some => {
                let middle = lo + (hi - lo) / 2;
                self.halve((lo, middle))?;
                self.halve((middle + 1, hi))
            }
        }
    }

    fn single(&mut self, value: i128) -> Result<(), Refusal> {
        let found = if self.part.axes() == 2 {
            line(self.part, 1 - self.axis, &[value; 2], self.threshold)?
        } else {
            let slice = self.part.at(self.axis, value)?;
            slice.map_or(Ok(0), |slice| at_least(&slice, self.threshold))?
        };
        self.sum = add(self.sum, found)?;
        Ok(())
    }

    fn take(&mut self, (lo, hi): Range) -> Result<(), Refusal> {
        match &mut self.all {
            Some(all) if all.1 + 1 == lo => all.1 = hi,
            _ => {
                self.flush()?;
                self.all = Some((lo, hi));
            }
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<(), Refusal> {
        if let Some(range) = self.all.take()
            && let Some(part) = self.part.within(self.axis, range)?
        {
            self.sum = add(self.sum, total(&part)?)?;
        }
        Ok(())
    }

    fn finish(mut self) -> Result<i128, Refusal> {
        self.flush()?;
        Ok(self.sum)
    }
}
