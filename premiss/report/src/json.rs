//! The report as JSON.

mod forms;
mod levels;
mod machine;
mod places;
mod writer;

pub use forms::SCHEMA_VERSION;
pub(crate) use forms::{CoverageJson, DiagnosticJson, NestJson, ReportJson};
pub(crate) use places::{Paths, class_name, diagnostics, nests};

use crate::Histograms;
use premiss_analyze::Analysis;
use premiss_source::SourceMap;
use writer::ReportWriter;

/// The whole analysis as one JSON object with a final line break.
///
/// # Panics
///
/// Never: the form has text for keys and finite numbers.
#[must_use]
pub fn report_json(sources: &SourceMap, analysis: &Analysis, histograms: Histograms) -> String {
    let report = ReportWriter::new(sources, analysis, histograms).report(analysis);
    let mut json =
        serde_json::to_string_pretty(&report).expect("a report has nothing that JSON cannot say");
    json.push('\n');
    json
}

/// The same document without white space.
pub(crate) fn compact_json(
    sources: &SourceMap,
    analysis: &Analysis,
    histograms: Histograms,
) -> String {
    let report = ReportWriter::new(sources, analysis, histograms).report(analysis);
    serde_json::to_string(&report).expect("a report has nothing that JSON cannot say")
}
