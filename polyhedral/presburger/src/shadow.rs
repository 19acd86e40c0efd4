//! What constraints imply for the first of their variables, by Fourier-Motzkin elimination.
//!
//! `0 <= i`, `i <= n - 1` and `m <= i` imply `1 <= n`, `m <= n - 1`: wherever some `i` satisfies all three, sizes satisfy
//! these two. The converse does not hold: there may be sizes that satisfy them without any integer `i`.

use crate::rows::{content, is_constant, tighten};
use crate::{Affine, Column, Refusal, System};
use premiss_arithmetic::gcd;
use std::collections::BTreeMap;

/// More constraints than this are not worth their while.
const MOST_ROWS: usize = 160;

/// Rows without their constants, each with its least constant, which is the strongest.
type Rows = BTreeMap<Vec<i64>, i64>;

impl System {
    /// Inequalities over the first `kept` variables that hold wherever the system has a point.
    ///
    /// # Errors
    /// A coefficient does not fit 64 bits; [`Refusal::Budget`] where there are too many constraints on the way.
    pub fn shadow(&self, kept: usize) -> Result<Vec<Affine>, Refusal> {
        let mut rows = self.all_rows()?;
        while let Some(column) = cheapest(&rows, kept) {
            rows = eliminated(&rows, column)?;
        }
        let whole = |(row, constant): (Vec<i64>, i64)| {
            let mut row = row[..=kept].to_vec();
            row[0] = constant;
            Affine::new(row)
        };
        Ok(rows.into_iter().map(whole).collect())
    }

    /// The forms that are not negative, those of floors included.
    fn all_rows(&self) -> Result<Rows, Refusal> {
        let mut rows = Rows::new();
        for form in &self.inequalities {
            insert(&mut rows, form.coefficients().to_vec());
        }
        let mut zeros = self.equalities.clone();
        for (index, floor) in self.floors.iter().enumerate() {
            // 0 <= numerator - denominator·floor <= denominator - 1
            let own = Affine::variable(self.columns(), self.floor_column(index));
            let rest = floor.numerator.plus(-floor.denominator, &own)?;
            let room = Affine::constant(self.columns(), floor.denominator - 1).plus(-1, &rest)?;
            insert(&mut rows, rest.coefficients().to_vec());
            insert(&mut rows, room.coefficients().to_vec());
        }
        for form in &mut zeros {
            insert(&mut rows, form.coefficients().to_vec());
            insert(&mut rows, form.times(-1)?.coefficients().to_vec());
        }
        Ok(rows)
    }
}

/// Adds a row in lowest terms; one without variables says nothing of them.
fn insert(rows: &mut Rows, mut row: Vec<i64>) {
    if is_constant(&row) || content(&row) == 0 {
        return;
    }
    tighten(&mut row);
    let constant = std::mem::take(&mut row[0]);
    let known = rows.entry(row).or_insert(constant);
    *known = constant.min(*known);
}

/// The column behind the kept ones whose elimination leaves the fewest rows.
fn cheapest(rows: &Rows, kept: usize) -> Option<Column> {
    let width = rows.keys().next()?.len();
    let columns = Column::variables(width - 1).skip(kept);
    let cost = |column: &Column| {
        let with = |sign: i64| {
            let signs = rows.keys().map(|row| row[*column].signum());
            signs.filter(|own| *own == sign).count()
        };
        let (lower, upper) = (with(1), with(-1));
        (0 < lower + upper).then(|| (lower * upper).saturating_sub(lower + upper))
    };
    let costs = columns.filter_map(|column| Some((cost(&column)?, column)));
    costs
        .min_by_key(|(cost, column)| (*cost, column.place()))
        .map(|(_, column)| column)
}

/// What rows say of the other columns.
fn eliminated(rows: &Rows, column: Column) -> Result<Rows, Refusal> {
    let mut left = Rows::new();
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
            let divisor = gcd(low[column].unsigned_abs(), high[column].unsigned_abs());
            let divisor = i64::try_from(divisor).map_err(|_| Refusal::Overflow)?;
            let (a, b) = (low[column] / divisor, -(high[column] / divisor));
            let sum = |x: i64, y: i64| x.checked_mul(b)?.checked_add(y.checked_mul(a)?);
            let row: Option<Vec<i64>> = low.iter().zip(high).map(|(x, y)| sum(*x, *y)).collect();
            let mut row = row.ok_or(Refusal::Overflow)?;
            row[0] = sum(*below, *above).ok_or(Refusal::Overflow)?;
            insert(&mut left, row);
        }
    }
    match left.len() <= MOST_ROWS {
        true => Ok(left),
        false => Err(Refusal::Budget),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_iterators_need_of_sizes() {
        // 0 <= i < n, m <= i over n, m, i
        let mut system = System::universe(3);
        let rows = [vec![0, 0, 0, 1], vec![-1, 1, 0, -1], vec![0, 0, -1, 1]];
        system.inequalities = rows.map(Affine::new).to_vec();
        let expected = [vec![-1, 1, 0], vec![-1, 1, -1]].map(Affine::new);
        let mut found = system.shadow(2).expect("few rows");
        found.sort();
        let mut expected = expected.to_vec();
        expected.sort();
        assert_eq!(found, expected);
    }

    #[test]
    fn integers_between_multiples_are_rounded() {
        // 8·x <= 63 and x = i, so x <= 7.
        let mut system = System::universe(2);
        system.inequalities = vec![Affine::new(vec![63, 0, -8])];
        system.equalities = vec![Affine::new(vec![0, 1, -1])];
        let found = system.shadow(1).expect("few rows");
        assert_eq!(found, [Affine::new(vec![7, -1])]);
    }
}
