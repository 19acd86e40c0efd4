//! Declaration specifiers: words that make a type, storage classes, attributes.

use super::Attributes;
use super::literals::INT;
use super::parser::{Parsed, Parser};
use super::token::TokenKind;
use super::{At, Declaration, Lifetime, Linkage, TypeName};
use premiss_tree::IntegerType;
use std::sync::Arc;

/// What stands before the declarators.
pub(super) struct Specifiers {
    pub(super) kind: Arc<TypeName>,
    pub(super) lifetime: Lifetime,
    pub(super) is_typedef: bool,
    pub(super) is_const: bool,
    pub(super) is_volatile: bool,
    pub(super) is_inline: bool,
    pub(super) attributes: Attributes,
}

pub(super) fn is_qualifier(word: &str) -> bool {
    matches!(
        word,
        "const"
            | "__const"
            | "__const__"
            | "volatile"
            | "__volatile__"
            | "__volatile"
            | "restrict"
            | "__restrict"
            | "__restrict__"
            | "_Atomic"
            | "_Nonnull"
            | "_Nullable"
    )
}

fn is_storage_word(word: &str) -> bool {
    matches!(
        word,
        "typedef"
            | "extern"
            | "static"
            | "auto"
            | "register"
            | "inline"
            | "__inline"
            | "__inline__"
            | "__forceinline"
            | "_Noreturn"
            | "noreturn"
            | "_Thread_local"
            | "thread_local"
            | "__thread"
            | "__extension__"
            | "constexpr"
    )
}

fn is_type_word(word: &str) -> bool {
    matches!(
        word,
        "void"
            | "char"
            | "short"
            | "int"
            | "long"
            | "signed"
            | "__signed__"
            | "__signed"
            | "unsigned"
            | "float"
            | "double"
            | "_Bool"
            | "_Complex"
            | "__complex__"
            | "_Imaginary"
            | "__int128"
            | "__int128_t"
            | "__uint128_t"
            | "__float128"
            | "_Float128"
            | "_Float64x"
            | "_Float64"
            | "_Float32x"
            | "_Float32"
            | "_Float16"
            | "__bf16"
            | "_Decimal32"
            | "_Decimal64"
            | "_Decimal128"
            | "struct"
            | "union"
            | "enum"
            | "typeof"
            | "__typeof__"
            | "__typeof"
    )
}

/// Whether a word can only be part of a declaration's specifiers.
pub(super) fn is_specifier_word(word: &str) -> bool {
    is_qualifier(word) || is_storage_word(word) || is_type_word(word)
}

/// How often each type word was seen.
#[derive(Default)]
struct Basic {
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
    n_words: u32,
}

