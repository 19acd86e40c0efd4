//! Misses as a function of the sizes and of how many lines a cache holds.
//!
//! An access misses where its distance is at least the capacity `C`. A distance is a polynomial of the
//! sizes and of a few loop variables, most often `Q(sizes) + L(loop variables)` with `L` linear: which
//! accesses miss is told by `L >= C - Q` then, and `t = C - Q` is one number, whatever its degree. So
//! the accesses are summed with `t` for one more size:
//!
//! ```text
//! n accesses j = 0 .. n - 1, at distance n² + j: those with j >= t, t = C - n²
//!     n       where t <= 0
//!     n - t   where 0 <= t <= n
//! ```
//!
//! A loop variable that is a factor of some product in `L` is gone through one by one instead, and is a
//! number for all else: of `n·i + j` the sum over `j` is a formula, and the one over `i` a loop.

mod bounds;
mod columns;
mod maker;

use columns::moved;
use maker::Maker;
use premiss_distance::SymbolicHistogram;
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
            moved(piece, columns, |column| match column <= variables {
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

/// The first accesses to lines, over the sizes.
///
/// # Errors
/// A number does not fit.
pub fn cold_form(histogram: &SymbolicHistogram) -> Result<CountForm, Refusal> {
    let cold = histogram.references.iter().flat_map(|x| &x.cold);
    let cold: Vec<Piece> = cold.cloned().collect();
    CountForm::of_pieces(histogram.parameters.len(), &cold)
}

/// The misses of a fully associative cache, over the sizes and the lines that it holds.
///
/// # Errors
/// [`Refusal::NotAffine`] where nothing bounds a loop variable that has to be gone through; so many
/// steps do not suffice; or a number does not fit.
pub fn misses_form(histogram: &SymbolicHistogram, steps: u64) -> Result<CountForm, Refusal> {
    let mut maker = Maker::new(histogram, steps);
    for reference in &histogram.references {
        for piece in &reference.cold {
            maker.add_cold(piece)?;
        }
        for entry in &reference.entries {
            maker.add(entry)?;
        }
    }
    maker.finish()
}
