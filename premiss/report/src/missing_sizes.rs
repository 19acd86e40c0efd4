//! The sizes without a value, as one table in place of a message for each function.

use premiss_analyze::sizes_without_value;
use premiss_source::{Diagnostic, SourceMap, Span};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use unicode_width::UnicodeWidthStr;

/// The most sizes in the table.
const MOST_ROWS: usize = 12;

/// A size that functions need and that has no value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MissingSize {
    /// Its name, as `-P` takes it.
    pub name: String,
    /// How many functions are not counted without it.
    pub functions: usize,
    /// Where the first of them declares it.
    pub first: Span,
}

/// The sizes that diagnostics miss, those that most functions need first.
#[must_use]
pub fn missing_sizes(diagnostics: &[Diagnostic]) -> Vec<MissingSize> {
    let mut sizes: BTreeMap<&str, MissingSize> = BTreeMap::new();
    for (name, span) in diagnostics.iter().filter_map(sizes_without_value).flatten() {
        let size = sizes.entry(name).or_insert_with(|| MissingSize {
            name: name.to_owned(),
            functions: 0,
            first: span,
        });
        size.functions += 1;
    }
    let mut sizes: Vec<MissingSize> = sizes.into_values().collect();
    sizes.sort_by_key(|size| std::cmp::Reverse(size.functions));
    sizes
}

/// The diagnostics that are not about sizes without a value.
pub(crate) fn without_missing_sizes(diagnostics: &[Diagnostic]) -> Vec<Diagnostic> {
    let others = diagnostics.iter();
    let others = others.filter(|x| sizes_without_value(x).is_none());
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
    let names = shown().map(|size| size.name.width());
    let width = names.chain(["size".len()]).max().unwrap_or(0);
    let _ = writeln!(text, " size{}  functions  first at", " ".repeat(width - 4));
    for size in shown() {
        let (name, place) = (&size.name, sources.file(size.first.file).path());
        let space = " ".repeat(width - name.width());
        let line = sources.start(size.first).line;
        let _ = writeln!(
            text,
            " {name}{space}  {:>9}  {place}:{line}",
            size.functions
        );
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
    use premiss_source::{Label, Severity};

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
        let missing = |names: &[(&str, u32)]| Diagnostic {
            code: "missing-size",
            severity: Severity::Warning,
            message: String::new(),
            labels: names
                .iter()
                .map(|(name, at)| Label {
                    span: span(*at),
                    text: format!("the value of `{name}` is not known"),
                })
                .collect(),
            help: None,
        };
        let other = Diagnostic {
            code: "unknown-call",
            ..missing(&[])
        };
        let all = [
            missing(&[("m", 18), ("n", 11)]),
            other.clone(),
            missing(&[("n", 33)]),
        ];
        let counted = missing_sizes(&all);
        let counted: Vec<_> = counted
            .iter()
            .map(|x| (x.name.as_str(), x.functions))
            .collect();
        assert_eq!(counted, [("n", 2), ("m", 1)]);
        assert_eq!(without_missing_sizes(&all), [other]);
        let text = missing_sizes_text(&sources, &all);
        assert!(text.starts_with("2 functions are not counted"), "{text}");
        assert!(text.contains(" n             2  k.c:1\n"), "{text}");
        assert_eq!(missing_sizes_text(&sources, &all[1..2]), "");
    }
}
