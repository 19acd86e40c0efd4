//! Entries with as few axes as they need.
//!
//! Where an axis is a function of the others, as in `d = 3x - y` on `y = x - 1`, the distance is one of
//! the others: `d = 2x + 1`. Rows that start at different places in a line make many such pieces, most
//! of them with the same few distances once they are written in the same way.

use crate::form::HistogramEntry;
use premiss_presburger::{Affine, Column, Piece, Polynomial, Refusal, System};

/// Entries of one piece each, which together have the accesses of `entry`.
///
/// # Errors
/// A number does not fit.
pub(crate) fn split_pieces(entry: HistogramEntry) -> Result<Vec<HistogramEntry>, Refusal> {
    let mut found = Vec::with_capacity(entry.multiplicity.len());
    for piece in entry.multiplicity {
        let single = SinglePieceEntry {
            axes: entry.axes.clone(),
            distance: entry.distance.clone(),
            piece,
        };
        if let Some(least) = single.least()? {
            found.push(HistogramEntry {
                axes: least.axes,
                distance: least.distance,
                multiplicity: vec![least.piece],
            });
        }
    }
    Ok(found)
}

/// An entry of one piece on its way.
struct SinglePieceEntry {
    axes: Vec<Column>,
    distance: Piece,
    piece: Piece,
}

impl SinglePieceEntry {
    /// Normalises the constraints and removes axes that others determine; `None` where there are no accesses.
    fn least(mut self) -> Result<Option<Self>, Refusal> {
        loop {
            let Some(domain) = self.piece.domain.tidied()? else {
                return Ok(None);
            };
            self.piece.domain = domain;
            if let Some((axis, form)) = self.dependent() {
                if !self.substitute(axis, &form)? {
                    return Ok(None);
                }
            } else if self.piece.value.is_zero() {
                return Ok(None);
            } else if !self.tighten()? {
                return Ok(Some(self));
            }
        }
    }

    /// The last axis that an equality determines, as a form of the other variables.
    fn dependent(&self) -> Option<(Column, Affine)> {
        let system = &self.piece.domain;
        self.axes.iter().rev().find_map(|axis| {
            let mut forms = system.equalities.iter();
            forms.find_map(|form| Some((*axis, zero_of(form, *axis, system.variables)?)))
        })
    }

    /// Substitutes a form for an axis and removes the axis; returns whether there may be accesses.
    fn substitute(&mut self, axis: Column, form: &Affine) -> Result<bool, Refusal> {
        for piece in [&mut self.piece, &mut self.distance] {
            let Some(domain) = replaced(&piece.domain, axis, form)? else {
                return Ok(false);
            };
            piece.domain = domain;
            let value = Polynomial::from_affine(form)?;
            piece.value = piece.value.substituted(axis, &value)?;
        }
        self.axes.retain(|other| *other != axis);
        Ok(true)
    }

    /// Moves a bound on an axis by one where there are no accesses on it; returns whether there is such a bound.
    ///
    /// `x - y` accesses on `y <= x` are `x - y` accesses on `y < x`.
    fn tighten(&mut self) -> Result<bool, Refusal> {
        let variables = self.piece.domain.variables;
        for form in &mut self.piece.domain.inequalities {
            let mut axes = self.axes.iter().rev();
            let bound = axes.find_map(|axis| Some((*axis, zero_of(form, *axis, variables)?)));
            let Some((axis, end)) = bound else {
                continue;
            };
            let end = Polynomial::from_affine(&end)?;
            if self.piece.value.substituted(axis, &end)?.is_zero() {
                *form = form.plus(-1, &Affine::constant(form.columns(), 1))?;
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// The variable of a column in terms of the others where a form is zero; `None` where that is no affine form of
/// variables.
fn zero_of(form: &Affine, column: Column, variables: usize) -> Option<Affine> {
    let coefficient = form.coefficient(column);
    if coefficient.abs() != 1 || form.support().any(|column| variables < column.number()) {
        return None;
    }
    let mut rest = form.coefficients()[..=variables].to_vec();
    rest[column] = 0;
    Affine::new(rest).times(-coefficient).ok()
}

/// A system with a form in place of a variable; `None` where it plainly has no points.
fn replaced(system: &System, column: Column, form: &Affine) -> Result<Option<System>, Refusal> {
    let width = 1 + system.variables;
    let mut map: Vec<Affine> = Column::variables(width - 1)
        .map(|x| Affine::variable(width, x))
        .collect();
    map[column.place()] = form.clone();
    system.preimage(system.variables, &map)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Accesses over a size and the axes 2 and 3, at the distance `3·x2 - x3`.
    fn entry(
        equalities: &[[i64; 4]],
        inequalities: &[[i64; 4]],
        value: [i64; 4],
    ) -> HistogramEntry {
        let forms = |rows: &[[i64; 4]]| rows.iter().map(|row| Affine::new(row.to_vec())).collect();
        let mut domain = System::universe(3);
        let distance = piece(domain.clone(), [0, 0, 3, -1]);
        domain.equalities = forms(equalities);
        domain.inequalities = forms(inequalities);
        HistogramEntry {
            axes: [2, 3].map(Column::new).to_vec(),
            distance,
            multiplicity: vec![piece(domain, value)],
        }
    }

    fn piece(domain: System, value: [i64; 4]) -> Piece {
        let value = Polynomial::from_affine(&Affine::new(value.to_vec())).expect("small");
        Piece { domain, value }
    }

    fn bounds(entry: &HistogramEntry) -> Vec<&[i64]> {
        let forms = &entry.multiplicity[0].domain.inequalities;
        forms.iter().map(Affine::coefficients).collect()
    }

    #[test]
    fn an_axis_that_others_give_is_none() {
        // On x3 = x2 - 1 and 1 <= x3 < n the distance is 2·x2 + 1.
        let band = [[-1, 0, 0, 1], [-1, 1, 0, -1]];
        let found = split_pieces(entry(&[[1, 0, -1, 1]], &band, [5, 0, 0, 0])).expect("small");
        let [found] = &found[..] else {
            panic!("one piece: {found:?}");
        };
        assert_eq!(found.axes, [Column::new(2)]);
        assert_eq!(found.distance, piece(System::universe(3), [1, 0, 2, 0]));
        assert_eq!(bounds(found), [[-2, 0, 1, 0], [0, 1, -1, 0]]);
    }

    #[test]
    fn bounds_without_accesses_are_moved() {
        // x2 accesses on 0 <= x2 <= 1 are one where it is 1, whatever x3 is.
        let band = [[0, 0, 1, 0], [1, 0, -1, 0], [0, 0, 0, 1], [0, 1, 0, -1]];
        let found = split_pieces(entry(&[], &band, [0, 0, 1, 0])).expect("small");
        let [found] = &found[..] else {
            panic!("one piece: {found:?}");
        };
        assert_eq!(found.axes, [Column::new(3)]);
        assert_eq!(found.distance, piece(System::universe(3), [3, 0, 0, -1]));
        assert_eq!(found.multiplicity[0].value, Polynomial::one());
        assert_eq!(bounds(found), [[0, 0, 0, 1], [0, 1, 0, -1]]);
    }

    #[test]
    fn no_accesses_are_no_entry() {
        let none = split_pieces(entry(&[[0, 0, 1, -1]], &[], [0, 0, 1, -1])).expect("small");
        assert!(none.is_empty(), "{none:?}");
        let none = split_pieces(entry(&[[1, 0, 2, -2]], &[], [1, 0, 0, 0])).expect("small");
        assert!(none.is_empty(), "{none:?}");
    }
}
