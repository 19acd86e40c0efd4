//! A sum on its way: constraints, the columns still to be summed over, and what is summed.

use crate::rows::{RowMatrix, add, content, is_constant, is_opposite, tighten};
use crate::space::Space;
use crate::{Column, Polynomial, Refusal};

/// `Σ weight` over the values of the counted columns within the constraints, as a function of the
/// other columns.
#[derive(Clone, Debug)]
pub(crate) struct Summand {
    pub(crate) space: Space,
    pub(crate) equalities: RowMatrix,
    pub(crate) inequalities: RowMatrix,
    /// Columns still to be summed over.
    pub(crate) counted: Vec<Column>,
    pub(crate) weight: Polynomial,
}

/// What is known of constraints after a glance.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Feasibility {
    /// There may be points.
    Perhaps,
    /// There are none.
    Empty,
}

impl Summand {
    /// Constraints in lowest terms, parallel ones united, opposite ones that meet made equalities.
    pub(crate) fn tidy(&mut self) -> Feasibility {
        if self.tidy_inequalities() == Feasibility::Empty {
            return Feasibility::Empty;
        }
        let mut empty = false;
        for row in self.equalities.iter_mut() {
            let divisor = content(row);
            empty |= match divisor {
                0 => row[0] != 0,
                _ => row[0] % divisor != 0,
            };
            if 1 < divisor {
                row.iter_mut().for_each(|x| *x /= divisor);
            }
        }
        self.equalities.retain(|row| !is_constant(row));
        match empty {
            true => Feasibility::Empty,
            false => Feasibility::Perhaps,
        }
    }

    fn tidy_inequalities(&mut self) -> Feasibility {
        let mut kept = RowMatrix::new(self.space.width());
        for row in self.inequalities.iter_mut() {
            tighten(row);
            if is_constant(row) {
                if row[0] < 0 {
                    return Feasibility::Empty;
                }
                continue;
            }
            let parallel = kept.iter_mut().find(|other| other[1..] == row[1..]);
            if let Some(other) = parallel {
                other[0] = other[0].min(row[0]);
            } else {
                kept.push(row);
            }
        }
        let mut index = 0;
        while index < kept.len() {
            let opposite = (index + 1..kept.len())
                .find(|other| is_opposite(kept.row(index), kept.row(*other)));
            let Some(other) = opposite else {
                index += 1;
                continue;
            };
            let sum = i128::from(kept.row(index)[0]) + i128::from(kept.row(other)[0]);
            if sum < 0 {
                return Feasibility::Empty;
            }
            if sum == 0 {
                self.equalities.push(kept.row(index));
                kept.swap_remove(other);
                kept.swap_remove(index);
            } else {
                index += 1;
            }
        }
        self.inequalities = kept;
        Feasibility::Perhaps
    }

    /// Puts `row` in the place of a column, everywhere; `row` does not depend on it, or depends on
    /// it as a new column of the same number.
    pub(crate) fn substitute(&mut self, column: Column, row: &[i64]) -> Result<(), Refusal> {
        let rows = self.equalities.iter_mut();
        for target in rows.chain(self.inequalities.iter_mut()) {
            let factor = std::mem::take(&mut target[column]);
            add(target, factor, row)?;
        }
        if self.weight.degree_in(column) != 0 {
            let value = Polynomial::from_row(row)?;
            self.weight = self.weight.substituted(column, &value)?;
        }
        Ok(())
    }

    /// The column of `floor(numerator / denominator)`; all rows become as wide as the space.
    pub(crate) fn add_floor(&mut self, numerator: &[i64], denominator: i64) -> Column {
        let column = self.space.floor(numerator, denominator);
        self.fit();
        column
    }

    /// Makes all rows as wide as the space.
    pub(crate) fn fit(&mut self) {
        self.equalities = self.equalities.widened(self.space.width());
        self.inequalities = self.inequalities.widened(self.space.width());
    }

    /// The smallest and the largest value of each column, as far as constraints on it alone tell.
    pub(crate) fn ranges(&self, context: &RowMatrix) -> Vec<(Option<i64>, Option<i64>)> {
        let mut ranges = vec![(None, None); self.space.width()];
        for row in self.inequalities.iter().chain(context.iter()) {
            let mut columns = Column::variables(row.len() - 1).filter(|column| row[*column] != 0);
            let (Some(column), None) = (columns.next(), columns.next()) else {
                continue;
            };
            let (low, high): &mut (Option<i64>, Option<i64>) = &mut ranges[column];
            let (constant, coefficient) = (row[0], row[column]);
            if 0 < coefficient {
                let least = constant.div_euclid(coefficient).checked_neg();
                *low = (*low).max(least);
            } else if let Some(divisor) = coefficient.checked_neg() {
                let most = constant.div_euclid(divisor);
                *high = Some(high.map_or(most, |high| high.min(most)));
            }
        }
        ranges
    }
}
