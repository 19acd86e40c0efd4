//! Identifiers that are valid in every language.

use std::collections::BTreeSet;

/// Reserved words of C, Rust or Python, and names that the emitted files use.
const RESERVED: &str = "\
    alignas alignof auto bool break case char const constexpr continue default do double else enum \
    extern false float for goto if inline int long nullptr register restrict return short signed sizeof \
    static static_assert struct switch thread_local true typedef typeof typeof_unqual union unsigned void \
    volatile while asm fortran linux unix i386 main int64_t uint64_t INT64_MAX UINT64_MAX NULL \
    abstract as async await become box crate dyn final fn gen impl in let loop macro match mod move mut \
    override priv pub ref self Self super trait try type unsafe unsized use virtual where yield None Some \
    Ok Err Result u64 i64 i128 u128 \
    False True and assert class def del elif except from global import is lambda nonlocal not or pass \
    raise with range max min isinstance ValueError print exec capacity errno stdin stdout stderr exit";

/// Gives each name, in order, a distinct identifier that is valid in every language: letters, digits and single
/// underscores, not at the end, and no reserved word.
pub(super) fn mangled<'a>(written: impl Iterator<Item = &'a str>, instead: &str) -> Vec<String> {
    let mut taken: BTreeSet<String> = RESERVED.split_whitespace().map(str::to_owned).collect();
    written
        .map(|name| unique(name, instead, &mut taken))
        .collect()
}

/// An identifier that is not taken; it is then.
pub(super) fn unique(written: &str, instead: &str, taken: &mut BTreeSet<String>) -> String {
    let plain = plain(written, instead);
    let others = (2..).map(|number| format!("{plain}_{number}"));
    let mut all = std::iter::once(plain.clone()).chain(others);
    let found = all.find(|name| !taken.contains(name));
    let found = found.unwrap_or(plain);
    taken.insert(found.clone());
    found
}

/// Letters, digits and single underscores between them.
fn plain(written: &str, instead: &str) -> String {
    let mut plain = String::new();
    for c in written.chars() {
        match c {
            c if c.is_ascii_alphanumeric() => plain.push(c),
            _ if plain.ends_with('_') || plain.is_empty() => {}
            _ => plain.push('_'),
        }
    }
    let plain = plain.trim_end_matches('_');
    match plain.chars().next() {
        None => instead.to_owned(),
        Some(first) if first.is_ascii_digit() => format!("{instead}_{plain}"),
        Some(_) => plain.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::mangled;

    #[test]
    fn names_are_names_everywhere_and_apart() {
        let written = [
            "n",
            "grid_points(1)",
            "self.n",
            "BETA==0",
            "for",
            "8",
            "__x__",
            "",
            "n",
            "ä",
        ];
        let expected = [
            "n",
            "grid_points_1",
            "self_n",
            "BETA_0",
            "for_2",
            "size_8",
            "x",
            "size",
            "n_2",
            "size_2",
        ];
        assert_eq!(mangled(written.into_iter(), "size"), expected);
    }
}
