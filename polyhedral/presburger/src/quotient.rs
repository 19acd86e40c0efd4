//! Floors of affine forms as affine forms.
//!
//! To sum over `v` with `a·v <= e` is to know `floor(e / a)` as an affine form. Write
//! `e = a·f + s`, the coefficients of `s` at most `a/2`. Then `floor(e / a) = f + floor(s / a)`, and
//!
//! - if `s` lies between small constants, `floor(s / a)` has few values `q`: one case for each, with
//!   `a·q <= s <= a·q + a - 1`;
//! - if `s` depends on no counted column, `floor(s / a)` becomes a column of its own, a floor of the
//!   result (what depends on free columns can be given such a column before the first rule);
//! - else a counted column `w` of `s` is split into residues, `w = m·w' + r` with the least `m` that
//!   makes the coefficient divisible by `a` (Pugh 1994, splintering), or into its values if there are
//!   no more of them.

use crate::Column;
use crate::Refusal;
use crate::rows::add;
use crate::summand::Summand;
use premiss_arithmetic::gcd;

/// How `floor(e / a)` is to become affine.
#[derive(Clone, Debug)]
pub(crate) struct FloorElimination {
    divisor: i64,
    /// `f`.
    integral: Vec<i64>,
    /// `s`, a part replaced by a floor left out.
    rest: Vec<i64>,
    /// The part of `s` that gets a floor.
    floored: Option<Vec<i64>>,
    pub(crate) way: Way,
}

/// What is to be told apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Way {
    /// The values from the first to the last of the floor of the rest.
    Values(i64, i64),
    /// The residues of a column modulo a number.
    Residues(Column, i64),
    /// All values of a column from the first to the last.
    Points(Column, i64, i64),
}

/// A free rest with at most so many quotients is told apart by cases, without a floor.
const FEW: i64 = 4;

type Ranges = [(Option<i64>, Option<i64>)];

impl FloorElimination {
    /// How to divide `form` by `divisor`, which is more than one.
    pub(crate) fn new(
        form: &[i64],
        divisor: i64,
        counted: &[Column],
        ranges: &Ranges,
    ) -> Result<Self, Refusal> {
        let (mut whole, mut rest) = (vec![0; form.len()], vec![0; form.len()]);
        for (column, coefficient) in Column::first(form.len()).zip(form) {
            whole[column] = coefficient.div_euclid(divisor);
            rest[column] = coefficient.rem_euclid(divisor);
            if column != Column::CONSTANT && divisor / 2 < rest[column] {
                whole[column] += 1;
                rest[column] -= divisor;
            }
        }
        let is_counted = |column: &Column| counted.contains(column);
        let columns = Column::variables(rest.len() - 1).filter(|column| rest[*column] != 0);
        let (own, free): (Vec<Column>, Vec<Column>) = columns.partition(is_counted);
        let mut quotient = Self {
            divisor,
            integral: whole,
            rest,
            floored: None,
            way: Way::Values(0, 0),
        };
        let range = quotient.range(&free, ranges);
        let range = range.filter(|(low, high)| match own.is_empty() {
            true => high.div_euclid(divisor) - low.div_euclid(divisor) < FEW,
            false => high - low < divisor.saturating_mul(2),
        });
        if range.is_none() {
            quotient.floor_out(&free);
        }
        quotient.way = quotient.best_way(&own, range.unwrap_or((0, divisor - 1)), ranges)?;
        Ok(quotient)
    }

    /// How many cases it makes.
    pub(crate) fn cases(&self) -> i64 {
        match self.way {
            Way::Values(low, high) | Way::Points(_, low, high) => high - low + 1,
            Way::Residues(_, modulus) => modulus,
        }
    }

    /// The free columns and the constant leave the rest and get a floor.
    fn floor_out(&mut self, free: &[Column]) {
        let mut floored = vec![0; self.rest.len()];
        for column in free.iter().chain([&Column::CONSTANT]) {
            floored[*column] = std::mem::take(&mut self.rest[*column]);
        }
        self.floored = Some(floored);
    }

    /// Least and largest value of the constant and some terms of the rest, if they are known and
    /// small enough.
    fn range(&self, columns: &[Column], ranges: &Ranges) -> Option<(i64, i64)> {
        let (mut low, mut high) = (self.rest[0], self.rest[0]);
        for column in columns {
            let coefficient = self.rest[*column];
            let least = ranges[*column].0?.checked_mul(coefficient)?;
            let most = ranges[*column].1?.checked_mul(coefficient)?;
            low = low.checked_add(least.min(most))?;
            high = high.checked_add(least.max(most))?;
        }
        high.checked_sub(low)?.checked_add(1)?;
        Some((low, high))
    }

