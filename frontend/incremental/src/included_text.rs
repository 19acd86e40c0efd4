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
