//! The sizes without a value, as one table in place of a message for each function.

use premiss_source::{Diagnostic, SourceMap, UnknownSize};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use unicode_width::UnicodeWidthStr;

/// The most sizes in the table.
const MOST_ROWS: usize = 12;

/// A size that functions need and that has no value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MissingSize {
    /// The size, declared where the first of them declares it, with the least of the values to try for them.
    pub size: UnknownSize,
    /// How many functions are not counted without it.
    pub functions: usize,
}

/// The sizes that diagnostics miss, those that most functions need first.
#[must_use]
pub fn missing_sizes(diagnostics: &[Diagnostic]) -> Vec<MissingSize> {
    let mut sizes: BTreeMap<&str, MissingSize> = BTreeMap::new();
    for size in diagnostics.iter().flat_map(|x| &x.sizes) {
        let missing = sizes.entry(&size.name).or_insert_with(|| MissingSize {
            size: size.clone(),
            functions: 0,
        });
        missing.functions += 1;
        missing.size.example = missing.size.example.min(size.example);
    }
    let mut sizes: Vec<MissingSize> = sizes.into_values().collect();
    sizes.sort_by_key(|size| std::cmp::Reverse(size.functions));
    sizes
}

/// The diagnostics that are not about sizes without a value.
pub(crate) fn without_missing_sizes(diagnostics: &[Diagnostic]) -> Vec<Diagnostic> {
    let others = diagnostics.iter().filter(|x| x.sizes.is_empty());
    others.cloned().collect()
}

/// The sizes that diagnostics miss as a table; empty if there are none.
pub(crate) fn missing_sizes_text(sources: &SourceMap, diagnostics: &[Diagnostic]) -> String {
    let sizes = missing_sizes(diagnostics);
    if sizes.is_empty() {
        return String::new();
    }
    let n_functions = diagnostics.len() - without_missing_sizes(diagnostics).len();
    let mut text = match n_functions {
        1 => "1 function is not counted, as sizes have no value:\n\n".to_owned(),
        n => format!("{n} functions are not counted, as sizes have no value:\n\n"),
    };
    let shown = || sizes.iter().take(MOST_ROWS);
    let names = shown().map(|missing| missing.size.name.width());
    let width = names.chain(["size".len()]).max().unwrap_or(0);
    let _ = writeln!(text, " size{}  functions  first at", " ".repeat(width - 4));
    for MissingSize { size, functions } in shown() {
        let (name, place) = (&size.name, sources.file(size.span.file).path());
        let space = " ".repeat(width - name.width());
        let line = sources.start(size.span).line;
        let _ = writeln!(text, " {name}{space}  {functions:>9}  {place}:{line}");
    }
    if let Some(more) = sizes.len().checked_sub(MOST_ROWS + 1) {
        let _ = writeln!(text, " … and {} more", more + 1);
    }
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use premiss_source::{Severity, Span};

    #[test]
    fn sizes_are_counted_over_functions_and_other_diagnostics_stay() {
        let mut sources = SourceMap::new();
        let text = "void f(int n, int m);\nvoid g(int n);\n";
        let file = sources.add("k.c", text.into()).expect("it is small");
        let span = |start| Span {
            file,
            start,
            end: start + 1,
        };
        let size = |(name, start, example): &(&str, u32, i64)| UnknownSize {
            name: (*name).to_owned(),
            example: *example,
            span: span(*start),
        };
        let missing = |names: &[(&str, u32, i64)]| Diagnostic {
            code: "missing-size",
            severity: Severity::Warning,
            message: String::new(),
            labels: Vec::new(),
            help: None,
            sizes: names.iter().map(size).collect(),
        };
        let other = Diagnostic {
            code: "unknown-call",
            ..missing(&[])
        };
        let all = [
            missing(&[("m", 18, 1000), ("n", 11, 1000)]),
            other.clone(),
            missing(&[("n", 33, 100)]),
        ];
        let counted = missing_sizes(&all);
        let counted: Vec<_> = counted
            .iter()
            .map(|x| (x.size.name.as_str(), x.size.example, x.functions))
            .collect();
        assert_eq!(counted, [("n", 100, 2), ("m", 1000, 1)]);
        assert_eq!(without_missing_sizes(&all), [other]);
        let text = missing_sizes_text(&sources, &all);
        assert!(text.starts_with("2 functions are not counted"), "{text}");
        assert!(text.contains(" n             2  k.c:1\n"), "{text}");
        assert_eq!(missing_sizes_text(&sources, &all[1..2]), "");
    }
}
