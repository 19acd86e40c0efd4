//! The greatest and the least value of a variable, for each value of the others.

use premiss_presburger::{Affine, Column, Floor, Refusal};

use crate::raw::{Dimension, Extreme, RawForm};
use crate::{Set, SetSpace};

/// The greatest or least value of a variable on a part of the domain of the other columns.
///
/// The greatest `x` with `2x <= n` is `floor(n/2)`: `floors` has `n/2`, and `value` is the column of that floor.
#[derive(Clone, Debug)]
pub struct Extremum {
    /// Where the value holds: a set over the other columns, in their order.
    pub domain: Set,
    /// The value, over the columns of `domain` followed by one for each floor.
    pub value: Affine,
    /// The floors that the value uses, each over the same columns as the value.
    pub floors: Vec<Floor>,
}

impl Set {
    /// The greatest value of the variable at `column`, for each value of the other columns for which there is a point:
    /// the parametric maximum that isl computes. No two domains share a point.
    ///
    /// # Errors
    /// [`Refusal::Unbounded`] where there is no greatest value, [`Refusal::Overflow`] where a coefficient does not fit
    /// 64 bits, and [`Refusal::Budget`] or [`Refusal::Failed`] as for any operation of a [`Set`].
    ///
    /// # Panics
    /// `column` is not that of a variable.
    pub fn maximum(&self, column: Column) -> Result<Vec<Extremum>, Refusal> {
        self.extremum(column, Extreme::Greatest)
    }

    /// The least value of the variable at `column`, as [`Set::maximum`] yields the greatest. No two domains share a
    /// point.
    ///
    /// # Errors
    /// As [`Set::maximum`], with [`Refusal::Unbounded`] where there is no least value.
    ///
    /// # Panics
    /// `column` is not that of a variable.
    pub fn minimum(&self, column: Column) -> Result<Vec<Extremum>, Refusal> {
        self.extremum(column, Extreme::Least)
    }

    fn extremum(&self, column: Column, side: Extreme) -> Result<Vec<Extremum>, Refusal> {
        let shape = self.shape();
        assert!(column.number() < shape.columns(), "a variable there is");
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
        value = Affine::variable(columns, Column::new(columns - 1));
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
