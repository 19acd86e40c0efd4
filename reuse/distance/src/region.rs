//! A set of a few integer variables, line by line.

use crate::univariate::Univariate;
use premiss_presburger::Refusal;

/// The integer points of a few variables ("axes") that satisfy inequalities with numbers for
/// coefficients, ready to be walked: each axis is bounded by the ones before it.
#[derive(Debug)]
pub(crate) struct Region {
    /// For each axis, the inequalities that hold for it and the axes before it, the others
    /// eliminated by Fourier and Motzkin: they bound it from outside. Those of the last axis are
    /// all inequalities, exact.
    levels: Vec<Vec<Row>>,
}

/// `0 <= row[0] + row[1]·x1 + …`
pub(crate) type Row = Vec<i128>;

impl Region {
    /// The points that satisfy all rows; `None` where it is plain that there is none.
    pub(crate) fn new(axes: usize, rows: Vec<Row>) -> Result<Option<Self>, Refusal> {
        let mut levels = vec![Vec::new(); axes];
        let mut rows = rows;
        for axis in (0..axes).rev() {
            if !tidy(&mut rows) {
                return Ok(None);
            }
            levels[axis].clone_from(&rows);
            rows = eliminated(&rows, axis + 1)?;
        }
        Ok(tidy(&mut rows).then_some(Self { levels }))
    }

    /// Calls `visit` with the values of all axes but the last and the last one's range, for each
    /// choice of values with a range that is not empty.
    pub(crate) fn for_each_line(
        &self,
        visit: &mut impl FnMut(&[i128], i128, i128) -> Result<(), Refusal>,
    ) -> Result<(), Refusal> {
        self.descend(&mut Vec::with_capacity(self.levels.len()), visit)
    }

    /// How many values the first axis has at most.
    pub(crate) fn first_extent(&self) -> Result<i128, Refusal> {
        let range = self.range(&[])?;
        Ok(range.map_or(0, |(lo, hi)| hi - lo + 1))
    }

    fn descend(
        &self,
        values: &mut Vec<i128>,
        visit: &mut impl FnMut(&[i128], i128, i128) -> Result<(), Refusal>,
    ) -> Result<(), Refusal> {
        let Some((lo, hi)) = self.range(values)? else {
            return Ok(());
        };
        if values.len() + 1 == self.levels.len() {
            return visit(values, lo, hi);
        }
        for value in lo..=hi {
            values.push(value);
            self.descend(values, visit)?;
            values.pop();
        }
        Ok(())
    }

    /// The range of the next axis, given values for those before it.
    fn range(&self, values: &[i128]) -> Result<Option<(i128, i128)>, Refusal> {
        let axis = values.len() + 1;
        let (mut lo, mut hi) = (None, None);
        for row in &self.levels[values.len()] {
            let rest = affine(row, values)?;
            let coefficient = row[axis];
            if coefficient == 0 {
                if rest < 0 {
                    return Ok(None);
                }
            } else if 0 < coefficient {
                let bound = -rest.div_euclid(coefficient);
                lo = Some(lo.map_or(bound, |known: i128| known.max(bound)));
            } else {
                let bound = rest.div_euclid(-coefficient);
                hi = Some(hi.map_or(bound, |known: i128| known.min(bound)));
            }
        }
        match (lo, hi) {
            (Some(lo), Some(hi)) => Ok((lo <= hi).then_some((lo, hi))),
            _ => Err(Refusal::Unbounded),
        }
    }
}

/// The part of a row that known values give.
fn affine(row: &[i128], values: &[i128]) -> Result<i128, Refusal> {
    let add = |sum: i128, (c, x): (&i128, &i128)| c.checked_mul(*x)?.checked_add(sum);
    let mut terms = row[1..].iter().zip(values);
    terms.try_fold(row[0], add).ok_or(Refusal::Overflow)
}

/// Divides rows by common factors and drops those without variables; whether these all hold.
fn tidy(rows: &mut Vec<Row>) -> bool {
    for row in rows.iter_mut() {
        let common = row[1..].iter().fold(0, |x, y| gcd(x, *y));
        if 1 < common {
            row[0] = row[0].div_euclid(common);
            row[1..].iter_mut().for_each(|x| *x /= common);
        }
    }
    let possible = rows
        .iter()
        .all(|row| 0 <= row[0] || row[1..].iter().any(|x| *x != 0));
    rows.retain(|row| row[1..].iter().any(|x| *x != 0));
    rows.sort_unstable();
    rows.dedup();
    possible
}

fn gcd(mut a: i128, mut b: i128) -> i128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a.abs()
}

/// What rows say about the columns before one, which they end with.
fn eliminated(rows: &[Row], column: usize) -> Result<Vec<Row>, Refusal> {
    let mut result: Vec<Row> = Vec::new();
    for row in rows.iter().filter(|row| row[column] == 0) {
        result.push(row[..column].to_vec());
    }
    for lower in rows.iter().filter(|row| 0 < row[column]) {
        for upper in rows.iter().filter(|row| row[column] < 0) {
            let combine = |(a, b): (&i128, &i128)| {
                let scaled = a.checked_mul(-upper[column])?;
                scaled.checked_add(b.checked_mul(lower[column])?)
            };
            let both = lower[..column].iter().zip(&upper[..column]);
            let row: Option<Row> = both.map(combine).collect();
            result.push(row.ok_or(Refusal::Overflow)?);
        }
    }
    Ok(result)
}

/// A polynomial in the axes of a region, times a number that makes its coefficients whole.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Scaled {
    /// The number.
    pub(crate) denominator: i128,
    /// Exponents of the axes, and coefficients.
    pub(crate) terms: Vec<(Vec<u32>, i128)>,
}

impl Scaled {
    /// As a polynomial in the last axis, given the values of those before it; still scaled.
    pub(crate) fn along_last(&self, values: &[i128]) -> Result<Univariate, Refusal> {
        let mut line = Univariate::new();
        for (exponents, coefficient) in &self.terms {
            let (last, others) = exponents
                .split_last()
                .map_or((0, &[][..]), |(x, y)| (*x, y));
            let mut term = *coefficient;
            for (value, exponent) in values.iter().zip(others) {
                let power = value.checked_pow(*exponent);
                term = power
                    .and_then(|power| term.checked_mul(power))
                    .ok_or(Refusal::Overflow)?;
            }
            let last = last as usize;
            if line.len() <= last {
                line.resize(last + 1, 0);
            }
            line[last] = line[last].checked_add(term).ok_or(Refusal::Overflow)?;
        }
        Ok(line)
    }
}
