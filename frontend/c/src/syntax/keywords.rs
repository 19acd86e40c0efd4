//! Keywords by their role in the grammar, including those of GCC and Clang.

/// Whether a word is a type qualifier.
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

/// Whether a word is a storage-class or function specifier.
pub(super) fn is_storage_word(word: &str) -> bool {
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

/// Whether a word is part of a type specifier.
pub(super) fn is_type_word(word: &str) -> bool {
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

/// Whether a word is a keyword, not a name.
pub(super) fn is_keyword(word: &str) -> bool {
    is_specifier_word(word)
        || matches!(
            word,
            "if" | "else"
                | "for"
                | "while"
                | "do"
                | "switch"
                | "case"
                | "default"
                | "return"
                | "break"
                | "continue"
                | "goto"
                | "sizeof"
                | "_Alignof"
                | "_Generic"
                | "_Static_assert"
                | "_Alignas"
                | "__attribute__"
                | "__attribute"
                | "__asm__"
                | "asm"
        )
}
