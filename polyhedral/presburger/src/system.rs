//! Conjunctions of affine constraints.

use crate::rows::{add, content, is_constant};
use crate::{Affine, Column, Refusal};

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

    /// The column of a floor, by its index in `floors`.
    #[must_use]
    pub fn floor_column(&self, index: usize) -> Column {
        Column::at_place(self.variables + index)
    }

    /// The index in `floors` of the floor that a column stands for; nothing for variables and the constant.
    #[must_use]
    pub fn floor_at(&self, column: Column) -> Option<usize> {
        column.number().checked_sub(1 + self.variables)
    }

    /// Adds a column for `floor(numerator / denominator)`, the numerator over the columns so far;
    /// yields the new column.
    pub fn add_floor(&mut self, numerator: &Affine, denominator: i64) -> Column {
        assert!(0 < denominator, "a denominator is positive");
        let column = self.floor_column(self.floors.len());
        let width = self.columns() + 1;
        let widen = |form: &mut Affine| *form = form.widened(width);
        self.floors
            .iter_mut()
            .for_each(|floor| widen(&mut floor.numerator));
        self.equalities.iter_mut().for_each(widen);
        self.inequalities.iter_mut().for_each(widen);
        self.floors.push(Floor {
            numerator: numerator.widened(width),
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
        let mut columns: Vec<Column> = Column::variables(other.variables).collect();
        for floor in &other.floors {
            let numerator = renumbered(&floor.numerator, &columns, self.columns());
            columns.push(self.add_floor(&numerator, floor.denominator));
        }
        let width = self.columns();
        let equalities = other.equalities.iter();
        self.equalities
            .extend(equalities.map(|form| renumbered(form, &columns, width)));
        let inequalities = other.inequalities.iter();
        self.inequalities
            .extend(inequalities.map(|form| renumbered(form, &columns, width)));
    }

    /// The points `x` over so many variables for which `map(x)` is in it, one form over these
    /// variables for each of its own; nothing where it is plain that there are none. Floors stay,
    /// behind the new variables.
    ///
    /// # Errors
    /// A coefficient does not fit 64 bits.
    pub fn preimage(&self, variables: usize, map: &[Affine]) -> Result<Option<Self>, Refusal> {
        assert_eq!(map.len(), self.variables, "one form for each variable");
        let equalities = replaced_all(&self.equalities, variables, map, can_be_zero)?;
        let Some(equalities) = equalities else {
            return Ok(None);
        };
        let inequalities = replaced_all(&self.inequalities, variables, map, can_be_positive)?;
        let Some(inequalities) = inequalities else {
            return Ok(None);
        };
        let floor = |floor: &Floor| {
            Ok::<_, Refusal>(Floor {
                numerator: replaced(&floor.numerator, variables, map)?,
                denominator: floor.denominator,
            })
        };
        Ok(Some(Self {
            variables,
            floors: self.floors.iter().map(floor).collect::<Result<_, _>>()?,
            equalities,
            inequalities,
        }))
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

/// Forms with their variables replaced; nothing where it is plain that one of them `holds` nowhere.
fn replaced_all(
    forms: &[Affine],
    variables: usize,
    map: &[Affine],
    holds: impl Fn(&[i64]) -> bool,
) -> Result<Option<Vec<Affine>>, Refusal> {
    let mut all = Vec::with_capacity(forms.len());
    for form in forms {
        let form = replaced(form, variables, map)?;
        if !holds(form.coefficients()) {
            return Ok(None);
        }
        all.push(form);
    }
    Ok(Some(all))
}

/// A form with forms over so many variables in the place of its own ones; floors stay behind these.
fn replaced(form: &Affine, variables: usize, map: &[Affine]) -> Result<Affine, Refusal> {
    let (own, floors) = form.coefficients().split_at(1 + map.len());
    let mut replaced = Vec::with_capacity(1 + variables + floors.len());
    replaced.resize(1 + variables, 0);
    replaced.extend_from_slice(floors);
    replaced[0] = own[0];
    for (coefficient, value) in own[1..].iter().zip(map) {
        assert_eq!(value.columns(), 1 + variables, "forms over the variables");
        add(&mut replaced, *coefficient, value.coefficients())?;
    }
    Ok(Affine::new(replaced))
}

/// Whether integers can make a form zero, as far as common divisors tell.
fn can_be_zero(row: &[i64]) -> bool {
    match content(row) {
        0 => row[0] == 0,
        divisor => row[0] % divisor == 0,
    }
}

/// Whether a form without variables is not negative; others may be.
fn can_be_positive(row: &[i64]) -> bool {
    0 <= row[0] || !is_constant(row)
}

/// A form with each column `c` moved to `columns[c - 1]`; columns past these have no part in it.
fn renumbered(form: &Affine, columns: &[Column], width: usize) -> Affine {
    let mut coefficients = vec![0; width];
    coefficients[0] = form.constant_term();
    for column in form.support() {
        coefficients[columns[column.place()]] = form.coefficient(column);
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
        even.add_floor(&Affine::variable(2, Column::new(1)), 2);
        even.equalities.push(Affine::new(vec![0, 1, -2]));
        let inside = |x| even.contains(&[x]).expect("fits");
        let found: Vec<i128> = (-3..14).filter(|x| inside(*x)).collect();
        assert_eq!(found, [0, 2, 4, 6, 8]);
        // `(x, y)` such that `3·x - y + 1` is one of them.
        let map = [Affine::new(vec![1, 3, -1])];
        let preimage = even
            .preimage(2, &map)
            .expect("fits")
            .expect("no contradiction");
        for (x, y) in (-3..6).flat_map(|x| (-9..9).map(move |y| (x, y))) {
            let expected = inside(3 * x - y + 1);
            assert_eq!(preimage.contains(&[x, y]), Ok(expected), "{x} {y}");
        }
        let beyond = [Affine::new(vec![10, 0, 0])];
        assert_eq!(even.preimage(2, &beyond), Ok(None));
    }
}
