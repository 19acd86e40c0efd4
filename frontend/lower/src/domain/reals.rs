//! Real and complex variables: their constants, and which numbers are in general position.
//!
//! ```text
//! t = 0;                          a constant: `t == 0` holds
//! if (x[0] < 0) t = x[0];         0 where data decide it: particular, `t == 0` is data
//! u = x[1] * t + 1;               general: where the user declares data dense, `u == 0` does not hold
//! ```
//!
//! Without [`SizeOptions::dense`](premiss_link::SizeOptions::dense) only constants matter.

use crate::calls::library_functions::base_name;
use crate::domain::types::NumberType;
use crate::domain::values::Value;
use crate::syntax::{Binary, Name};

/// The abstract value of a real variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum RealKnowledge {
    /// The constant with these bits.
    Constant(u64),
    /// A number that may equal constants: selected from constants by data, or computed from sizes.
    Particular,
    /// A number in general position that depends on data.
    General,
}

impl RealKnowledge {
    pub(crate) fn of(value: &Value) -> Self {
        match value {
            Value::Floating(Some(x), _) => Self::Constant(x.to_bits()),
            Value::Particular(_) => Self::Particular,
            _ => Self::General,
        }
    }

    /// The join where sizes decide between two values or whether a loop runs: a constant that joins a general number
    /// becomes general, as in the sum of a reduction.
    pub(crate) fn join(&self, other: &Self) -> Self {
        match (self, other) {
            (a, b) if a == b => *a,
            (Self::General, Self::Constant(_)) | (Self::Constant(_), Self::General) => {
                Self::General
            }
            _ => Self::Particular,
        }
    }
}

/// The result of arithmetic that is not constant: particular if no operand is general.
pub(crate) fn combine_reals(operator: Binary, [a, b]: [&Value; 2], kind: NumberType) -> Value {
    let is_constant =
        |value: &Value| matches!(value, Value::Floating(Some(_), _) | Value::Integer(..));
    let is_particular = match operator {
        // One of the operands, or an integer multiple of one.
        Binary::Minimum | Binary::Maximum | Binary::Remainder => !is_general(a) || !is_general(b),
        _ => !is_general(a) && !is_general(b) && (is_constant(a) || is_constant(b)),
    };
    real_of_kind(is_particular, kind)
}

/// The result of a mathematical function: particular if its operands are constants, or if it rounds or selects.
pub(crate) fn apply_real_function(
    name: Option<&Name>,
    operands: &[Value],
    kind: NumberType,
) -> Value {
    let is_open = |value: &Value| matches!(value, Value::Particular(_)) || is_general(value);
    let is_particular = match name.map(|name| base_name(name)) {
        Some("fmin" | "fmax") => !operands.iter().all(is_general),
        // `nan` is the base name of `nanf` and its variants.
        Some(
            "ceil" | "copysign" | "fdim" | "floor" | "fmod" | "logb" | "modf" | "nan" | "nearbyint"
            | "remainder" | "remquo" | "rint" | "round" | "trunc",
        ) => true,
        _ => !operands.is_empty() && !operands.iter().any(is_open),
    };
    real_of_kind(is_particular, kind)
}

/// Whether a number counts as in general position where the user states that data are dense.
fn is_general(value: &Value) -> bool {
    matches!(value, Value::Floating(None, _) | Value::Named(..))
}

fn real_of_kind(is_particular: bool, kind: NumberType) -> Value {
    match is_particular {
        true => Value::Particular(kind),
        false => Value::Floating(None, kind),
    }
}

#[cfg(test)]
mod tests {
    use super::RealKnowledge::{self, Constant, General, Particular};

    #[test]
    fn joining_what_is_known_ends() {
        let all = [Constant(0), Constant(1), General, Particular];
        let height = |known: RealKnowledge| match known {
            Constant(_) => 0,
            General => 1,
            Particular => 2,
        };
        for a in all {
            assert_eq!(a.join(&a), a);
            for b in all {
                let joined = a.join(&b);
                assert_eq!(joined, b.join(&a));
                assert!(joined == a || height(a) < height(joined), "{a:?} and {b:?}");
            }
        }
    }
}
