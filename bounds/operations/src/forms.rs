//! Counts as functions of the sizes.

use crate::derive::Places;
use crate::marked::ExecutionCount;
use crate::scope::{Quantity, Scope, weights};
use premiss_presburger::{Affine, Column, Evaluator, Piece, Rational, Refusal, united};
use premiss_tree::{NestTree, ReferenceId};

/// A quasi-polynomial: the sum of the values of those pieces in whose domains the sizes are.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Form {
    /// The pieces, over the columns of the sizes and of loops; they do not depend on the latter.
    pub pieces: Vec<Piece>,
}

impl Form {
    pub(crate) fn of_pieces(pieces: Vec<Piece>) -> Self {
        Self { pieces }
    }

    /// Whether some size decides about the value; `n_sizes` are symbolic.
    pub(crate) fn depends_on_sizes(&self, n_sizes: usize) -> bool {
        let is_size = |column: &Column| column.place() < n_sizes;
        self.pieces.iter().any(|piece| {
            let domain = &piece.domain;
            let forms = domain.equalities.iter().chain(&domain.inequalities);
            let forms = forms.chain(domain.floors.iter().map(|floor| &floor.numerator));
            let mut columns = forms.flat_map(Affine::support);
            columns.any(|x| is_size(&x)) || piece.value.support().iter().any(is_size)
        })
    }

    /// The value at given columns of the sizes; `None` where it is no whole number of 64 bits.
    #[must_use]
    pub fn at(&self, columns: &[i128]) -> Option<u64> {
        let mut sum = Rational::new(0, 1).ok()?;
        for piece in &self.pieces {
            let mut point = columns.to_vec();
            point.resize(piece.domain.variables, 0);
            let one = Evaluator::new(piece.domain.variables, std::slice::from_ref(piece));
            sum = sum.plus(one.at(&point).ok()?).ok()?;
        }
        u64::try_from(sum.to_integer()?).ok()
    }
}

impl Places {
    /// The quantities that occur in a part of a function.
    #[must_use]
    pub fn quantities(&self, tree: &NestTree, scope: Scope) -> Vec<Quantity> {
        let weights = weights(tree, &self.marked);
        let of_scope = weights.get(&scope).into_iter().flatten();
        of_scope.map(|(quantity, _)| quantity.clone()).collect()
    }

    /// The number of the wanted quantities in a part of a function: the least and the greatest number as functions of
    /// the sizes, which are equal where all is exact. `None` where it is unknown.
    ///
    /// # Errors
    /// [`Refusal::Overflow`] where a coefficient does not fit.
    pub fn form(
        &self,
        tree: &NestTree,
        scope: Scope,
        is_wanted: impl Fn(&Quantity) -> bool,
    ) -> Result<Option<[Form; 2]>, Refusal> {
        self.weighed(tree, scope, |quantity| u64::from(is_wanted(quantity)))
    }

    /// As [`Self::form`], with each quantity counted `weight` times.
    ///
    /// # Errors
    /// [`Refusal::Overflow`] where a coefficient does not fit.
    pub fn weighed(
        &self,
        tree: &NestTree,
        scope: Scope,
        weight: impl Fn(&Quantity) -> u64,
    ) -> Result<Option<[Form; 2]>, Refusal> {
        let is_open = match scope {
            Scope::Function => self.marked.is_open,
            Scope::Loop(id) => self.marked.open_loops.contains(&id),
            Scope::Statement(_) => false,
        };
        if is_open {
            return Ok(None);
        }
        let [mut lower, mut upper] = [Vec::new(), Vec::new()];
        let weights = weights(tree, &self.marked);
        for (quantity, places) in weights.get(&scope).into_iter().flatten() {
            let weight = weight(quantity);
            if weight == 0 {
                continue;
            }
            for (place, each) in places {
                let each = each.checked_mul(weight).ok_or(Refusal::Overflow)?;
                let pieces = self.times(*place, each)?;
                match self.kind(*place) {
                    ExecutionCount::Unknown => return Ok(None),
                    ExecutionCount::Possible => {}
                    ExecutionCount::Certain => lower.extend(pieces.clone()),
                }
                upper.extend(pieces);
            }
        }
        Ok(Some(
            [lower, upper].map(|pieces| Form::of_pieces(united(pieces))),
        ))
    }

