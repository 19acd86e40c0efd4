//! Reports of an analysis: text and pages for people, JSON for programs, and diagnostics.
//!
//! Everything here turns values into text and nothing else; where the text goes is for the caller
//! to say. The serialised forms are types of this crate, so that the analysis can change its own
//! without changing what others read.

mod algebra;
mod callgrind;
mod chart;
mod coverage;
mod diagnostic;
mod emit;
mod explain;
mod formula;
mod heat;
mod html;
mod human;
mod json;
mod listing;
mod number;
mod operations;
mod roofline;
mod schema;
mod style;
mod summary;
mod sweep;
mod text;
mod time;
mod vector;

pub use callgrind::CallgrindProfile;
pub use coverage::{
    CoverageReport, check_schema, coverage_json, coverage_summary, coverage_text, part_json,
};
pub use diagnostic::render_diagnostics;
pub use emit::{CodeLanguage, Emitted, emit_code, emit_pbound};
pub use explain::{explain_json, explain_text};
pub use formula::{Described, Work, formula_json, formula_text};
pub use html::{
    Compared, ComparedFunction, ComparedMetric, ComparedNest, Comparison, Derivations, PlainCounts,
    SizeSweep, Witnessed, by_bytes_moved, comparison_html, report_html,
};
pub use human::{counted, human};
pub use json::{SCHEMA_VERSION, report_json};
pub use number::Number;
pub use roofline::{NoRoofline, roofline_svg};
pub use schema::{NamedSchema, SCHEMAS, schema};
pub use style::Colour;
pub use summary::table;
pub use sweep::{sweep_json, sweep_text};
pub use text::report_text;

/// Whether a report has whole reuse-distance histograms.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Histograms {
    /// It has them.
    Show,
    /// It has not.
    Omit,
}
