//! The result of preprocessing: a text, the places of its parts, and diagnostics.

use super::preambles::PreambleId;
use premiss_ast::OriginMap;
use premiss_source::{Diagnostic, Span};
use std::collections::{BTreeMap, BTreeSet};

/// A preprocessed file.
#[derive(Debug)]
pub struct Preprocessed {
    /// The shared preamble that precedes the text.
    pub(crate) after: Option<PreambleId>,
    /// The resulting tokens, with white space where it is needed and line breaks similar to those in the source.
    pub text: String,
    /// Maps `text` to the source files.
    pub origins: OriginMap,
    /// The pragmas, which are not in `text`, in order of `offset`.
    pub pragmas: Vec<Pragma>,
    /// The problems found by the preprocessor.
    pub diagnostics: Vec<Diagnostic>,
    /// The names of `overrides` that took effect: those that the program defines as object-like macros.
    pub overridden: BTreeSet<String>,
    /// The names of `symbolic` that took effect, with their definitions in the program.
    pub symbolic_macros: BTreeMap<String, ObjectMacro>,
    /// The names of `symbolic` whose value affects conditional compilation.
    pub sizes_in_conditions: BTreeSet<String>,
    /// The object-like macros of the program that are integers, whose values `-P` can override.
    pub object_macros: BTreeMap<String, ObjectMacro>,
}

/// A `#pragma` or `_Pragma`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pragma {
    /// The text after the word `pragma`, as written.
    pub text: String,
    /// Its place in the source.
    pub span: Span,
    /// Its position in the preprocessed text, in bytes: before the token that starts here or later.
    pub offset: usize,
}

/// An object-like macro that is an integer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ObjectMacro {
    /// The place of its name in the last `#define`; `None` for a macro of the command line.
    pub defined_at: Option<Span>,
    /// Its replacement list as written.
    pub value: String,
}
