//! A fingerprint of the text that a unit includes from other files.

use premiss_ast::OriginMap;
use premiss_source::{Diagnostic, SourceMap, Span};
use rustc_hash::FxHasher;
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};

/// A fingerprint of the text that a unit includes from other files, of its unexpanded size macros (names and places of
/// definition) and of its diagnostics. Together with the contents of its own file, it determines the result for the
/// unit.
///
/// Preludes, which are separate units, are not included, nor are macros that the unit expands, as its syntax shows
/// them.
#[must_use]
pub fn included_text_fingerprint(
    sources: &SourceMap,
    origins: &OriginMap,
    size_macros: &BTreeMap<String, Option<Span>>,
    diagnostics: &[Diagnostic],
) -> u64 {
    let main = origins.main();
    let mut hasher = FxHasher::default();
    let path = |span: &Span| sources.file(span.file).path();
    for run in origins.runs().iter().filter(|run| run.span.file != main) {
        (path(&run.span), sources.text(run.span)).hash(&mut hasher);
    }
    let mut place = |span: &Span| (path(span), span.start, span.end).hash(&mut hasher);
    size_macros.values().flatten().for_each(&mut place);
    let labels = diagnostics.iter().flat_map(|x| &x.labels);
    labels.for_each(|label| place(&label.span));
    size_macros.keys().for_each(|name| name.hash(&mut hasher));
    for diagnostic in diagnostics {
        (diagnostic.code, &diagnostic.message, &diagnostic.help).hash(&mut hasher);
        let labels = diagnostic.labels.iter();
        labels.for_each(|label| label.text.hash(&mut hasher));
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use premiss_ast::Run;
    use premiss_source::FileId;

    /// The fingerprint of a unit of these texts, of each of which it has the first four bytes, and of some macros.
    fn fingerprint(own: &str, header: &str, macros: &[(&str, u32)]) -> u64 {
        let mut sources = SourceMap::new();
        let mut add = |path: &str, text: &str| -> FileId {
            sources.add(path, text.into()).expect("it is small")
        };
        let files = [add("a.c", own), add("a.h", header)];
        let span = |file: FileId, start: u32, end: u32| Span { file, start, end };
        let run = |(file, start): (FileId, usize)| Run {
            start,
            end: start + 4,
            span: span(file, 0, 4),
            copied: true,
        };
        let runs = files.into_iter().zip([0, 4]).map(run).collect();
        let origins = OriginMap::new(files[0], runs);
        let place = |(name, start): &(&str, u32)| {
            let place = span(files[1], *start, start + 1);
            ((*name).to_owned(), Some(place))
        };
        let macros = macros.iter().map(place).collect();
        included_text_fingerprint(&sources, &origins, &macros, &[])
    }

    #[test]
    fn only_what_comes_from_other_files_is_in_the_fingerprint() {
        let plain = fingerprint("int x;", "int y;", &[]);
        assert_eq!(fingerprint("int z;", "int y;", &[]), plain);
        assert_eq!(
            fingerprint("int x;", "int y; /* not included */", &[]),
            plain
        );
        assert_ne!(fingerprint("int x;", "long y;", &[]), plain);
    }

    #[test]
    fn size_macros_count_by_name_and_place() {
        let plain = fingerprint("int x;", "int y;", &[("N", 5)]);
        assert_eq!(fingerprint("int x;", "int y;", &[("N", 5)]), plain);
        assert_ne!(fingerprint("int x;", "int y;", &[("M", 5)]), plain);
        assert_ne!(fingerprint("int x;", "int y;", &[("N", 4)]), plain);
        assert_ne!(fingerprint("int x;", "int y;", &[]), plain);
    }
}
