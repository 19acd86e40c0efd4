//! A fingerprint of what a unit has from other files than its own.

use premiss_ast::OriginMap;
use premiss_source::{Diagnostic, SourceMap, Span};
use rustc_hash::FxHasher;
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};

/// A fingerprint of the text that a unit has from other files, of macros that stay as sizes (names, and where they are
/// defined), and of what there is to say of its text: with its own file it decides what is found in the unit.
///
/// What stands before a unit, as a unit of its own, is no part of it; nor are macros that it uses, which its syntax shows.
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
