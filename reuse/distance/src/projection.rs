//! The range of an integer variable, the others being eliminated by Fourier-Motzkin elimination.

use premiss_arithmetic::{Interval, gcd};
use premiss_presburger::Refusal;

/// Elimination that leaves more rows is given up: a few steps later it would not end.
const MOST_ROWS: usize = 512;

/// `0 <= row[0] + row[1]·x1 + …`
type ProjectionRow = Vec<i128>;

/// A range that holds all values of the first of a few variables ("axes") for which rows can be satisfied; `None` where
/// there plainly is none.
///
/// # Errors
/// The axis has no bounds, a number does not fit, or there are too many rows on the way.
pub(crate) fn first_range(
    axes: usize,
    mut rows: Vec<ProjectionRow>,
) -> Result<Option<Interval>, Refusal> {
    for column in (2..=axes).rev() {
        if !tidy(&mut rows) {
            return Ok(None);
        }
        if MOST_ROWS < rows.len() {
            return Err(Refusal::Budget);
        }
        rows = eliminated(&rows, column)?;
    }
    if !tidy(&mut rows) {
        return Ok(None);
    }
    let (mut lo, mut hi) = (None, None);
    for row in &rows {
        if 0 < row[1] {
            lo = lo.max(Some(-row[0].div_euclid(row[1])));
        } else {
            let bound = row[0].div_euclid(-row[1]);
            hi = Some(hi.map_or(bound, |known: i128| known.min(bound)));
        }
    }
    match (lo, hi) {
        (Some(lo), Some(hi)) => Ok((lo <= hi).then_some((lo, hi))),
        _ => Err(Refusal::Unbounded),
    }
}

/// Divides rows by common factors and drops those without variables, and those that a parallel one implies; returns whether
/// those without variables all hold.
fn tidy(rows: &mut Vec<ProjectionRow>) -> bool {
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
    rows.sort_unstable_by(|x, y| x[1..].cmp(&y[1..]).then(x[0].cmp(&y[0])));
    rows.dedup_by(|later, first| later[1..] == first[1..]);
    possible
}

/// What rows imply for the columns before `column`, their last one.
fn eliminated(rows: &[ProjectionRow], column: usize) -> Result<Vec<ProjectionRow>, Refusal> {
    let mut result: Vec<ProjectionRow> = Vec::new();
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
            let row: Option<ProjectionRow> = both.map(combine).collect();
            result.push(row.ok_or(Refusal::Overflow)?);
        }
    }
    Ok(result)
}
