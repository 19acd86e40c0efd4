//! Library models: definitions of known library functions that most programs do not contain.
//!
//! They are written in C and form one more unit of the program; if a file of the program defines a function, its
//! definition takes precedence.

/// The vector functions of BLAS (level 1), for a type and its letter: each accesses the elements of its arguments
/// once, in order.
const VECTORS: &str = include_str!("library_models/vectors.c");
/// Functions of the C library that are aliases of others.
const LIBRARY: &str = include_str!("library_models/library.c");

/// The models, as the text of a file.
pub(crate) fn definitions() -> String {
    let mut text = LIBRARY.to_owned();
    for (letter, kind) in [("s", "float"), ("d", "double")] {
        text.push_str(&VECTORS.replace("LETTER", letter).replace("REAL", kind));
    }
    text
}
