//! The greatest and the least value of a variable, for each value of the others.

use premiss_presburger::{Affine, Floor, Refusal};

use crate::raw::{Dimension, Extreme, RawForm};
use crate::{Set, SetSpace};

/// The greatest or least value of a variable where the others are in a domain.
///
/// The greatest `x` with `2x <= n` is `floor(n/2)`: its floor is `n/2`, its value that floor.
#[derive(Clone, Debug)]
pub struct Extremum {
    /// Where the value holds: a set of the others.
    pub domain: Set,
    /// The value, over the columns of the domain and, behind them, the floors.
    pub value: Affine,
    /// The floors that it uses, each over the same columns as the value.
    pub floors: Vec<Floor>,
}

impl Set {
    /// For each value of the other columns for which there is a point, the greatest value of a
    /// variable. No two domains share a point.
    ///
    /// # Errors
    /// There is no greatest, isl fails, or a coefficient does not fit 64 bits.
    pub fn maximum(&self, column: usize) -> Result<Vec<Extremum>, Refusal> {
        self.extremum(column, Extreme::Greatest)
    }

    /// For each value of the other columns for which there is a point, the least value of a
    /// variable. No two domains share a point.
    ///
    /// # Errors
    /// There is no least, isl fails, or a coefficient does not fit 64 bits.
    pub fn minimum(&self, column: usize) -> Result<Vec<Extremum>, Refusal> {
        self.extremum(column, Extreme::Least)
    }

    fn extremum(&self, column: usize, side: Extreme) -> Result<Vec<Extremum>, Refusal> {
        let shape = self.shape();
        assert!(column < shape.columns(), "a variable there is");
        let position = shape.position(column);
        let rest = SetSpace {
            variables: shape.variables - 1,
            ..shape
        };
        let pieces = self.raw().extremum(shape.variables, position, side)?;
        let whole = |(domain, value): (_, RawForm)| {
            let (value, floors) = value_and_floors(rest, &value)?;
            Ok(Extremum {
                domain: Set::new(domain, rest)?,
                value,
                floors,
            })
        };
        pieces.into_iter().map(whole).collect()
    }
}

/// An integer form of isl, in which a fraction is the floor of itself.
fn value_and_floors(shape: SetSpace, form: &RawForm) -> Result<(Affine, Vec<Floor>), Refusal> {
    let divisions = form.columns(Dimension::Division)?;
    let mut floors = Vec::with_capacity(divisions + 1);
    for division in 0..divisions {
        floors.push(numerator(shape, divisions, &form.division(division)?)?);
    }
    let (mut value, denominator) = numerator(shape, divisions, form)?;
    if denominator != 1 {
        floors.push((value, denominator));
        let columns = shape.columns() + floors.len();
        value = Affine::variable(columns, columns - 1);
    }
    let columns = shape.columns() + floors.len();
    let floor = |(numerator, denominator): (Affine, i64)| Floor {
        numerator: numerator.widened(columns),
        denominator,
    };
    Ok((value, floors.into_iter().map(floor).collect()))
}

/// A form of isl as integer coefficients, of the divisions too, over a common denominator.
fn numerator(shape: SetSpace, divisions: usize, form: &RawForm) -> Result<(Affine, i64), Refusal> {
    let denominator = form.denominator()?;
    let kinds = [
        (Dimension::Parameter, shape.parameters),
        (Dimension::Input, shape.variables),
        (Dimension::Division, divisions),
    ];
    let mut fractions = vec![form.constant()?];
    for (kind, count) in kinds {
        for position in 0..count {
            fractions.push(form.coefficient(kind, position)?);
        }
    }
    let scale = |(number, part): (i64, i64)| number.checked_mul(denominator / part);
    let coefficients: Option<Vec<i64>> = fractions.into_iter().map(scale).collect();
    let coefficients = coefficients.ok_or(Refusal::Overflow)?;
    Ok((Affine::new(coefficients), denominator))
}
