//! Types with their sizes, under LP64.

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

/// A type. Array lengths are values, of when the declaration was executed.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Type {
    Void,
    /// An integer type; `_Bool` counts as one of a single bit.
    Integer(IntegerType),
    Bool,
    /// A type of real or complex numbers.
    Floating(NumberType),
    Pointer(Rc<Type>),
    /// Elements of a type, so many where that is known.
    Array(Rc<Type>, Option<Expression>),
    Struct(StructId, Rc<StructLayout>),
    Function,
    /// A bit-field, by the bytes that hold its bits.
    BitField(BitField),
    /// A type that nothing declares.
    Unknown(Name),
}

impl Type {
    /// Its size in bytes; `None` where it has none that is known.
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
            // GNU C counts in bytes there.
            Self::Void | Self::Function => Some(1.into()),
            _ => self.scalar_size().map(|size| i64::from(size).into()),
        }
    }

    /// Its size in bytes, where it is no array.
    pub(crate) fn scalar_size(&self) -> Option<u32> {
        match self {
            Self::Integer(kind) => Some(u32::from(kind.bits).div_ceil(8)),
            Self::Bool => Some(1),
            Self::Floating(kind) => Some(kind.size()),
            Self::Pointer(_) => Some(8),
            Self::Struct(_, layout) => Some(layout.size),
            Self::BitField(field) => Some(field.n_bytes),
            Self::Array(..) | Self::Void | Self::Function | Self::Unknown(_) => None,
        }
    }

    /// Its alignment in bytes, where no attribute and no complex type says otherwise.
    pub(crate) fn alignment(&self) -> u32 {
        match self {
            Self::Array(element, _) => element.alignment(),
            Self::Struct(_, layout) => layout.alignment,
            Self::BitField(_) => 1,
            other => other.scalar_size().unwrap_or(1).clamp(1, 16),
        }
    }

    /// The type of the scalars that an array of arrays holds in the end.
    pub(crate) fn innermost(&self) -> &Self {
        match self {
            Self::Array(element, _) => element.innermost(),
            other => other,
        }
    }

    /// Whether it is an array, or a struct with an array in it.
    pub(crate) fn holds_array(&self) -> bool {
        self.any_part(&|part| matches!(part, Self::Array(..)))
    }

    /// Whether something of it holds a pointer.
    pub(crate) fn holds_pointer(&self) -> bool {
        self.any_part(&|part| matches!(part, Self::Pointer(_) | Self::Unknown(_)))
    }

    /// Whether something of it holds an integer.
    pub(crate) fn holds_integer(&self) -> bool {
        self.any_part(&|part| part.integer().is_some())
    }

    /// Whether it, an element, or a member of it satisfies a predicate.
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

    /// The type that values of it have where it is an integer type.
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
    /// Bytes of the number, or of each part of a complex one.
    pub(crate) part: u32,
    pub(crate) is_complex: bool,
}

impl NumberType {
    /// Real numbers of so many bytes.
    pub(crate) const fn real(bytes: u32) -> Self {
        Self {
            part: bytes,
            is_complex: false,
        }
    }

    /// Complex numbers with parts of so many bytes.
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

    /// Whether its numbers are computed with as doubles are, or less exactly.
    pub(crate) const fn is_within_doubles(self) -> bool {
        self.part <= 8
    }

    /// Whether it has this very number.
    pub(crate) fn holds(self, x: f64) -> bool {
        let is_exact = match self.part {
            0..4 => false,
            4 => f64::from(narrowed(x)) == x,
            _ => true,
        };
        x.is_finite() && is_exact
    }

    /// The type in which numbers of both are computed with.
    pub(crate) fn common(self, other: Self) -> Self {
        Self {
            part: self.part.max(other.part),
            is_complex: self.is_complex || other.is_complex,
        }
    }

    /// What it is as an operand.
    pub(crate) const fn operands(self) -> Operands {
        match self.is_complex {
            true => Operands::Complex(self.part),
            false => Operands::Floating(self.part),
        }
    }
}

/// What an access to a bit-field touches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct BitField {
    /// The type that its values have.
    pub(crate) kind: IntegerType,
    /// From the byte of its first bit to that of its last.
    pub(crate) n_bytes: u32,
    /// Whether it fills these bytes, so that storing it needs nothing of what was there.
    pub(crate) is_whole: bool,
}

/// Where the members of a struct lie.
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
    /// `None` for a struct without a name.
    pub(crate) name: Option<Name>,
    pub(crate) offset: u32,
    pub(crate) kind: Type,
}

/// The type of a parameter that is declared with this one.
pub(crate) fn decay_type(kind: Type) -> Type {
    match kind {
        Type::Array(element, _) => Type::Pointer(element),
        Type::Function => Type::Pointer(Rc::new(Type::Function)),
        other => other,
    }
}

/// The member of that name, those of nameless members included.
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

/// The type that an operand of arithmetic is promoted to.
pub(crate) fn promoted(kind: IntegerType) -> IntegerType {
    if kind.bits < 32 { INT } else { kind }
}

/// The type in which two operands are computed with.
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
