//! Rust's types, as far as loops over arrays need them.

use crate::ast_builder::{WIDE, wide};
use premiss_ast::syntax::{Expression, TypeName};
use premiss_tree::IntegerType;
use std::sync::Arc;

/// A type.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Ty {
    Unit,
    /// The type `!`.
    Never,
    Bool,
    Char,
    Int(IntegerType),
    Float(u32),
    /// Text, as bytes.
    Str,
    Array(Arc<Ty>, ArrayLength),
    Slice(Arc<Ty>),
    /// A reference or raw pointer.
    Pointer(Arc<Ty>),
    /// An owning pointer.
    Box(Arc<Ty>),
    Vec(Arc<Ty>),
    /// An array of `ndarray` or a view of one, with its number of dimensions.
    NdArray(Arc<Ty>, usize),
    Tuple(Vec<Ty>),
    /// An enumeration of the program without fields: its index and the type of its discriminant.
    Enum(usize, IntegerType),
    /// A struct of the program: its index and its generic arguments.
    Record(usize, Arc<[GenericArg]>),
    /// `Option`, or `Result` without its error type.
    Option(Arc<Ty>),
    Range(Arc<Ty>),
    /// A type of this many bytes whose parts are not modelled.
    Opaque(u32),
    /// A vector of the processor, by its name, with its bytes: `__m256`.
    Simd(Arc<str>, u32),
    /// An inference variable, identified by the place in the text that leaves the type open.
    Infer(usize),
    /// An unknown type, by its name.
    Unknown(Arc<str>),
}

/// The value of a generic parameter.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum GenericArg {
    Type(Ty),
    Value(ArrayLength),
}

/// The number of elements of an array type.
#[derive(Debug, Clone)]
pub(crate) struct ArrayLength(pub(crate) Arc<Expression>);

impl ArrayLength {
    /// The length as an expression.
    pub(crate) fn expression(&self) -> Expression {
        (*self.0).clone()
    }
}

impl PartialEq for ArrayLength {
    fn eq(&self, other: &Self) -> bool {
        text_of(&self.0) == text_of(&other.0)
    }
}

/// The text of a length, for comparison of lengths: the expression without places.
pub(crate) fn text_of(expression: &Expression) -> String {
    use premiss_ast::syntax::ExpressionKind as Kind;
    match &expression.kind {
        Kind::Integer(value, _) => value.to_string(),
        Kind::Name(name) => name.to_string(),
        Kind::Binary(operator, a, b) => format!("({} {operator:?} {})", text_of(a), text_of(b)),
        Kind::Cast(_, x) => text_of(x),
        _ => format!("{:?}", expression.at),
    }
}

/// An integer of unknown type, as a literal without a suffix before inference.
pub(crate) const SOME_INTEGER: Ty = Ty::Int(IntegerType {
    bits: 0,
    signed: true,
});

/// A floating-point number of unknown type.
pub(crate) const SOME_FLOAT: Ty = Ty::Float(0);

/// The name of a type of more parts than its budget allows.
const TOO_LARGE: &str = "type of too many parts";

/// The maximum number of names in a type; larger types are not distinguished.
pub(crate) const LARGEST: usize = 48;

/// `usize`.
pub(crate) const SIZE: Ty = Ty::Int(IntegerType {
    bits: 64,
    signed: false,
});

/// The bytes of a vector type of `std::arch`: `__m256d`, `float32x4_t`, `v128`.
fn simd_bytes(name: &str) -> Option<u32> {
    match name {
        "__m64" => return Some(8),
        "v128" => return Some(16),
        _ => {}
    }
    if let Some(bits) = name.strip_prefix("__m") {
        let bits = bits.strip_suffix(['d', 'i', 'h']).unwrap_or(bits);
        let bits: u32 = bits.parse().ok()?;
        return [128, 256, 512].contains(&bits).then_some(bits / 8);
    }
    let shape = ["float", "int", "uint", "poly"]
        .iter()
        .find_map(|prefix| name.strip_prefix(prefix))?;
    let (bits, n_lanes) = shape.strip_suffix("_t")?.split_once('x')?;
    let bits = bits.parse::<u32>().ok()? * n_lanes.parse::<u32>().ok()?;
    [64, 128].contains(&bits).then_some(bits / 8)
}

impl Ty {
    /// An unknown type.
    pub(crate) fn unknown() -> Self {
        Self::Unknown("_".into())
    }

