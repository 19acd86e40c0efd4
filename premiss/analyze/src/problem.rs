//! Why a function could not be counted, and what would help.

use crate::MeasureOptions;
use crate::task::Outcomes;
use premiss_source::{Diagnostic, Label, Severity, Span};
use premiss_trace::TraceError;
use premiss_tree::NestTree;

/// One diagnostic for each way in which a run of the function failed.
pub(crate) fn describe(
    tree: &NestTree,
    outcomes: &Outcomes,
    options: &MeasureOptions,
) -> Vec<Diagnostic> {
    let mut errors: Vec<&TraceError> = Vec::new();
    for error in outcomes.iter().filter_map(|(_, x)| x.as_ref().err()) {
        if !errors.contains(&error) {
            errors.push(error);
        }
    }
    let described = errors.into_iter().map(|x| trace_error(tree, x, options));
    described.collect()
}

/// The diagnostic for a function that could not be run.
#[must_use]
pub fn trace_error(tree: &NestTree, error: &TraceError, options: &MeasureOptions) -> Diagnostic {
    let function = &tree.function;
    let whole = || vec![label(tree.span, "its numbers are unknown")];
    let (code, message, labels, help) = match error {
        TraceError::MissingSizes(names) => missing_sizes(tree, names),
        TraceError::Budget(steps) => (
            "budget-exhausted",
            format!("`{function}` takes more than the budget of {steps} steps"),
            whole(),
            format!(
                "give it more with --budget (now {}), or smaller sizes with -P",
                options.budget
            ),
        ),
        TraceError::AddressOverflow(element) => (
            "address-overflow",
            format!("`{element}` of `{function}` does not fit a 63-bit address space"),
            whole(),
            "give smaller sizes with -P, or another base with --base".to_owned(),
        ),
        TraceError::EndlessLoop(id) => (
            "endless-loop",
            format!("a loop of `{function}` never ends at these sizes"),
            vec![label(
                tree.loops[*id].span,
                "its step leads away from its bound, or over it",
            )],
            "check the direction of the step and the comparison".to_owned(),
        ),
        TraceError::TooManyAccesses => (
            "too-many-accesses",
            format!("`{function}` makes more accesses than 64 bits can count"),
            whole(),
            "give smaller sizes with -P".to_owned(),
        ),
        TraceError::Geometry(_) => (
            "impossible-level",
            format!("`{function}`: {error}"),
            whole(),
            "describe a smaller level".to_owned(),
        ),
    };
    Diagnostic {
        code,
        severity: Severity::Warning,
        message,
        labels,
        help: Some(help),
    }
}

fn missing_sizes(tree: &NestTree, names: &[String]) -> (&'static str, String, Vec<Label>, String) {
    let quoted: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
    let message = format!(
        "`{}` cannot be counted without a value for {}",
        tree.function,
        quoted.join(", ")
    );
    let declared = tree.parameters.values().filter(|x| names.contains(&x.name));
    let labels = declared.map(|parameter| {
        let text = format!("the value of `{}` is not known", parameter.name);
        label(parameter.span, &text)
    });
    let flags: Vec<_> = names.iter().map(|name| format!("-P {name}=1000")).collect();
    let help = format!("give it one, such as {}", flags.join(" "));
    ("missing-size", message, labels.collect(), help)
}

fn label(span: Span, text: &str) -> Label {
    let text = text.to_owned();
    Label { span, text }
}
