//! Regressions as findings, each at the line that grew most.

use super::kernel_delta::{Delta, KernelDelta, Metric, ReferenceDelta};
use super::text::{numbers, rests_on_samples, witness};
use crate::finding::Finding;
use crate::matching::MatchKind;
use crate::verdict::{POLICY, REGRESSION, UNDECIDED, Verdict};
use premiss_report::counted_with_interval;
use premiss_source::{Diagnostic, Label, Severity, Span};
use std::collections::BTreeSet;

/// The bytes that a miss counts for when findings are ranked.
const LINE: f64 = 64.0;

impl Delta {
    /// The metrics that exceed their limits, or may do so, each at the references that grew most. A place that several
    /// functions reach by calls is reported once. Most bytes first.
    #[must_use]
    pub fn findings(&self) -> Vec<Finding> {
        let mut all: Vec<Finding> = self.kernels.iter().flat_map(of_kernel).collect();
        all.sort_by_key(|x| {
            (
                x.diagnostic.severity != Severity::Error,
                std::cmp::Reverse(x.bytes),
                x.span(),
            )
        });
        let mut places = BTreeSet::new();
        all.retain(|finding| places.insert((finding.code(), finding.span())));
        all
    }

    /// The diagnostics that concern the comparison as a whole, such as files that could not be read, and changed settings.
    #[must_use]
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        let of_file = |path: &String| Diagnostic {
            code: UNDECIDED,
            severity: Severity::Warning,
            message: format!(
                "`{path}`: one side has text that could not be read: it is not compared"
            ),
            labels: Vec::new(),
            help: None,
            sizes: Vec::new(),
        };
        let of_setting = |change: &String| Diagnostic {
            code: POLICY,
            severity: Severity::Note,
            message: format!("the settings change, and those of the base apply: {change}"),
            labels: Vec::new(),
            help: None,
            sizes: Vec::new(),
        };
        let unread = self.unparsed.iter().map(of_file);
        unread
            .chain(self.policy_changes.iter().map(of_setting))
            .collect()
    }
}

/// One finding for each place at which metrics of a nest grew most.
fn of_kernel(kernel: &KernelDelta) -> Vec<Finding> {
    let mut places: Vec<(Option<Span>, Verdict)> = Vec::new();
    for metric in kernel
        .metrics
        .iter()
        .filter(|x| x.verdict != Verdict::Within)
    {
        let place = (
            metric.worst.as_ref().map(|worst| worst.span),
            metric.verdict,
        );
        if !places.contains(&place) {
            places.push(place);
        }
    }
    let of_place = |(span, verdict): (Option<Span>, Verdict)| {
        let at = |metric: &&Metric| {
            metric.verdict == verdict && metric.worst.as_ref().map(|worst| worst.span) == span
        };
        finding(
            kernel,
            verdict,
            &kernel.metrics.iter().filter(at).collect::<Vec<_>>(),
        )
    };
    places.into_iter().filter_map(of_place).collect()
}

fn finding(kernel: &KernelDelta, verdict: Verdict, metrics: &[&Metric]) -> Option<Finding> {
    let place = kernel.head.first()?;
    let worst = metrics.first().and_then(|metric| metric.worst.as_ref());
    let (code, severity, what) = match verdict {
        Verdict::Exceeds => (REGRESSION, Severity::Error, "exceeds its limits"),
        _ => (UNDECIDED, Severity::Warning, "may exceed its limits"),
    };
    let numbers: Vec<String> = metrics.iter().map(|metric| change(metric)).collect();
    let name = &place.function;
    let mut message = format!("`{name}` {what}: {}", numbers.join(", "));
    if kernel.match_kind == MatchKind::Likeness
        && let Some(before) = kernel.base.first()
    {
        message.push_str(&format!(
            "; compared with `{}` in {}, which is gone and looks alike",
            before.function, before.path
        ));
    }
    let span = worst.map(|worst| worst.span).or(place.span)?;
    let first = Label {
        span,
        text: worst.map(label).unwrap_or_default(),
    };
    let related = worst
        .and_then(|worst| worst.enclosing.first())
        .map(|span| Label {
            span: *span,
            text: "in this loop".to_owned(),
        });
    let bytes = metrics
        .iter()
        .map(|metric| bytes(metric))
        .fold(0.0, f64::max);
    Some(Finding {
        function: name.clone(),
        text: worst.map_or_else(String::new, |worst| worst.text.clone()),
        enclosing: worst
            .map(|worst| worst.enclosing.clone())
            .unwrap_or_default(),
        bytes: rank(bytes),
        estimate: None,
        diagnostic: Diagnostic {
            code,
            severity,
            message,
            labels: std::iter::once(first).chain(related).collect(),
            help: Some(help(verdict, metrics).to_owned()),
            sizes: Vec::new(),
        },
    })
}

fn help(verdict: Verdict, metrics: &[&Metric]) -> &'static str {
    match verdict {
        Verdict::Exceeds => "where the growth is meant, allow it with --limit",
        _ if metrics.iter().any(|metric| rests_on_samples(metric)) => {
            "--exact decides what intervals of samples leave open, and so may --budget or --effort with more steps; or allow any \
             growth with --limit"
        }
        _ => "give the sizes values with -P, or allow any growth with --limit",
    }
}

/// `l1_miss 5000 → 40.0 k (limit 0%)`
fn change(metric: &Metric) -> String {
    let (before, after) = numbers(metric);
    let (before, after) = (counted_with_interval(before), counted_with_interval(after));
    let at = witness(metric).unwrap_or_default();
    format!(
        "{} {before} → {after}{at} (limit {})",
        metric.name, metric.limit
    )
}

/// `a[j][i] 5000 → 40.0 k`
fn label(worst: &ReferenceDelta) -> String {
    format!(
        "{} {} → {}",
        worst.text,
        counted_with_interval(worst.before),
        counted_with_interval(worst.after)
    )
}

fn bytes(metric: &Metric) -> f64 {
    let (before, after) = numbers(metric);
    let growth = after.magnitude().unwrap_or(0.0) - before.magnitude().unwrap_or(0.0);
    let weight = if metric.name.ends_with("_bytes") {
        1.0
    } else {
        LINE
    };
    growth.max(0.0) * weight
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a rank, not a count"
)]
fn rank(value: f64) -> u64 {
    value as u64
}
