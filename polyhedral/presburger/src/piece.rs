//! What counting takes and yields.

use crate::{Polynomial, Refusal, System};
use std::collections::HashMap;

/// A value on the points of a domain, and nothing elsewhere.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Piece {
    /// Where it holds.
    pub domain: System,
    /// The value, over the columns of the domain, floors included.
    pub value: Polynomial,
}

/// Pieces that add up, those on one domain as one where their sum fits, without those that are nothing.
#[must_use]
pub fn united(pieces: Vec<Piece>) -> Vec<Piece> {
    let mut places: HashMap<System, usize> = HashMap::new();
    let mut united: Vec<Piece> = Vec::new();
    for piece in pieces {
        let known = places.get(&piece.domain).map(|place| &mut united[*place]);
        match known.map(|known| (known.value.plus(&piece.value), known)) {
            Some((Ok(sum), known)) => known.value = sum,
            Some((Err(_), _)) => united.push(piece),
            None => {
                places.insert(piece.domain.clone(), united.len());
                united.push(piece);
            }
        }
    }
    united.retain(|piece| !piece.value.is_zero());
    united
}

/// How much work may still be done.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Budget(u64);

impl Budget {
    /// So many steps; a step is a test for contradictions or a system looked at, some microseconds.
    #[must_use]
    pub fn new(steps: u64) -> Self {
        Self(steps)
    }

    /// The steps that are left.
    #[must_use]
    pub fn left(&self) -> u64 {
        self.0
    }

    /// Takes some steps.
    ///
    /// # Errors
    /// Fewer are left; none are then.
    pub fn spend(&mut self, steps: u64) -> Result<(), Refusal> {
        let left = self.0.checked_sub(steps);
        self.0 = left.unwrap_or(0);
        left.map(|_| ()).ok_or(Refusal::Budget)
    }
}
