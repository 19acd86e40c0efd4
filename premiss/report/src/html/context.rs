//! The data that the parts of a page use.

use super::comparison::{Compared, ComparedFunction};
use super::derivations::Derivations;
use super::explanations::Explanations;
use premiss_analyze::{Analysis, FunctionAnalysis};
use premiss_source::SourceMap;

/// The data that the parts of a page use.
pub(super) struct Context<'a> {
    pub(super) sources: &'a SourceMap,
    pub(super) analysis: &'a Analysis,
    pub(super) derivations: &'a Derivations,
    pub(super) explanations: Explanations,
    /// The base, if the page is a comparison.
    pub(super) base: Option<Compared<'a>>,
    /// The comparisons of functions.
    pub(super) compared: &'a [ComparedFunction],
    /// Whether this is the context of the base.
    pub(super) is_base: bool,
}

/// A function and its index among all; on a report page, this is also its index in the JSON document.
#[derive(Clone, Copy)]
pub(super) struct Subject<'a> {
    pub(super) index: usize,
    pub(super) function: &'a FunctionAnalysis,
}

impl Context<'_> {
    /// The JSON pointer to a number of a function; empty on a comparison page, whose document is about nests.
    pub(super) fn pointer(&self, subject: Subject<'_>, what: &str) -> String {
        match self.is_compared() {
            true => String::new(),
            false => format!("/functions/{}/{what}", subject.index),
        }
    }

    /// Whether the page compares two programs.
    pub(super) fn is_compared(&self) -> bool {
        self.base.is_some() || self.is_base
    }

    /// The function in the base.
    pub(super) fn before(&self, subject: Subject<'_>) -> Option<&FunctionAnalysis> {
        let index = self.compared(subject)?.base?;
        self.base?.analysis.functions.get(index)
    }

    /// The comparison of a function.
    pub(super) fn compared(&self, subject: Subject<'_>) -> Option<&ComparedFunction> {
        self.compared.iter().find(|x| x.head == subject.index)
    }
}
