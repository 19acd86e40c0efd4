//! Bounds of loop variables in terms of the sizes and the loop variables before them.
//!
//! Other variables are eliminated (Fourier-Motzkin): `a·v + f >= 0` and `-b·v + g >= 0` imply `b·f + a·g >= 0`.
//! Rational elimination bounds a superset of the integer points, which suffices: points outside of a domain contribute
//! nothing to its sum.
//!
//! ```text
//! 0 <= j <= i < n:   bounds of i: 0 <= i, i <= n - 1      bounds of j: 0 <= j, j <= i
//! ```

use crate::columns::form;
use premiss_arithmetic::gcd;
use premiss_presburger::{Affine, Column, Refusal, System};
use std::collections::BTreeMap;

/// Elimination is given up beyond this many rows.
const MOST_ROWS: usize = 400;

/// Rows without their constants, each with its least constant, which is the strongest.
type ConstraintRows = BTreeMap<Vec<i64>, i64>;

/// For each of some loop variables, given by their columns, outermost first, the rows that bound it, over the given
/// columns, the last of which is no column of the domain, and the loop variables up to it.
pub(super) fn bounds(
    domain: &System,
    loops: &[Column],
    given: usize,
) -> Result<Vec<Vec<Affine>>, Refusal> {
    let mut rows = rows(domain)?;
    let columns = Column::first(domain.columns()).skip(given);
    let others = columns.filter(|column| !loops.contains(column));
    for column in others.rev() {
        rows = eliminated(&rows, column)?;
    }
    let mut bounds = Vec::new();
    for (index, column) in loops.iter().enumerate().rev() {
        let place = |x: Column| {
            let place = loops.iter().position(|y| *y == x);
            place.map_or(x, |place| Column::at_place(given + place))
        };
        let own = rows.iter().filter(|(row, _)| row[*column] != 0);
        let whole = |(row, constant): (&Vec<i64>, &i64)| {
            let mut row = row.clone();
            row[0] = *constant;
            form(&Affine::new(row), 2 + given + index, place)
        };
        let own: Vec<Affine> = own.map(whole).collect();
        let has = |sign: i64| {
            own.iter()
                .any(|row| row.coefficient(Column::at_place(given + index)).signum() == sign)
        };
        if !has(1) || !has(-1) {
            return Err(Refusal::NotAffine);
        }
        bounds.push(own);
        rows = eliminated(&rows, *column)?;
    }
    bounds.reverse();
    Ok(bounds)
}

/// The affine forms that are not negative in a domain.
fn rows(domain: &System) -> Result<ConstraintRows, Refusal> {
    let mut rows = ConstraintRows::new();
    for row in &domain.inequalities {
        insert(&mut rows, row.coefficients().to_vec());
    }
    for row in &domain.equalities {
        insert(&mut rows, row.coefficients().to_vec());
        insert(&mut rows, row.times(-1)?.coefficients().to_vec());
    }
    for (idx, floor) in domain.floors.iter().enumerate() {
        // 0 <= numerator - denominator·floor <= denominator - 1
        let mut rest = floor.numerator.coefficients().to_vec();
        rest[domain.floor_column(idx)] = -floor.denominator;
        insert(&mut rows, rest.clone());
        rest.iter_mut().for_each(|x| *x = -*x);
        rest[0] += floor.denominator - 1;
        insert(&mut rows, rest);
    }
    Ok(rows)
}

/// Adds a row in lowest terms.
fn insert(rows: &mut ConstraintRows, mut row: Vec<i64>) {
    let divisor = row[1..].iter().fold(0, |a, b| gcd(a, *b));
    if divisor == 0 {
        return;
    }
    row.iter_mut().skip(1).for_each(|x| *x /= divisor);
    let constant = std::mem::take(&mut row[0]).div_euclid(divisor);
    let known = rows.entry(row).or_insert(constant);
    *known = constant.min(*known);
}

/// The rows over the other columns that follow when a column is eliminated.
fn eliminated(rows: &ConstraintRows, column: Column) -> Result<ConstraintRows, Refusal> {
    let mut left = ConstraintRows::new();
    let with = |sign: i64| {
        rows.iter()
            .filter(move |(row, _)| row[column].signum() == sign)
    };
    for (row, constant) in with(0) {
        let mut row = row.clone();
        row[0] = *constant;
        insert(&mut left, row);
    }
    for (low, below) in with(1) {
        for (high, above) in with(-1) {
            let (a, b) = (low[column], -high[column]);
            let sum = |x: i64, y: i64| x.checked_mul(b)?.checked_add(y.checked_mul(a)?);
            let row: Option<Vec<i64>> = low.iter().zip(high).map(|(x, y)| sum(*x, *y)).collect();
            let mut row = row.ok_or(Refusal::Overflow)?;
            row[0] = sum(*below, *above).ok_or(Refusal::Overflow)?;
            insert(&mut left, row);
        }
    }
    match left.len() <= MOST_ROWS {
        true => Ok(left),
        false => Err(Refusal::NotAffine),
    }
}
