//! What a rule has to say of a place.

use crate::rule::{RULES, Rule};
use crate::rules::again;
use crate::subject::Subject;
use premiss_analyze::{Analysis, FunctionAnalysis, MeasureOptions};
use premiss_histogram::Counted;
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
    pub around: Vec<Span>,
    /// Bytes that are fetched for it, at least: what findings are ranked by.
    pub bytes: u64,
    /// What is to be said; the first label is the place.
    pub diagnostic: Diagnostic,
}

/// What a rule says, before it is known of whom.
pub(crate) struct Said<'a> {
    pub(crate) bytes: u64,
    /// What it is about.
    pub(crate) place: Place<'a>,
    /// A few words to stand under the place.
    pub(crate) label: String,
    /// Another place that has to do with it.
    pub(crate) related: Option<Label>,
    pub(crate) message: String,
    pub(crate) help: String,
}

/// A place that something is said of: a reference mostly.
#[derive(Clone, Copy)]
pub(crate) struct Place<'a> {
    pub(crate) span: Span,
    /// Its text, where it has one that stays when lines move.
    pub(crate) text: &'a str,
    /// The innermost loop around it.
    pub(crate) inside: Option<LoopId>,
    /// The function that it is written in.
    pub(crate) function: &'a str,
}

impl<'a> From<&'a Reference> for Place<'a> {
    fn from(reference: &'a Reference) -> Self {
        Self {
            span: reference.span,
            text: &reference.text,
            inside: reference.inside,
            function: &reference.function,
        }
    }
}

impl Said<'_> {
    /// A finding of a rule in a function.
    pub(crate) fn by(self, rule: &Rule, subject: &Subject<'_>) -> Finding {
        let place = Label {
            span: self.place.span,
            text: self.label,
        };
        Finding {
            function: subject.tree().function.clone(),
            text: self.place.text.to_owned(),
            around: subject.around(self.place),
            bytes: self.bytes,
            diagnostic: Diagnostic {
                code: rule.code,
                severity: rule.severity,
                message: self.message,
                labels: std::iter::once(place).chain(self.related).collect(),
                help: Some(self.help),
            },
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

/// What all rules find in all functions, each place and rule once: a function that several others call
/// shows there where most bytes are at stake. Most bytes first, then in the order of the source. `options` are those that
/// it was counted with.
#[must_use]
pub fn findings(analysis: &Analysis, options: &MeasureOptions) -> Vec<Finding> {
    let mut all: Vec<Finding> = Vec::new();
    for function in &analysis.functions {
        let subject = Subject::new(function, options);
        let is_counted = is_counted(function);
        for rule in RULES.iter().filter(|rule| is_counted || !rule.needs_counts) {
            let said = (rule.look)(&subject).into_iter();
            all.extend(said.map(|said| said.by(rule, &subject)));
        }
    }
    all.sort_by(|a, b| key(a).cmp(&key(b)));
    let mut places = std::collections::BTreeSet::new();
    all.retain(|finding| places.insert((finding.code(), finding.span())));
    all
}

/// Whether a rule would have to know the arithmetic of a program that was read without
/// ([`ReadOptions::without_operations`](premiss_analyze::ReadOptions)), to tell whether it has something to say.
#[must_use]
pub fn wants_operations(analysis: &Analysis, options: &MeasureOptions) -> bool {
    let mut functions = analysis.functions.iter().filter(|x| is_counted(x));
    functions.any(|function| again::is_open(&Subject::new(function, options)))
}

/// Whether anything is certain of a function.
fn is_counted(function: &FunctionAnalysis) -> bool {
    let is_known = |count: &Counted| count.bounds().is_some();
    let mut references = function.references.iter();
    references.any(|x| is_known(&x.accesses) || x.misses.iter().any(is_known))
}

fn key(finding: &Finding) -> (std::cmp::Reverse<u64>, Option<Span>, &str, &str) {
    let bytes = std::cmp::Reverse(finding.bytes);
    (bytes, finding.span(), finding.code(), &finding.function)
}
