//! The set of declaration specifiers, in any order.

use super::{Attributes, Lifetime, Linkage, TypeName};
use premiss_tree::IntegerType;
use std::sync::Arc;

/// The specifiers before the declarators.
pub(super) struct Specifiers {
    pub(super) kind: Arc<TypeName>,
    pub(super) lifetime: Lifetime,
    pub(super) is_typedef: bool,
    pub(super) is_const: bool,
    pub(super) is_volatile: bool,
    pub(super) is_inline: bool,
    pub(super) attributes: Attributes,
}

impl Specifiers {
    /// The linkage of a function defined with these specifiers.
    pub(super) fn linkage(&self) -> Linkage {
        match self.lifetime {
            Lifetime::Static => Linkage::Internal,
            Lifetime::Automatic if self.is_inline => Linkage::Internal,
            Lifetime::Automatic | Lifetime::Extern => Linkage::External,
        }
    }

    /// Adds a storage-class, function or qualifier word.
    pub(super) fn note(&mut self, word: &str) {
        match word {
            "typedef" => self.is_typedef = true,
            "static" => self.lifetime = Lifetime::Static,
            "extern" => self.lifetime = Lifetime::Extern,
            "const" | "__const" | "__const__" | "constexpr" => self.is_const = true,
            "volatile" | "__volatile__" | "__volatile" => self.is_volatile = true,
            "_Noreturn" | "noreturn" => self.attributes.never_returns = true,
            "inline" | "__inline" | "__inline__" => self.is_inline = true,
            _ => {}
        }
    }
}

/// The number of occurrences of each type word.
#[derive(Default)]
pub(super) struct TypeWords {
    char: u32,
    short: u32,
    int: u32,
    long: u32,
    signed: u32,
    unsigned: u32,
    float: u32,
    double: u32,
    complex: u32,
    other: Option<TypeName>,
    pub(super) n_words: u32,
}

impl TypeWords {
    /// Adds a word.
    pub(super) fn add(&mut self, word: &str) {
        self.n_words += 1;
        match word {
            "char" => self.char += 1,
            "short" => self.short += 1,
            "int" => self.int += 1,
            "long" => self.long += 1,
            "signed" | "__signed__" | "__signed" => self.signed += 1,
            "unsigned" => self.unsigned += 1,
            "float" => self.float += 1,
            "double" => self.double += 1,
            "_Complex" | "__complex__" | "_Imaginary" | "complex" => self.complex += 1,
            "_Bool" => self.other = Some(TypeName::Bool),
            "__float128" | "_Float128" | "_Float64x" | "_Decimal128" => {
                self.other = Some(TypeName::Floating(16));
            }
            "_Float64" | "_Float32x" | "_Decimal64" => self.other = Some(TypeName::Floating(8)),
            "_Float32" | "_Decimal32" => self.other = Some(TypeName::Floating(4)),
            "_Float16" | "__bf16" => self.other = Some(TypeName::Floating(2)),
            // Integers of more than 64 bits are data: only their size matters.
            "__int128" | "__int128_t" | "__uint128_t" => self.other = Some(TypeName::Floating(16)),
            _ => self.other = Some(TypeName::Void),
        }
    }

    /// The type that the words denote, in any order (C11 6.7.2).
    pub(super) fn kind(self) -> TypeName {
        let is_complex = self.complex > 0;
        match self.other {
            Some(TypeName::Floating(size)) if is_complex => return TypeName::Complex(size),
            Some(other) => return other,
            None => {}
        }
        let floating = if self.float > 0 {
            Some(4)
        } else if self.double > 0 || (is_complex && self.int + self.char == 0) {
            Some(if self.long > 0 { 16 } else { 8 })
        } else {
            None
        };
        match floating {
            Some(size) if is_complex => return TypeName::Complex(size),
            Some(size) => return TypeName::Floating(size),
            None => {}
        }
        let bits = if self.char > 0 {
            8
        } else if self.short > 0 {
            16
        } else if self.long > 0 {
            64
        } else {
            32
        };
        TypeName::Integer(IntegerType {
            bits,
            signed: self.unsigned == 0,
        })
    }
}
