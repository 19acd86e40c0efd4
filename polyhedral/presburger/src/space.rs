//! The columns of several systems taken together.

use crate::elimination::Eliminator;
use crate::rows::{RowMatrix, add};
use crate::{Affine, Column, Floor, Polynomial, Refusal, System};

/// Variables, and the floors of all systems absorbed so far, each floor once.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Space {
    pub(crate) variables: usize,
    pub(crate) floors: Vec<FloorColumn>,
}

/// A column `floor(numerator / denominator)`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct FloorColumn {
    /// Without zeros at its end.
    numerator: Vec<i64>,
    denominator: i64,
    /// Whether the column has this value by definition; else it is a variable like others.
    pub(crate) defined: bool,
}

impl Space {
    pub(crate) fn new(variables: usize) -> Self {
        Self {
            variables,
            floors: Vec::new(),
        }
    }

    pub(crate) fn width(&self) -> usize {
        1 + self.variables + self.floors.len()
    }

    /// The column of a floor that was absorbed.
    pub(crate) fn floor_column(&self, index: usize) -> Column {
        Column::at_place(self.variables + index)
    }

    /// The column of a floor, a new one if need be.
    pub(crate) fn floor(&mut self, numerator: &[i64], denominator: i64) -> Column {
        self.floor_beside(&[], numerator, denominator)
    }

    /// The column of a floor that is none of the taken ones.
    fn floor_beside(&mut self, taken: &[Column], numerator: &[i64], denominator: i64) -> Column {
        let used = numerator.iter().rposition(|x| *x != 0);
        let numerator = &numerator[..used.map_or(1, |last| last + 1)];
        let same = |(index, floor): (usize, &FloorColumn)| {
            let alike = floor.denominator == denominator && floor.numerator == numerator;
            let free = floor.defined && !taken.contains(&self.floor_column(index));
            (alike && free).then_some(index)
        };
        let known = self.floors.iter().enumerate().find_map(same);
        let index = known.unwrap_or_else(|| {
            self.floors.push(FloorColumn {
                numerator: numerator.to_vec(),
                denominator,
                defined: true,
            });
            self.floors.len() - 1
        });
        self.floor_column(index)
    }

    /// Takes in the floors of a system over the same variables; yields the new column of each of its
    /// columns, the constant one first.
    pub(crate) fn absorb(&mut self, system: &System) -> Vec<Column> {
        assert_eq!(
            system.variables, self.variables,
            "systems over the same variables"
        );
        let mut map: Vec<Column> = Column::first(1 + self.variables).collect();
        for floor in &system.floors {
            let numerator = mapped(floor.numerator.coefficients(), &map, self.width());
            map.push(self.floor_beside(&map, &numerator, floor.denominator));
        }
        map
    }

    /// Rows over the columns of an absorbed system, over these columns.
    pub(crate) fn rows(&self, forms: &[Affine], map: &[Column]) -> RowMatrix {
        let mut rows = RowMatrix::new(self.width());
        for form in forms {
            rows.push(&mapped(form.coefficients(), map, self.width()));
        }
        rows
    }

    /// The columns of floors that are numbers, with these: `floor(7/4)` is 1.
    pub(crate) fn constant_floors(&self) -> Vec<(Column, i64)> {
        let mut constants: Vec<(Column, i64)> = Vec::new();
        for (index, floor) in self.floors.iter().enumerate() {
            let value = |column: Column| {
                let known = constants.iter().find(|x| x.0 == column);
                known.map(|x| i128::from(x.1))
            };
            let terms = Column::first(floor.numerator.len()).zip(&floor.numerator);
            let terms = terms.filter(|(_, x)| **x != 0).map(|(column, x)| {
                let one = (column == Column::CONSTANT).then_some(1);
                Some(i128::from(*x) * one.or_else(|| value(column))?)
            });
            let numerator: Option<i128> = terms.sum();
            let quotient = numerator.map(|x| x.div_euclid(floor.denominator.into()));
            if let Some(number) = quotient.and_then(|x| i64::try_from(x).ok())
                && floor.defined
            {
                constants.push((self.floor_column(index), number));
            }
        }
        constants
    }

    /// The numerator and the denominator of a floor.
    pub(crate) fn quotient(&self, index: usize) -> (Vec<i64>, i64) {
        let floor = &self.floors[index];
        (floor.numerator.clone(), floor.denominator)
    }

