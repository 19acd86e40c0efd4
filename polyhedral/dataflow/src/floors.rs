//! A loop's last iteration without floors.
//!
//! With rows `8·i1 + i2` of strip-mined loops, the last iteration that touched a row is
//! `floor(row / 8)`: at a sink whose own row is `8·j1 + j2` with `0 <= j2 < 8`, that is `j1`. In
//! general a floor `floor((m·f + r) / m)` is `f + q` where `m·q <= r < m·(q + 1)`, and if `r` is
//! made of variables with small ranges there are few `q`.

use premiss_isl::Extremum;
use premiss_presburger::{Affine, Refusal};

/// More cases than this for one floor are no few.
const CASES: i64 = 64;

/// A value that holds under conditions.
pub(crate) struct Case {
    /// Forms that are not negative.
    pub(crate) conditions: Vec<Affine>,
    /// The value.
    pub(crate) value: Affine,
}

/// The value of an extremum, its columns replaced by forms over columns with these ranges (by
/// column; `None` where nothing is known).
///
/// # Errors
/// A floor of something that is not in a small range.
pub(crate) fn without_floors(
    extremum: &Extremum,
    substitution: &[Affine],
    ranges: &[Option<(i64, i64)>],
) -> Result<Vec<Case>, Refusal> {
    let width = ranges.len();
    let mut cases = vec![(Vec::new(), substitution.to_vec())];
    for floor in &extremum.floors {
        let mut next = Vec::new();
        for (conditions, known) in cases {
            let columns = &floor.numerator.coefficients()[..=known.len()];
            let numerator = Affine::new(columns.to_vec()).substituted(&known, width)?;
            for case in quotients(&numerator, floor.denominator, ranges)? {
                let mut longer: Vec<Affine> = conditions.clone();
                longer.extend(case.conditions);
                let mut more = known.clone();
                more.push(case.value);
                next.push((longer, more));
            }
        }
        cases = next;
    }
    let finish = |(conditions, known): (Vec<Affine>, Vec<Affine>)| {
        Ok(Case {
            conditions,
            value: extremum.value.substituted(&known, width)?,
        })
    };
    cases.into_iter().map(finish).collect()
}

/// `floor(numerator / denominator)`, case by case.
fn quotients(
    numerator: &Affine,
    denominator: i64,
    ranges: &[Option<(i64, i64)>],
) -> Result<Vec<Case>, Refusal> {
    let coefficients = numerator.coefficients();
    let is_multiple = |column: usize| column != 0 && coefficients[column] % denominator == 0;
    let part = |wanted: bool, scale: i64| {
        let pick = |(column, x): (usize, &i64)| {
            if is_multiple(column) == wanted {
                *x / scale
            } else {
                0
            }
        };
        Affine::new(coefficients.iter().enumerate().map(pick).collect())
    };
    let (whole, rest) = (part(true, denominator), part(false, 1));
    let (least, greatest) = bounds(&rest, ranges)?;
    let (first, last) = (
        least.div_euclid(denominator),
        greatest.div_euclid(denominator),
    );
    if CASES < last - first {
        return Err(Refusal::NotAffine);
    }
    let one = Affine::constant(rest.columns(), 1);
    let case = |quotient: i64| {
        let start = quotient * denominator;
        let mut conditions = Vec::new();
        if least < start {
            conditions.push(rest.plus(-start, &one)?);
        }
        if start + denominator <= greatest {
            conditions.push(rest.times(-1)?.plus(start + denominator - 1, &one)?);
        }
        Ok(Case {
            conditions,
            value: whole.plus(quotient, &one)?,
        })
    };
    (first..=last).map(case).collect()
}

/// The least and the greatest value of a form.
fn bounds(form: &Affine, ranges: &[Option<(i64, i64)>]) -> Result<(i64, i64), Refusal> {
    let (mut least, mut greatest) = (form.constant_term(), form.constant_term());
    for column in form.support() {
        let (from, to) = ranges[column].ok_or(Refusal::NotAffine)?;
        let coefficient = form.coefficient(column);
        let ends = [coefficient.checked_mul(from), coefficient.checked_mul(to)];
        let [Some(a), Some(b)] = ends else {
            return Err(Refusal::Overflow);
        };
        least = least.checked_add(a.min(b)).ok_or(Refusal::Overflow)?;
        greatest = greatest.checked_add(a.max(b)).ok_or(Refusal::Overflow)?;
    }
    Ok((least, greatest))
}
