//! A comparison as text: what changed, nest by nest.

use super::kernel_delta::{Delta, ForAllSizes, KernelDelta, Metric, ReferenceDelta};
use crate::matching::{KernelPlace, MatchKind};
use crate::verdict::Verdict;
use premiss_histogram::Counted;
use premiss_report::{counted_with_interval, table};
use std::fmt::Write as _;

/// The nests that changed, with each metric before and after; one line for each new or removed nest. `base` and `head`
/// name the programs.
#[must_use]
pub fn delta_text(delta: &Delta, base: &str, head: &str, machine: &str) -> String {
    let mut text = format!("{base} → {head} · {machine}\n");
    for kernel in &delta.kernels {
        match kernel.status() {
            "changed" => text.push_str(&changed(kernel)),
            "unchanged" => {}
            status => {
                let place = kernel.head.first().or(kernel.base.first());
                let _ = writeln!(
                    text,
                    "\n{}: {status}",
                    place.map(place_text).unwrap_or_default()
                );
            }
        }
    }
    if let Some(path) = &delta.unparsed {
        let _ = writeln!(text, "\n{path}: one side has text that could not be read");
    }
    if !delta.policy_changes.is_empty() {
        text.push_str("\nThe settings change; those of the base apply:\n");
        let changes = delta.policy_changes.iter();
        text.extend(changes.map(|change| format!("  {change}\n")));
    }
    let n_of = |status| {
        delta
            .kernels
            .iter()
            .filter(|x| x.status() == status)
            .count()
    };
    let counts = ["changed", "unchanged", "added", "removed"].map(|x| format!("{} {x}", n_of(x)));
    let is_symbolic =
        |kernel: &KernelDelta| kernel.metrics.iter().any(|x| x.for_all_sizes.is_some());
    if delta.kernels.iter().any(is_symbolic) {
        let _ = writeln!(
            text,
            "\nWithout sizes, formulas were compared for {}, with levels taken as fully associative.",
            delta.sizes
        );
    }
    let verdict = match delta.verdict() {
        Verdict::Within => "within limits",
        Verdict::Undecided => "undecided",
        Verdict::Exceeds => "limits exceeded",
    };
    let _ = writeln!(text, "\nNests: {}: {verdict}", counts.join(", "));
    text
}

/// `mm.c:4 f`
fn place_text(place: &KernelPlace) -> String {
    format!("{}:{} {}", place.path, place.line, place.function)
}

fn changed(kernel: &KernelDelta) -> String {
    let all = |places: &[KernelPlace]| places.iter().map(place_text).collect::<Vec<_>>().join(", ");
    let mut text = format!("\n{}", all(&kernel.head));
    let names = |places: &[KernelPlace]| -> Vec<(String, String)> {
        let of_one = |x: &KernelPlace| (x.path.clone(), x.function.clone());
        places.iter().map(of_one).collect()
    };
    if names(&kernel.base) != names(&kernel.head) {
        let _ = write!(text, ", before: {}", all(&kernel.base));
    }
    if kernel.match_kind == MatchKind::Likeness {
        text.push_str(" (they look alike: renamed and changed, or one for the other)");
    }
    text.push('\n');
    let heads = ["", "before", "after", "growth", ""].map(str::to_owned);
    let rows = kernel.metrics.iter().map(row);
    let rows: Vec<_> = std::iter::once(heads.to_vec()).chain(rows).collect();
    text.push_str(&table(&rows));
    for metric in &kernel.metrics {
        if let Some(worst) = &metric.worst {
            let _ = writeln!(text, "{}", place(metric, worst));
        }
    }
    text
}

fn row(metric: &Metric) -> Vec<String> {
    let verdict = match (metric.verdict, &metric.for_all_sizes) {
        (Verdict::Within, Some(_)) => for_all_sizes(metric),
        (Verdict::Within, None) => String::new(),
        (Verdict::Undecided, _) if rests_on_samples(metric) => {
            "undecided: --exact decides".to_owned()
        }
        (Verdict::Undecided, _) => "undecided".to_owned(),
        (Verdict::Exceeds, None) => format!("exceeds {}", metric.limit),
        (Verdict::Exceeds, Some(_)) => {
            format!(
                "exceeds {}{}",
                metric.limit,
                witness(metric).unwrap_or_default()
            )
        }
    };
    let (before, after) = numbers(metric);
    vec![
        metric.name.clone(),
        counted_with_interval(before),
        counted_with_interval(after),
        growth(before, after),
        verdict,
    ]
}

/// Whether counts of both sides have bounds or intervals, and one of them is that of a sample.
pub(super) fn rests_on_samples(metric: &Metric) -> bool {
    let both = [metric.before, metric.after];
    let is_sampled = |count: &Counted| matches!(count, Counted::Estimate(_));
    both.iter().all(|count| count.interval().is_some()) && both.iter().any(is_sampled)
}

/// The counts, at the sizes of the witness if there is one.
pub(super) fn numbers(metric: &Metric) -> (Counted, Counted) {
    match &metric.for_all_sizes {
        Some(ForAllSizes::MoreAt { before, after, .. }) => {
            (Counted::Exact(*before), Counted::Exact(*after))
        }
        _ => (metric.before, metric.after),
    }
}

/// What was proved of a metric that is within its limit for all sizes.
pub(super) fn for_all_sizes(metric: &Metric) -> String {
    match metric.limit.times() {
        (1, 1) => "no more for any size".to_owned(),
        _ => format!("within {} for all sizes", metric.limit),
    }
}

/// ` at n = 1000`
pub(super) fn witness(metric: &Metric) -> Option<String> {
    let Some(ForAllSizes::MoreAt { sizes, .. }) = &metric.for_all_sizes else {
        return None;
    };
    let sizes: Vec<String> = sizes
        .iter()
        .map(|(name, value)| format!("{name} = {value}"))
        .collect();
    Some(format!(" at {}", sizes.join(", ")))
}

/// The growth in percent; empty if there was nothing before, or either count is unknown.
pub(super) fn growth(before: Counted, after: Counted) -> String {
    match (before.magnitude(), after.magnitude()) {
        _ if before == after => String::new(),
        (Some(before), Some(after)) if 0.0 < before => {
            let share = 100.0 * (after - before) / before;
            let sign = if share < 0.0 { "−" } else { "+" };
            format!("{sign}{:.1} %", share.abs())
        }
        _ => String::new(),
    }
}

/// ` l1_miss: mm.c:6:12: a[i][j] 5000 → 40.0 k`
fn place(metric: &Metric, worst: &ReferenceDelta) -> String {
    let ReferenceDelta {
        path,
        line,
        column,
        text,
        before,
        after,
        ..
    } = worst;
    let (before, after) = (
        counted_with_interval(*before),
        counted_with_interval(*after),
    );
    let name = &metric.name;
    format!(" {name}: {path}:{line}:{column}: {text} {before} → {after}")
}
