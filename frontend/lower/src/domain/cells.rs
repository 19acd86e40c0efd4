//! Cells: the contents of one scalar in memory.

use crate::domain::memory_version::MemoryVersion;
use crate::domain::values::{Pointer, Target, Value, select_by};
use premiss_tree::{Expression, VariableId};

/// The contents of a scalar in memory.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Cell {
    /// A value made of constants and parameters.
    Value(Value),
    /// A pointer to an object, or null, or uninitialized.
    MaybePointer(Pointer),
    /// The unknown value that it has had since a version.
    Since(MemoryVersion),
}

impl Cell {
    pub(crate) fn pointer(&self) -> Option<&Pointer> {
        match self {
            Self::Value(Value::Pointer(pointer)) | Self::MaybePointer(pointer) => Some(pointer),
            _ => None,
        }
    }

    /// Whether it is the known value of an integer.
    pub(crate) fn is_integer(&self) -> bool {
        matches!(self, Self::Value(Value::Integer(..)))
    }

    /// One of two values, selected by a variable: pointers to different arrays, or integers.
    pub(crate) fn either(&self, other: &Self, selector: VariableId) -> Option<Self> {
        let (Self::Value(a), Self::Value(b)) = (self, other) else {
            let values = [self, other].map(|x| x.pointer().cloned().map(Value::Pointer));
            let [Some(a), Some(b)] = values else {
                return None;
            };
            return match Self::Value(a).either(&Self::Value(b), selector)? {
                Self::Value(Value::Pointer(pointer)) => Some(Self::MaybePointer(pointer)),
                _ => None,
            };
        };
        let either = |a: &Expression, b: &Expression| match a == b {
            true => a.clone(),
            false => select_by(selector, a.clone(), b.clone()),
        };
        let value = match (a, b) {
            (Value::Pointer(a), Value::Pointer(b)) => Value::Pointer(Pointer {
                target: a.target.either(&b.target, selector)?,
                offset: either(&a.offset, &b.offset),
                pointee: a.pointee.clone(),
            }),
            (Value::Integer(a, kind), Value::Integer(b, other)) if kind == other && a != b => {
                Value::Integer(either(a, b), *kind)
            }
            _ => return None,
        };
        Some(Self::Value(value))
    }

    /// The pointer in one of two cells, if the other one has the same pointer or none.
    pub(crate) fn maybe_pointer(&self, other: &Self) -> Option<Pointer> {
        let is_nothing = |cell: &Self| match cell {
            Self::Since(MemoryVersion::Allocated) => true,
            cell => cell.pointer().is_some_and(|x| x.target == Target::Null),
        };
        let (pointer, other) = match is_nothing(self) {
            true => (other.pointer()?, self),
            false => (self.pointer()?, other),
        };
        (is_nothing(other) || other.pointer() == Some(pointer)).then(|| pointer.clone())
    }
}