    /// The primitive type of a name.
    pub(crate) fn primitive(name: &str) -> Option<Self> {
        let integer = |bits, signed| Self::Int(IntegerType { bits, signed });
        Some(match name {
            "f64" | "c_double" => Self::Float(8),
            "f32" | "c_float" => Self::Float(4),
            "f16" => Self::Float(2),
            "i8" => integer(8, true),
            "u8" => integer(8, false),
            "i16" => integer(16, true),
            "u16" => integer(16, false),
            "i32" | "c_int" => integer(32, true),
            "u32" | "c_uint" => integer(32, false),
            "i64" | "isize" => integer(64, true),
            "u64" | "usize" => integer(64, false),
            "i128" | "u128" => Self::Opaque(16),
            "bool" => Self::Bool,
            "char" => Self::Char,
            "str" => Self::Str,
            "String" => Self::Vec(Arc::new(integer(8, false))),
            _ => Self::Simd(name.into(), simd_bytes(name)?),
        })
    }

    /// The number within a type of some crate whose values are checked when it is made: `FiniteF32` of `strict-num`, `R64` of
    /// `noisy_float`, `bf16` of `half`.
    pub(crate) fn checked_number(name: &str) -> Option<Self> {
        const PREFIXES: [&str; 5] = [
            "Finite",
            "Positive",
            "NonZeroPositive",
            "Normalized",
            "Approx",
        ];
        let number = PREFIXES.iter().find_map(|prefix| name.strip_prefix(prefix));
        match (number, name) {
            (Some("F32"), _) | (_, "R32" | "N32") => Some(Self::Float(4)),
            (Some("F64"), _) | (_, "R64" | "N64") => Some(Self::Float(8)),
            (_, "bf16") => Some(Self::Float(2)),
            _ => None,
        }
    }

    /// The bytes of a number.
    pub(crate) fn bytes_of_number(&self) -> Option<i64> {
        match self {
            Self::Int(kind) if 0 < kind.bits => Some(i64::from(kind.bits) / 8),
            Self::Float(size) | Self::Opaque(size) if 0 < *size => Some(i64::from(*size)),
            _ => None,
        }
    }

    /// The complex type of a name, with the type of its parts: a pair.
    pub(crate) fn complex(name: &str, part: Option<&Self>) -> Option<Self> {
        let part = match name {
            "Complex" => part.cloned().unwrap_or_else(Self::unknown),
            "Complex64" | "c64" => Self::Float(8),
            "Complex32" | "c32" => Self::Float(4),
            _ => return None,
        };
        Some(Self::Tuple(vec![part.clone(), part]))
    }

    /// A type of more parts than its budget allows.
    pub(crate) fn too_large() -> Self {
        Self::Unknown(TOO_LARGE.into())
    }

    pub(crate) fn is_too_large(&self) -> bool {
        matches!(self, Self::Unknown(name) if &**name == TOO_LARGE)
    }

    /// The type of a rejected expression, which is not reported again.
    pub(crate) fn rejected() -> Self {
        Self::Unknown("!".into())
    }

    /// Whether it was rejected and reported already.
    pub(crate) fn is_rejected(&self) -> bool {
        matches!(self, Self::Unknown(name) if &**name == "!")
    }

    pub(crate) fn pointer(self) -> Self {
        Self::Pointer(Arc::new(self))
    }

    /// The target of a reference, through all references and boxes.
    pub(crate) fn peeled(&self) -> &Self {
        match self {
            Self::Pointer(inner) | Self::Box(inner) => inner.peeled(),
            other => other,
        }
    }

    /// The element type of a value represented by a pointer and a length.
    pub(crate) fn slice_element(&self) -> Option<Arc<Self>> {
        match self {
            Self::Vec(element) | Self::Slice(element) => Some(element.clone()),
            Self::Str => Some(Arc::new(Self::Int(IntegerType {
                bits: 8,
                signed: false,
            }))),
            Self::Pointer(inner) | Self::Box(inner) => match &**inner {
                Self::Vec(_) | Self::Slice(_) | Self::Str => inner.slice_element(),
                Self::Box(inner) if matches!(**inner, Self::Slice(_)) => inner.slice_element(),
                Self::Pointer(inner) if inner.slice_element().is_some() => inner.slice_element(),
                _ => None,
            },
            _ => None,
        }
    }

