//! Sums of floors, and the integer points of polygons.
//!
//! The points `0 <= x < 1000`, `0 <= 4y <= 3x + 2` are `Σ (floor((3x + 2) / 4) + 1)`. Such a sum takes as many steps as
//! Euclid's algorithm, however many values `x` has (Graham, Knuth and Patashnik, Concrete Mathematics, section 3.5).

use crate::floor_moments::{FloorLine, MOST_DEGREE, floor_moments};
use crate::part::{OverAxes, WeightedBox};
use premiss_arithmetic::{Interval, PackedPolynomial, add, div_floor, multiply};
use premiss_presburger::Refusal;

/// Numbers are not greater, so that sums of products fit.
const GREATEST: i128 = 1 << 40;

/// `Σ floor((a·t + b) / m)` for `0 <= t < n`, with `0 <= a`.
pub(crate) fn floor_sum(n: i128, m: i128, a: i128, b: i128) -> i128 {
    let whole = div_floor(b, m);
    let mut sum = n * whole;
    let (mut n, mut m, mut a, mut b) = (n, m, a, b - whole * m);
    loop {
        sum += n * (n - 1) / 2 * (a / m);
        a %= m;
        sum += n * (b / m);
        b %= m;
        let last = a * n + b;
        if last < m {
            return sum;
        }
        n = last / m;
        b = last % m;
        (m, a) = (a, m);
    }
}

/// How many points a part of two axes has; `None` where a number is large.
///
/// Along `outer`, the greatest lower bound and the least upper one of the other axis stay the same in a few *runs*.
///
/// # Errors
/// A number does not fit.
pub(crate) fn points_of_plane<D: OverAxes>(
    part: &WeightedBox<D>,
    outer: usize,
) -> Result<Option<i128>, Refusal> {
    let bounds = RationalBounds::new(part, outer);
    if bounds.are_large() {
        return Ok(None);
    }
    let mut sum = 0;
    let mut x = bounds.outer.0;
    while x <= bounds.outer.1 {
        let run = bounds.run(x)?;
        if let Some((lower, upper)) = run.between {
            let floors = upper.floors((x, run.end)) + lower.negated().floors((x, run.end));
            sum = add(sum, floors + run.end - x + 1)?;
        }
        x = run.end + 1;
    }
    Ok(Some(sum))
}

/// The sum of a part of two axes, whatever its points weigh, times the denominator of the multiplicity; `None` where a number or
/// the degree is large.
///
/// Along the other axis, values of a polynomial add up to another one at the upper bound, less that just below the lower
/// bound: powers of `outer` and of floors.
///
/// # Errors
/// A number does not fit.
pub(crate) fn sum_of_plane<D: OverAxes>(
    part: &WeightedBox<D>,
    outer: usize,
) -> Result<Option<i128>, Refusal> {
    let bounds = RationalBounds::new(part, outer);
    let weight = &part.multiplicity;
    if bounds.are_large() || MOST_DEGREE <= weight.degree() as usize {
        return Ok(None);
    }
    let accumulated = weight.accumulated(1 - outer)?;
    let mut sum = 0;
    let mut x = bounds.outer.0;
    while x <= bounds.outer.1 {
        let run = bounds.run(x)?;
        if let Some((lower, mut upper)) = run.between {
            // The greatest number below `p / d` is `floor((p - 1) / d)`.
            let mut below = lower;
            below.constant -= 1;
            for (bound, sign) in [(&mut upper, 1), (&mut below, -1)] {
                let own = bound.sum(&accumulated, outer, (x, run.end));
                match own {
                    Err(Refusal::Overflow) => return Ok(None),
                    own => sum = add(sum, sign * own?)?,
                }
            }
        }
        x = run.end + 1;
    }
    let sum = multiply(sum, weight.denominator)?;
    Ok(Some(sum / accumulated.denominator))
}

/// `(constant + slope · outer) / divisor`, with `0 < divisor`.
#[derive(Clone, Copy, Debug)]
struct RationalBound {
    constant: i128,
    slope: i128,
    divisor: i128,
}

