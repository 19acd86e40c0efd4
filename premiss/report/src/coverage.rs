//! What of a program the model covers, as text and JSON.

use crate::json::{CoverageJson, DiagnosticJson, Nest, class_name, diagnostics, nests};
use crate::{Colour, SCHEMA_VERSION, style::Style};
use premiss_analyze::{Class, Coverage, NestCoverage};
use premiss_source::{Diagnostic, SourceMap};
use serde::Serialize;
use std::fmt::Write as _;

/// One line a nest, with what keeps it from being exact below; the sum is on the last line.
#[must_use]
pub fn coverage_text(sources: &SourceMap, nests: &[NestCoverage], colour: Colour) -> String {
    let mut text = String::new();
    for nest in nests {
        let path = sources.file(nest.span.file).path();
        let line = sources.start(nest.span).line;
        let class = colour.paint(Style::Bold, class_name(nest.class));
        let header = first_line(sources.text(nest.span));
        let _ = writeln!(text, "{path}:{line}: {class}  {header}");
        reasons(sources, nest, &mut text);
    }
    text.push_str(&coverage_summary(nests));
    text
}

/// The sum alone, on a line.
#[must_use]
pub fn coverage_summary(nests: &[NestCoverage]) -> String {
    format!("{}\n", coverage_line(Coverage::of(nests)))
}

/// The nests of a program as one JSON object with a line break after it.
///
/// # Panics
///
/// Never: the form has text for keys and finite numbers.
#[must_use]
pub fn coverage_json(
    sources: &SourceMap,
    all_nests: &[NestCoverage],
    all_diagnostics: &[Diagnostic],
) -> String {
    let report = CoverageReport {
        schema_version: SCHEMA_VERSION,
        nests: nests(sources, all_nests),
        coverage: Coverage::of(all_nests).into(),
        diagnostics: diagnostics(sources, all_diagnostics),
    };
    let mut json =
        serde_json::to_string_pretty(&report).expect("a report has nothing that JSON cannot say");
    json.push('\n');
    json
}

#[derive(Serialize)]
struct CoverageReport<'a> {
    schema_version: &'static str,
    nests: Vec<Nest<'a>>,
    coverage: CoverageJson,
    diagnostics: Vec<DiagnosticJson<'a>>,
}

/// `Coverage: 1/1 nests exact, 0 bounded, 0 unknown`
pub(crate) fn coverage_line(coverage: Coverage) -> String {
    let Coverage {
        exact,
        bounded,
        unknown,
    } = coverage;
    let nests = coverage.nests();
    format!("Coverage: {exact}/{nests} nests exact, {bounded} bounded, {unknown} unknown")
}

/// The reasons of a nest that is not exact, one a line, indented.
pub(crate) fn reasons(sources: &SourceMap, nest: &NestCoverage, text: &mut String) {
    if nest.class == Class::Exact {
        return;
    }
    for reason in &nest.reasons {
        let path = sources.file(reason.span.file).path();
        let at = sources.start(reason.span);
        let _ = writeln!(text, "  {path}:{}:{}: {}", at.line, at.column, reason.text);
    }
}

fn first_line(text: &str) -> String {
    let line = text.lines().next().unwrap_or("");
    line.chars().filter(|c| !c.is_control()).take(80).collect()
}
