//! Files in folders that are not read, and why.

use premiss_source::{Diagnostic, Severity};
use std::collections::BTreeMap;
use std::path::Path;

/// How many files a diagnostic names.
const NAMED: usize = 3;

/// A file in a folder that is not read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SkippedFile {
    /// Its path, as those of files that are read.
    pub path: String,
    /// Why it is not read.
    pub reason: SkipReason,
}

/// Why a file in a folder is not read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SkipReason {
    /// Git ignores it, and does not track it.
    Ignored,
    /// Settings exclude it.
    Excluded,
    /// It belongs to no target of the Cargo package.
    NoTarget,
    /// Its language, which is not read.
    Language(&'static str),
}

impl std::fmt::Display for SkipReason {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Self::Ignored => f.write_str("git ignores it"),
            Self::Excluded => f.write_str("settings exclude it"),
            Self::NoTarget => f.write_str("it belongs to no target of the Cargo package"),
            Self::Language(language) => write!(f, "{language} is not supported"),
        }
    }
}

/// The language of a source file that is not supported, by the extension of its name.
pub(crate) fn unsupported_language(path: &Path) -> Option<&'static str> {
    let extension = path.extension().and_then(|x| x.to_str());
    match extension? {
        "cc" | "cpp" | "cxx" | "c++" | "C" | "hh" | "hpp" | "hxx" | "h++" => Some("C++"),
        "cu" | "cuh" => Some("CUDA"),
        "hip" => Some("HIP"),
        "ispc" => Some("ISPC"),
        _ => None,
    }
}

/// The paths of source files in languages that are not supported, by language.
pub(crate) type UnreadFiles = BTreeMap<String, Vec<String>>;

/// The skipped files in languages that are not supported.
pub(crate) fn unread_files(skipped: &[SkippedFile]) -> UnreadFiles {
    let mut unread = UnreadFiles::new();
    for file in skipped {
        if let SkipReason::Language(language) = file.reason {
            let paths = unread.entry(language.to_owned()).or_default();
            paths.push(file.path.clone());
        }
    }
    unread
}

/// One warning for each language of unread files: their loops are not counted.
pub(crate) fn unread_warnings(unread: &UnreadFiles) -> Vec<Diagnostic> {
    let warnings = unread.iter();
    warnings
        .map(|(language, paths)| warning(language, paths))
        .collect()
}

fn warning(language: &str, paths: &[String]) -> Diagnostic {
    let named: Vec<String> = paths.iter().take(NAMED).map(|x| format!("`{x}`")).collect();
    let more = match paths.len().saturating_sub(NAMED) {
        0 => String::new(),
        n => format!(" and {n} more"),
    };
    let verb = if paths.len() == 1 { "is" } else { "are" };
    Diagnostic {
        code: "not-read",
        severity: Severity::Warning,
        message: format!(
            "{language} is not supported: {}{more} {verb} not read",
            named.join(", ")
        ),
        labels: Vec::new(),
        help: Some("list what is of no concern under `exclude` in the settings".to_owned()),
        sizes: Vec::new(),
    }
}
