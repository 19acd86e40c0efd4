//! Loops over as many iterations as a product of sizes says.
//!
//! `for (i = 0; i < rows * cols; i++) a[i]` executes what `for (r = 0; r < rows; r++) for (c = 0; c < cols; c++)
//! a[r * cols + c]` does, in the same order: `i` is no affine function of anything, and `r` and `c` are iterators of
//! rows. So accesses fit those of other loops that go through the same array row by row.

use crate::condition::{Cases, Conjunction, Constraint, product};
use crate::execute::{Executor, not_negative};
use crate::iteration_range::IterationRange;
use crate::polynomial::{Polynomial, Symbol};
use crate::reject::Obstacle;
use crate::scop::Direction;
use premiss_tree::{BinaryOperator, Comparison, Expression, Loop, NestTree, ParameterId};
use std::collections::BTreeSet;

/// A factor is a size plus one of these.
const NEAR: [i64; 9] = [0, -1, 1, -2, 2, -3, 3, -4, 4];

impl Executor<'_> {
    /// The trip counts of the loops that a loop is made of, outermost first: one, unless its trip count is a product.
    pub(crate) fn factors_of_trips(
        &mut self,
        inner: &Loop,
        step: i64,
    ) -> Result<Vec<Polynomial>, Obstacle> {
        let trips = self.distance(inner, step)?;
        let Some(trips) = trips.filter(|_| step.abs() == 1) else {
            return Ok(Vec::new());
        };
        if trips.is_affine()
            || trips.mentions(|x| matches!(x, Symbol::Floor(_) | Symbol::Carried(_)))
        {
            return Ok(Vec::new());
        }
        let Some(factors) = factors(trips, &self.likely_factors()?)? else {
            return Ok(Vec::new());
        };
        for factor in &factors {
            let negative = not_negative(factor.scaled(-1)?.plus_constant(-1)?);
            if product(&self.path, &vec![negative])?.is_empty() {
                continue;
            }
            if factor.mentions(|symbol| !matches!(symbol, Symbol::Size(_))) {
                return Ok(Vec::new());
            }
            let condition = Constraint::NotNegative(factor.clone());
            self.evaluator.required.insert(condition);
        }
        Ok(factors)
    }

    /// From the first value of a loop's variable to its bound, where that is one polynomial.
    fn distance(&mut self, inner: &Loop, step: i64) -> Result<Option<Polynomial>, Obstacle> {
        let first = self.evaluator.value(&inner.first, &self.values)?;
        let bound = self.evaluator.value(&inner.bound, &self.values)?;
        let (Some(first), Some(bound)) = (first.single(), bound.single()) else {
            return Ok(None);
        };
        let beyond = match inner.comparison {
            Comparison::LessEqual | Comparison::GreaterEqual => step.signum(),
            _ => 0,
        };
        let distance = bound.plus(-1, first)?.plus_constant(beyond)?;
        Ok(Some(distance.scaled(step.signum())?))
    }

    /// Sizes and what is near them: those that subscripts multiply first, as they are lengths of rows, then those that
    /// stand last among the sizes.
    fn likely_factors(&self) -> Result<Vec<Polynomial>, Obstacle> {
        let multiplied = multiplied_sizes(self.tree);
        let mut sizes: Vec<ParameterId> = self.tree.parameters.keys().collect();
        sizes.sort_by_key(|id| (!multiplied.contains(id), std::cmp::Reverse(*id)));
        let values = sizes
            .iter()
            .filter_map(|id| self.evaluator.sizes[*id].as_ref());
        let values: Vec<&Polynomial> = values.filter(|x| x.as_constant().is_none()).collect();
        let near = NEAR.into_iter();
        let near = near.flat_map(|more| values.iter().map(move |size| size.plus_constant(more)));
        near.collect()
    }

    /// The iterations of loops in each other, with these trip counts, that the one loop is made of.
    pub(crate) fn product_range(
        &mut self,
        inner: &Loop,
        step: i64,
        iterator: usize,
        factors: &[Polynomial],
    ) -> Result<IterationRange, Obstacle> {
        let first = self.evaluator.value(&inner.first, &self.values)?;
        let (mut gone, mut trips) = (Polynomial::default(), Polynomial::constant(1));
        let mut domain = Conjunction::new();
        for (idx, factor) in factors.iter().enumerate() {
            let own = Polynomial::symbol(Symbol::Iterator(iterator + idx));
            let left = factor.plus(-1, &own)?.plus_constant(-1)?;
            domain.extend([own.clone(), left].map(Constraint::NotNegative));
            gone = gone.times(factor)?.plus(1, &own)?;
            trips = trips.times(factor)?;
        }
        let after = |count: &Polynomial| first.map(|x| Ok(Cases::always(x.plus(step, count)?)));
        Ok(IterationRange {
            variable: after(&gone)?,
            domain: product(&self.path, &vec![domain])?,
            direction: Direction::Ascending,
            last: after(&trips),
            gone: Ok(Cases::always(gone)),
            trips: Ok(Cases::always(trips)),
        })
    }
}

