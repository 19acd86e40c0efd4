//! What preprocessing yields: a text, where each part of it was written, and what there is to say.

use super::preambles::PreambleId;
use premiss_ast::OriginMap;
use premiss_source::{Diagnostic, Span};
use std::collections::{BTreeMap, BTreeSet};

/// A program without directives and macros.
#[derive(Debug)]
pub struct Preprocessed {
    /// What other files of the program begin with, too: it stands before the text.
    pub(crate) after: Option<PreambleId>,
    /// The tokens that are left, with white space where it is needed and lines much as written.
    pub text: String,
    /// Where each part of `text` was written.
    pub origins: OriginMap,
    /// The pragmas, which are not in `text`; in order of `offset`.
    pub pragmas: Vec<Pragma>,
    /// What is wrong with the program as text.
    pub diagnostics: Vec<Diagnostic>,
    /// The names of `overrides` that took effect: the program defines an object-like macro so.
    pub overridden: BTreeSet<String>,
    /// The names of `symbolic` that took effect, with what the program defines them as.
    pub symbolic_macros: BTreeMap<String, ObjectMacro>,
    /// The names of `symbolic` whose value decided which lines of the program count.
    pub sizes_in_conditions: BTreeSet<String>,
    /// The object-like macros of the program that stand for an integer, so that `-P` may name them.
    pub object_macros: BTreeMap<String, ObjectMacro>,
}

/// A `#pragma` or `_Pragma`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pragma {
    /// What follows the word `pragma`, as written.
    pub text: String,
    /// Where it stands.
    pub span: Span,
    /// Where it stood in the preprocessed text: before the token that starts here or later.
    pub offset: usize,
}

/// An object-like macro that stands for an integer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ObjectMacro {
    /// Its name in the last `#define`; `None` for a macro of the command line.
    pub defined_at: Option<Span>,
    /// Its replacement list as written.
    pub value: String,
}
