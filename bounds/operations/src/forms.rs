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
