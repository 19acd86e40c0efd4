//! Files in folders that are not read, and why.

use premiss_source::{Diagnostic, Files, ReadError, Severity};
use std::collections::BTreeMap;
use std::path::Path;

/// How many files a diagnostic names.
const NAMED: usize = 3;
/// How many bytes tell whether a file is text, as in git.
const SNIFFED: usize = 8000;

/// A file in a folder that is not read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SkippedFile {
    /// Its path, as those of files that are read.
    pub path: String,
    /// Why it is not read.
    pub reason: SkipReason,
}

/// Why a file in a folder is not read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SkipReason {
    /// Git ignores it, and does not track it.
    Ignored,
    /// Settings exclude it.
    Excluded,
    /// It belongs to no target of the Cargo package.
    NoTarget,
    /// Its language, which is compiled with C and Fortran and is not read.
    Language(&'static str),
    /// Its language, which has no part in a program in C, Fortran or Rust.
    OtherLanguage(&'static str),
    /// It has a zero byte, which no text has.
    NoText,
    /// The system does not give it.
    Unreadable(ReadError),
}

impl SkipReason {
    /// Whether the program may have loops in such a file that nothing else tells.
    pub(crate) fn is_omission(&self) -> bool {
        match self {
            Self::Ignored | Self::Excluded | Self::NoTarget | Self::OtherLanguage(_) => false,
            Self::Language(_) | Self::NoText | Self::Unreadable(_) => true,
        }
    }
}

impl std::fmt::Display for SkipReason {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Self::Ignored => f.write_str("git ignores it"),
            Self::Excluded => f.write_str("settings exclude it"),
            Self::NoTarget => f.write_str("it belongs to no target of the Cargo package"),
            Self::Language(language) | Self::OtherLanguage(language) => {
                write!(f, "{language} is not supported")
            }
            Self::NoText => f.write_str("it is no text, as it has a zero byte"),
            Self::Unreadable(ReadError::Missing) => {
                f.write_str("it is a link to a file that does not exist")
            }
            Self::Unreadable(error) => error.fmt(f),
        }
    }
}

/// Why a file cannot be read as text, from its beginning; `None` if it can, or if it must not be read, which ends a run.
pub(crate) fn unreadable(path: &str, files: &dyn Files) -> Option<SkipReason> {
    match files.beginning(path, SNIFFED) {
        Ok(bytes) => bytes.contains(&0).then_some(SkipReason::NoText),
        Err(ReadError::Outside) => None,
        Err(error) => Some(SkipReason::Unreadable(error)),
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

/// The language of a source file that has no part in a program in C, Fortran or Rust, by the extension of its name.
pub(super) fn other_language(path: &Path) -> Option<&'static str> {
    let extension = path.extension().and_then(|x| x.to_str());
    Some(match extension? {
        "adb" | "ads" => "Ada",
        "asm" | "s" | "S" => "assembly",
        "chpl" => "Chapel",
        "cs" => "C#",
        "pyx" | "pxd" => "Cython",
        "d" => "D",
        "fypp" => "fypp",
        "go" => "Go",
        "hs" => "Haskell",
        "java" => "Java",
        "js" | "mjs" | "ts" => "JavaScript",
        "jl" => "Julia",
        "kt" => "Kotlin",
        "l" | "ll" => "lex",
        "m" => "MATLAB or Objective-C",
        "cl" => "OpenCL",
        "pl" | "pm" => "Perl",
        "py" => "Python",
        "r" | "R" => "R",
        "scala" => "Scala",
        "swift" => "Swift",
        "y" | "yy" => "yacc",
        "zig" => "Zig",
        _ => return None,
    })
}

/// The paths of files that are not read and may have loops, by the reason.
pub(crate) type UnreadFiles = BTreeMap<String, Vec<String>>;

/// How many files in other languages there are, by language.
pub(crate) type OtherFiles = BTreeMap<String, u64>;

/// The skipped files that may have loops of the program.
pub(crate) fn unread_files(skipped: &[SkippedFile]) -> UnreadFiles {
    let mut unread = UnreadFiles::new();
    for file in skipped.iter().filter(|file| file.reason.is_omission()) {
        let paths = unread.entry(file.reason.to_string()).or_default();
        paths.push(file.path.clone());
    }
    unread
}

/// The number of skipped files in languages that have no part in the program.
pub(crate) fn other_files(skipped: &[SkippedFile]) -> OtherFiles {
    let mut others = OtherFiles::new();
    for file in skipped {
        if let SkipReason::OtherLanguage(language) = file.reason {
            *others.entry(language.to_owned()).or_default() += 1;
        }
    }
    others
}

/// One warning for each reason for which files are not read, as their loops are not counted, and a note on files in
/// other languages.
pub(crate) fn unread_diagnostics(unread: &UnreadFiles, others: &OtherFiles) -> Vec<Diagnostic> {
    let warnings = unread.iter();
    warnings
        .map(|(reason, paths)| warning(reason, paths))
        .chain(note(others))
        .collect()
}

fn warning(reason: &str, paths: &[String]) -> Diagnostic {
    let named: Vec<String> = paths.iter().take(NAMED).map(|x| format!("`{x}`")).collect();
    let more = match paths.len().saturating_sub(NAMED) {
        0 => String::new(),
        n => format!(" and {n} more"),
    };
    let verb = if paths.len() == 1 { "is" } else { "are" };
    diagnostic(
        Severity::Warning,
        format!("{reason}: {}{more} {verb} not read", named.join(", ")),
        Some("list what is of no concern under `exclude` in the settings"),
    )
}

/// `files in other languages are not read: 2 Julia, 1 Python`
fn note(others: &OtherFiles) -> Option<Diagnostic> {
    let counts: Vec<String> = others.iter().map(|(x, n)| format!("{n} {x}")).collect();
    let message = format!(
        "files in other languages are not read: {}",
        counts.join(", ")
    );
    (!counts.is_empty()).then(|| diagnostic(Severity::Note, message, None))
}

fn diagnostic(severity: Severity, message: String, help: Option<&str>) -> Diagnostic {
    Diagnostic {
        code: "not-read",
        severity,
        message,
        labels: Vec::new(),
        help: help.map(str::to_owned),
        sizes: Vec::new(),
    }
}
