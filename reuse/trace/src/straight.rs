//! Innermost loops: bodies whose accesses move by fixed strides.
//!
//! ```text
//! for (j = 0; j < n; j++) { if (j > 2) x[k] = y[2*j]; k += 3; }
//! ```
//! From iteration to iteration, `j` moves by 1 and `k` by 3, so the addresses move by 24 and 16
//! bytes, and the guard changes its value once. The walk needs to look at one iteration only of each
//! stretch over which all guards keep their value.

use crate::formula::{Affine, Formula};
use crate::program::ProgramStep;
use premiss_tree::{BinaryOperator, VariableId};
use std::collections::{BTreeMap, BTreeSet};

/// How the variables of a straight body move from iteration to iteration.
#[derive(Debug)]
pub(crate) struct Straight {
    /// Variables that an iteration adds an invariant to, with what it adds.
    pub(crate) inductions: Vec<(VariableId, Affine)>,
    /// Variables that an iteration assigns before it uses them, with their coefficients in the
    /// moving variables, in order of assignment.
    pub(crate) derived: Vec<(VariableId, Affine)>,
}

/// Finds how the variables of a body move; `None` where it is not straight: it has a loop, or a
/// subscript or guard that is not affine in what moves.
pub(crate) fn analyse(iterator: VariableId, body: &[ProgramStep]) -> Option<Straight> {
    let straight = classify(iterator, body)?;
    let moving: BTreeSet<VariableId> = std::iter::once(iterator)
        .chain(straight.inductions.iter().map(|(variable, _)| *variable))
        .chain(straight.derived.iter().map(|(variable, _)| *variable))
        .collect();
    body.iter()
        .all(|step| is_straight(step, &moving))
        .then_some(straight)
}

/// Sorts the variables that the body assigns into inductions and derived ones.
fn classify(iterator: VariableId, body: &[ProgramStep]) -> Option<Straight> {
    let mut assignments: BTreeMap<VariableId, (usize, &Formula)> = BTreeMap::new();
    for (position, step) in body.iter().enumerate() {
        if let ProgramStep::Assign { variable, value } = step {
            let earlier = assignments.insert(*variable, (position, value));
            if earlier.is_some() || *variable == iterator {
                return None;
            }
        }
    }
    let mut straight = Straight {
        inductions: Vec::new(),
        derived: Vec::new(),
    };
    let mut in_order: Vec<_> = assignments.iter().collect();
    in_order.sort_by_key(|(_, (position, _))| *position);
    for (variable, (position, value)) in in_order {
        let value = value.as_affine()?;
        if value.coefficient(*variable) == 1 {
            let added = value.add_scaled(-1, &Affine::variable(*variable))?;
            let is_fixed = |(other, _): &(VariableId, i64)| {
                *other != iterator && !assignments.contains_key(other)
            };
            if !added.terms.iter().all(is_fixed) {
                return None;
            }
            straight.inductions.push((*variable, added));
        } else {
            if value.coefficient(*variable) != 0 || is_used(&body[..*position], *variable) {
                return None;
            }
            straight.derived.push((*variable, value.clone()));
        }
    }
    Some(straight)
}

fn is_used(steps: &[ProgramStep], variable: VariableId) -> bool {
    let mentions = |formula: &Formula| {
        let mut found = false;
        formula.variables(&mut |other| found |= other == variable);
        found
    };
    steps.iter().any(|step| match step {
        ProgramStep::Access(access) => mentions(&access.offset),
        ProgramStep::Assign { value, .. } => mentions(value),
        ProgramStep::Branch {
            condition,
            then,
            otherwise,
            ..
        } => mentions(condition) || is_used(then, variable) || is_used(otherwise, variable),
        ProgramStep::Loop(_) | ProgramStep::Opaque => true,
    })
}

fn is_straight(step: &ProgramStep, moving: &BTreeSet<VariableId>) -> bool {
    match step {
        ProgramStep::Access(access) => {
            access.offset.as_affine().is_some() || stands(&access.offset, moving)
        }
        ProgramStep::Assign { .. } => true,
        ProgramStep::Branch {
            condition,
            then,
            otherwise,
            ..
        } => {
            let arms = || then.iter().chain(otherwise);
            has_horizon(condition, moving)
                && !arms().any(|step| matches!(step, ProgramStep::Assign { .. }))
                && arms().all(|step| is_straight(step, moving))
        }
        ProgramStep::Loop(_) | ProgramStep::Opaque => false,
    }
}

