//! Loops whose iterations make the same accesses, only elsewhere.
//!
//! A loop is *uniform* if in each iteration the same loops run as often and the same guards hold as
//! in the one before, and every address has moved by a distance that depends on the array alone:
//! `for (i…) for (j…) c[i][j] += a[i][j] * b[j]` moves `c` and `a` by a row and `b` by nothing. It is
//! found by following the *shift* of each variable: by how much its value at a point of the body
//! differs from the one at the same point an iteration of the loop earlier.

use crate::formula::{Affine, Formula};
use crate::program::{LoopStep, ProgramStep};
use premiss_tree::{ArrayId, BinaryOperator, ReferenceId, VariableId};
use std::collections::{BTreeMap, BTreeSet};

/// How the iterations of a uniform loop differ.
#[derive(Debug)]
pub(crate) struct Uniform {
    /// By how many bytes an iteration's accesses to an array lie beyond those of the one before;
    /// `None` where references to one array move differently.
    pub(crate) moves: Option<BTreeMap<ArrayId, i64>>,
    /// The references that move at all, with the bytes per iteration.
    pub(crate) moving: Vec<(ReferenceId, i64)>,
    /// Whether every iteration leaves the variables that it assigns as the one before did.
    pub(crate) leaves_same: bool,
}

/// The shifts of variables that have one; the others' are unknown.
type Shifts = BTreeMap<VariableId, i64>;

/// Finds whether a loop that adds `step` to `iterator` is uniform.
pub(crate) fn analyse(
    iterator: VariableId,
    step: i64,
    body: &[ProgramStep],
    assigned: &BTreeSet<VariableId>,
) -> Option<Uniform> {
    let mut analysis = Analysis {
        ever_assigned: assigned,
        moves: Some(BTreeMap::new()),
        shifts_of: BTreeMap::new(),
        all_determined: true,
        all_same: true,
    };
    let mut shifts = Shifts::from([(iterator, step)]);
    analysis.steps(body, &mut shifts)?;
    // What an iteration leaves in a variable must not depend on how many went before.
    let moving = analysis.shifts_of.into_iter();
    analysis.all_determined.then_some(Uniform {
        moves: analysis.moves,
        moving: moving.filter(|(_, shift)| *shift != 0).collect(),
        leaves_same: analysis.all_same,
    })
}

struct Analysis<'a> {
    ever_assigned: &'a BTreeSet<VariableId>,
    moves: Option<BTreeMap<ArrayId, i64>>,
    /// The shift of each reference, under the assumptions made last, which are the true ones.
    shifts_of: BTreeMap<ReferenceId, i64>,
    /// Whether every value assigned has a shift. (A variable that is assigned in a loop that never
    /// runs, or an arm never taken, is so in every iteration, and keeps its value.)
    all_determined: bool,
    /// Whether every value assigned is that of the iteration before. What an iteration assigns last to a variable
    /// is then the same in all, and what is assigned in none stays; one arm of two that data choose between makes
    /// it unknown at once or not at all.
    all_same: bool,
}

impl Analysis<'_> {
    fn steps(&mut self, steps: &[ProgramStep], shifts: &mut Shifts) -> Option<()> {
        steps.iter().try_for_each(|step| self.step(step, shifts))
    }

    fn step(&mut self, step: &ProgramStep, shifts: &mut Shifts) -> Option<()> {
        match step {
            ProgramStep::Access(access) if access.offset == Formula::Unknown => {}
            ProgramStep::Access(access) => {
                let shift = self.formula(&access.offset, shifts)?;
                self.shift_array(access.array, shift);
                self.shifts_of.insert(access.reference, shift);
            }
            ProgramStep::Assign { variable, value } => {
                let shift = self.formula(value, shifts);
                self.all_same &= shift == Some(0);
                match shift {
                    Some(shift) => shifts.insert(*variable, shift),
                    None => {
                        self.all_determined = false;
                        shifts.remove(variable)
                    }
                };
            }
            ProgramStep::Branch {
                condition,
                then,
                otherwise,
                ..
            } => {
                self.holds_alike(condition, shifts)?;
                let mut other = shifts.clone();
                self.steps(then, shifts)?;
                self.steps(otherwise, &mut other)?;
                shifts.retain(|variable, shift| other.get(variable) == Some(shift));
            }
            ProgramStep::Loop(inner) => self.inner_loop(inner, shifts)?,
            // What it changes is assigned.
            ProgramStep::Opaque => {}
        }
        Some(())
    }

    fn inner_loop(&mut self, inner: &LoopStep, shifts: &mut Shifts) -> Option<()> {
        let first = self.formula(&inner.header.first, shifts)?;
        let alike = self.formula(&inner.header.bound, shifts)? == first
            && self.formula(&inner.header.step, shifts)? == 0;
        if !alike {
            return None;
        }
        self.all_same &= first == 0;
        shifts.insert(inner.header.variable, first);
        // Assume that the body keeps the shifts of what it assigns (as `k += 2` does); drop those
        // that it does not keep until the assumption is true.
        loop {
            let before = shifts.clone();
            self.steps(&inner.body, shifts)?;
            shifts.insert(inner.header.variable, first);
            shifts.retain(|variable, shift| {
                !inner.assigned.contains(variable) || before.get(variable) == Some(shift)
            });
            if *shifts == before {
                return Some(());
            }
        }
    }

    fn shift_array(&mut self, array: ArrayId, shift: i64) {
        let Some(moves) = &mut self.moves else { return };
        if *moves.entry(array).or_insert(shift) != shift {
            self.moves = None;
        }
    }

    /// The shift of a value; `None` where it has none. One that is unknown stays so: shift zero.
    fn formula(&self, formula: &Formula, shifts: &Shifts) -> Option<i64> {
        match formula {
            Formula::Affine(x) => self.affine(x, shifts),
            other => {
                let mut stands = true;
                other.variables(&mut |variable| {
                    stands &= self.variable(variable, shifts) == Some(0);
                });
                stands.then_some(0)
            }
        }
    }

    fn affine(&self, x: &Affine, shifts: &Shifts) -> Option<i64> {
        x.terms
            .iter()
            .try_fold(0_i64, |sum, (variable, coefficient)| {
                let shift = self.variable(*variable, shifts)?;
                sum.checked_add(coefficient.checked_mul(shift)?)
            })
    }

    fn variable(&self, variable: VariableId, shifts: &Shifts) -> Option<i64> {
        let fixed = (!self.ever_assigned.contains(&variable)).then_some(0);
        shifts.get(&variable).copied().or(fixed)
    }

    /// Whether a condition has the same value in every iteration.
    fn holds_alike(&self, condition: &Formula, shifts: &Shifts) -> Option<()> {
        match condition {
            Formula::Unary(_, x) => self.holds_alike(x, shifts),
            Formula::Binary(BinaryOperator::And | BinaryOperator::Or, a, b) => {
                self.holds_alike(a, shifts)?;
                self.holds_alike(b, shifts)
            }
            Formula::Binary(
                BinaryOperator::Less
                | BinaryOperator::LessEqual
                | BinaryOperator::Equal
                | BinaryOperator::NotEqual,
                a,
                b,
            ) => {
                let (a, b) = (self.formula(a, shifts)?, self.formula(b, shifts)?);
                (a == b).then_some(())
            }
            other => (self.formula(other, shifts)? == 0).then_some(()),
        }
    }
}
