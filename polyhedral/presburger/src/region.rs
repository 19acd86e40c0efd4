//! Conjunctions of constraints that are cut again and again.

use crate::outline::Outline;
use crate::rows::{RowMatrix, is_constant, opposite};
use crate::space::Space;
use crate::{Column, Polynomial, Refusal, System};

/// The points of a system over the columns of a [`Space`], and what is seen of it at a glance.
#[derive(Clone)]
pub(crate) struct Region {
    equalities: RowMatrix,
    inequalities: RowMatrix,
    outline: Outline,
}

impl Region {
    /// A system that the space has absorbed, with the new columns of its own.
    pub(crate) fn of(space: &Space, system: &System, map: &[Column]) -> Result<Self, Refusal> {
        let mut region = Self {
            equalities: RowMatrix::new(space.width()),
            inequalities: RowMatrix::new(space.width()),
            outline: Outline::new(space.width()),
        };
        for row in space.rows(&system.equalities, map).iter() {
            region.require_zero(row)?;
        }
        for row in space.rows(&system.inequalities, map).iter() {
            region.require(row);
        }
        Ok(region)
    }

    /// The system of its points.
    pub(crate) fn system(&self, space: &Space) -> Result<System, Refusal> {
        let nothing = Polynomial::zero();
        let (system, _) = space.system(&self.equalities, &self.inequalities, &nothing)?;
        Ok(system)
    }

    pub(crate) fn equalities(&self) -> &RowMatrix {
        &self.equalities
    }

    pub(crate) fn inequalities(&self) -> &RowMatrix {
        &self.inequalities
    }

    /// Demands `0 <= row`.
    pub(crate) fn require(&mut self, row: &[i64]) {
        if is_constant(row) && 0 <= row[0] {
            return;
        }
        self.inequalities.push(row);
        self.outline.push(row);
    }

    /// Demands `row = 0`.
    pub(crate) fn require_zero(&mut self, row: &[i64]) -> Result<(), Refusal> {
        if is_constant(row) && row[0] == 0 {
            return Ok(());
        }
        self.equalities.push(row);
        self.outline.push(row);
        self.outline.push(&opposite(row)?);
        Ok(())
    }

    /// Whether one of its constraints alone implies `0 <= row`.
    pub(crate) fn has(&self, row: &[i64]) -> bool {
        self.outline.implies(row)
    }

    /// Whether two constraints of both contradict each other, such as `x <= 3` and `4 <= x`. If not,
    /// they may have points in common or not.
    pub(crate) fn is_apart_from(&self, other: &Self) -> bool {
        self.outline.is_apart_from(&other.outline)
    }
}
