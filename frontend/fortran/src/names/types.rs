//! Types with their sizes, as in gfortran on 64-bit machines.

use crate::syntax::NameKey;
use premiss_ast::syntax::{StructId, TypeName};
use premiss_tree::IntegerType;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The type of a value.
#[derive(Debug, Clone, PartialEq, Hash, Serialize, Deserialize)]
pub(crate) enum FortranType {
    /// Of this many bytes.
    Integer(u8),
    Logical(u8),
    Real(u8),
    /// With two parts of this many bytes each.
    Complex(u8),
    /// Of this many characters, if the length is known.
    Character(Option<i64>),
    /// A derived type by its name; `None` if it is not declared. The struct id is valid for this run only.
    #[serde(skip)]
    Derived(NameKey, Option<StructId>),
    /// Unknown.
    Unknown,
}

/// Default integers.
pub(crate) const INTEGER: FortranType = FortranType::Integer(4);
/// Default reals.
pub(crate) const REAL: FortranType = FortranType::Real(4);
/// Double precision.
pub(crate) const DOUBLE: FortranType = FortranType::Real(8);
/// Default logicals.
pub(crate) const LOGICAL: FortranType = FortranType::Logical(4);

impl FortranType {
    /// Its size in bytes.
    pub(crate) fn size(&self) -> Option<i64> {
        Some(match self {
            Self::Integer(bytes) | Self::Logical(bytes) | Self::Real(bytes) => i64::from(*bytes),
            Self::Complex(part) => 2 * i64::from(*part),
            Self::Character(length) => (*length)?,
            Self::Derived(..) | Self::Unknown => return None,
        })
    }

    /// Numbers of the same type of a kind that nothing defines: they have 8 bytes, which is an assumption.
    pub(crate) fn of_assumed_size(self) -> Self {
        match self {
            Self::Integer(_) => Self::Integer(8),
            Self::Logical(_) => Self::Logical(8),
            Self::Real(_) => Self::Real(8),
            Self::Complex(_) => Self::Complex(8),
            other => other,
        }
    }

    /// The corresponding type of the common syntax.
    pub(crate) fn name(&self) -> Arc<TypeName> {
        Arc::new(match self {
            Self::Integer(bytes) | Self::Logical(bytes) => integer(*bytes),
            Self::Real(bytes) => TypeName::Floating(u32::from(*bytes)),
            Self::Complex(part) => TypeName::Complex(u32::from(*part)),
            Self::Character(Some(1)) => integer(1),
            Self::Character(_) => TypeName::Unknown("CHARACTER".into()),
            Self::Derived(_, Some(id)) => TypeName::Struct(*id),
            Self::Derived(key, None) => TypeName::Unknown(key.clone()),
            Self::Unknown => TypeName::Unknown("?".into()),
        })
    }

    /// A pointer to this type, in the common syntax.
    pub(crate) fn pointer(&self) -> Arc<TypeName> {
        Arc::new(TypeName::Pointer(self.name()))
    }

    /// Whether it is an integer of any kind.
    pub(crate) fn is_integer(&self) -> bool {
        matches!(self, Self::Integer(_))
    }

    /// Whether the values of scalars of this type are tracked.
    pub(crate) fn is_counted(&self) -> bool {
        matches!(
            self,
            Self::Integer(_) | Self::Logical(_) | Self::Character(Some(1))
        )
    }

    /// The type of the result of arithmetic on both types.
    pub(crate) fn common(&self, other: &Self) -> Self {
        let rank = |kind: &Self| match kind {
            Self::Complex(_) => 3,
            Self::Real(_) => 2,
            Self::Integer(_) => 1,
            _ => 0,
        };
        match (self, other) {
            (Self::Integer(a), Self::Integer(b)) => Self::Integer(*a.max(b)),
            (Self::Real(a), Self::Real(b)) => Self::Real(*a.max(b)),
            (Self::Complex(a), Self::Complex(b) | Self::Real(b))
            | (Self::Real(b), Self::Complex(a)) => Self::Complex(*a.max(b)),
            (a, b) if rank(a) < rank(b) => b.clone(),
            (a, _) => a.clone(),
        }
    }
}

fn integer(bytes: u8) -> TypeName {
    TypeName::Integer(IntegerType {
        bits: bytes * 8,
        signed: true,
    })
}

/// The implicit type of a letter where no `IMPLICIT` statement changes it.
pub(crate) fn of_letter(letter: u8) -> FortranType {
    match letter {
        b'i'..=b'n' => INTEGER,
        _ => REAL,
    }
}
