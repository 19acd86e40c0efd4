//! What a rule has to say of a place.

use premiss_source::{Diagnostic, Label, Span};
use premiss_tree::{LoopId, Reference};

/// What a rule found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// The function that was entered.
    pub function: String,
    /// The text of the reference that it is about, which stays when lines move.
    pub text: String,
    /// The loops around it, and the function where it is in that which was entered.
    pub enclosing: Vec<Span>,
    /// Bytes that are fetched for it, at least: what findings are ranked by.
    pub bytes: u64,
    /// What is to be said; the first label is the place.
    pub diagnostic: Diagnostic,
}

/// What a rule says, before it is known of whom.
pub(crate) struct Violation<'a> {
    pub(crate) bytes: u64,
    /// What it is about.
    pub(crate) place: FindingPlace<'a>,
    /// A few words to stand under the place.
    pub(crate) label: String,
    /// Another place that has to do with it.
    pub(crate) related: Option<Label>,
    pub(crate) message: String,
    pub(crate) help: String,
}

/// A place that something is said of: a reference mostly.
#[derive(Clone, Copy)]
pub(crate) struct FindingPlace<'a> {
    pub(crate) span: Span,
    /// Its text, where it has one that stays when lines move.
    pub(crate) text: &'a str,
    /// The innermost loop around it.
    pub(crate) inside: Option<LoopId>,
    /// The function that it is written in.
    pub(crate) function: &'a str,
}

impl<'a> From<&'a Reference> for FindingPlace<'a> {
    fn from(reference: &'a Reference) -> Self {
        Self {
            span: reference.span,
            text: &reference.text,
            inside: reference.inside,
            function: &reference.function,
        }
    }
}

impl Finding {
    /// The code of the rule.
    #[must_use]
    pub fn code(&self) -> &'static str {
        self.diagnostic.code
    }

    /// The place.
    #[must_use]
    pub fn span(&self) -> Option<Span> {
        self.diagnostic.labels.first().map(|label| label.span)
    }
}
