//! Pure calls: calls that only return numbers and change variables passed by reference; their arguments and results.
//!
//! A function of numbers that accesses and modifies nothing outside of itself is interpreted in isolation, on the
//! abstract values of its arguments. If the result is a constant or data, it holds for every call with such arguments,
//! and the body is not inlined:
//!
//! ```text
//! nb = ilaenv(1, 'DGETRF', ' ', m, n, -1, -1)      its name is text: `nb` is data, whatever `m` and `n` are
//! ```
//!
//! A subroutine that only prints its arguments has no effect. One that changes variables of its caller, such as `CALL
//! DLABAD (SMALL, LARGE)`, has as its result the abstract values of these variables afterwards. Where the result
//! depends on sizes, the body is inlined, as it gives more information.
//!
//! A caller that uses a result depends on the result alone, and not on the text that it was computed from: an edit
//! that leaves the result of a function unchanged does not invalidate it. Only where operations are counted, the
//! caller also depends on the body, whose operations are counted with its own.

use premiss_ast::syntax::{Function, GlobalName, TypeName};
use premiss_ast::type_of_name;
use serde::{Deserialize, Serialize};

/// A call with the abstract values of its arguments.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct PureCall {
    /// The called function.
    pub function: GlobalName,
    /// Its arguments, in order.
    pub arguments: Vec<PureArgument>,
}

/// An argument, converted to the type of its parameter.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct PureArgument {
    /// Its type.
    pub kind: ScalarKind,
    /// Its abstract value.
    pub value: AbstractScalar,
    /// Whether it is a variable of the caller passed by reference, which the function may change.
    pub is_variable: bool,
}

/// The type of an argument or result.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum ScalarKind {
    /// Integers of this many bits; the flag is set for signed ones.
    Integer(u8, bool),
    /// Floating-point numbers of this many bytes.
    Real(u32),
    /// Complex numbers whose parts have this many bytes.
    Complex(u32),
    /// Any other type, such as text, whose values are always unknown.
    Other,
    /// No value: the result of a subroutine.
    Nothing,
}

/// An element of the abstract domain of scalars.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum AbstractScalar {
    /// An integer, or the bits of a floating-point number.
    Constant(i64),
    /// An integer that depends on sizes alone.
    Size,
    /// An unknown floating-point number that may equal any constant, even with
    /// [`SizeOptions::dense`](crate::SizeOptions::dense).
    Particular,
    /// A value that depends on the program's data.
    Data,
}

/// The result of a pure call.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PureCallResult {
    /// The type of the result.
    pub kind: ScalarKind,
    /// Its abstract value.
    pub value: AbstractScalar,
    /// The abstract values of the arguments passed by reference after the call, in order.
    pub variables: Vec<PureArgument>,
    /// Whether the result relies on [`SizeOptions::dense`](crate::SizeOptions::dense).
    pub is_dense: bool,
}

impl PureCall {
    /// The same call with the most general abstract values as arguments. Integer variables passed by reference become
    /// data: whether they depend on sizes after the call, as `n = n + 1` does if `n` is a size, is found for each
    /// call.
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
    /// Whether an argument of this type can be passed for a parameter of the type `name`.
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
    /// The kind of a type; `None` for arrays, pointers, structs and others that are not scalar.
    #[must_use]
    pub fn of_type(name: &TypeName) -> Option<Self> {
        Some(match name {
            TypeName::Integer(kind) => Self::Integer(kind.bits, kind.signed),
            TypeName::Floating(bytes) => Self::Real(*bytes),
            TypeName::Complex(part) => Self::Complex(*part),
            TypeName::Undeclared(name) => match type_of_name(name) {
                Some(kind) => return Self::of_type(&kind),
                None => Self::Other,
            },
            TypeName::Unknown(_) => Self::Other,
            TypeName::Void => Self::Nothing,
            _ => return None,
        })
    }

    /// The kind of an integer, floating-point or complex type; `None` for any other type.
    #[must_use]
    pub fn of_number(name: &TypeName) -> Option<Self> {
        Self::of_type(name).filter(|kind| !matches!(kind, Self::Other | Self::Nothing))
    }
}

/// Whether all parameters of a function are numbers, opaque scalars or references to numbers, and its result is a
/// number or nothing.
#[must_use]
pub fn may_be_pure(function: &Function) -> bool {
    let parameters = function.signature.parameters.iter();
    let mut kinds = parameters.map(|parameter| match &*parameter.kind {
        TypeName::Reference(kind) => ScalarKind::of_number(kind),
        kind => ScalarKind::of_type(kind),
    });
    yields_number(function) && kinds.all(|kind| kind.is_some())
}

/// Whether the result of a function is a number or nothing.
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
