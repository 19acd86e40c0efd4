//! Findings of rules.

use premiss_histogram::Counted;
use premiss_report::EstimatedMisses;
use premiss_source::{Diagnostic, Label, Span};
use premiss_tree::{LoopId, Reference};

/// A place that a rule reports, with the bytes at stake.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// The analysed function (the unit), which may have reached the place by calls.
    pub function: String,
    /// The text of the reference or nest that it concerns, which stays the same when lines move.
    pub text: String,
    /// The headers of the loops around it, and the span of the analysed function if the place is in that function.
    pub enclosing: Vec<Span>,
    /// The least number of bytes fetched because of it, by which findings are ranked.
    pub bytes: u64,
    /// The misses that it rests on, where they come from a sample.
    pub estimate: Option<EstimatedMisses>,
    /// The message with severity; its first label is the place.
    pub diagnostic: Diagnostic,
}

/// What a rule reports, before the function is added.
pub(crate) struct Violation<'a> {
    pub(crate) bytes: u64,
    /// The misses that it rests on, if rules judge these by themselves.
    pub(crate) misses: Option<Counted>,
    /// What it is about.
    pub(crate) place: FindingPlace<'a>,
    /// A short label for the place.
    pub(crate) label: String,
    /// A related place.
    pub(crate) related: Option<Label>,
    pub(crate) message: String,
    pub(crate) help: String,
}

/// A place that a violation concerns: mostly a reference.
#[derive(Clone, Copy)]
pub(crate) struct FindingPlace<'a> {
    pub(crate) span: Span,
    /// Its text, if it has one that stays the same when lines move.
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
    /// The code of its rule.
    #[must_use]
    pub fn code(&self) -> &'static str {
        self.diagnostic.code
    }

    /// Its place; `None` if the diagnostic has no label.
    #[must_use]
    pub fn span(&self) -> Option<Span> {
        self.diagnostic.labels.first().map(|label| label.span)
    }
}