impl Basic {
    fn add(&mut self, word: &str) {
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
            // Integers beyond 64 bits are data: all that counts is their size.
            "__int128" | "__int128_t" | "__uint128_t" => self.other = Some(TypeName::Floating(16)),
            _ => self.other = Some(TypeName::Void),
        }
    }

    fn kind(self) -> TypeName {
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

impl Parser<'_> {
    /// Whether a type name or declaration starts `n` tokens ahead.
    pub(super) fn starts_type_after(&self, n: usize) -> bool {
        let word = self.word_after(n);
        if word.is_empty() {
            return false;
        }
        if is_specifier_word(word) || matches!(word, "_Alignas" | "alignas") {
            return true;
        }
        if word.starts_with("__attribute") {
            return true;
        }
        match self.lookup(word) {
            Some(meaning) => meaning.is_some(),
            None => self.looks_like_type(n),
        }
    }

    /// Whether a name that nothing declares is used as a type: `word word`, `(word *)`,
    /// `word *word` before `,`, `)`, `;`, `=` or `[`.
    fn looks_like_type(&self, n: usize) -> bool {
        if super::statements::is_keyword(self.word_after(n)) {
            return false;
        }
        let mut next = n + 1;
        let is_name = |idx| {
            let word = self.word_after(idx);
            !word.is_empty() && (is_qualifier(word) || !super::statements::is_keyword(word))
        };
        if is_name(next) {
            return true;
        }
        if !self.is_after(next, "*") {
            return false;
        }
        while self.is_after(next, "*") || is_qualifier(self.word_after(next)) {
            next += 1;
        }
        if self.is_after(next, ")") {
            return true;
        }
        // `a * b;` multiplies for nothing: nobody writes that about undeclared names.
        let before = match (n, self.position) {
            (0, 0) => ";",
            (0, _) => self.text_between(self.before()),
            _ => return false,
        };
        let ends: &[&str] = match before {
            // Outside of functions there is nothing to multiply.
            ";" | "}" if self.is_at_file_scope() => &[",", ")", ";", "=", "[", "("],
            ";" | "{" | "}" | "(" | "," | ")" => &[",", ")", ";", "=", "["],
            _ => return false,
        };
        is_name(next) && ends.iter().any(|text| self.is_after(next + 1, text))
    }

    fn text_between(&self, at: At) -> &str {
        self.text_of(super::token::Token {
            kind: TokenKind::Unknown,
            at,
        })
    }

    /// Reads over the qualifiers behind a `*`; yields the attributes among them.
    pub(super) fn qualifiers(&mut self) -> Parsed<Attributes> {
        let mut found = self.attributes()?;
        while is_qualifier(self.word()) {
            self.advance();
            found.extend(self.attributes()?);
        }
        Ok(found)
    }

    /// Reads specifiers; enumeration constants that they define go to `declared`.
    pub(super) fn specifiers(&mut self, declared: &mut Vec<Declaration>) -> Parsed<Specifiers> {
        let mut basic = Basic::default();
        let mut named = None;
        let mut result = Specifiers {
            kind: Arc::new(TypeName::Integer(INT)),
            lifetime: Lifetime::Automatic,
            is_typedef: false,
            is_const: false,
            is_volatile: false,
            is_inline: false,
            attributes: Attributes::default(),
        };
        let start = self.position;
        loop {
            result.attributes.extend(self.attributes()?);
            let word = self.word();
            let has_type = named.is_some() || basic.n_words > 0;
            match word {
                "" => break,
                "struct" | "union" => named = Some(self.nested(Self::struct_specifier)?),
                "enum" => named = Some(self.enum_specifier(declared)?),
                "typeof" | "__typeof__" | "__typeof" => named = Some(self.type_of()?),
                "_Atomic" if self.is_after(1, "(") => {
                    self.advance();
                    self.advance();
                    named = Some(self.nested(Self::type_name)?);
                    self.expect(")")?;
                }
                "complex" if basic.n_words > 0 => self.basic_word(&mut basic),
                _ if is_type_word(word) => self.basic_word(&mut basic),
                _ if is_qualifier(word) || is_storage_word(word) => {
                    result.note(word);
                    self.advance();
                }
                _ if has_type => break,
                _ => match self.named_type(start) {
                    Some(kind) => named = Some(kind),
                    None => break,
                },
            }
        }
        if self.position == start {
            return Err(self.error());
        }
        let kind = named.unwrap_or_else(|| Arc::new(basic.kind()));
        result.kind = result.attributes.applied(kind);
        Ok(result)
    }

    fn basic_word(&mut self, basic: &mut Basic) {
        basic.add(self.word());
        self.advance();
    }

    /// A typedef name, or a name in the place of one.
    fn named_type(&mut self, start: usize) -> Option<Arc<TypeName>> {
        let word = self.word();
        let kind = match self.lookup(word) {
            Some(Some(kind)) => kind.clone(),
            Some(None) => return None,
            None if self.position == start || self.looks_like_type(0) => {
                if !self.looks_like_type(0) && !self.is_after(1, ")") && !self.is_after(1, ",") {
                    return None;
                }
                Arc::new(TypeName::Unknown(self.name_of(word)))
            }
            None => return None,
        };
        self.advance();
        Some(kind)
    }

    fn type_of(&mut self) -> Parsed<Arc<TypeName>> {
        self.advance();
        let is_type = self.starts_type_after(1);
        self.expect("(")?;
        let kind = if is_type {
            self.nested(Self::type_name)?
        } else {
            Arc::new(TypeName::TypeOf(Arc::new(self.nested(Self::expression)?)))
        };
        self.expect(")")?;
        Ok(kind)
    }
}

impl Specifiers {
    /// The linkage of a function that is defined with them.
    pub(super) fn linkage(&self) -> Linkage {
        match self.lifetime {
            Lifetime::Static => Linkage::Internal,
            Lifetime::Automatic if self.is_inline => Linkage::Internal,
            Lifetime::Automatic | Lifetime::Extern => Linkage::External,
        }
    }

    fn note(&mut self, word: &str) {
        match word {
            "typedef" => self.is_typedef = true,
            "static" => self.lifetime = Lifetime::Static,
            "extern" => self.lifetime = Lifetime::Extern,
            "const" | "__const" | "__const__" | "constexpr" => self.is_const = true,
            "volatile" | "__volatile__" | "__volatile" => self.is_volatile = true,
            "inline" | "__inline" | "__inline__" => self.is_inline = true,
            _ => {}
        }
    }
}
