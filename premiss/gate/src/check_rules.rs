//! Applies all rules to all functions of an analysis.

use crate::finding::{Finding, Violation};
use crate::rule::{RULES, Rule};
use crate::rules::missed_fusion;
use crate::subject::{IntervalEnd, Subject};

use premiss_analyze::{Analysis, FunctionAnalysis, MeasureOptions};
use premiss_histogram::Counted;
use premiss_report::EstimatedMisses;
use premiss_source::{Diagnostic, Label, Severity, Span};

/// The findings of all rules in all functions. Each rule reports a place at most once: in a function that several
/// others call, with the caller for which most bytes are at stake. Sorted by bytes, most first, then in the order of
/// the source. `options` are those that the analysis was made with.
#[must_use]
pub fn findings(analysis: &Analysis, options: &MeasureOptions) -> Vec<Finding> {
    let mut all: Vec<Finding> = Vec::new();
    for function in &analysis.functions {
        let (least, most) = both_ends(function, options);
        let is_in = |other: &[Finding], x: &Finding| other.iter().any(|y| is_same(x, y));
        let open = most.iter().filter(|x| !is_in(&least, x)).cloned();
        let open = open.chain(least.iter().filter(|x| !is_in(&most, x)).cloned());
        let open: Vec<Finding> = open.filter_map(undecided).collect();
        all.extend(least.into_iter().filter(|x| is_in(&most, x)));
        all.extend(open);
    }
    all.sort_by(|a, b| key(a).cmp(&key(b)));
    let mut places = std::collections::BTreeSet::new();
    all.retain(|finding| places.insert((finding.code(), finding.span())));
    all
}

/// What rules find by the least numbers of misses, and by the most that samples leave possible.
fn both_ends(
    function: &FunctionAnalysis,
    options: &MeasureOptions,
) -> (Vec<Finding>, Vec<Finding>) {
    let least = at_end(function, options, IntervalEnd::Least);
    let is_sampled = |count: &Counted| EstimatedMisses::of(*count).is_some();
    let mut counts = function.references.iter().flat_map(|x| &x.misses);
    let most = match counts.any(is_sampled) {
        true => at_end(function, options, IntervalEnd::MostOfSamples),
        false => least.clone(),
    };
    (least, most)
}

fn at_end(function: &FunctionAnalysis, options: &MeasureOptions, end: IntervalEnd) -> Vec<Finding> {
    let subject = Subject::new(function, options, end);
    let is_counted = is_counted(function);
    let mut all = Vec::new();
    for rule in RULES.iter().filter(|rule| is_counted || !rule.needs_counts) {
        let violations = (rule.check)(&subject).into_iter();
        all.extend(violations.map(|violation| finding(violation, rule, &subject)));
    }
    all
}

/// Whether two findings are of one rule at one place.
fn is_same(a: &Finding, b: &Finding) -> bool {
    (a.code(), a.span()) == (b.code(), b.span())
}

/// What is a finding at one end of the interval of a sample, and none at the other: the interval reaches over the rule's limit.
fn undecided(finding: Finding) -> Option<Finding> {
    let rule = RULES.iter().find(|rule| rule.code == finding.code())?;
    Some(Finding {
        bytes: 0,
        diagnostic: Diagnostic {
            code: rule.open_code,
            severity: Severity::Note,
            message: format!(
                "the interval of a sample leaves open whether {} applies: {}",
                rule.code, finding.diagnostic.message
            ),
            help: Some(
                "--exact decides, and so may --budget or --effort with more steps".to_owned(),
            ),
            ..finding.diagnostic
        },
        ..finding
    })
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
        estimate: violation.misses.and_then(EstimatedMisses::of),
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
    functions.any(|function| {
        missed_fusion::is_open(&Subject::new(function, options, IntervalEnd::Least))
    })
}

/// Whether some count of a function is certain, or has an interval.
fn is_counted(function: &FunctionAnalysis) -> bool {
    let is_known = |count: &Counted| count.interval().is_some();
    let mut references = function.references.iter();
    references.any(|x| is_known(&x.accesses) || x.misses.iter().any(is_known))
}

fn key(finding: &Finding) -> (std::cmp::Reverse<u64>, Option<Span>, &str, &str) {
    let bytes = std::cmp::Reverse(finding.bytes);
    (bytes, finding.span(), finding.code(), &finding.function)
}