    /// The element type and rank of an array of `ndarray`, or a reference to one.
    pub(crate) fn grid(&self) -> Option<(Arc<Self>, usize)> {
        match self {
            Self::NdArray(element, rank) => Some((element.clone(), *rank)),
            Self::Pointer(inner) | Self::Box(inner) => inner.grid(),
            _ => None,
        }
    }

    /// The element type of an array, slice or vector, or a reference to one.
    pub(crate) fn element(&self) -> Option<Arc<Self>> {
        match self.peeled() {
            Self::Array(element, _)
            | Self::Slice(element)
            | Self::Vec(element)
            | Self::NdArray(element, _) => Some(element.clone()),
            Self::Str => self.peeled().slice_element(),
            _ => None,
        }
    }

    pub(crate) fn is_integer(&self) -> bool {
        matches!(self, Self::Int(_) | Self::Char | Self::Enum(..))
    }

    /// Whether it is a number or another type that a single variable holds.
    pub(crate) fn is_scalar(&self) -> bool {
        matches!(
            self,
            Self::Bool
                | Self::Char
                | Self::Int(_)
                | Self::Float(_)
                | Self::Opaque(_)
                | Self::Simd(..)
                | Self::Enum(..)
        )
    }

    /// Whether it consists of more than `most` names.
    pub(crate) fn is_larger(&self, most: usize) -> bool {
        let mut left = most;
        !self.fits(&mut left)
    }

    fn fits(&self, left: &mut usize) -> bool {
        let Some(rest) = left.checked_sub(1) else {
            return false;
        };
        *left = rest;
        match self {
            Self::Array(x, _)
            | Self::Slice(x)
            | Self::Pointer(x)
            | Self::Box(x)
            | Self::Vec(x)
            | Self::NdArray(x, _)
            | Self::Option(x)
            | Self::Range(x) => x.fits(left),
            Self::Tuple(parts) => parts.iter().all(|part| part.fits(left)),
            Self::Record(_, arguments) => arguments.iter().all(|argument| match argument {
                GenericArg::Type(kind) => kind.fits(left),
                GenericArg::Value(_) => true,
            }),
            _ => true,
        }
    }

    /// The type as text without places: equal for equal types.
    pub(crate) fn key(&self) -> String {
        let list = |parts: &mut dyn Iterator<Item = String>| parts.collect::<Vec<_>>().join(",");
        match self {
            Self::Array(x, length) => format!("[{};{}]", x.key(), text_of(&length.0)),
            Self::Slice(x) => format!("[{}]", x.key()),
            Self::Pointer(x) => format!("&{}", x.key()),
            Self::Box(x) => format!("Box<{}>", x.key()),
            Self::Vec(x) => format!("Vec<{}>", x.key()),
            Self::NdArray(x, rank) => format!("Array{rank}<{}>", x.key()),
            Self::Option(x) => format!("Option<{}>", x.key()),
            Self::Range(x) => format!("Range<{}>", x.key()),
            Self::Tuple(parts) => format!("({})", list(&mut parts.iter().map(Self::key))),
            Self::Record(record, arguments) => {
                let mut arguments = arguments.iter().map(|argument| match argument {
                    GenericArg::Type(kind) => kind.key(),
                    GenericArg::Value(length) => text_of(&length.0),
                });
                format!("#{record}<{}>", list(&mut arguments))
            }
            other => format!("{other:?}"),
        }
    }

    /// Whether a more specific type may replace it.
    pub(crate) fn is_weak(&self) -> bool {
        *self == SOME_INTEGER || *self == SOME_FLOAT || self.is_unknown()
    }

    /// Whether it is unknown.
    pub(crate) fn is_unknown(&self) -> bool {
        matches!(self, Self::Unknown(_) | Self::Infer(_))
    }

    /// The type of a variable of this type: integers have the width of arithmetic.
    pub(crate) fn variable(&self, memory: TypeName) -> TypeName {
        match self {
            Self::Int(_) | Self::Char | Self::Enum(..) => wide(),
            _ => memory,
        }
    }
}

/// The type of an integer in memory. A type of the width of arithmetic needs no conversion; a literal whose type stays
/// open is an `i32`.
pub(crate) fn integer_in_memory(kind: IntegerType) -> TypeName {
    TypeName::Integer(match kind.bits {
        64 => WIDE,
        0 => IntegerType {
            bits: 32,
            signed: true,
        },
        _ => kind,
    })
}
