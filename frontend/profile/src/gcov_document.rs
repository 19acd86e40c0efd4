//! The parts of the JSON documents of `gcov --json-format` that are read. Field names are those of gcov.

use serde::Deserialize;
use serde_json::Number;

/// One document: the source files of one object file.
#[derive(Deserialize)]
pub(crate) struct GcovDocument {
    #[serde(default)]
    pub(crate) format_version: Option<String>,
    #[serde(default)]
    pub(crate) current_working_directory: String,
    pub(crate) files: Vec<GcovFile>,
}

/// A source file.
#[derive(Deserialize)]
pub(crate) struct GcovFile {
    pub(crate) file: String,
    pub(crate) functions: Vec<GcovFunction>,
    pub(crate) lines: Vec<GcovLine>,
}

/// A function with its execution count.
#[derive(Deserialize)]
pub(crate) struct GcovFunction {
    pub(crate) name: String,
    pub(crate) start_line: u32,
    pub(crate) end_line: u32,
    pub(crate) execution_count: Number,
}

/// A line with its execution count.
#[derive(Deserialize)]
pub(crate) struct GcovLine {
    pub(crate) line_number: u32,
    pub(crate) count: Number,
    #[serde(default)]
    pub(crate) branches: Vec<GcovBranch>,
}

/// One way out of a condition of a line.
#[derive(Deserialize)]
pub(crate) struct GcovBranch {
    pub(crate) count: Number,
    #[serde(default)]
    pub(crate) fallthrough: bool,
    #[serde(default)]
    pub(crate) throw: bool,
}