    /// The pieces of a place, times `each`.
    pub(crate) fn times(&self, place: ReferenceId, each: u64) -> Result<Vec<Piece>, Refusal> {
        let factor = Rational::new(i128::from(each), 1)?;
        let scaled = |piece: &Piece| {
            Ok(Piece {
                domain: piece.domain.clone(),
                value: piece.value.scaled(factor)?,
            })
        };
        self.pieces[place].iter().map(scaled).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use premiss_presburger::{Polynomial, System};

    /// A polynomial in `n`, the first column, over so many columns, where `least <= n`.
    fn piece(columns: usize, least: i64, coefficients: &[i64], divisor: i128) -> Piece {
        let n = Polynomial::variable(Column::new(1)).expect("it is a column");
        let mut value = Polynomial::integer(0);
        for coefficient in coefficients.iter().rev() {
            let shifted = value.times(&n).expect("it is small");
            let constant = Polynomial::integer(i128::from(*coefficient));
            value = shifted.plus(&constant).expect("it is small");
        }
        let part = Rational::new(1, divisor).expect("it is not zero");
        let mut bound = vec![0; 1 + columns];
        (bound[0], bound[1]) = (-least, 1);
        let mut domain = System::universe(columns);
        domain.inequalities.push(Affine::new(bound));
        Piece {
            domain,
            value: value.scaled(part).expect("it is small"),
        }
    }

    #[test]
    fn a_form_is_the_sum_of_the_pieces_that_hold_at_the_sizes() {
        // for (i = 0; i < n; i++) for (j = 0; j <= i; j++): n·(n + 1)/2, and one more from n = 2 on
        let triangle = piece(1, 1, &[0, 1, 1], 2);
        let form = Form::of_pieces(vec![triangle, piece(1, 2, &[1], 1)]);
        let values = [0, 1, 2, 3, 4].map(|n| form.at(&[n]));
        assert_eq!(values, [0, 1, 4, 7, 11].map(Some));
        assert_eq!(Form::default().at(&[]), Some(0));
    }

    #[test]
    fn what_is_no_whole_number_from_zero_up_is_no_value() {
        let half = Form::of_pieces(vec![piece(1, 0, &[0, 1], 2)]);
        assert_eq!([0, 1, 2].map(|n| half.at(&[n])), [Some(0), None, Some(1)]);
        let negative = Form::of_pieces(vec![piece(1, 0, &[1, -1], 1)]);
        assert_eq!(
            [0, 1, 2].map(|n| negative.at(&[n])),
            [Some(1), Some(0), None]
        );
        let square = Form::of_pieces(vec![piece(1, 0, &[0, 0, 1], 1)]);
        let greatest = i128::from(u32::MAX);
        assert_eq!(square.at(&[greatest]), Some(u64::from(u32::MAX).pow(2)));
        assert_eq!(square.at(&[greatest + 1]), None);
    }

    #[test]
    fn a_value_depends_on_a_size_in_its_domain_or_in_its_polynomial() {
        let everywhere = |value: Polynomial| Piece {
            domain: System::universe(2),
            value,
        };
        let depends =
            |piece: Piece, n_sizes| Form::of_pieces(vec![piece]).depends_on_sizes(n_sizes);
        assert!(!depends(everywhere(Polynomial::integer(5)), 1));
        let n = Polynomial::variable(Column::new(1)).expect("it is a column");
        assert!(depends(everywhere(n.clone()), 1));
        assert!(depends(piece(2, 3, &[5], 1), 1));
        // Without sizes, the first column is that of a loop.
        assert!(!depends(everywhere(n), 0));
    }
}