    /// `0 <= numerator - denominator·floor` and `0 <= denominator - 1 - (the same)`.
    pub(crate) fn definition(&self, index: usize) -> Result<[Vec<i64>; 2], Refusal> {
        let floor = &self.floors[index];
        let mut rest = vec![0; self.width()];
        rest[..floor.numerator.len()].copy_from_slice(&floor.numerator);
        rest[self.floor_column(index)] = -floor.denominator;
        let mut room = vec![0; self.width()];
        add(&mut room, -1, &rest)?;
        add(&mut room, 1, &[floor.denominator - 1])?;
        Ok([rest, room])
    }

    /// Hands the definitions over of all floors on which the constraints so far depend.
    pub(crate) fn define(&self, eliminator: &mut Eliminator) -> Result<(), Refusal> {
        if self.floors.iter().all(|floor| !floor.defined) {
            return Ok(());
        }
        let mut used = eliminator.support();
        for (index, floor) in self.floors.iter().enumerate().rev() {
            if floor.defined && used[self.floor_column(index)] {
                let numerator = floor.numerator.iter().zip(&mut used);
                numerator.for_each(|(x, used)| *used |= *x != 0);
                let rows = self.definition(index)?;
                rows.iter().for_each(|row| eliminator.inequality(row));
            }
        }
        Ok(())
    }

    /// Whether the floor's numerator has a coefficient for one of these columns.
    pub(crate) fn depends(&self, index: usize, columns: &[Column]) -> bool {
        let numerator = &self.floors[index].numerator;
        let used = |column: &Column| numerator.get(column.number()).is_some_and(|x| *x != 0);
        columns.iter().any(used)
    }

    /// The system of these rows with the floors that they and the polynomial need, and the
    /// polynomial over its columns.
    pub(crate) fn system(
        &self,
        equalities: &RowMatrix,
        inequalities: &RowMatrix,
        value: &Polynomial,
    ) -> Result<(System, Polynomial), Refusal> {
        let mut used = vec![false; self.width()];
        for row in equalities.iter().chain(inequalities.iter()) {
            row.iter()
                .zip(&mut used)
                .for_each(|(x, used)| *used |= *x != 0);
        }
        value
            .support()
            .iter()
            .for_each(|column| used[*column] = true);
        for index in (0..self.floors.len()).rev() {
            if used[self.floor_column(index)] {
                let numerator = self.floors[index].numerator.iter();
                numerator
                    .zip(&mut used)
                    .for_each(|(x, used)| *used |= *x != 0);
            }
        }
        let mut system = System::universe(self.variables);
        let mut map: Vec<Column> = Column::first(1 + self.variables).collect();
        for (index, floor) in self.floors.iter().enumerate() {
            if used[self.floor_column(index)] {
                let numerator = mapped(&floor.numerator, &map, system.columns());
                map.push(system.add_floor(&Affine::new(numerator), floor.denominator));
            } else {
                map.push(Column::CONSTANT);
            }
        }
        let width = system.columns();
        let forms = |rows: &RowMatrix| -> Vec<Affine> {
            rows.iter()
                .map(|row| Affine::new(mapped(row, &map, width)))
                .collect()
        };
        system.equalities = forms(equalities);
        system.inequalities = forms(inequalities);
        Ok((system, value.renumbered(|column| map[column])?))
    }
}

/// A row with its coefficients moved to other columns, no two to one.
pub(crate) fn mapped(row: &[i64], map: &[Column], width: usize) -> Vec<i64> {
    let mut moved = vec![0; width];
    for (coefficient, column) in row.iter().zip(map) {
        if *coefficient != 0 {
            moved[*column] = *coefficient;
        }
    }
    moved
}

impl System {
    /// The points that are in both; the columns of `self` keep their numbers.
    #[must_use]
    pub fn intersected(&self, other: &Self) -> Self {
        let mut both = self.clone();
        let mut map: Vec<Column> = Column::first(1 + self.variables).collect();
        assert_eq!(
            self.variables, other.variables,
            "systems over the same variables"
        );
        for floor in &other.floors {
            let numerator = mapped(floor.numerator.coefficients(), &map, both.columns());
            let wanted = Floor {
                numerator: Affine::new(numerator),
                denominator: floor.denominator,
            };
            let columns = (0..both.floors.len()).map(|index| both.floor_column(index));
            let mut same = columns
                .zip(&both.floors)
                .filter(|(_, floor)| **floor == wanted);
            let same = same.find(|(column, _)| !map.contains(column));
            map.push(match same {
                Some((column, _)) => column,
                None => both.add_floor(&wanted.numerator, wanted.denominator),
            });
        }
        let width = both.columns();
        let moved = |form: &Affine| Affine::new(mapped(form.coefficients(), &map, width));
        both.equalities.extend(other.equalities.iter().map(moved));
        both.inequalities
            .extend(other.inequalities.iter().map(moved));
        both
    }
}
