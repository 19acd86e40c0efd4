//! Definitions of functions that most programs do not come with.

/// The vector functions of BLAS, for a type and its letter: each touches what it is named for once, in
/// order.
const VECTORS: &str = include_str!("known/vectors.c");
/// Functions of the C library that are others under another name.
const LIBRARY: &str = include_str!("known/library.c");

/// The known definitions.
pub(crate) fn known_bodies() -> String {
    let mut text = LIBRARY.to_owned();
    for (letter, kind) in [("s", "float"), ("d", "double")] {
        text.push_str(&VECTORS.replace("LETTER", letter).replace("REAL", kind));
    }
    text
}
