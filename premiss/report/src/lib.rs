//! Reports of an analysis: text and pages for readers, JSON for programs, and diagnostics.
//!
//! Everything here turns values into text and nothing else; the caller decides where the text goes. The serialised
//! forms are types of this crate, so that the analysis can change its own types without changing the published forms.
//!
//! # Inside
//!
//! One page (`html`) has tables and SVG made here (`chart` has axes and marks for all charts); its script only toggles,
//! unfolds and saves. Each number is a `<data>` element with its exact value and its JSON pointer into the document,
//! which is in the page too. Tests compare them, in Chromium as well. The page of a comparison has the same parts, with
//! both values of each number, and charts that show both programs.
//!
//! `emit` turns formulas into statements (conditions, floors, Horner's form over one denominator), which each language
//! spells; JSON has the pieces as data. PBound slices are C: closed forms are plain algebra below sizes for which no
//! intermediate result overflows its type, and checked arithmetic beyond. `premiss/command/tests` compiles, runs and
//! compares both.
//!
//! `algebra` writes formulas in the program's own sizes: derived in `x` with `N = 8·x + 3`, they are printed with `(N −
//! 3)/8` in its place.

mod algebra;
mod brief;
mod callgrind;
mod chart;
mod coverage;
mod diagnostic;
mod emit;
mod escape;
mod explain;
mod formula;
mod heat;
mod html;
mod human;
mod json;
mod listing;
mod missing_sizes;
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
mod wrap;

pub use brief::brief_diagnostics;
pub use callgrind::CallgrindProfile;
pub use coverage::{
    CoverageReport, check_schema, coverage_json, coverage_summary, coverage_text, part_json,
};
pub use diagnostic::render_diagnostics;
pub use emit::{CodeLanguage, Emitted, emit_code, emit_pbound};
pub use escape::{
    CommandProperty, Document, Kind, Markdown, WorkflowCommand, Xml, is_visible_name, log_text,
    visible, visible_name,
};
pub use explain::{ExplainedFunction, explain_json, explain_text};
pub use formula::{Described, Details, Work, formula_json, formula_text};
pub use html::{
    Compared, ComparedFunction, ComparedMetric, ComparedNest, Comparison, Derivations, PlainCounts,
    SizeSweep, Witnessed, by_bytes_moved, comparison_html, report_html,
};
pub use human::{binary_bytes, byte_count, counted, counted_with_interval, human};
pub use json::{SCHEMA_VERSION, report_json};
pub use missing_sizes::{MissingSize, missing_sizes};
pub use number::{EstimatedMisses, Number};
pub use roofline::{NoRoofline, roofline_svg};
pub use schema::{NamedSchema, SCHEMAS, schema};
pub use style::Colour;
pub use summary::table;
pub use sweep::{sweep_json, sweep_text};
pub use text::report_text;

/// Whether a report includes complete reuse-distance histograms.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Histograms {
    /// They are included.
    Show,
    /// They are left out.
    Omit,
}
