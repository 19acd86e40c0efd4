//! What a rule has to say of a place.

use crate::rule::{RULES, Rule};
use crate::subject::Subject;
use premiss_analyze::{Analysis, FunctionAnalysis};
use premiss_histogram::Counted;
use premiss_source::{Diagnostic, Label, Severity, Span};
use premiss_tree::Reference;

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
    /// The reference that it is about.
    pub(crate) place: &'a Reference,
    /// A few words to stand under the place.
    pub(crate) label: String,
    /// Another place that has to do with it.
    pub(crate) related: Option<Label>,
    pub(crate) message: String,
    pub(crate) help: String,
}

impl Said<'_> {
    /// A finding of the rule of a code in a function.
    pub(crate) fn by(self, code: &'static str, subject: &Subject<'_>) -> Finding {
        let place = Label {
            span: self.place.span,
            text: self.label,
        };
        Finding {
            function: subject.tree().function.clone(),
            text: self.place.text.clone(),
            around: subject.around(self.place),
            bytes: self.bytes,
            diagnostic: Diagnostic {
                code,
                severity: Severity::Warning,
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
/// shows there where most bytes are at stake. Most bytes first, then in the order of the source.
#[must_use]
pub fn findings(analysis: &Analysis) -> Vec<Finding> {
    let mut all: Vec<Finding> = Vec::new();
    for function in analysis.functions.iter().filter(|x| is_counted(x)) {
        let subject = Subject::new(function);
        for Rule { code, look, .. } in &RULES {
            all.extend(
                look(&subject)
                    .into_iter()
                    .map(|said| said.by(code, &subject)),
            );
        }
    }
    all.sort_by(|a, b| key(a).cmp(&key(b)));
    let mut places = std::collections::BTreeSet::new();
    all.retain(|finding| places.insert((finding.code(), finding.span())));
    all
}

/// Whether anything is certain of a function: rules are about nothing else.
fn is_counted(function: &FunctionAnalysis) -> bool {
    let is_known = |count: &Counted| count.bounds().is_some();
    let mut references = function.references.iter();
    references.any(|x| is_known(&x.accesses) || x.misses.iter().any(is_known))
}

fn key(finding: &Finding) -> (std::cmp::Reverse<u64>, Option<Span>, &str, &str) {
    let bytes = std::cmp::Reverse(finding.bytes);
    (bytes, finding.span(), finding.code(), &finding.function)
}
