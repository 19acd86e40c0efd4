//! Whether affine constraints may hold together: Fourier-Motzkin elimination over the rationals,
//! each combination tightened to integers.
//!
//! `false` is certain. `true` may be wrong where only fractions satisfy the constraints, or where
//! the elimination grew beyond its limits.

use std::collections::BTreeMap;

/// More inequalities than this, before or after a step, are not looked at.
const MOST_ROWS: usize = 400;

/// A form `row[0] + row[1]·x1 + …`.
pub(crate) type Row = Vec<i128>;

/// Whether there may be integers with all `zeros` zero and none of the `others` negative; all rows
/// are of one length.
pub(crate) fn may_hold(mut zeros: Vec<Row>, mut others: Vec<Row>) -> bool {
    while let Some(zero) = zeros.pop() {
        match substitute(&zero, &mut zeros, &mut others) {
            Substitution::Done => {}
            Substitution::Contradiction => return false,
            Substitution::TooLarge => return true,
        }
    }
    let Some(mut rows) = tightened(others) else {
        return false;
    };
    while let Some(column) = cheapest(&rows) {
        match eliminated(&rows, column) {
            Elimination::Rows(next) => rows = next,
            Elimination::Contradiction => return false,
            Elimination::TooLarge => return true,
        }
    }
    true
}

enum Substitution {
    Done,
    Contradiction,
    TooLarge,
}

/// Eliminates a variable by an equality.
fn substitute(zero: &Row, zeros: &mut [Row], others: &mut [Row]) -> Substitution {
    let columns = 1..zero.len();
    let used = columns.filter(|column| zero[*column] != 0);
    let Some(column) = used.min_by_key(|column| zero[*column].unsigned_abs()) else {
        return if zero[0] == 0 {
            Substitution::Done
        } else {
            Substitution::Contradiction
        };
    };
    let gcd = zero[1..].iter().fold(0, |gcd, x| gcd_of(gcd, *x));
    if zero[0] % gcd != 0 {
        return Substitution::Contradiction;
    }
    let pivot = zero[column];
    for row in zeros.iter_mut().chain(others.iter_mut()) {
        let factor = row[column];
        if factor == 0 {
            continue;
        }
        // |pivot|·row − sign(pivot)·factor·zero has no such variable.
        match combined(pivot.abs(), row, -factor * pivot.signum(), zero) {
            Some(next) => *row = next,
            None => return Substitution::TooLarge,
        }
    }
    Substitution::Done
}

/// `a·x + b·y`.
fn combined(a: i128, x: &Row, b: i128, y: &Row) -> Option<Row> {
    let one = |(x, y): (&i128, &i128)| a.checked_mul(*x)?.checked_add(b.checked_mul(*y)?);
    x.iter().zip(y).map(one).collect()
}

/// Rows without common factors, of parallel ones only the strongest; `None` where one is a negative
/// constant.
fn tightened(rows: Vec<Row>) -> Option<Vec<Row>> {
    let mut strongest: BTreeMap<Row, i128> = BTreeMap::new();
    for row in rows {
        let gcd = row[1..].iter().fold(0, |gcd, x| gcd_of(gcd, *x));
        if gcd == 0 {
            if row[0] < 0 {
                return None;
            }
            continue;
        }
        let constant = row[0].div_euclid(gcd);
        let direction: Row = row[1..].iter().map(|x| x / gcd).collect();
        let least = strongest.entry(direction).or_insert(constant);
        *least = constant.min(*least);
    }
    let row = |(direction, constant): (Row, i128)| {
        let mut row = vec![constant];
        row.extend(direction);
        row
    };
    Some(strongest.into_iter().map(row).collect())
}

/// The column whose elimination makes the fewest rows.
fn cheapest(rows: &[Row]) -> Option<usize> {
    let width = rows.first()?.len();
    let cost = |column: &usize| {
        let lower = rows.iter().filter(|row| 0 < row[*column]).count();
        let upper = rows.iter().filter(|row| row[*column] < 0).count();
        lower * upper
    };
    let is_used = |column: &usize| rows.iter().any(|row| row[*column] != 0);
    (1..width).filter(is_used).min_by_key(cost)
}

enum Elimination {
    Rows(Vec<Row>),
    Contradiction,
    TooLarge,
}

fn eliminated(rows: &[Row], column: usize) -> Elimination {
    let mut kept = Vec::new();
    let mut lower = Vec::new();
    let mut upper = Vec::new();
    for row in rows {
        match row[column].signum() {
            0 => kept.push(row.clone()),
            1 => lower.push(row),
            _ => upper.push(row),
        }
    }
    if MOST_ROWS < lower.len().saturating_mul(upper.len()) {
        return Elimination::TooLarge;
    }
    for low in &lower {
        for high in &upper {
            match combined(-high[column], low, low[column], high) {
                Some(row) => kept.push(row),
                None => return Elimination::TooLarge,
            }
        }
    }
    match tightened(kept) {
        None => Elimination::Contradiction,
        Some(rows) if MOST_ROWS < rows.len() => Elimination::TooLarge,
        Some(rows) => Elimination::Rows(rows),
    }
}

fn gcd_of(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.abs(), b.abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::may_hold;

    #[test]
    fn bounds_that_cross_do_not_hold() {
        // 0 <= x, x <= y - 1, y <= z, z <= x
        let rows = vec![
            vec![0, 1, 0, 0],
            vec![-1, -1, 1, 0],
            vec![0, 0, -1, 1],
            vec![0, 1, 0, -1],
        ];
        assert!(!may_hold(Vec::new(), rows.clone()));
        assert!(may_hold(Vec::new(), rows[..3].to_vec()));
    }

    #[test]
    fn equalities_without_integers_do_not_hold() {
        assert!(!may_hold(vec![vec![1, 2, -4]], Vec::new()));
        assert!(may_hold(vec![vec![2, 2, -4]], Vec::new()));
        // x = 2y, 1 <= x <= 1
        let unit = vec![vec![-1, 1, 0], vec![1, -1, 0]];
        assert!(!may_hold(vec![vec![0, 1, -2]], unit));
    }
}
