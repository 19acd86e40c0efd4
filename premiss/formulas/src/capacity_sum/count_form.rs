//! Counts as sums of pieces, and their values at given sizes.

use super::columns::renumbered;
use premiss_presburger::{Affine, Piece, Rational, Refusal, united};

/// A number as a sum of pieces over columns that are given and others that are computed from them.
#[derive(Clone, PartialEq, Debug)]
pub struct CountForm {
    /// How many columns are given: those of the sizes, then the capacity where there is one.
    pub columns: usize,
    /// The numbers of the columns behind: integer polynomials over the given columns and floors.
    pub computed: Vec<Piece>,
    /// The summands, over the given columns and the computed ones.
    pub pieces: Vec<Piece>,
    /// Summands that depend on loop variables too, to be added up over these.
    pub looped: Vec<LoopedPieces>,
}

/// Pieces that are summed over all values of some loop variables.
#[derive(Clone, PartialEq, Debug)]
pub struct LoopedPieces {
    /// For each loop variable, the outermost first, what is not negative for each of its values, with
    /// the loop variables before it and itself behind the given columns: some rows bound it from
    /// below and some from above.
    pub bounds: Vec<Vec<Affine>>,
    /// A number: over the given columns and the loop variables.
    pub computed: Piece,
    /// The summands, over the given columns, the loop variables and that number.
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
            let slope = i128::from(row.coefficient(row.columns() - 1));
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
    /// The form of pieces over so many columns, and of others behind that they do not depend on.
    ///
    /// # Errors
    /// A number does not fit.
    pub fn of_pieces(columns: usize, pieces: &[Piece]) -> Result<Self, Refusal> {
        let pieces = pieces.iter().map(|piece| {
            let variables = piece.domain.variables;
            renumbered(piece, columns, |column| match column <= variables {
                true => column.min(columns),
                false => column - variables + columns,
            })
        });
        Ok(Self {
            columns,
            computed: Vec::new(),
            pieces: united(pieces.collect::<Result<_, _>>()?),
            looped: Vec::new(),
        })
    }

    /// The value where the given columns are these.
    ///
    /// # Errors
    /// A number does not fit.
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
