//! Calls that do nothing but yield numbers, or nothing at all: what is asked of them, and what they come to.
//!
//! A function of numbers that accesses and modifies nothing outside of itself is executed by itself, for what is known
//! of its arguments. Where that yields a constant, or a number that only running the program would tell, it does so for
//! every call with such arguments, and its body is not followed:
//!
//! ```text
//! nb = ilaenv(1, 'DGETRF', ' ', m, n, -1, -1)      its name is text: `nb` is data, whatever `m` and `n` are
//! ```
//!
//! A subroutine that prints what it gets does nothing. One that changes variables of its caller, as `CALL DLABAD (SMALL,
//! LARGE)` does, comes to what is known of them afterwards. Of results that depend on sizes the body says more: it is
//! followed.
//!
//! Whoever uses a result depends on it, and not on the text that it was found in: an edit after which a function yields
//! what it did does not concern its callers.

use premiss_ast::syntax::{Function, GlobalName, TypeName};
use serde::{Deserialize, Serialize};

/// A call, by what is known of its arguments.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct PureCall {
    /// What is called.
    pub function: GlobalName,
    /// What is passed, in order.
    pub arguments: Vec<PureArgument>,
}

/// An argument, in the type of its parameter.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct PureArgument {
    /// The type.
    pub kind: ScalarKind,
    /// What is known of the value.
    pub value: AbstractScalar,
    /// Whether it is a variable of the caller, which the function may change.
    pub is_variable: bool,
}

/// The type of something that is passed by value or yielded.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum ScalarKind {
    /// Integers of so many bits, with a sign or without.
    Integer(u8, bool),
    /// Real numbers of so many bytes.
    Real(u32),
    /// Complex numbers with parts of so many bytes.
    Complex(u32),
    /// Anything else, such as text: nothing is ever known of it.
    Other,
    /// No value: what a subroutine yields.
    Nothing,
}

/// What is known of a scalar.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum AbstractScalar {
    /// An integer, or the bits of a real number.
    Constant(i64),
    /// A value that the tree tells.
    Size,
    /// A number that is computed, of which nobody knows what comes of it.
    Particular,
    /// A value that only running the program would tell.
    Data,
}

/// What a call yields.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PureCallResult {
    /// The type of the result.
    pub kind: ScalarKind,
    /// What is known of the result.
    pub value: AbstractScalar,
    /// What is known afterwards of the arguments that are variables of the caller, in order.
    pub variables: Vec<PureArgument>,
    /// Whether what the user says of all numbers decided: see [`SizeOptions::dense`](crate::SizeOptions::dense).
    pub is_dense: bool,
}

impl PureCall {
    /// The same call with arguments of which nothing is known. Whether a variable depends on sizes afterwards, as
    /// `n = n + 1` does where `n` is one, is found for each call.
    #[must_use]
    pub fn generalized(&self) -> Self {
        let open = |argument: &PureArgument| PureArgument {
            value: match argument.kind {
                ScalarKind::Integer(..) if !argument.is_variable => AbstractScalar::Size,
                ScalarKind::Integer(..) => AbstractScalar::Data,
                ScalarKind::Real(_) | ScalarKind::Complex(_) => AbstractScalar::Particular,
                ScalarKind::Other | ScalarKind::Nothing => AbstractScalar::Data,
            },
            ..*argument
        };
        Self {
            function: self.function.clone(),
            arguments: self.arguments.iter().map(open).collect(),
        }
    }
}

impl PureArgument {
    /// Whether a parameter of a type takes it.
    #[must_use]
    pub fn fits(self, name: &TypeName) -> bool {
        let kind = match (self.is_variable, name) {
            (true, TypeName::Reference(kind)) => ScalarKind::of_number(kind),
            (true, _) => None,
            (false, name) => ScalarKind::of_type(name),
        };
        kind == Some(self.kind)
    }
}

impl ScalarKind {
    /// That of a type; `None` for arrays, pointers and structs.
    #[must_use]
    pub fn of_type(name: &TypeName) -> Option<Self> {
        Some(match name {
            TypeName::Integer(kind) => Self::Integer(kind.bits, kind.signed),
            TypeName::Floating(bytes) => Self::Real(*bytes),
            TypeName::Complex(part) => Self::Complex(*part),
            TypeName::Unknown(_) => Self::Other,
            TypeName::Void => Self::Nothing,
            _ => return None,
        })
    }

    /// That of a type of numbers; `None` for any other.
    #[must_use]
    pub fn of_number(name: &TypeName) -> Option<Self> {
        Self::of_type(name).filter(|kind| !matches!(kind, Self::Other | Self::Nothing))
    }
}

/// Whether nothing but numbers, and variables that hold one, is passed to a function and yielded by it.
#[must_use]
pub fn may_be_pure(function: &Function) -> bool {
    let parameters = function.signature.parameters.iter();
    let mut kinds = parameters.map(|parameter| match &*parameter.kind {
        TypeName::Reference(kind) => ScalarKind::of_number(kind),
        kind => ScalarKind::of_type(kind),
    });
    yields_number(function) && kinds.all(|kind| kind.is_some())
}

/// Whether a function yields a number or nothing.
fn yields_number(function: &Function) -> bool {
    let kind = ScalarKind::of_type(&function.signature.result);
    kind.is_some_and(|kind| kind != ScalarKind::Other)
}

#[cfg(test)]
mod tests {
    use super::{AbstractScalar, PureArgument, PureCall, ScalarKind};
    use premiss_ast::syntax::{GlobalName, TypeName, UnitId};
    use std::sync::Arc;

    fn argument(kind: ScalarKind, is_variable: bool) -> PureArgument {
        PureArgument {
            kind,
            value: AbstractScalar::Constant(3),
            is_variable,
        }
    }

    #[test]
    fn the_general_call_knows_types_and_no_values() {
        let int = ScalarKind::Integer(32, true);
        let call = PureCall {
            function: GlobalName {
                unit: UnitId(0),
                name: "f".into(),
            },
            arguments: vec![
                argument(int, false),
                argument(int, true),
                argument(ScalarKind::Real(8), false),
            ],
        };
        let general = call.generalized();
        let values: Vec<AbstractScalar> = general.arguments.iter().map(|x| x.value).collect();
        use AbstractScalar::{Data, Particular, Size};
        assert_eq!(values, [Size, Data, Particular]);
        assert_eq!(general.generalized(), general);
    }

    #[test]
    fn variables_fit_references_alone() {
        let real = TypeName::Floating(8);
        let reference = TypeName::Reference(Arc::new(TypeName::Floating(8)));
        let by_value = argument(ScalarKind::Real(8), false);
        let variable = argument(ScalarKind::Real(8), true);
        assert!(by_value.fits(&real) && !by_value.fits(&reference));
        assert!(variable.fits(&reference) && !variable.fits(&real));
    }
}
