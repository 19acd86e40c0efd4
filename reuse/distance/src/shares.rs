//! One budget for pieces of work that are done side by side.
//!
//! The result must be that of doing the pieces one after the other: the first piece for which the steps left by those
//! before it do not suffice refuses, however fast the others are. So a piece may take whatever is not known to have
//! been taken by pieces before it, and whether all of them fit is settled in their order in the end. This requires that
//! more budget than a piece needs does not change its result.

use premiss_presburger::{Budget, Refusal};
use std::sync::atomic::{AtomicU64, Ordering};

/// A budget that pieces of work share.
pub(crate) struct Shares {
    all: u64,
    /// The steps that each piece has taken, once it is done.
    spent: Vec<AtomicU64>,
}

/// The result of a piece; `None` where it was not done.
pub(crate) type Share<T> = Option<Result<T, Refusal>>;

impl Shares {
    /// Shares what is left of a budget among `pieces` pieces.
    pub(crate) fn new(budget: &Budget, pieces: usize) -> Self {
        Self {
            all: budget.left(),
            spent: (0..pieces).map(|_| AtomicU64::new(0)).collect(),
        }
    }

    /// Does a piece; `None` where those before it have taken more than there is.
    pub(crate) fn spend<T>(
        &self,
        piece: usize,
        work: impl FnOnce(&mut Budget) -> Result<T, Refusal>,
    ) -> Share<T> {
        let before = self.spent[..piece].iter();
        let before = before.fold(0_u64, |sum, taken| {
            sum.saturating_add(taken.load(Ordering::Acquire))
        });
        let given = self.all.checked_sub(before)?;
        let mut budget = Budget::new(given);
        let result = work(&mut budget);
        let mut taken = given - budget.left();
        if result.as_ref().err() == Some(&Refusal::Budget) {
            // It would have taken more.
            taken = given.saturating_add(1);
        }
        self.spent[piece].store(taken, Ordering::Release);
        Some(result)
    }

    /// The results of the pieces in their order; the steps that they took are taken from the budget.
    ///
    /// # Errors
    /// Those of the first piece that refuses, or for which too little was left.
    pub(crate) fn settle<T>(
        &self,
        pieces: Vec<Share<T>>,
        budget: &mut Budget,
    ) -> Result<Vec<T>, Refusal> {
        let mut results = Vec::with_capacity(pieces.len());
        for (piece, taken) in pieces.into_iter().zip(&self.spent) {
            budget.spend(taken.load(Ordering::Acquire))?;
            results.push(piece.ok_or(Refusal::Budget)??);
        }
        Ok(results)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Takes some steps, and perhaps fails then.
    fn work(steps: u64, failure: Option<Refusal>, budget: &mut Budget) -> Result<u64, Refusal> {
        budget.spend(steps)?;
        failure.map_or(Ok(steps), Err)
    }

    const PIECES: [(u64, Option<Refusal>); 6] = [
        (3, None),
        (0, None),
        (5, None),
        (2, Some(Refusal::Overflow)),
        (4, None),
        (1, Some(Refusal::NotAffine)),
    ];

    #[test]
    fn the_order_of_work_changes_nothing() {
        let orders: [[usize; 6]; 4] = [
            [0, 1, 2, 3, 4, 5],
            [5, 4, 3, 2, 1, 0],
            [3, 5, 0, 4, 1, 2],
            [2, 0, 1, 5, 4, 3],
        ];
        for failing in [[3, 5], [9, 5], [9, 9]] {
            for all in 0..20 {
                let one = |piece: usize, budget: &mut Budget| {
                    let (steps, failure) = PIECES[piece];
                    work(steps, failure.filter(|_| failing.contains(&piece)), budget)
                };
                let mut budget = Budget::new(all);
                let expected: Result<Vec<u64>, Refusal> =
                    (0..6).map(|piece| one(piece, &mut budget)).collect();
                for order in orders {
                    let mut shared = Budget::new(all);
                    let shares = Shares::new(&shared, 6);
                    let mut done = vec![None; 6];
                    for piece in order {
                        done[piece] = shares.spend(piece, |budget| one(piece, budget));
                    }
                    assert_eq!(shares.settle(done, &mut shared), expected, "{all}");
                    assert_eq!(shared, budget, "{all}");
                }
            }
        }
    }
}
