//! The headers of loops: which values a variable takes, when, and how often.

use crate::condition::{Cases, ConditionCases, Disjoint, product};
use crate::evaluate::ComparisonSide;
use crate::execute::Executor;
use crate::polynomial::{Polynomial, Symbol};
use crate::reject::{ExpressionSite, Obstacle, Reject};
use crate::scop::Direction;
use premiss_tree::{Comparison, Loop};

/// The values that a loop's variable takes, in which order, and how often.
pub(crate) struct IterationRange {
    pub(crate) variable: Cases,
    /// When an iteration executes.
    pub(crate) domain: Disjoint,
    pub(crate) direction: Direction,
    /// The number of iterations before the current one.
    pub(crate) gone: Result<Cases, Obstacle>,
    /// The trip count.
    pub(crate) trips: Result<Cases, Obstacle>,
    /// The value of the variable after the loop.
    pub(crate) last: Result<Cases, Obstacle>,
}

impl Executor<'_> {
    /// Whether the step leads away from the bound, so that the loop has no iteration or no end.
    pub(crate) fn leads_away(&mut self, inner: &Loop, step: i64) -> Result<bool, Reject> {
        let upwards = matches!(inner.comparison, Comparison::Less | Comparison::LessEqual);
        let downwards = matches!(
            inner.comparison,
            Comparison::Greater | Comparison::GreaterEqual
        );
        let at = |obstacle: Obstacle| obstacle.at(ExpressionSite::Header(inner.id));
        if inner.comparison == Comparison::NotEqual && !self.meets_bound(inner, step).map_err(at)? {
            return Err(Reject::EndlessLoop(inner.id));
        }
        if !(upwards && step < 0 || downwards && 0 < step) {
            return Ok(false);
        }
        let first = self
            .evaluator
            .value(&inner.first, &self.values)
            .map_err(at)?;
        let goes_on = self.goes_on(inner, step, &first).map_err(at)?;
        let endless = product(&self.path, &goes_on.holds).map_err(at)?;
        self.has_no_holes().map_err(at)?;
        if endless.is_empty() {
            Ok(true)
        } else {
            Err(Reject::EndlessLoop(inner.id))
        }
    }

    /// Whether the steps from the first value are sure to hit the bound.
    fn meets_bound(&mut self, inner: &Loop, step: i64) -> Result<bool, Obstacle> {
        let first = self.evaluator.value(&inner.first, &self.values)?;
        let bound = self.evaluator.value(&inner.bound, &self.values)?;
        let distance = bound.combine(&first, |bound, first| bound.plus(-1, first))?;
        for (case, distance) in &distance.0 {
            let here = product(&self.path, &vec![case.clone()])?;
            let hits = distance
                .terms()
                .all(|(_, coefficient)| coefficient % step == 0);
            let beyond = ConditionCases::not_negative(&distance.scaled(step.signum())?)?.not();
            let misses = !product(&here, &beyond.holds)?.is_empty();
            if !here.is_empty() && (!hits || misses) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Where a value of the variable is within the bound, so that the loop continues.
    fn goes_on(
        &mut self,
        inner: &Loop,
        step: i64,
        variable: &Cases,
    ) -> Result<ConditionCases, Obstacle> {
        let (value, bound) = (
            ComparisonSide::Known(variable),
            ComparisonSide::Tree(&inner.bound),
        );
        let evaluator = &mut *self.evaluator;
        let values = &self.values;
        match inner.comparison {
            Comparison::LessEqual => evaluator.at_most(value, bound, values),
            Comparison::GreaterEqual => evaluator.at_most(bound, value, values),
            Comparison::Greater => Ok(evaluator.at_most(value, bound, values)?.not()),
            Comparison::Less => Ok(evaluator.at_most(bound, value, values)?.not()),
            Comparison::NotEqual if 0 < step => Ok(evaluator.at_most(bound, value, values)?.not()),
            Comparison::NotEqual => Ok(evaluator.at_most(value, bound, values)?.not()),
        }
    }

    pub(crate) fn iteration_range(
        &mut self,
        inner: &Loop,
        step: i64,
        iterator: usize,
    ) -> Result<IterationRange, Obstacle> {
        let symbol = Cases::always(Polynomial::symbol(Symbol::Iterator(iterator)));
        let first = self.evaluator.value(&inner.first, &self.values)?;
        let first = first.pruned(&self.path)?;
        let (variable, starts, gone) = match step {
            1 | -1 => {
                let mut ends = [
                    ComparisonSide::Tree(&inner.first),
                    ComparisonSide::Known(&symbol),
                ];
                if step < 0 {
                    ends.reverse();
                }
                let starts = self.evaluator.at_most(ends[0], ends[1], &self.values)?;
                let gone = symbol.combine(&first, |v, first| v.plus(-1, first)?.scaled(step));
                (symbol, starts, gone)
            }
            _ => {
                let moved = first.combine(&symbol, |first, t| first.plus(step, t))?;
                let starts = symbol.condition(ConditionCases::not_negative)?;
                (moved, starts, Ok(symbol))
            }
        };
        let goes_on = self.goes_on(inner, step, &variable)?;
        let domain = product(&product(&self.path, &starts.holds)?, &goes_on.holds)?;
        // Cases of the first value that the path rules out are in no iteration.
        let trips = self.trips(inner, step, &first);
        let last = trips
            .clone()
            .and_then(|trips| first.combine(&trips, |first, trips| first.plus(step, trips)));
        Ok(IterationRange {
            variable,
            domain,
            direction: if step == -1 {
                Direction::Descending
            } else {
                Direction::Ascending
            },
            gone,
            trips,
            last,
        })
    }

    /// The trip count of a loop.
    fn trips(&mut self, inner: &Loop, step: i64, first: &Cases) -> Result<Cases, Obstacle> {
        let bound = self.evaluator.value(&inner.bound, &self.values)?;
        let distance = bound.combine(first, |bound, first| {
            let beyond = match inner.comparison {
                Comparison::LessEqual | Comparison::GreaterEqual => step.signum(),
                _ => 0,
            };
            let distance = bound.plus(-1, first)?.plus_constant(beyond)?;
            distance.scaled(step.signum())
        })?;
        let size = step.checked_abs().ok_or(Obstacle::Overflow)?;
        let trips = match size {
            1 => distance.clone(),
            // The distance divided by the step, rounded up.
            size => distance.map(|distance| {
                let rounded = distance.plus_constant(size - 1)?;
                Ok(Cases::always(self.evaluator.floor(&rounded, size)?))
            })?,
        };
        let zero = Cases::always(Polynomial::constant(0));
        let is_none = self.evaluator.at_most(
            ComparisonSide::Known(&distance),
            ComparisonSide::Known(&zero),
            &self.values,
        )?;
        is_none.choose(&zero, &trips)?.pruned(&self.path)
    }
}
