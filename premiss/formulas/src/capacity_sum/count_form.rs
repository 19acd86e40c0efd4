//! Counts as sums of pieces, and their evaluation at given sizes.

use crate::columns::{in_narrower_system, renumbered};
use premiss_presburger::{Affine, Column, Piece, Rational, Refusal, united};

/// A count as a sum of pieces over given columns and columns that are computed from these.
#[derive(Clone, PartialEq, Debug)]
pub struct CountForm {
    /// The number of given columns: those of the sizes, then the capacity if there is one.
    pub columns: usize,
    /// The values of the computed columns, which follow the given ones: polynomials over the given columns and floors,
    /// rounded down.
    pub computed: Vec<Piece>,
    /// The summands, over the given and the computed columns.
    pub pieces: Vec<Piece>,
    /// Summands that also depend on loop variables, to be summed over these.
    pub looped: Vec<LoopedPieces>,
}

/// Pieces that are summed over all values of some loop variables.
#[derive(Clone, PartialEq, Debug)]
pub struct LoopedPieces {
    /// For each loop variable, outermost first, affine forms that are not negative at its values. Their columns are the
    /// given columns, then the loop variables up to this one; some forms bound it from below and some from above.
    pub bounds: Vec<Vec<Affine>>,
    /// A computed number, rounded down: over the given columns and the loop variables.
    pub computed: Piece,
    /// The summands, over the given columns, the loop variables and the computed number.
    pub pieces: Vec<Piece>,
}

impl LoopedPieces {
    fn at(&self, values: &mut Vec<i128>, depth: usize) -> Result<Rational, Refusal> {
        let Some(rows) = self.bounds.get(depth) else {
            let columns = self.computed.domain.values(values)?;
            let computed = self.computed.value.at(&columns)?.floor();
            values.push(computed);
            let total = total(&self.pieces, values);
            values.pop();
            return total;
        };
        let (mut low, mut high) = (i128::MIN, i128::MAX);
        for row in rows {
            let slope = i128::from(row.coefficient(Column::new(row.columns() - 1)));
            let mut point = values.clone();
            point.push(0);
            let rest = row.at(&point)?;
            match 0 < slope {
                true => low = low.max(-rest.div_euclid(slope)),
                false => high = high.min(rest.div_euclid(-slope)),
            }
        }
        let mut sum = Rational::ZERO;
        for value in low..=high {
            values.push(value);
            sum = sum.plus(self.at(values, depth + 1)?)?;
            values.pop();
        }
        Ok(sum)
    }
}

fn total(pieces: &[Piece], values: &[i128]) -> Result<Rational, Refusal> {
    let mut total = Rational::ZERO;
    for piece in pieces {
        if piece.domain.contains(values)? {
            total = total.plus(piece.value.at(&piece.domain.values(values)?)?)?;
        }
    }
    Ok(total)
}

impl CountForm {
    /// The form of pieces whose first `columns` variables are the given columns; they must not depend on other
    /// variables.
    ///
    /// # Errors
    /// A number does not fit 128 bits.
    pub fn of_pieces(columns: usize, pieces: &[Piece]) -> Result<Self, Refusal> {
        let pieces = pieces.iter().map(|piece| {
            let variables = piece.domain.variables;
            renumbered(piece, columns, |column| {
                in_narrower_system(column, variables, columns)
            })
        });
        Ok(Self {
            columns,
            computed: Vec::new(),
            pieces: united(pieces.collect::<Result<_, _>>()?),
            looped: Vec::new(),
        })
    }

    /// The value at a point, which has one number for each given column.
    ///
    /// # Errors
    /// A number does not fit 128 bits.
    pub fn at(&self, point: &[i128]) -> Result<Rational, Refusal> {
        let mut values = point.to_vec();
        for computed in &self.computed {
            let columns = computed.domain.values(point)?;
            values.push(computed.value.at(&columns)?.floor());
        }
        let mut sum = total(&self.pieces, &values)?;
        for looped in &self.looped {
            sum = sum.plus(looped.at(&mut point.to_vec(), 0)?)?;
        }
        Ok(sum)
    }
}
