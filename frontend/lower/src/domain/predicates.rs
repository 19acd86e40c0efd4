//! Predicates: comparisons of invariant real numbers, as symbols of value 0 or 1.
//!
//! A real number that a function receives and does not change is known by its name. Comparing it with a constant or
//! with another such number yields a predicate, `beta==0`, which the user may give a value; without a value the
//! condition is data. So is the question whether a pointer leads to an array, `allocated(s)`.

use crate::domain::values::{ArrayRow, RealId, Value};
use crate::syntax::{Name, TextRange};
use premiss_tree::{Expression, ParameterId};
use std::collections::{BTreeMap, BTreeSet};

/// One side of a comparison.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum ComparisonOperand {
    Named(RealId),
    /// A constant, by its bits.
    Constant(u64),
}

/// The named reals, and the comparisons of them.
#[derive(Default)]
pub(crate) struct Predicates {
    pub(crate) names: Vec<(Name, TextRange)>,
    pub(crate) ids: BTreeMap<(&'static str, ComparisonOperand, ComparisonOperand), ParameterId>,
    /// Whether the pointers to these arrays are not null.
    pub(crate) null_tests: BTreeMap<ArrayRow, ParameterId>,
    /// Arrays to which one value of one cell leads.
    pub(crate) loaded: BTreeSet<ArrayRow>,
    /// Arrays to which some pointer leads that may be null for another reason: data decide whether it was set.
    pub(crate) doubtful: BTreeSet<ArrayRow>,
}

impl Predicates {
    pub(crate) fn operand_text(&self, side: &ComparisonOperand) -> String {
        match side {
            ComparisonOperand::Named(id) => self.names[id.0].0.to_string(),
            ComparisonOperand::Constant(bits) => f64::from_bits(*bits).to_string(),
        }
    }
}

pub(crate) fn comparison_operand(value: &Value) -> Option<ComparisonOperand> {
    match value {
        Value::Named(id, _) => Some(ComparisonOperand::Named(*id)),
        // -0 equals 0.
        Value::Floating(Some(x), _) => Some(ComparisonOperand::Constant((x + 0.0).to_bits())),
        Value::Integer(Expression::Integer(x), _) => {
            let exact = i32::try_from(*x).ok().map(f64::from)?;
            Some(ComparisonOperand::Constant(exact.to_bits()))
        }
        _ => None,
    }
}
