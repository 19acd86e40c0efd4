//! Types, and what is stated about the layout of structs.

use super::{At, Expression, Name, UnitId};
use premiss_tree::IntegerType;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// What a function takes and returns.
#[derive(Debug, Hash)]
pub struct Signature {
    /// The type of its result.
    pub result: Arc<TypeName>,
    /// What it is given, in order.
    pub parameters: Vec<Parameter>,
    /// Who calls it by a pointer hands its arguments over as they are written: which parameter each of them is for. Empty
    /// where these are in order.
    pub order: Vec<usize>,
}

/// A parameter of a function.
#[derive(Debug, Clone, Hash)]
pub struct Parameter {
    /// Its name; `None` where it has none.
    pub name: Option<Name>,
    /// Where it stands.
    pub at: At,
    /// Its type.
    pub kind: Arc<TypeName>,
}

/// A struct or union; `None` while only its tag is known.
#[derive(Debug, Clone, Default, Hash)]
pub struct Struct {
    /// Its members, in order.
    pub fields: Option<Vec<Field>>,
    /// Whether all members lie at its start.
    pub is_union: bool,
    /// Whether it is declared outside of functions.
    pub is_at_file_scope: bool,
    /// What is stated about its layout.
    pub attributes: Attributes,
    /// The greatest alignment of members; `None` where nothing limits it.
    pub packing: Option<Packing>,
}

/// What is stated at one place about layout.
#[derive(Debug, Clone, Default, Hash)]
pub struct Attributes {
    /// Without gaps: on a struct all its members, on a member itself, on an enumeration its size.
    pub packed: bool,
    /// Least alignments; the strictest counts.
    pub aligned: Vec<Alignment>,
    /// Bytes of a vector of what the declaration names.
    pub vector: Option<Arc<Expression>>,
    /// The type that takes the place of the one that is named.
    pub mode: Option<Arc<TypeName>>,
    /// Whether layout follows the rules of another compiler.
    pub is_foreign: bool,
}

impl Attributes {
    /// Adds what stands at another place about the same thing.
    pub fn extend(&mut self, other: Self) {
        self.packed |= other.packed;
        self.aligned.extend(other.aligned);
        self.vector = other.vector.or(self.vector.take());
        self.mode = other.mode.or(self.mode.take());
        self.is_foreign |= other.is_foreign;
    }

    /// The type that a declaration of something of this type declares.
    #[must_use]
    pub fn applied(&self, kind: Arc<TypeName>) -> Arc<TypeName> {
        let kind = self.mode.clone().unwrap_or(kind);
        match &self.vector {
            Some(bytes) => Arc::new(TypeName::Vector(bytes.clone())),
            None => kind,
        }
    }

    /// The type that a name for a type with these attributes stands for.
    #[must_use]
    pub fn of_typedef(&self, kind: Arc<TypeName>) -> Arc<TypeName> {
        let kind = self.applied(kind);
        match self.aligned.is_empty() {
            true => kind,
            false => Arc::new(TypeName::Aligned(kind, self.aligned.clone())),
        }
    }
}

/// The greatest alignment of members.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Packing {
    /// Members are aligned as their types are.
    Natural,
    /// Members are aligned to so many bytes at most.
    Bytes(u8),
    /// What is stated could not be read.
    Unknown,
}

/// A least alignment.
#[derive(Debug, Clone, Hash)]
pub enum Alignment {
    /// So many.
    Bytes(Arc<Expression>),
    /// That of a type.
    OfType(Arc<TypeName>),
    /// The greatest that any type needs: 16 bytes.
    Greatest,
}

/// An enumeration whose size depends on its values.
#[derive(Debug, Hash)]
pub struct Enumeration {
    /// Each value: that of the expression (0 where there is none) plus a number.
    pub values: Vec<(Option<Arc<Expression>>, i64)>,
    /// Whether it is as small as its values allow.
    pub packed: bool,
}

/// A row of [`Unit::structs`](super::Unit::structs).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash, Serialize, Deserialize)]
pub struct StructId {
    /// The unit that declares it.
    pub unit: UnitId,
    /// Which of its rows.
    pub row: usize,
}

/// A member of a struct.
#[derive(Debug, Clone, Hash)]
pub struct Field {
    /// `None` for a struct without a name, whose members count as the outer one's.
    pub name: Option<Name>,
    /// Its type.
    pub kind: Arc<TypeName>,
    /// How many bits a bit-field has.
    pub width: Option<Arc<Expression>>,
    /// What is stated about its layout.
    pub attributes: Attributes,
}

/// A type as written; typedef names are resolved.
#[derive(Debug, Clone, Hash)]
pub enum TypeName {
    /// No value.
    Void,
    /// An integer type.
    Integer(IntegerType),
    /// A truth value of one byte.
    Bool,
    /// A real floating type of so many bytes.
    Floating(u32),
    /// A complex type whose parts have so many bytes.
    Complex(u32),
    /// A vector of so many bytes.
    Vector(Arc<Expression>),
    /// A type with an alignment of its own.
    Aligned(Arc<TypeName>, Vec<Alignment>),
    /// An enumeration.
    Enumeration(Arc<Enumeration>),
    /// A pointer to a type.
    Pointer(Arc<TypeName>),
    /// A pointer to a variable of the caller, as the type of a parameter: what it points to is no array
    /// where nobody calls.
    Reference(Arc<TypeName>),
    /// Elements of a type, so many where that is stated.
    Array(Arc<TypeName>, Option<Arc<Expression>>),
    /// A function.
    Function(Arc<Signature>),
    /// A struct or union.
    Struct(StructId),
    /// The type of an expression.
    TypeOf(Arc<Expression>),
    /// A name that nothing declares; a header that is not there would.
    Unknown(Name),
}
