//! What we tell the author of a program about it.

use crate::Span;

/// How much a diagnostic weighs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// Something was assumed or set aside; every number is as good as without it.
    Note,
    /// Part of the program could not be analysed, or a number is less exact for it.
    Warning,
    /// The file could not be read as a program.
    Error,
}

/// A message with the place that it is about and a way out.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Diagnostic {
    /// Stable kebab-case name of the problem, such as `unknown-size`.
    pub code: &'static str,
    /// How much it weighs.
    pub severity: Severity,
    /// One line: lower-case start, no final stop, names the expression and the numbers that decided.
    pub message: String,
    /// Where it is; the first label is the place, the others relate to it. Empty where it concerns
    /// no place in a file.
    pub labels: Vec<Label>,
    /// What its reader can do about it.
    pub help: Option<String>,
}

/// A place that a diagnostic points at.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// A few words to stand under it; may be empty.
    pub text: String,
}
