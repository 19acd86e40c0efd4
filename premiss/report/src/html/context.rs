//! What the parts of a page look at.

use super::comparison::{Compared, ComparedFunction};
use super::derivations::Derivations;
use super::explanations::Explanations;
use premiss_analyze::{Analysis, FunctionAnalysis};
use premiss_source::SourceMap;

/// What the parts of a page look at.
pub(super) struct Context<'a> {
    pub(super) sources: &'a SourceMap,
    pub(super) analysis: &'a Analysis,
    pub(super) derivations: &'a Derivations,
    pub(super) explanations: Explanations,
    /// What it is compared with, if with anything.
    pub(super) base: Option<Compared<'a>>,
    /// What functions are compared with.
    pub(super) compared: &'a [ComparedFunction],
    /// Whether it is itself what others are compared with.
    pub(super) is_base: bool,
}

/// A function and its place among all; where nothing is compared that is its place in the JSON document, too.
#[derive(Clone, Copy)]
pub(super) struct Subject<'a> {
    pub(super) index: usize,
    pub(super) function: &'a FunctionAnalysis,
}

impl Context<'_> {
    /// The JSON pointer to a number of a function: none where the document of the page is about nests.
    pub(super) fn pointer(&self, subject: Subject<'_>, what: &str) -> String {
        match self.is_compared() {
            true => String::new(),
            false => format!("/functions/{}/{what}", subject.index),
        }
    }

    /// Whether the page is about two programs.
    pub(super) fn is_compared(&self) -> bool {
        self.base.is_some() || self.is_base
    }

    /// What a function was.
    pub(super) fn before(&self, subject: Subject<'_>) -> Option<&FunctionAnalysis> {
        let index = self.compared(subject)?.base?;
        self.base?.analysis.functions.get(index)
    }

    /// What a function is compared with.
    pub(super) fn compared(&self, subject: Subject<'_>) -> Option<&ComparedFunction> {
        self.compared.iter().find(|x| x.head == subject.index)
    }
}
