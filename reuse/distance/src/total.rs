//! The sum of a part's multiplicities.

use crate::floor_sums::{points_of_plane, sum_of_plane};
use crate::part::{OverAxes, WeightedBox};
use premiss_arithmetic::univariate;
use premiss_arithmetic::{Interval, add, div_floor, multiply};
use premiss_presburger::Refusal;

/// So many lines of a plane are added up one by one.
const FEW_LINES: i128 = 64;

/// The number of accesses, times the multiplicity's denominator.
///
/// With two axes `x` and `y`, the sum over `y` between its greatest lower and its least upper bound is
/// a polynomial in `x` as long as the same bounds are greatest and least and their coefficients of `y`
/// are one: the values of `x` fall into a few *runs*, which [`run_sum`] adds up in no more steps than
/// the polynomial's degree. Of more axes, the values of the one that has fewest are gone through.
///
/// # Errors
/// A number does not fit.
pub(crate) fn total<D: OverAxes>(part: &WeightedBox<D>) -> Result<i128, Refusal> {
    if part.multiplicity.is_zero() {
        return Ok(0);
    }
    match part.axes() {
        0 => Ok(univariate::at(&part.multiplicity.univariate(0, &[])?, 0)?),
        1 => {
            let weight = part.multiplicity.univariate(0, &[0])?;
            match part.line(0, &[0])? {
                Some((lo, hi)) => Ok(univariate::sum(&weight, lo, hi)?),
                None => Ok(0),
            }
        }
        2 => plane(part),
        _ => {
            let part = part.without_distance();
            part.sum_over(narrowest(&part), total)
        }
    }
}

/// The axis that has fewest values.
pub(crate) fn narrowest<D: OverAxes>(part: &WeightedBox<D>) -> usize {
    let by_extent = (0..part.axes()).min_by_key(|axis| part.extent(*axis));
    by_extent.expect("a part that has axes")
}

/// The sum over a part with two axes.
fn plane<D: OverAxes>(part: &WeightedBox<D>) -> Result<i128, Refusal> {
    let is_unit = |axis: usize| {
        let mut rows = part.rows.iter();
        rows.all(|row| row.coefficients[axis].unsigned_abs() <= 1)
    };
    let outer = narrowest(part);
    match [outer, 1 - outer]
        .into_iter()
        .find(|axis| is_unit(1 - *axis))
    {
        None => {
            if let Some(points) = equal_points(part, outer)? {
                return Ok(points);
            }
            if FEW_LINES < part.extent(outer)
                && let Some(sum) = sum_of_plane(part, outer)?
            {
                return Ok(sum);
            }
            let mut sum = 0;
            for value in part.ranges[outer].0..=part.ranges[outer].1 {
                sum = add(sum, line_sum(part, outer, value)?)?;
            }
            Ok(sum)
        }
        Some(outer) => runs(part, outer),
    }
}

/// The sum over a part with two axes whose points all weigh the same; `None` where they do not, or numbers are large.
fn equal_points<D: OverAxes>(part: &WeightedBox<D>, outer: usize) -> Result<Option<i128>, Refusal> {
    if part.multiplicity.depends_on(0) || part.multiplicity.depends_on(1) {
        return Ok(None);
    }
    let Some(points) = points_of_plane(part, outer)? else {
        return Ok(None);
    };
    let weight = univariate::at(&part.multiplicity.univariate(0, &[0, 0])?, 0)?;
    Ok(Some(multiply(points, weight)?))
}

/// The sum over the points with one value of an axis of two.
fn line_sum<D: OverAxes>(
    part: &WeightedBox<D>,
    outer: usize,
    value: i128,
) -> Result<i128, Refusal> {
    let values = [value; 2];
    match part.line(1 - outer, &values)? {
        None => Ok(0),
        Some((lo, hi)) => {
            let weight = part.multiplicity.univariate(1 - outer, &values)?;
            Ok(univariate::sum(&weight, lo, hi)?)
        }
    }
}

/// A bound on the inner axis: `constant + slope · outer`.
#[derive(Clone, Copy)]
struct Bound {
    constant: i128,
    slope: i128,
}

impl Bound {
    fn at(self, x: i128) -> Result<i128, Refusal> {
        Ok(add(self.constant, multiply(self.slope, x)?)?)
    }