/// Whether no moving variable is in the formula.
fn stands(formula: &Formula, moving: &BTreeSet<VariableId>) -> bool {
    let mut stands = true;
    formula.variables(&mut |variable| stands &= !moving.contains(&variable));
    stands
}

/// Whether [`horizon`] can tell how long a condition keeps its value.
fn has_horizon(condition: &Formula, moving: &BTreeSet<VariableId>) -> bool {
    if stands(condition, moving) {
        return true;
    }
    match condition {
        Formula::Unary(_, x) => has_horizon(x, moving),
        Formula::Binary(BinaryOperator::And | BinaryOperator::Or, a, b) => {
            has_horizon(a, moving) && has_horizon(b, moving)
        }
        Formula::Binary(operator, a, b) => {
            is_comparison(*operator) && a.as_affine().is_some() && b.as_affine().is_some()
        }
        Formula::Affine(_)
        | Formula::Select(_)
        | Formula::Wrap(..)
        | Formula::Entry(..)
        | Formula::Unknown => false,
    }
}

fn is_comparison(operator: BinaryOperator) -> bool {
    use BinaryOperator::{Equal, Less, LessEqual, NotEqual};
    matches!(operator, Less | LessEqual | Equal | NotEqual)
}

/// For how many iterations, this one included, no comparison in a condition changes its outcome.
/// `difference` gives the value and the change per iteration of an affine form `a - b`; `None` where
/// it is unknown, which it then stays.
pub(crate) fn horizon(
    condition: &Formula,
    difference: &impl Fn(&Affine, &Affine) -> Option<(i64, i64)>,
) -> u64 {
    match condition {
        Formula::Unary(_, x) => horizon(x, difference),
        Formula::Binary(BinaryOperator::And | BinaryOperator::Or, a, b) => {
            horizon(a, difference).min(horizon(b, difference))
        }
        Formula::Binary(operator, a, b) if is_comparison(*operator) => {
            let (Some(a), Some(b)) = (a.as_affine(), b.as_affine()) else {
                return u64::MAX;
            };
            difference(a, b).map_or(u64::MAX, |(value, rate)| {
                comparison_horizon(*operator, i128::from(value), i128::from(rate))
            })
        }
        _ => u64::MAX,
    }
}

/// The same for `value + rate * t` compared with zero.
fn comparison_horizon(operator: BinaryOperator, value: i128, rate: i128) -> u64 {
    let until_negative_ends = |value: i128| match (value < 0, rate.signum()) {
        (true, 1) => Some((-value + rate - 1) / rate),
        (false, -1) => Some(value / -rate + 1),
        _ => None,
    };
    let change = match operator {
        BinaryOperator::Less => until_negative_ends(value),
        BinaryOperator::LessEqual => until_negative_ends(value - 1),
        _ if rate == 0 => None,
        _ if value == 0 => Some(1),
        _ => (value % rate == 0 && -value / rate > 0).then(|| -value / rate),
    };
    change.map_or(u64::MAX, |iterations| {
        u64::try_from(iterations).unwrap_or(u64::MAX)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comparison_keeps_its_outcome_up_to_its_horizon() {
        let operators = [
            BinaryOperator::Less,
            BinaryOperator::LessEqual,
            BinaryOperator::Equal,
            BinaryOperator::NotEqual,
        ];
        for operator in operators {
            for value in -7..=7_i64 {
                for rate in -3..=3_i64 {
                    let outcome = |t: i64| operator.apply(value + rate * t, 0);
                    let changes = (1..20).find(|t| outcome(*t) != outcome(0));
                    let horizon = comparison_horizon(operator, value.into(), rate.into());
                    let expected = changes.map_or(u64::MAX, i64::cast_unsigned);
                    assert_eq!(horizon, expected, "{operator:?} {value} {rate}");
                }
            }
        }
    }
}
