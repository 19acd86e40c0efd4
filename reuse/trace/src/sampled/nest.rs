//! Programs in which iterators decide everything.

use crate::formula::{Affine, Formula};
use crate::program::{AccessStep, LoopCounter, Program, ProgramStep};
use premiss_tree::VariableId;

/// A program whose loops, guards and addresses follow from the iterators around them.
#[derive(Debug)]
pub(super) struct DecidedNest<'p> {
    pub(super) body: Vec<NestStep<'p>>,
}

#[derive(Debug)]
pub(super) enum NestStep<'p> {
    Access(NestAccess<'p>),
    Loop(NestLoop<'p>),
    Branch {
        condition: &'p Formula,
        /// What is executed where it holds, and where it does not.
        arms: [Vec<NestStep<'p>>; 2],
    },
}

#[derive(Clone, Copy, Debug)]
pub(super) struct NestAccess<'p> {
    pub(super) step: &'p AccessStep,
    pub(super) offset: &'p Affine,
}

#[derive(Debug)]
pub(super) struct NestLoop<'p> {
    pub(super) header: &'p LoopCounter,
    pub(super) step: i64,
    pub(super) body: Vec<NestStep<'p>>,
    /// Whether all iterations make the same accesses, each moving by a fixed stride.
    pub(super) is_run: bool,
    /// The number of accesses in the text of its body.
    pub(super) n_accesses: u64,
}

impl<'p> DecidedNest<'p> {
    /// `None` where something else decides.
    pub(super) fn new(program: &'p Program) -> Option<Self> {
        let body = steps(&program.body, &mut Vec::new())?;
        Some(Self { body })
    }
}

/// Steps in which only the iterators of loops around them occur.
fn steps<'p>(
    program: &'p [ProgramStep],
    iterators: &mut Vec<VariableId>,
) -> Option<Vec<NestStep<'p>>> {
    let mut found = Vec::with_capacity(program.len());
    for step in program {
        found.extend(match step {
            ProgramStep::Access(step) => {
                let offset = step
                    .offset
                    .as_affine()
                    .filter(|_| is_decided(&step.offset, iterators))?;
                Some(NestStep::Access(NestAccess { step, offset }))
            }
            ProgramStep::Loop(inner) if !inner.may_access => None,
            ProgramStep::Loop(inner) => {
                let header = &inner.header;
                let step = header.step.as_constant().filter(|step| *step != 0)?;
                let is_fixed = [&header.first, &header.bound]
                    .iter()
                    .all(|x| is_decided(x, iterators));
                if !is_fixed || inner.first_body.is_some() {
                    return None;
                }
                iterators.push(header.variable);
                let body = steps(&inner.body, iterators)?;
                iterators.pop();
                Some(NestStep::Loop(NestLoop {
                    header,
                    step,
                    is_run: is_run(&body, header.variable),
                    n_accesses: n_accesses(&body),
                    body,
                }))
            }
            ProgramStep::Branch {
                condition,
                then,
                otherwise,
                ..
            } => {
                let arms = [steps(then, iterators)?, steps(otherwise, iterators)?];
                match arms.iter().all(Vec::is_empty) {
                    true => None,
                    false if !is_decided(condition, iterators) => return None,
                    false => Some(NestStep::Branch { condition, arms }),
                }
            }
            ProgramStep::Assign { variable, .. } if iterators.contains(variable) => return None,
            // Nothing that matters depends on it: that would be refused.
            ProgramStep::Assign { .. } => None,
            ProgramStep::Opaque => return None,
        });
    }
    Some(found)
}

/// Whether only iterators occur in a formula.
fn is_decided(formula: &Formula, iterators: &[VariableId]) -> bool {
    let mut is_decided = true;
    formula.variables(&mut |variable| is_decided &= iterators.contains(&variable));
    is_decided
}

fn is_run(body: &[NestStep], iterator: VariableId) -> bool {
    body.iter().all(|step| match step {
        NestStep::Access(_) => true,
        NestStep::Loop(_) => false,
        NestStep::Branch { condition, arms } => {
            let mut is_fixed = true;
            condition.variables(&mut |variable| is_fixed &= variable != iterator);
            is_fixed && arms.iter().all(|arm| is_run(arm, iterator))
        }
    })
}

fn n_accesses(body: &[NestStep]) -> u64 {
    let of_step = |step: &NestStep| match step {
        NestStep::Access(_) => 1,
        NestStep::Loop(inner) => inner.n_accesses,
        NestStep::Branch { arms, .. } => arms.iter().map(|arm| n_accesses(arm)).sum(),
    };
    body.iter().map(of_step).sum()
}
