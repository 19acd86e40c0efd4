//! Types, and attributes that affect the layout of structs.

use super::{Expression, Name, TextRange, UnitId};
use premiss_tree::IntegerType;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The type of a function.
#[derive(Debug, Hash)]
pub struct Signature {
    /// The type of its result.
    pub result: Arc<TypeName>,
    /// Its parameters, in order.
    pub parameters: Vec<Parameter>,
    /// For calls through a pointer, whose arguments are in source order: the parameter that each argument is for.
    /// Empty if arguments and parameters are in the same order.
    pub order: Vec<usize>,
}

/// A parameter of a function.
#[derive(Debug, Clone, Hash)]
pub struct Parameter {
    /// Its name; `None` if it is unnamed.
    pub name: Option<Name>,
    /// Its place in the text.
    pub at: TextRange,
    /// Its type.
    pub kind: Arc<TypeName>,
}

/// A struct or union.
#[derive(Debug, Clone, Default, Hash)]
pub struct Struct {
    /// Its members, in order; `None` while the type is incomplete (only its tag is declared).
    pub fields: Option<Vec<Field>>,
    /// Whether it is a union: all members start at offset 0.
    pub is_union: bool,
    /// Whether it is declared at file scope.
    pub is_at_file_scope: bool,
    /// Its layout attributes.
    pub attributes: Attributes,
    /// The maximum alignment of members, as `#pragma pack` sets it; `None` if there is no limit.
    pub packing: Option<Packing>,
}

/// Layout attributes at one place in the source (GNU C `__attribute__`).
#[derive(Debug, Clone, Default, Hash)]
pub struct Attributes {
    /// `packed`: no padding for the members of a struct or for a member itself; the smallest size for an enumeration.
    pub packed: bool,
    /// `aligned`: minimum alignments; the strictest applies.
    pub aligned: Vec<Alignment>,
    /// `vector_size`: the size in bytes of a vector of the declared type.
    pub vector: Option<Arc<Expression>>,
    /// `mode`: the type that replaces the declared one.
    pub mode: Option<Arc<TypeName>>,
    /// `noreturn`: a function that never returns.
    pub never_returns: bool,
    /// Whether the layout follows the rules of another compiler.
    pub is_foreign: bool,
}

impl Attributes {
    /// Adds the attributes at another place of the same declaration; those of `other` override `vector` and `mode`.
    pub fn extend(&mut self, other: Self) {
        self.packed |= other.packed;
        self.aligned.extend(other.aligned);
        self.vector = other.vector.or(self.vector.take());
        self.mode = other.mode.or(self.mode.take());
        self.never_returns |= other.never_returns;
        self.is_foreign |= other.is_foreign;
    }

    /// The type of an object declared with the type `kind` and these attributes.
    #[must_use]
    pub fn applied(&self, kind: Arc<TypeName>) -> Arc<TypeName> {
        let kind = self.mode.clone().unwrap_or(kind);
        match &self.vector {
            Some(bytes) => Arc::new(TypeName::Vector(bytes.clone())),
            None => kind,
        }
    }

    /// The type that a typedef of `kind` with these attributes names.
    #[must_use]
    pub fn of_typedef(&self, kind: Arc<TypeName>) -> Arc<TypeName> {
        let kind = self.applied(kind);
        match self.aligned.is_empty() {
            true => kind,
            false => Arc::new(TypeName::Aligned(kind, self.aligned.clone())),
        }
    }
}

/// The maximum alignment of members.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Packing {
    /// Members have the alignment of their types.
    Natural,
    /// The alignment of members is at most this many bytes.
    Bytes(u8),
    /// The stated alignment could not be evaluated.
    Unknown,
}

/// A minimum alignment.
#[derive(Debug, Clone, Hash)]
pub enum Alignment {
    /// This many bytes.
    Bytes(Arc<Expression>),
    /// The alignment of a type.
    OfType(Arc<TypeName>),
    /// The maximum alignment of any type: 16 bytes.
    Greatest,
}

/// An enumeration, whose size depends on its values.
#[derive(Debug, Hash)]
pub struct Enumeration {
    /// The value of each enumerator: that of the expression (0 if there is none) plus a constant.
    pub values: Vec<(Option<Arc<Expression>>, i64)>,
    /// Whether it has the smallest size that holds its values.
    pub packed: bool,
}

/// Identifies a struct or union: an index into [`Unit::structs`](super::Unit::structs).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash, Serialize, Deserialize)]
pub struct StructId {
    /// The unit that declares it.
    pub unit: UnitId,
    /// The index.
    pub row: usize,
}

/// A member of a struct.
#[derive(Debug, Clone, Hash)]
pub struct Field {
    /// Its name; `None` for an anonymous struct or union, whose members belong to the enclosing one.
    pub name: Option<Name>,
    /// Its type.
    pub kind: Arc<TypeName>,
    /// The width of a bit-field, in bits; `None` for any other member.
    pub width: Option<Arc<Expression>>,
    /// Its layout attributes.
    pub attributes: Attributes,
}

/// A type as written, with typedef names resolved.
#[derive(Debug, Clone, Hash)]
pub enum TypeName {
    /// `void`.
    Void,
    /// An integer type.
    Integer(IntegerType),
    /// A truth value of 1 byte.
    Bool,
    /// A floating-point type of this many bytes.
    Floating(u32),
    /// A complex type whose parts have this many bytes.
    Complex(u32),
    /// A vector of this many bytes.
    Vector(Arc<Expression>),
    /// A type with its own minimum alignment.
    Aligned(Arc<TypeName>, Vec<Alignment>),
    /// An enumeration.
    Enumeration(Arc<Enumeration>),
    /// A pointer to a type.
    Pointer(Arc<TypeName>),
    /// The type of a parameter that is a pointer to a variable of the caller. In a function without callers, its
    /// target does not count as an array.
    Reference(Arc<TypeName>),
    /// An array of elements of a type, with the number of elements where it is stated.
    Array(Arc<TypeName>, Option<Arc<Expression>>),
    /// A function type.
    Function(Arc<Signature>),
    /// A struct or union.
    Struct(StructId),
    /// The type of an expression (GNU C `typeof`).
    TypeOf(Arc<Expression>),
    /// A type name of C without a declaration, as of a header that is not there.
    Undeclared(Name),
    /// A type of which nothing is known.
    Unknown(Name),
}
