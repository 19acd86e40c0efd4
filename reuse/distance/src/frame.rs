//! The parts of an entry's accesses where sizes are numbers.

use crate::form::Entry;
use crate::part::{Part, Row};
use crate::polynomial::{Exponents, Polynomial, multiply};
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

/// Where the columns of an entry's systems go, sizes being numbers.
#[derive(Clone, Copy)]
pub(crate) struct Frame<'a> {
    values: &'a [i128],
    axes: &'a [usize],
    /// Axes, and floors as further ones.
    width: usize,
}

impl<'a> Frame<'a> {
    /// For one piece of an entry's multiplicity.
    pub(crate) fn new(entry: &'a Entry, piece: &Piece, values: &'a [i128]) -> Self {
        let floors = piece.domain.floors.len() + entry.distance.domain.floors.len();
        Self {
            values,
            axes: &entry.axes,
            width: entry.axes.len() + floors,
        }
    }

    /// The accesses of one piece of an entry's multiplicity; nothing where there are plainly none.
    pub(crate) fn part(self, entry: &Entry, piece: &Piece) -> Result<Option<Part>, Refusal> {
        let (own, others) = (self.axes.len(), self.axes.len() + piece.domain.floors.len());
        let mut rows = self.rows(&piece.domain, own)?;
        rows.extend(self.rows(&entry.distance.domain, others)?);
        let distance = self.polynomial(&entry.distance, others)?;
        let multiplicity = self.polynomial(piece, own)?;
        match Part::new(self.width, rows, distance, multiplicity)? {
            None => Ok(None),
            Some(part) => part.untangled(),
        }
    }

    /// The constraints of a system, its floors being the axes from `floors` on.
    fn rows(self, system: &System, floors: usize) -> Result<Vec<Row>, Refusal> {
        let mut rows: Vec<Vec<i128>> = Vec::new();
        for form in &system.inequalities {
            rows.push(self.row(form, system, floors)?);
        }
        for form in &system.equalities {
            let row = self.row(form, system, floors)?;
            rows.push(negated(&row));
            rows.push(row);
        }
        for (index, floor) in system.floors.iter().enumerate() {
            let denominator = i128::from(floor.denominator);
            let mut rest = self.row(&floor.numerator, system, floors)?;
            rest[1 + floors + index] -= denominator;
            let mut below = negated(&rest);
            below[0] += denominator - 1;
            rows.extend([rest, below]);
        }
        rows.iter().map(|row| Row::read(row)).collect()
    }

    fn row(self, form: &Affine, system: &System, floors: usize) -> Result<Vec<i128>, Refusal> {
        let mut row = vec![0; 1 + self.width];
        row[0] = i128::from(form.constant_term());
        for column in form.support() {
            let coefficient = i128::from(form.coefficient(column));
            match self.place(column, system, floors) {
                Place::Number(value) => {
                    let term = coefficient.checked_mul(value);
                    row[0] = term
                        .and_then(|term| term.checked_add(row[0]))
                        .ok_or(Refusal::Overflow)?;
                }
                Place::Axis(axis) => row[1 + axis] += coefficient,
            }
        }
        Ok(row)
    }

    /// The value of a piece as a polynomial in the axes.
    fn polynomial(self, piece: &Piece, floors: usize) -> Result<Polynomial, Refusal> {
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

    fn place(self, column: usize, system: &System, floors: usize) -> Place {
        if column <= self.values.len() {
            return Place::Number(self.values[column - 1]);
        }
        if system.variables < column {
            return Place::Axis(floors + column - system.variables - 1);
        }
        let axis = self.axes.iter().position(|axis| *axis == column);
        Place::Axis(axis.expect("all columns but the axes are summed out"))
    }
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

fn negated(row: &[i128]) -> Vec<i128> {
    row.iter().map(|x| -x).collect()
}

fn gcd(mut a: i128, mut b: i128) -> i128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a.abs()
}