    /// Whatever makes fewer cases; `free` is the range of what does not depend on counted columns.
    fn best_way(&self, own: &[Column], free: (i64, i64), ranges: &Ranges) -> Result<Way, Refusal> {
        let values = self.range(own, ranges).and_then(|(low, high)| {
            let low = low.checked_sub(self.rest[0])?.checked_add(free.0)?;
            let high = high.checked_sub(self.rest[0])?.checked_add(free.1)?;
            high.checked_sub(low)?.checked_add(1)?;
            Some((low.div_euclid(self.divisor), high.div_euclid(self.divisor)))
        });
        let modulus = |column: &Column| {
            let (a, c) = (
                self.divisor.unsigned_abs(),
                self.rest[*column].unsigned_abs(),
            );
            a / gcd(a, c)
        };
        let all = own.iter().map(modulus).fold(1, u64::saturating_mul);
        let residues = own.iter().min_by_key(|column| modulus(column));
        match (values, residues) {
            (Some((low, high)), Some(_)) if high.abs_diff(low) < all.max(2) => {
                Ok(Way::Values(low, high))
            }
            (_, Some(column)) => {
                let modulus = i64::try_from(modulus(column)).map_err(|_| Refusal::Overflow)?;
                if let (Some(low), Some(high)) = ranges[*column]
                    && high.checked_sub(low).is_some_and(|extent| extent < modulus)
                {
                    return Ok(Way::Points(*column, low, high));
                }
                Ok(Way::Residues(*column, modulus))
            }
            (Some((low, high)), None) => Ok(Way::Values(low, high)),
            (None, None) => Err(Refusal::Overflow),
        }
    }

    /// One summand for each value from `low` to `high`, with the quotient as a form over its columns.
    pub(crate) fn split(
        &self,
        summand: &Summand,
        low: i64,
        high: i64,
    ) -> Result<Vec<(Summand, Vec<i64>)>, Refusal> {
        let mut base = summand.clone();
        let (mut whole, mut rest) = (self.integral.clone(), self.rest.clone());
        if let Some(floored) = &self.floored {
            let (outside, numerator, denominator) = lowest_terms(floored, self.divisor);
            let column = base.add_floor(&numerator, denominator);
            let width = base.space.width();
            whole.resize(width, 0);
            rest.resize(width, 0);
            add(&mut whole, 1, &outside)?;
            whole[column] = whole[column].checked_add(1).ok_or(Refusal::Overflow)?;
            // What is left of the floored part: itself less the divisor times its floor.
            add(&mut rest, 1, floored)?;
            add(&mut rest, -self.divisor, &outside)?;
            let less = rest[column].checked_sub(self.divisor);
            rest[column] = less.ok_or(Refusal::Overflow)?;
        }
        // Where the floor has but one value, the rest needs no constraint, be it a floor's remainder
        // or within its range.
        let mut cases = Vec::new();
        for value in low..=high {
            let mut case = base.clone();
            if low < value {
                case.inequalities
                    .push(&shifted(&rest, 1, value, self.divisor)?);
            }
            if value < high {
                case.inequalities
                    .push(&shifted(&rest, -1, value, self.divisor)?);
            }
            let mut floor = whole.clone();
            floor[0] = floor[0].checked_add(value).ok_or(Refusal::Overflow)?;
            cases.push((case, floor));
        }
        Ok(cases)
    }
}

/// One summand for each residue of a counted column, which stands for its quotient then.
pub(crate) fn residues(
    summand: &Summand,
    column: Column,
    modulus: i64,
) -> Result<Vec<Summand>, Refusal> {
    let mut cases = Vec::new();
    for residue in 0..modulus {
        let mut value = vec![0; summand.space.width()];
        value[0] = residue;
        value[column] = modulus;
        let mut case = summand.clone();
        case.substitute(column, &value)?;
        cases.push(case);
    }
    Ok(cases)
}

/// One summand for each value of a counted column.
pub(crate) fn points(
    summand: &Summand,
    column: Column,
    low: i64,
    high: i64,
) -> Result<Vec<Summand>, Refusal> {
    let mut cases = Vec::new();
    for value in low..=high {
        let mut case = summand.clone();
        case.substitute(column, &[value])?;
        case.counted.retain(|other| *other != column);
        cases.push(case);
    }
    Ok(cases)
}

/// `rest - divisor·value` for sign 1, `divisor·value + divisor - 1 - rest` for sign -1.
fn shifted(rest: &[i64], sign: i64, value: i64, divisor: i64) -> Result<Vec<i64>, Refusal> {
    let start = value.checked_mul(divisor);
    let bound = match sign {
        1 => start,
        _ => start.and_then(|start| start.checked_add(divisor - 1)),
    };
    let mut row = vec![0; rest.len()];
    add(&mut row, sign, rest)?;
    add(&mut row, -sign, &[bound.ok_or(Refusal::Overflow)?])?;
    Ok(row)
}

/// `(f, n, d)` with `floor(form / divisor) = f + floor(n / d)`: coefficients of `n` from 0 to `d - 1`,
/// without a common divisor.
fn lowest_terms(form: &[i64], divisor: i64) -> (Vec<i64>, Vec<i64>, i64) {
    let outside: Vec<i64> = form.iter().map(|x| x.div_euclid(divisor)).collect();
    let mut inside: Vec<i64> = form.iter().map(|x| x.rem_euclid(divisor)).collect();
    let common = inside[1..]
        .iter()
        .fold(divisor.unsigned_abs(), |common, x| {
            gcd(common, x.unsigned_abs())
        });
    let common = i64::try_from(common).unwrap_or(1);
    inside.iter_mut().for_each(|x| *x = x.div_euclid(common));
    (outside, inside, divisor / common)
}
