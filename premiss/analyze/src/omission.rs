//! What diagnostics say is missing from results.
//!
//! Whatever is given is counted, or a diagnostic above a note names it. Commands that show results derive their exit
//! code from that, so that no run passes for complete because a part of the program was left out.

use crate::function_analysis::FunctionAnalysis;
use crate::measure::Analysis;
use premiss_histogram::Counted;
use premiss_source::{Diagnostic, Severity};

/// The codes of warnings about text that is read and counted completely.
const HARMLESS: [&str; 7] = [
    "bad-directive",
    "header-by-name",
    "invalid-paste",
    "missing-header",
    "missing-module",
    "unused-assumption",
    "warning-directive",
];

/// The codes of warnings about text that no nest stands for, because it was not read.
const UNREAD: [&str; 9] = [
    "include-depth",
    "include-limit",
    "macro-invocation",
    "macro-limit",
    "malformed-condition",
    "malformed-directive",
    "not-read",
    "syntax",
    "unterminated-literal",
];

/// The code of errors about sizes that contradict an assumption: the text is read.
const BROKEN: &str = "broken-assumption";

/// What a diagnostic says is missing from the results.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Omission {
    /// Text: loops in it, if any, are not even known.
    Text,
    /// Counts of nests that are known.
    Counts,
}

/// What a diagnostic says is missing; `None` for notes, and for warnings about text that is counted completely.
#[must_use]
pub fn omission(diagnostic: &Diagnostic) -> Option<Omission> {
    let code = &diagnostic.code;
    match diagnostic.severity {
        Severity::Note => None,
        Severity::Error if *code == BROKEN => Some(Omission::Counts),
        Severity::Error => Some(Omission::Text),
        Severity::Warning if HARMLESS.contains(code) => None,
        Severity::Warning if UNREAD.contains(code) => Some(Omission::Text),
        Severity::Warning => Some(Omission::Counts),
    }
}

impl Analysis {
    /// Whether everything is counted: no diagnostic is about text that was not read, and each function has its accesses
    /// and misses, if only as estimates.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        let mut diagnostics = self.diagnostics.iter();
        let is_read = diagnostics.all(|x| omission(x) != Some(Omission::Text));
        is_read && self.functions.iter().all(FunctionAnalysis::is_counted)
    }
}

impl FunctionAnalysis {
    /// Whether its accesses and the misses of every level are exact, bounded or estimated.
    #[must_use]
    pub fn is_counted(&self) -> bool {
        let levels = self.levels.iter().map(|level| level.misses);
        let mut counts = levels.chain([self.accesses]);
        self.failure.is_none() && counts.all(|count| count != Counted::Unknown)
    }
}