/// A polynomial as a product of affine ones, of which all but the first are among `likely`; `None` where it is none.
///
/// `n·m + 2·n` is `n` times `m + 2`.
fn factors(
    mut product: Polynomial,
    likely: &[Polynomial],
) -> Result<Option<Vec<Polynomial>>, Obstacle> {
    let mut factors = Vec::new();
    while !product.is_affine() {
        let mut rest = None;
        for factor in likely {
            let (quotient, remainder) = product.divided(factor)?;
            if remainder == Polynomial::default() {
                rest = Some((quotient, factor));
                break;
            }
        }
        let Some((quotient, factor)) = rest else {
            return Ok(None);
        };
        factors.push(factor.clone());
        product = quotient;
    }
    factors.push(product);
    factors.reverse();
    Ok(Some(factors))
}

/// The sizes that are multiplied with variables in the offset of some access.
fn multiplied_sizes(tree: &NestTree) -> BTreeSet<ParameterId> {
    let mut multiplied = BTreeSet::new();
    let has_variable = |x: &Expression| x.any(|part| matches!(part, Expression::Variable(_)));
    let mut note = |part: &Expression| {
        if let Expression::Binary(BinaryOperator::Multiply, a, b) = part {
            for (one, other) in [(a, b), (b, a)] {
                if has_variable(one) && !has_variable(other) {
                    other.walk(&mut |x| {
                        if let Expression::Parameter(id) = x {
                            multiplied.insert(*id);
                        }
                    });
                }
            }
        }
    };
    for reference in tree.references.values() {
        reference.offset.walk(&mut note);
    }
    multiplied
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_forms::form;

    const N: Symbol = Symbol::Size(0);
    const M: Symbol = Symbol::Size(1);

    #[test]
    fn products_fall_into_sizes_and_what_is_near_them() {
        // n = 8·x + 3
        let sizes = [form(3, &[(N, 8)]), form(0, &[(M, 1)])];
        let near = |size: &Polynomial, more: i64| size.plus_constant(more).expect("it is small");
        let likely: Vec<Polynomial> = NEAR
            .iter()
            .flat_map(|more| sizes.iter().map(|size| near(size, *more)))
            .collect();
        let halo = [near(&sizes[0], 2), near(&sizes[1], -2)];
        let square = [sizes[0].clone(), sizes[0].clone()];
        let cube = [sizes[0].clone(), sizes[1].clone(), near(&sizes[1], 1)];
        for expected in [&halo[..], &square, &cube] {
            let one = Polynomial::constant(1);
            let product = expected.iter().try_fold(one, |all, x| all.times(x));
            let product = product.expect("it is small");
            let found = factors(product.clone(), &likely).expect("it is small");
            let found = found.expect("it is a product");
            let again = found
                .iter()
                .try_fold(Polynomial::constant(1), |all, x| all.times(x));
            assert_eq!((found.len(), again), (expected.len(), Ok(product)));
            assert!(found.iter().all(Polynomial::is_affine));
        }
        let sum = sizes[0].times(&sizes[1]).and_then(|x| x.plus_constant(1));
        assert_eq!(factors(sum.expect("it is small"), &likely), Ok(None));
    }
}
