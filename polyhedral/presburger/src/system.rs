//! Conjunctions of affine constraints.

use crate::{Affine, Refusal};

/// The integer points that satisfy some affine constraints: `e = 0` for each of `equalities`, and
/// `0 <= f` for each of `inequalities`.
///
/// Columns `1 ..= variables` are the variables. The columns behind them are `floors`, functions of
/// the columns before: a point has one value for each, so floors add no points. Each form is over
/// all `1 + variables + floors.len()` columns.
///
/// `{ x : 0 <= x <= 9, x even }` is `0 <= x`, `0 <= 9 - x`, `q = floor(x/2)`, `x - 2q = 0`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct System {
    /// How many variables there are, parameters included.
    pub variables: usize,
    /// What the columns behind the variables stand for.
    pub floors: Vec<Floor>,
    /// Forms that are zero.
    pub equalities: Vec<Affine>,
    /// Forms that are not negative.
    pub inequalities: Vec<Affine>,
}

/// `floor(numerator / denominator)`; the denominator is positive, and the numerator depends on no
/// floor that is not defined before this one.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Floor {
    /// What is divided, over all columns of its system.
    pub numerator: Affine,
    /// What it is divided by.
    pub denominator: i64,
}

impl System {
    /// All points of so many variables.
    #[must_use]
    pub fn universe(variables: usize) -> Self {
        Self {
            variables,
            floors: Vec::new(),
            equalities: Vec::new(),
            inequalities: Vec::new(),
        }
    }

    /// How many columns its forms are over, the constant one included.
    #[must_use]
    pub fn columns(&self) -> usize {
        1 + self.variables + self.floors.len()
    }

    /// Adds a column for `floor(numerator / denominator)`, the numerator over the columns so far;
    /// yields the new column.
    pub fn add_floor(&mut self, numerator: &Affine, denominator: i64) -> usize {
        assert!(0 < denominator, "a denominator is positive");
        let column = self.columns();
        let widen = |form: &mut Affine| *form = form.widened(column + 1);
        self.floors
            .iter_mut()
            .for_each(|floor| widen(&mut floor.numerator));
        self.equalities.iter_mut().for_each(widen);
        self.inequalities.iter_mut().for_each(widen);
        self.floors.push(Floor {
            numerator: numerator.widened(column + 1),
            denominator,
        });
        column
    }

    /// Adds the constraints of a system over the first of its variables, floors included.
    pub fn require(&mut self, other: &Self) {
        assert!(
            other.variables <= self.variables,
            "over its first variables"
        );
        let mut columns: Vec<usize> = (1..=other.variables).collect();
        for floor in &other.floors {
            let numerator = moved(&floor.numerator, &columns, self.columns());
            columns.push(self.add_floor(&numerator, floor.denominator));
        }
        let width = self.columns();
        let equalities = other.equalities.iter();
        self.equalities
            .extend(equalities.map(|form| moved(form, &columns, width)));
        let inequalities = other.inequalities.iter();
        self.inequalities
            .extend(inequalities.map(|form| moved(form, &columns, width)));
    }

    /// The values of all columns but the constant one, at a point given by its variables.
    ///
    /// # Errors
    /// A value does not fit 128 bits.
    pub fn values(&self, point: &[i128]) -> Result<Vec<i128>, Refusal> {
        assert_eq!(point.len(), self.variables, "one value for each variable");
        let mut values = point.to_vec();
        values.resize(self.columns() - 1, 0);
        for (index, floor) in self.floors.iter().enumerate() {
            let numerator = floor.numerator.at(&values)?;
            values[self.variables + index] = numerator.div_euclid(i128::from(floor.denominator));
        }
        Ok(values)
    }

    /// Whether a point, given by its variables, is in it.
    ///
    /// # Errors
    /// A value does not fit 128 bits.
    pub fn contains(&self, point: &[i128]) -> Result<bool, Refusal> {
        let values = self.values(point)?;
        for form in &self.equalities {
            if form.at(&values)? != 0 {
                return Ok(false);
            }
        }
        for form in &self.inequalities {
            if form.at(&values)? < 0 {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// A form with each column `c` moved to `columns[c - 1]`; columns past these have no part in it.
fn moved(form: &Affine, columns: &[usize], width: usize) -> Affine {
    let mut coefficients = vec![0; width];
    coefficients[0] = form.constant_term();
    for column in form.support() {
        coefficients[columns[column - 1]] = form.coefficient(column);
    }
    Affine::new(coefficients)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn even_numbers() {
        let mut even = System::universe(1);
        even.inequalities = vec![Affine::new(vec![0, 1]), Affine::new(vec![9, -1])];
        even.add_floor(&Affine::variable(2, 1), 2);
        even.equalities.push(Affine::new(vec![0, 1, -2]));
        let inside = |x| even.contains(&[x]).expect("fits");
        let found: Vec<i128> = (-3..14).filter(|x| inside(*x)).collect();
        assert_eq!(found, [0, 2, 4, 6, 8]);
    }
}