impl RationalBound {
    /// By how much another one is greater, times both divisors: a constant and a slope.
    fn to(self, other: Self) -> Result<(i128, i128), Refusal> {
        let both = |own: i128, x: i128| {
            let own = multiply(own, other.divisor)?;
            add(multiply(x, self.divisor)?, -own)
        };
        let constant = both(self.constant, other.constant)?;
        Ok((constant, both(self.slope, other.slope)?))
    }

    /// Whether another one is greater at a value, or is from the next one on.
    fn is_below(self, other: Self, at: i128) -> Result<bool, Refusal> {
        let (constant, slope) = self.to(other)?;
        let gap = add(constant, multiply(slope, at)?)?;
        Ok(0 < gap || gap == 0 && 0 < slope)
    }

    /// The last value up to which it is not greater than another one, as it is before; at most `end`.
    fn stays_below(self, other: Self, end: i128) -> Result<i128, Refusal> {
        let (constant, slope) = self.to(other)?;
        if 0 <= slope {
            return Ok(end);
        }
        Ok(end.min(div_floor(constant, -slope)))
    }

    /// The last value up to which it is greater than another one, as it is before; at most `end`.
    fn stays_above(self, other: Self, end: i128) -> Result<i128, Refusal> {
        let (constant, slope) = self.to(other)?;
        if slope <= 0 {
            return Ok(end);
        }
        Ok(end.min(div_floor(-1 - constant, slope)))
    }

    /// The sum of a polynomial of `outer` and the floor over a range.
    fn sum(
        self,
        polynomial: &PackedPolynomial,
        outer: usize,
        range: Interval,
    ) -> Result<i128, Refusal> {
        let line = FloorLine {
            constant: self.constant,
            slope: self.slope,
            divisor: self.divisor,
        };
        let moments = floor_moments(line, range, polynomial.degree() as usize)?;
        let mut sum = 0;
        for (exponents, coefficient) in polynomial.terms() {
            let power = |axis: usize| exponents.exponent(axis) as usize;
            let own = moments[power(outer)][power(1 - outer)];
            sum = add(sum, multiply(*coefficient, own)?)?;
        }
        Ok(sum)
    }

    /// The sum of floors over a range.
    fn floors(self, (lo, hi): Interval) -> i128 {
        let (first, slope) = match 0 <= self.slope {
            true => (lo, self.slope),
            false => (hi, -self.slope),
        };
        let at = self.constant + self.slope * first;
        floor_sum(hi - lo + 1, self.divisor, slope, at)
    }

    fn negated(self) -> Self {
        Self {
            constant: -self.constant,
            slope: -self.slope,
            ..self
        }
    }
}

/// Values of the outer axis on which the same bounds are the tightest ones.
struct Run {
    /// Its last value.
    end: i128,
    /// Between which bounds there may be points: there are none where the lower one is above the upper one.
    between: Option<(RationalBound, RationalBound)>,
}

/// Bounds on the inner of two axes.
struct RationalBounds {
    lower: Vec<RationalBound>,
    upper: Vec<RationalBound>,
    outer: Interval,
}

impl RationalBounds {
    fn new<D>(part: &WeightedBox<D>, outer: usize) -> Self {
        let inner = 1 - outer;
        let number = |constant| RationalBound {
            constant,
            slope: 0,
            divisor: 1,
        };
        let mut bounds = Self {
            lower: vec![number(part.ranges[inner].0)],
            upper: vec![number(part.ranges[inner].1)],
            outer: part.ranges[outer],
        };
        for row in &part.rows {
            let slope = i128::from(row.coefficients[outer]);
            let factor = i128::from(row.coefficients[inner]);
            let own = RationalBound {
                constant: row.constant,
                slope,
                divisor: factor.abs(),
            };
            match factor {
                1.. => bounds.lower.push(own.negated()),
                ..=-1 => bounds.upper.push(own),
                _ if 0 < slope => {
                    bounds.outer.0 = bounds.outer.0.max(-div_floor(row.constant, slope));
                }
                _ if slope < 0 => {
                    bounds.outer.1 = bounds.outer.1.min(div_floor(row.constant, -slope));
                }
                _ if row.constant < 0 => bounds.outer.1 = bounds.outer.0 - 1,
                _ => {}
            }
        }
        bounds
    }