    /// The last `x` up to which `self <= other`, which holds at `from`; at most `end`.
    fn stays_below(self, other: Self, from: i128, end: i128) -> Result<i128, Refusal> {
        if self.slope <= other.slope {
            return Ok(end);
        }
        let gap = other.at(from)? - self.at(from)?;
        Ok(end.min(from + div_floor(gap, self.slope - other.slope)))
    }
}

/// Bounds on the inner of two axes, whose coefficients are all one.
struct InnerBounds {
    lower: Vec<Bound>,
    upper: Vec<Bound>,
    outer: Interval,
}

impl InnerBounds {
    fn new<D>(part: &WeightedBox<D>, outer: usize) -> Self {
        let inner = 1 - outer;
        let constant = |constant| Bound { constant, slope: 0 };
        let mut bounds = Self {
            lower: vec![constant(part.ranges[inner].0)],
            upper: vec![constant(part.ranges[inner].1)],
            outer: part.ranges[outer],
        };
        for row in &part.rows {
            let slope = i128::from(row.coefficients[outer]);
            let constant = row.constant;
            match row.coefficients[inner] {
                1 => bounds.lower.push(Bound {
                    constant: -constant,
                    slope: -slope,
                }),
                -1 => bounds.upper.push(Bound { constant, slope }),
                _ if 0 < slope => bounds.outer.0 = bounds.outer.0.max(-div_floor(constant, slope)),
                _ if slope < 0 => bounds.outer.1 = bounds.outer.1.min(div_floor(constant, -slope)),
                _ => {}
            }
        }
        bounds
    }

    /// How far, from `x` on, the same bounds stay the greatest lower and the least upper one, and whether
    /// `lower <= upper + 1` there, so that a sum that may be empty is still a polynomial.
    fn run(&self, x: i128) -> Result<(i128, bool), Refusal> {
        let (mut lower, mut upper) = (self.lower[0], self.upper[0]);
        for other in &self.lower[1..] {
            if (lower.at(x)?, lower.slope) < (other.at(x)?, other.slope) {
                lower = *other;
            }
        }
        for other in &self.upper[1..] {
            if (other.at(x)?, other.slope) < (upper.at(x)?, upper.slope) {
                upper = *other;
            }
        }
        let mut end = self.outer.1;
        for other in &self.lower {
            end = other.stays_below(lower, x, end)?;
        }
        for other in &self.upper {
            end = upper.stays_below(*other, x, end)?;
        }
        upper.constant = add(upper.constant, 1)?;
        if lower.at(x)? <= upper.at(x)? {
            return Ok((lower.stays_below(upper, x, end)?, true));
        }
        // There is no point until they meet.
        Ok((upper.stays_below(lower, x, end)?, false))
    }
}

/// The sum over a part with two axes, run after run.
fn runs<D: OverAxes>(part: &WeightedBox<D>, outer: usize) -> Result<i128, Refusal> {
    let bounds = InnerBounds::new(part, outer);
    let degree = part.multiplicity.degree() + 1;
    let mut sum = 0;
    let mut x = bounds.outer.0;
    while x <= bounds.outer.1 {
        let (end, some) = bounds.run(x)?;
        if some {
            let value = |x| line_sum(part, outer, x);
            sum = add(sum, run_sum(degree, (x, end), value)?)?;
        }
        x = end + 1;
    }
    Ok(sum)
}

/// The sum of a polynomial of at most such a degree over a range, from its values at the first ones.
///
/// By Newton's forward differences, `f(lo + k) = Σ_e Δ^e f(lo) · C(k, e)`, and the sum of `C(k, e)` over
/// `k < n` is `C(n, e + 1)`.
fn run_sum(
    degree: u32,
    (lo, hi): Interval,
    value: impl Fn(i128) -> Result<i128, Refusal>,
) -> Result<i128, Refusal> {
    let count = hi - lo + 1;
    let samples = i128::from(degree) + 1;
    let mut differences = Vec::new();
    for x in lo..lo + count.min(samples) {
        differences.push(value(x)?);
    }
    if count <= samples {
        return Ok(differences.into_iter().try_fold(0, add)?);
    }
    let mut sum = 0;
    let mut binomial = count;
    for e in 0..samples {
        let difference = differences[0];
        if difference != 0 {
            sum = add(sum, multiply(difference, binomial)?)?;
        }
        binomial = multiply(binomial, count - e - 1)? / (e + 2);
        for index in 1..differences.len() {
            differences[index - 1] = differences[index]
                .checked_sub(differences[index - 1])
                .ok_or(Refusal::Overflow)?;
        }
        differences.pop();
    }
    Ok(sum)
}
