//! Unions whose lines have been counted before.
//!
//! References that stand beside each other, such as those to `y1[i][j]` and `y2[i][j]`, have the same
//! lines in between. A count that is known takes the steps of a budget that it took when it was made, so
//! that it makes no difference which of two threads was first.

use premiss_presburger::{Budget, Piece, Refusal, System};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The query how many lines the union of some systems has within a context.
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct CountQuery {
    /// How many of the variables are those of the sink; those behind are a line's coordinates.
    pub(crate) sink: usize,
    pub(crate) systems: Vec<System>,
    pub(crate) context: System,
}

/// The counts made so far.
#[derive(Default)]
pub(crate) struct CountCache(Mutex<HashMap<CountQuery, CountAnswer>>);

#[derive(Clone)]
struct CountAnswer {
    pieces: Arc<[Piece]>,
    steps: u64,
}

impl CountCache {
    /// The answer to a query: the one given before, or else what `find` yields.
    pub(crate) fn answer(
        &self,
        question: CountQuery,
        budget: &mut Budget,
        find: impl FnOnce(&CountQuery, &mut Budget) -> Result<Vec<Piece>, Refusal>,
    ) -> Result<Arc<[Piece]>, Refusal> {
        let known = self.with(|answers| answers.get(&question).cloned());
        if let Some(answer) = known {
            budget.spend(answer.steps)?;
            return Ok(answer.pieces);
        }
        let before = budget.left();
        let pieces: Arc<[Piece]> = find(&question, budget)?.into();
        let answer = CountAnswer {
            pieces: Arc::clone(&pieces),
            steps: before - budget.left(),
        };
        self.with(|answers| answers.insert(question, answer));
        Ok(pieces)
    }

    fn with<T>(&self, act: impl FnOnce(&mut HashMap<CountQuery, CountAnswer>) -> T) -> T {
        act(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_takes_the_same_steps() {
        let question = || CountQuery {
            sink: 1,
            systems: vec![System::universe(2)],
            context: System::universe(2),
        };
        let known = CountCache::default();
        let mut budget = Budget::new(20);
        let first = known.answer(question(), &mut budget, |_, budget| {
            budget.spend(7).map(|()| Vec::new())
        });
        assert!(first.is_ok_and(|pieces| pieces.is_empty()));
        let again = known.answer(question(), &mut budget, |_, _| unreachable!("it is known"));
        assert!(again.is_ok_and(|pieces| pieces.is_empty()));
        assert_eq!(budget.left(), 6);
        let third = known.answer(question(), &mut budget, |_, _| unreachable!("it is known"));
        assert_eq!(third.err(), Some(Refusal::Budget));
    }
}
