//! Diagnostics for the authors of programs.

use crate::Span;

/// The severity of a diagnostic.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// Something was assumed or left out, without effect on any result.
    Note,
    /// Part of the program could not be analysed, or results are less exact.
    Warning,
    /// The file could not be read as a program.
    Error,
}

/// A message with its place and a suggestion.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Diagnostic {
    /// A stable kebab-case name of the problem, such as `unknown-size`.
    pub code: &'static str,
    /// Its severity.
    pub severity: Severity,
    /// One line that starts with a lower-case letter, has no final full stop, and names the expression and the numbers
    /// that matter.
    pub message: String,
    /// Its places: the first label is the main one, the others are related places. Empty if no file is concerned.
    pub labels: Vec<Label>,
    /// What the reader can do about it.
    pub help: Option<String>,
    /// The sizes that it asks for, where it is about a function that cannot be counted without them.
    pub sizes: Vec<UnknownSize>,
}

/// A size that has no value.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct UnknownSize {
    /// Its name, as `-P` takes it.
    pub name: String,
    /// A value to try.
    pub example: i64,
    /// Where it is declared.
    pub span: Span,
}

/// A place that a diagnostic refers to.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// A short text to show at the place; may be empty.
    pub text: String,
}
