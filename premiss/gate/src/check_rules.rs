//! Applies all rules to all functions of an analysis.

use crate::finding::{Finding, Violation};
use crate::rule::{RULES, Rule};
use crate::rules::missed_fusion;
use crate::subject::Subject;
use premiss_analyze::{Analysis, FunctionAnalysis, MeasureOptions};
use premiss_histogram::Counted;
use premiss_source::{Diagnostic, Label, Span};

/// The findings of all rules in all functions. Each rule reports a place at most once: in a function that several
/// others call, with the caller for which most bytes are at stake. Sorted by bytes, most first, then in the order of
/// the source. `options` are those that the analysis was made with.
#[must_use]
pub fn findings(analysis: &Analysis, options: &MeasureOptions) -> Vec<Finding> {
    let mut all: Vec<Finding> = Vec::new();
    for function in &analysis.functions {
        let subject = Subject::new(function, options);
        let is_counted = is_counted(function);
        for rule in RULES.iter().filter(|rule| is_counted || !rule.needs_counts) {
            let violations = (rule.check)(&subject).into_iter();
            all.extend(violations.map(|violation| finding(violation, rule, &subject)));
        }
    }
    all.sort_by(|a, b| key(a).cmp(&key(b)));
    let mut places = std::collections::BTreeSet::new();
    all.retain(|finding| places.insert((finding.code(), finding.span())));
    all
}

/// The finding of a rule in a function.
fn finding(violation: Violation<'_>, rule: &Rule, subject: &Subject<'_>) -> Finding {
    let place = Label {
        span: violation.place.span,
        text: violation.label,
    };
    Finding {
        function: subject.tree().function.clone(),
        text: violation.place.text.to_owned(),
        enclosing: subject.enclosing_spans(violation.place),
        bytes: violation.bytes,
        diagnostic: Diagnostic {
            code: rule.code,
            severity: rule.severity,
            message: violation.message,
            labels: std::iter::once(place).chain(violation.related).collect(),
            help: Some(violation.help),
            sizes: Vec::new(),
        },
    }
}

/// Whether some rule needs operations to decide, in a program that was read without them
/// ([`ReadOptions::without_operations`](premiss_analyze::ReadOptions)).
#[must_use]
pub fn wants_operations(analysis: &Analysis, options: &MeasureOptions) -> bool {
    let mut functions = analysis.functions.iter().filter(|x| is_counted(x));
    functions.any(|function| missed_fusion::is_open(&Subject::new(function, options)))
}

/// Whether some count of a function is certain.
fn is_counted(function: &FunctionAnalysis) -> bool {
    let is_known = |count: &Counted| count.bounds().is_some();
    let mut references = function.references.iter();
    references.any(|x| is_known(&x.accesses) || x.misses.iter().any(is_known))
}

fn key(finding: &Finding) -> (std::cmp::Reverse<u64>, Option<Span>, &str, &str) {
    let bytes = std::cmp::Reverse(finding.bytes);
    (bytes, finding.span(), finding.code(), &finding.function)
}
