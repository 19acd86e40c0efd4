//! Real and complex variables: which constants they hold, and which numbers are in general position.
//!
//! ```text
//! t = 0;                          a constant: `t == 0` holds
//! if (x[0] < 0) t = x[0];         0 where data decide it: particular, `t == 0` is data
//! u = x[1] * t + 1;               general: where the user says that data are dense, `u == 0` does not hold
//! ```
//!
//! Without [`SizeOptions::dense`] only constants matter.
//!
//! [`SizeOptions::dense`]: premiss_link::SizeOptions::dense

use super::known::base_name;
use super::shared_map::{SharedMap, join_common};
use super::types::{NumberType, Type};
use super::value::{Slot, State, Value};
use super::{Lowering, types};
use crate::syntax::{Binary, Name};
use imbl::ordmap::DiffItem;
use premiss_tree::VariableId;

/// What is known of a real variable at a point of the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum RealKnowledge {
    /// The constant with these bits.
    Constant(u64),
    /// A constant of the text where data decide so, or computed from sizes.
    Particular,
    /// Only running the program would tell.
    General,
}

impl RealKnowledge {
    fn of(value: &Value) -> Self {
        match value {
            Value::Floating(Some(x), _) => Self::Constant(x.to_bits()),
            Value::Particular(_) => Self::Particular,
            _ => Self::General,
        }
    }

    /// What is known where sizes decide between two, or whether a loop runs at all: a constant that it replaces is none
    /// any more, as the sum of a reduction.
    pub(super) fn join(&self, other: &Self) -> Self {
        match (self, other) {
            (a, b) if a == b => *a,
            (Self::General, Self::Constant(_)) | (Self::Constant(_), Self::General) => {
                Self::General
            }
            _ => Self::Particular,
        }
    }
}

impl State {
    /// Makes particular what two paths differ in, where data decide which is taken, or the number of the iteration.
    pub(super) fn differ(&mut self, a: &Self, b: &Self) {
        for difference in a.reals.diff(&b.reals) {
            if let DiffItem::Update { old: (id, _), .. } = difference {
                self.reals.insert(*id, RealKnowledge::Particular);
            }
        }
    }

    /// Lets real numbers be what the last iteration of a loop left, where those before it are known.
    pub(super) fn leave_with(
        &mut self,
        reals: &SharedMap<VariableId, RealKnowledge>,
        before: &Self,
    ) {
        self.reals = join_common(&before.reals, reals, RealKnowledge::join);
    }
}

impl Lowering<'_> {
    /// A new variable for a real number.
    pub(super) fn new_real(&mut self, name: &str, kind: NumberType, is_shared: bool) -> Slot {
        let id = self.new_row(name, types::LONG, is_shared);
        self.state.reals.insert(id, RealKnowledge::General);
        Slot::Real(id, kind)
    }

    pub(super) fn assign_real(&mut self, id: VariableId, kind: NumberType, value: Value) {
        let value = self.convert(value, &Type::Floating(kind));
        self.state.reals.insert(id, RealKnowledge::of(&value));
    }

    pub(super) fn real_value(&mut self, id: VariableId, kind: NumberType) -> Value {
        match self.state.reals.get(&id).copied() {
            Some(RealKnowledge::Constant(bits)) => {
                self.ask_constant(id, bits);
                Value::Floating(Some(f64::from_bits(bits)), kind)
            }
            Some(RealKnowledge::Particular) => Value::Particular(kind),
            Some(RealKnowledge::General) | None => Value::Floating(None, kind),
        }
    }

    pub(super) fn lose_real(&mut self, id: VariableId) {
        if self.state.reals.contains_key(&id) {
            self.state.reals.insert(id, RealKnowledge::Particular);
        }
    }

    /// Makes every constant unknown that may change other than by name.
    pub(super) fn forget_shared_reals(&mut self) {
        let reals = self.state.reals.iter();
        let constants = reals.filter(|(_, known)| matches!(known, RealKnowledge::Constant(_)));
        let ids: Vec<VariableId> = constants.map(|(id, _)| *id).collect();
        for id in ids {
            if self.variable(id).is_shared {
                self.lose_real(id);
            }
        }
    }
}

/// What arithmetic yields that is no constant: a particular number where nothing in it is general.
pub(super) fn computed(operator: Binary, [a, b]: [&Value; 2], kind: NumberType) -> Value {
    let is_constant =
        |value: &Value| matches!(value, Value::Floating(Some(_), _) | Value::Integer(..));
    let is_particular = match operator {
        // One of both, or a whole number of one.
        Binary::Minimum | Binary::Maximum | Binary::Remainder => !is_general(a) || !is_general(b),
        _ => !is_general(a) && !is_general(b) && (is_constant(a) || is_constant(b)),
    };
    of_kind(is_particular, kind)
}

/// What a function of mathematics yields: a particular number where it takes constants alone, or is one of those that
/// cut or choose.
pub(super) fn of_function(name: Option<&Name>, operands: &[Value], kind: NumberType) -> Value {
    let is_open = |value: &Value| matches!(value, Value::Particular(_)) || is_general(value);
    let is_particular = match name.map(|name| base_name(name)) {
        Some("fmin" | "fmax") => !operands.iter().all(is_general),
        // `nan` is what others are called.
        Some(
            "ceil" | "copysign" | "fdim" | "floor" | "fmod" | "logb" | "modf" | "nan" | "nearbyint"
            | "remainder" | "remquo" | "rint" | "round" | "trunc",
        ) => true,
        _ => !operands.is_empty() && !operands.iter().any(is_open),
    };
    of_kind(is_particular, kind)
}

/// Whether the user's word holds for a number that data are in general position.
pub(super) fn is_general(value: &Value) -> bool {
    matches!(value, Value::Floating(None, _) | Value::Named(..))
}

fn of_kind(is_particular: bool, kind: NumberType) -> Value {
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