    /// Whether sums of products might not fit.
    fn are_large(&self) -> bool {
        let is_large = |x: i128| GREATEST < x.abs();
        let mut all = self.lower.iter().chain(&self.upper);
        all.any(|x| is_large(x.constant) || is_large(x.slope) || is_large(x.divisor))
            || is_large(self.outer.0)
            || is_large(self.outer.1)
    }

    /// How far, from a value on, the same bounds stay the tightest ones.
    fn run(&self, x: i128) -> Result<Run, Refusal> {
        let (mut lower, mut upper) = (self.lower[0], self.upper[0]);
        for other in &self.lower[1..] {
            if lower.is_below(*other, x)? {
                lower = *other;
            }
        }
        for other in &self.upper[1..] {
            if upper.negated().is_below(other.negated(), x)? {
                upper = *other;
            }
        }
        let mut end = self.outer.1;
        for other in &self.lower {
            end = other.stays_below(lower, end)?;
        }
        for other in &self.upper {
            end = upper.stays_below(*other, end)?;
        }
        let (constant, slope) = lower.to(upper)?;
        if add(constant, multiply(slope, x)?)? < 0 {
            return Ok(Run {
                end: lower.stays_above(upper, end)?,
                between: None,
            });
        }
        Ok(Run {
            end: lower.stays_below(upper, end)?,
            between: Some((lower, upper)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::row::AxisRow;
    use premiss_arithmetic::{Exponents, PackedPolynomial};
    use proptest::collection::vec;
    use proptest::prelude::*;

    #[test]
    fn sums_of_floors() {
        for n in 0..9 {
            for m in 1..7 {
                for (a, b) in (0..12).flat_map(|a| (-9..9).map(move |b| (a, b))) {
                    let expected: i128 = (0..n).map(|t| div_floor(a * t + b, m)).sum();
                    assert_eq!(floor_sum(n, m, a, b), expected, "{n} {m} {a} {b}");
                }
            }
        }
    }

    proptest! {
        #[test]
        fn points_are_those_of_enumeration(
            rows in vec((-30..30_i128, -6..7_i64, -6..7_i64), 0..5),
            (x, width, y, height) in (-9..9_i128, 0..12_i128, -9..9_i128, 0..12_i128),
            outer in 0..2_usize,
        ) {
            let row = |(constant, a, b): &(i128, i64, i64)| {
                let row = AxisRow::new(*constant).plus(0, *a);
                row.and_then(|row| row.plus(1, *b)).expect("it is small")
            };
            let part = WeightedBox {
                ranges: vec![(x, x + width), (y, y + height)],
                rows: rows.iter().map(row).collect(),
                distance: (),
                multiplicity: PackedPolynomial::new(1, vec![(Exponents::default(), 1)])
                    .expect("it is small"),
            };
            let all = (x..=x + width).flat_map(|x| (y..=y + height).map(move |y| (x, y)));
            let is_in = |(x, y): &(i128, i128)| {
                rows.iter().all(|(c, a, b)| 0 <= c + i128::from(*a) * x + i128::from(*b) * y)
            };
            let expected = all.filter(is_in).count() as i128;
            let points = points_of_plane(&part, outer).expect("it is small");
            prop_assert_eq!(points, Some(expected));
            let weight = |power: u32, factor| {
                let x = Exponents::default().times(0, power);
                let both = x.and_then(|x| x.times(1, 1)).expect("it is small");
                PackedPolynomial::new(2, vec![(Exponents::default(), 3), (both, factor)])
            };
            let all = (x..=x + width).flat_map(|x| (y..=y + height).map(move |y| (x, y)));
            let expected: i128 = all.filter(is_in).map(|(x, y)| 3 + 5 * x * x * y).sum();
            let part = WeightedBox { multiplicity: weight(2, 5).expect("it is small"), ..part };
            let sum = sum_of_plane(&part, outer).expect("it is small");
            prop_assert_eq!(sum, Some(expected));
        }
    }
}
