//! What the name of a type says about it, for types that no given text declares, as those of headers that are not there.

use crate::syntax::TypeName;
use premiss_tree::IntegerType;

/// The words at the end of a name that stand for integers, with their bits.
const INTEGERS: &[(&str, u8)] = &[
    ("int", 32),
    ("integer", 32),
    ("bigint", 64),
    ("count", 64),
    ("dim", 64),
    ("idx", 64),
    ("index", 64),
    ("len", 64),
    ("long", 64),
    ("offset", 64),
    ("size", 64),
    ("ssize", 64),
];

/// The words at the end of a name that stand for real numbers, with their bytes.
const REALS: &[(&str, u32)] = &[
    ("float", 4),
    ("f32", 4),
    ("float32", 4),
    ("double", 8),
    ("f64", 8),
    ("float64", 8),
    ("real", 8),
    ("scalar", 8),
];

/// What stands behind the word that counts.
const ENDS: [&str; 3] = ["_type", "type", "_t"];

/// The type that a name says: an integer or a real number; `None` for any other name.
///
/// Only the last word counts, without `_t` or `type` behind it: a name is taken apart at `_` and before capital letters.
///
/// ```
/// # use premiss_ast::{syntax::TypeName, type_of_name};
/// let bits = |name| match type_of_name(name) {
///     Some(TypeName::Integer(kind)) => Some((kind.bits, kind.signed)),
///     _ => None,
/// };
/// assert_eq!(bits("opus_int32"), Some((32, true)));
/// assert_eq!(bits("u8"), Some((8, false)));
/// assert_eq!(bits("PetscInt"), Some((32, true)));
/// assert_eq!(bits("sunindextype"), Some((64, true)));
/// assert_eq!(bits("MY_INDEX_TYPE"), Some((64, true)));
/// assert_eq!(bits("point"), None);
/// assert!(matches!(type_of_name("realtype"), Some(TypeName::Floating(8))));
/// ```
#[must_use]
pub fn type_of_name(name: &str) -> Option<TypeName> {
    let lower = name.to_ascii_lowercase();
    let end = ENDS.iter().find(|end| lower.ends_with(**end));
    let stem = &name[..name.len() - end.map_or(0, |end| end.len())];
    let word = last_word(stem);
    if let Some(kind) = sized_integer(&word) {
        return Some(TypeName::Integer(kind));
    }
    if let Some((_, bits)) = INTEGERS.iter().find(|(end, _)| is_word(&word, end)) {
        let kind = IntegerType {
            bits: *bits,
            signed: true,
        };
        return Some(TypeName::Integer(kind));
    }
    let real = REALS.iter().find(|(end, _)| is_word(&word, end));
    real.map(|(_, bytes)| TypeName::Floating(*bytes))
}

/// Whether a word is `end`, or ends in it where that is no part of another word: `sunindex`, but not `point`.
fn is_word(word: &str, end: &str) -> bool {
    word == end || (end.len() > 3 && word.ends_with(end))
}

/// The last word of a name in lower case: `Int` in `PetscInt`, `int32` in `opus_int32`.
fn last_word(name: &str) -> String {
    let part = name.rsplit('_').find(|part| !part.is_empty()).unwrap_or("");
    let letters: Vec<char> = part.chars().collect();
    let is_start = |idx: &usize| {
        let before = letters.get(idx.wrapping_sub(1));
        letters[*idx].is_uppercase() && before.is_some_and(|it| it.is_lowercase())
    };
    let start = (0..letters.len()).rev().find(is_start).unwrap_or(0);
    letters[start..]
        .iter()
        .flat_map(|it| it.to_lowercase())
        .collect()
}

/// An integer type whose name has its bits: `int32`, `uint8`, `u16`, `s64`.
fn sized_integer(word: &str) -> Option<IntegerType> {
    let start = word.find(|it: char| it.is_ascii_digit())?;
    let (kind, bits) = word.split_at(start);
    let bits = match bits {
        "8" | "16" | "32" | "64" => bits.parse().ok()?,
        _ => return None,
    };
    let signed = match kind {
        "u" | "uint" => false,
        "i" | "s" | "int" | "sint" => true,
        _ => return None,
    };
    Some(IntegerType { bits, signed })
}
