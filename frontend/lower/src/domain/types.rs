//! Types with their sizes, in the LP64 data model.

use crate::syntax::{Name, StructId};
use premiss_tree::{BinaryOperator, Expression, IntegerType, Operands};
use std::rc::Rc;

/// `int`.
pub(crate) const INT: IntegerType = IntegerType {
    bits: 32,
    signed: true,
};

/// `long`.
pub(crate) const LONG: IntegerType = IntegerType {
    bits: 64,
    signed: true,
};

/// `size_t`.
pub(crate) const SIZE: IntegerType = IntegerType {
    bits: 64,
    signed: false,
};

/// A type. Array lengths are values at the time of the declaration.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Type {
    Void,
    /// An integer type; `_Bool` is one of a single bit.
    Integer(IntegerType),
    Bool,
    /// A type of real or complex numbers.
    Floating(NumberType),
    Pointer(Rc<Type>),
    /// An array of elements of a type, with its length if it is known.
    Array(Rc<Type>, Option<Expression>),
    Struct(StructId, Rc<StructLayout>),
    Function,
    /// A bit-field, accessed as the bytes that contain it.
    BitField(BitField),
    /// A type that nothing declares, as one of a header that is not there: by assumption it has the size of a pointer.
    Undeclared(Name),
    /// A type of which nothing is known.
    Unknown(Name),
}

impl Type {
    /// Its size in bytes; `None` if it is unknown.
    pub(crate) fn size(&self) -> Option<Expression> {
        match self {
            Self::Array(element, length) => {
                let length = length.clone()?;
                Some(Expression::binary(
                    BinaryOperator::Multiply,
                    element.size()?,
                    length,
                ))
            }
            // GNU C arithmetic on such pointers counts in bytes.
            Self::Void | Self::Function => Some(1.into()),
            _ => self.scalar_size().map(|size| i64::from(size).into()),
        }
    }

    /// Its size in bytes, if it is not an array.
    pub(crate) fn scalar_size(&self) -> Option<u32> {
        match self {
            Self::Integer(kind) => Some(u32::from(kind.bits).div_ceil(8)),
            Self::Bool => Some(1),
            Self::Floating(kind) => Some(kind.size()),
            Self::Pointer(_) | Self::Undeclared(_) => Some(8),
            Self::Struct(_, layout) => Some(layout.size),
            Self::BitField(field) => Some(field.n_bytes),
            Self::Array(..) | Self::Void | Self::Function | Self::Unknown(_) => None,
        }
    }

    /// Its alignment in bytes, without attributes and for types other than complex.
    pub(crate) fn alignment(&self) -> u32 {
        match self {
            Self::Array(element, _) => element.alignment(),
            Self::Struct(_, layout) => layout.alignment,
            Self::BitField(_) => 1,
            other => other.scalar_size().unwrap_or(1).clamp(1, 16),
        }
    }

    /// The type of the innermost elements of nested arrays.
    pub(crate) fn innermost(&self) -> &Self {
        match self {
            Self::Array(element, _) => element.innermost(),
            other => other,
        }
    }

    /// Whether it is an array, or a struct that contains one.
    pub(crate) fn holds_array(&self) -> bool {
        self.any_part(&|part| matches!(part, Self::Array(..)))
    }

    /// Whether some part of it is a pointer.
    pub(crate) fn holds_pointer(&self) -> bool {
        self.any_part(&|part| {
            matches!(
                part,
                Self::Pointer(_) | Self::Undeclared(_) | Self::Unknown(_)
            )
        })
    }

    /// Whether some part of it is an integer.
    pub(crate) fn holds_integer(&self) -> bool {
        self.any_part(&|part| part.integer().is_some())
    }

    /// Whether it, an element or a member satisfies a predicate, recursively.
    pub(crate) fn any_part(&self, predicate: &dyn Fn(&Self) -> bool) -> bool {
        predicate(self)
            || match self {
                Self::Array(element, _) => element.any_part(predicate),
                Self::Struct(_, layout) => {
                    let mut members = layout.members.iter();
                    members.any(|member| member.kind.any_part(predicate))
                }
                _ => false,
            }
    }

    /// The type of its values, if it is an integer type.
    pub(crate) fn integer(&self) -> Option<IntegerType> {
        match self {
            Self::Integer(kind) => Some(*kind),
            Self::Bool => Some(IntegerType {
                bits: 1,
                signed: false,
            }),
            _ => None,
        }
    }
}

