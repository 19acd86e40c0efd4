//! What a build finds on Linux with glibc, for the headers that it makes of templates.
//!
//! ```text
//! HAVE_SYS_TYPES_H   1    the header is one of the system
//! HAVE_STRDUP        1    a built-in header declares the function
//! HAVE_DECL_ISNAN    1
//! SIZEOF_LONG        8
//! HAVE_WIDGETS            stays undefined: nothing tells
//! ```

use super::headers;
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// The sizes of types in bytes, by what follows `SIZEOF_`.
const SIZES: &[(&str, u32)] = &[
    ("CHAR", 1),
    ("CHAR_P", 8),
    ("DOUBLE", 8),
    ("FLOAT", 4),
    ("INT", 4),
    ("INTMAX_T", 8),
    ("INTPTR_T", 8),
    ("LONG", 8),
    ("LONG_DOUBLE", 16),
    ("LONG_INT", 8),
    ("LONG_LONG", 8),
    ("LONG_LONG_INT", 8),
    ("OFF_T", 8),
    ("PTRDIFF_T", 8),
    ("SHORT", 2),
    ("SHORT_INT", 2),
    ("SIZE_T", 8),
    ("SSIZE_T", 8),
    ("TIME_T", 8),
    ("UINTPTR_T", 8),
    ("UNSIGNED_CHAR", 1),
    ("UNSIGNED_INT", 4),
    ("UNSIGNED_LONG", 8),
    ("UNSIGNED_LONG_LONG", 8),
    ("UNSIGNED_SHORT", 2),
    ("VOIDP", 8),
    ("VOID_P", 8),
    ("WCHAR_T", 4),
    ("__INT64", 8),
];

/// What glibc has and no built-in header declares, by what follows `HAVE_`.
const FEATURES: &[&str] = &[
    "FEENABLEEXCEPT",
    "FINITE",
    "LIBDL",
    "LIBM",
    "LIBPTHREAD",
    "LIBRT",
    "LONG_DOUBLE",
    "LONG_LONG",
    "LONG_LONG_INT",
    "UNSIGNED_LONG_LONG_INT",
    "_BOOL",
];

/// The value that configure gives a macro on Linux with glibc; `None` if it leaves it undefined, or nothing tells.
pub(super) fn answer(name: &str) -> Option<String> {
    if let Some(kind) = name.strip_prefix("SIZEOF_") {
        let size = SIZES.iter().find(|(other, _)| *other == kind);
        return size.map(|(_, bytes)| bytes.to_string());
    }
    let is_there = name == "STDC_HEADERS"
        || name.ends_with("LITTLE_ENDIAN")
        || name.strip_prefix("HAVE_").is_some_and(has);
    is_there.then(|| "1".to_owned())
}

fn has(thing: &str) -> bool {
    let declared = thing.strip_prefix("DECL_").unwrap_or(thing);
    let is_header = |name: &str| macro_name(name) == thing;
    FEATURES.contains(&declared) || DECLARED.contains(declared) || headers::names().any(is_header)
}

/// A name as configure puts it into that of a macro: `sys/types.h` becomes `SYS_TYPES_H`.
fn macro_name(name: &str) -> String {
    let upper = name.chars().map(|it| it.to_ascii_uppercase());
    upper
        .map(|it| if it.is_alphanumeric() { it } else { '_' })
        .collect()
}

/// The functions, macros with parameters and types that built-in headers declare, as parts of names of macros.
static DECLARED: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
    let lines = headers::texts().flat_map(str::lines);
    lines.flat_map(declared_in).map(macro_name).collect()
});

/// The names before a `(`, and that at the end of a `typedef`.
fn declared_in(line: &str) -> Vec<&str> {
    let is_part = |it: char| it.is_ascii_alphanumeric() || it == '_';
    let name_before = |end: usize| {
        let before = &line[..end];
        let start = before.rfind(|it| !is_part(it)).map_or(0, |at| at + 1);
        &before[start..]
    };
    let calls = line.match_indices('(').map(|(end, _)| name_before(end));
    let typedef = line
        .starts_with("typedef")
        .then(|| line.rfind(';'))
        .flatten();
    let names = calls.chain(typedef.map(name_before));
    names.filter(|name| !name.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::answer;

    #[test]
    fn questions_have_the_answers_of_linux() {
        for there in [
            "STDC_HEADERS",
            "CPU_IS_LITTLE_ENDIAN",
            "HAVE_SYS_TYPES_H",
            "HAVE_DLFCN_H",
            "HAVE_MEMMOVE",
            "HAVE_DECL_ISNAN",
            "HAVE_DECL_FINITE",
            "HAVE_SIZE_T",
            "HAVE_LIBM",
        ] {
            assert_eq!(answer(there).as_deref(), Some("1"), "{there}");
        }
        for unknown in [
            "HAVE_IEEEFP_H",
            "WORDS_BIGENDIAN",
            "HAVE_INLINE",
            "HAVE_DECL_FESETTRAPENABLE",
            "HAVE_",
            "RELEASED",
            "inline",
            "SIZEOF_WIDGET",
        ] {
            assert_eq!(answer(unknown), None, "{unknown}");
        }
        assert_eq!(answer("SIZEOF_LONG").as_deref(), Some("8"));
    }
}
