//! Library models: definitions of known library functions that most programs do not come with.
//!
//! They are C, and are read as one more unit of the program; where a file of the program defines a function,
//! its definition counts.

/// The vector functions of BLAS, for a type and its letter: each touches what it is named for once, in
/// order.
const VECTORS: &str = include_str!("library_models/vectors.c");
/// Functions of the C library that are others under another name.
const LIBRARY: &str = include_str!("library_models/library.c");

/// The models, as the text of a file.
pub(crate) fn definitions() -> String {
    let mut text = LIBRARY.to_owned();
    for (letter, kind) in [("s", "float"), ("d", "double")] {
        text.push_str(&VECTORS.replace("LETTER", letter).replace("REAL", kind));
    }
    text
}