/// A type of real or complex numbers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct NumberType {
    /// The size in bytes of the number, or of each part of a complex number.
    pub(crate) part: u32,
    pub(crate) is_complex: bool,
}

impl NumberType {
    /// Real numbers of this many bytes.
    pub(crate) const fn real(bytes: u32) -> Self {
        Self {
            part: bytes,
            is_complex: false,
        }
    }

    /// Complex numbers whose parts have this many bytes.
    pub(crate) const fn complex(part: u32) -> Self {
        Self {
            part,
            is_complex: true,
        }
    }

    /// Its size in bytes.
    pub(crate) const fn size(self) -> u32 {
        match self.is_complex {
            true => 2 * self.part,
            false => self.part,
        }
    }

    pub(crate) const fn is_complex(self) -> bool {
        self.is_complex
    }

    /// Whether its arithmetic has at most the precision of `double`.
    pub(crate) const fn is_within_doubles(self) -> bool {
        self.part <= 8
    }

    /// Whether it represents this number exactly.
    pub(crate) fn holds(self, x: f64) -> bool {
        let is_exact = match self.part {
            0..4 => false,
            4 => f64::from(narrowed(x)) == x,
            _ => true,
        };
        x.is_finite() && is_exact
    }

    /// The type of arithmetic on numbers of both types.
    pub(crate) fn common(self, other: Self) -> Self {
        Self {
            part: self.part.max(other.part),
            is_complex: self.is_complex || other.is_complex,
        }
    }

    /// Its operand type.
    pub(crate) const fn operands(self) -> Operands {
        match self.is_complex {
            true => Operands::Complex(self.part),
            false => Operands::Floating(self.part),
        }
    }
}

/// The access to a bit-field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct BitField {
    /// The type of its values.
    pub(crate) kind: IntegerType,
    /// The number of bytes from that of its first bit to that of its last.
    pub(crate) n_bytes: u32,
    /// Whether it fills these bytes, so that a store need not preserve other bits.
    pub(crate) is_whole: bool,
}

/// The layout of a struct.
#[derive(PartialEq, Debug)]
pub(crate) struct StructLayout {
    pub(crate) size: u32,
    pub(crate) alignment: u32,
    pub(crate) is_union: bool,
    pub(crate) members: Vec<StructMember>,
}

/// A member of a struct.
#[derive(PartialEq, Debug, Clone)]
pub(crate) struct StructMember {
    /// Its name; `None` for an anonymous struct.
    pub(crate) name: Option<Name>,
    pub(crate) offset: u32,
    pub(crate) kind: Type,
}

/// The type of a parameter declared with this type: arrays and functions decay to pointers.
pub(crate) fn decay_type(kind: Type) -> Type {
    match kind {
        Type::Array(element, _) => Type::Pointer(element),
        Type::Function => Type::Pointer(Rc::new(Type::Function)),
        other => other,
    }
}

/// The member of that name, including members of anonymous members.
pub(crate) fn find_member(layout: &StructLayout, name: &Name) -> Option<StructMember> {
    for member in &layout.members {
        if member.name.as_ref() == Some(name) {
            return Some(member.clone());
        }
        if let (None, Type::Struct(_, inner)) = (&member.name, &member.kind)
            && let Some(found) = find_member(inner, name)
        {
            return Some(StructMember {
                offset: member.offset + found.offset,
                ..found
            });
        }
    }
    None
}

/// The nearest `float`.
#[expect(
    clippy::cast_possible_truncation,
    reason = "rounding is what the conversion does"
)]
fn narrowed(x: f64) -> f32 {
    x as f32
}

/// The type after integer promotion (C11 6.3.1.1).
pub(crate) fn promoted(kind: IntegerType) -> IntegerType {
    if kind.bits < 32 { INT } else { kind }
}

/// The type after the usual arithmetic conversions (C11 6.3.1.8).
pub(crate) fn common(a: IntegerType, b: IntegerType) -> IntegerType {
    let (a, b) = (promoted(a), promoted(b));
    match a.bits.cmp(&b.bits) {
        std::cmp::Ordering::Less => b,
        std::cmp::Ordering::Greater => a,
        std::cmp::Ordering::Equal => IntegerType {
            bits: a.bits,
            signed: a.signed && b.signed,
        },
    }
}
