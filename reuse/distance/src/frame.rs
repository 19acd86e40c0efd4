//! The parts of an entry's accesses where sizes are numbers.

use crate::form::Entry;
use crate::part::Part;
use crate::polynomial::{Exponents, Polynomial, add, multiply};
use crate::projection::gcd;
use crate::row::Row;
use premiss_presburger::{Affine, Piece, Rational, Refusal, System};

/// The value of a piece in which no axis is left; zero where its domain does not hold.
pub(crate) fn number(piece: &Piece, values: &[i128]) -> Result<i128, Refusal> {
    let mut point = values.to_vec();
    point.resize(piece.domain.variables, 0);
    if !piece.domain.contains(&point)? {
        return Ok(0);
    }
    let columns = piece.domain.values(&point)?;
    whole(piece.value.at(&columns)?)
}

fn whole(value: Rational) -> Result<i128, Refusal> {
    Ok(value.to_integer().expect("a count is a whole number"))
}

/// What of an entry is the same for all pieces of its multiplicity, sizes being numbers.
///
/// Axes come first, then the floors of the distance, then those of a piece.
pub(crate) struct Frame<'a> {
    values: &'a [i128],
    entry: &'a Entry,
    distance: Polynomial,
    /// What defines the distance's floors.
    rows: Vec<Row>,
}

impl<'a> Frame<'a> {
    /// For the pieces of an entry at some sizes.
    pub(crate) fn new(entry: &'a Entry, values: &'a [i128]) -> Result<Self, Refusal> {
        let mut frame = Self {
            values,
            entry,
            distance: Polynomial::zero(),
            rows: Vec::new(),
        };
        let axes = entry.axes.len();
        frame.distance = frame.polynomial(&entry.distance, axes)?;
        let mut rows = Vec::new();
        frame.add_rows(&entry.distance, axes, &mut rows)?;
        frame.rows = rows;
        Ok(frame)
    }

    /// The accesses of one piece of an entry's multiplicity; nothing where there are plainly none.
    pub(crate) fn part(&self, piece: &Piece) -> Result<Option<Part>, Refusal> {
        let floors = self.entry.axes.len() + self.entry.distance.domain.floors.len();
        let width = floors + piece.domain.floors.len();
        let mut rows = self.rows.clone();
        self.add_rows(piece, floors, &mut rows)?;
        let multiplicity = self.polynomial(piece, floors)?;
        match Part::new(width, rows, self.distance.clone(), multiplicity)? {
            None => Ok(None),
            Some(part) => part.untangled(),
        }
    }

    /// Adds the constraints of a piece, its floors being the axes from `floors` on. Floors on which
    /// nothing depends are zero: they may be of variables that are summed out.
    fn add_rows(&self, piece: &Piece, floors: usize, rows: &mut Vec<Row>) -> Result<(), Refusal> {
        let system = &piece.domain;
        for form in &system.inequalities {
            rows.push(self.row(form, system, floors)?);
        }
        for form in &system.equalities {
            let row = self.row(form, system, floors)?;
            rows.extend([row, row.negated()?]);
        }
        let needed = needed_floors(piece);
        for (index, floor) in system.floors.iter().enumerate() {
            let axis = floors + index;
            if needed[index] {
                let rest = self.row(&floor.numerator, system, floors)?;
                let rest = rest.plus(
                    axis,
                    floor.denominator.checked_neg().ok_or(Refusal::Overflow)?,
                )?;
                let mut below = rest.negated()?;
                below.constant = add(below.constant, i128::from(floor.denominator) - 1)?;
                rows.extend([rest, below]);
            } else {
                let row = Row::new(0).plus(axis, 1)?;
                rows.extend([row, row.negated()?]);
            }
        }
        Ok(())
    }

    fn row(&self, form: &Affine, system: &System, floors: usize) -> Result<Row, Refusal> {
        let mut row = Row::new(i128::from(form.constant_term()));
        for column in form.support() {
            let coefficient = form.coefficient(column);
            match self.place(column, system, floors) {
                Place::Number(value) => {
                    let term = multiply(i128::from(coefficient), value)?;
                    row.constant = add(row.constant, term)?;
                }
                Place::Axis(axis) => row = row.plus(axis, coefficient)?,
            }
        }
        Ok(row)
    }

    /// The value of a piece as a polynomial in the axes.
    fn polynomial(&self, piece: &Piece, floors: usize) -> Result<Polynomial, Refusal> {
        let mut terms: Vec<(Exponents, Rational)> = Vec::new();
        for (monomial, coefficient) in piece.value.terms() {
            let mut exponents = Exponents::default();
            let mut factor = coefficient;
            for (column, power) in monomial.powers() {
                let power = u32::try_from(power).map_err(|_| Refusal::Overflow)?;
                match self.place(column, &piece.domain, floors) {
                    Place::Number(value) => {
                        let value = value.checked_pow(power).ok_or(Refusal::Overflow)?;
                        factor = factor.times(Rational::new(value, 1)?)?;
                    }
                    Place::Axis(axis) => exponents = exponents.times(axis, power)?,
                }
            }
            terms.push((exponents, factor));
        }
        common_denominator(&terms)
    }

    fn place(&self, column: usize, system: &System, floors: usize) -> Place {
        if column <= self.values.len() {
            return Place::Number(self.values[column - 1]);
        }
        if system.variables < column {
            return Place::Axis(floors + column - system.variables - 1);
        }
        let axis = self.entry.axes.iter().position(|axis| *axis == column);
        Place::Axis(axis.expect("all columns but the axes are summed out"))
    }
}

/// For each floor of a piece whether its value or its constraints depend on it.
fn needed_floors(piece: &Piece) -> Vec<bool> {
    let system = &piece.domain;
    let mut needed = vec![false; system.floors.len()];
    let mut open = piece.value.support();
    for form in system.equalities.iter().chain(&system.inequalities) {
        open.extend(form.support());
    }
    while let Some(column) = open.pop() {
        if let Some(floor) = column.checked_sub(system.variables + 1)
            && !needed[floor]
        {
            needed[floor] = true;
            open.extend(system.floors[floor].numerator.support());
        }
    }
    needed
}

/// What a column has become.
enum Place {
    Number(i128),
    Axis(usize),
}

fn common_denominator(terms: &[(Exponents, Rational)]) -> Result<Polynomial, Refusal> {
    let mut denominator = 1_i128;
    for (_, coefficient) in terms {
        let step = coefficient.denominator() / gcd(denominator, coefficient.denominator());
        denominator = multiply(denominator, step)?;
    }
    let mut scaled = Vec::with_capacity(terms.len());
    for (exponents, coefficient) in terms {
        let factor = denominator / coefficient.denominator();
        scaled.push((*exponents, multiply(coefficient.numerator(), factor)?));
    }
    Polynomial::new(denominator, scaled)
}
