//! Why a metric is undecided.

use crate::delta::kernel_delta::Metric;
use crate::delta::program::ComparedProgram;
use crate::matching::{Kernel, Pair};
use crate::verdict::Verdict;
use premiss_histogram::Counted;
use std::collections::BTreeSet;

/// Why a metric is undecided: a few words for each side; `None` if it is decided.
pub(super) fn undecided_reason(
    metric: &Metric,
    pair: &Pair,
    (base, head): (ComparedProgram<'_>, ComparedProgram<'_>),
) -> Option<String> {
    if metric.verdict != Verdict::Undecided {
        return None;
    }
    let sides = [
        ("base", base, &pair.base, metric.before),
        ("head", head, &pair.head, metric.after),
    ];
    let mut said: Vec<String> = Vec::new();
    for (name, side, all, count) in sides {
        let reason = match count {
            Counted::Exact(_) => continue,
            Counted::Bounded { .. } => "bounded, as data decide".to_owned(),
            Counted::Estimate(x) if x.error.is_some() => {
                "an interval from a sample, where --exact counts on".to_owned()
            }
            Counted::Estimate(_) => "an estimate".to_owned(),
            Counted::Unknown => unknown(side, all),
        };
        said.push(format!("{name}: {reason}"));
    }
    // A reason that both sides share is given once.
    let reasons: BTreeSet<&str> = said
        .iter()
        .filter_map(|x| Some(x.split_once(": ")?.1))
        .collect();
    match (reasons.len(), said.len()) {
        (_, 0) => None,
        (1, 2) => reasons
            .first()
            .map(|reason| format!("both sides: {reason}")),
        _ => Some(said.join("; ")),
    }
}

/// Why nests are unknown: sizes without values, else code that was not understood, else an exhausted budget.
fn unknown(side: ComparedProgram<'_>, all: &[usize]) -> String {
    if side.saved.is_some() {
        return "unknown when it was saved".to_owned();
    }
    let kernels: Vec<&Kernel> = side.kernels_of(all).collect();
    let mut sizes: BTreeSet<&str> = BTreeSet::new();
    for kernel in &kernels {
        let parameters = &side.function(kernel).tree.parameters;
        let own = kernel
            .nest
            .sizes
            .iter()
            .filter_map(|id| parameters.get(*id));
        sizes.extend(own.filter(|x| x.value.is_none()).map(|x| x.name.as_str()));
    }
    let sizes: Vec<&str> = sizes.into_iter().collect();
    if let Some(first) = sizes.first() {
        return format!(
            "no value for {} (-P {first}=VALUE gives one)",
            sizes.join(", ")
        );
    }
    for kernel in &kernels {
        let function = side.function(kernel);
        let span = kernel.nest.outermost.map(|id| function.tree.loops[id].span);
        let mut nests = function.nests.iter().filter(|nest| Some(nest.span) == span);
        if let Some(reason) = nests.find_map(|nest| nest.reasons.first()) {
            let path = side.sources.file(reason.span.file).path();
            let line = side.sources.start(reason.span).line;
            return format!("{} ({path}:{line})", reason.text);
        }
        if let Some(failure) = &function.failure {
            return failure.to_string();
        }
    }
    "not known".to_owned()
}
