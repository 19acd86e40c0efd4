//! A comparison as Markdown, for a comment on a change: what grew or shrank, nest by nest and level by level.

use super::kernel_delta::{Delta, KernelDelta, Metric};
use super::text::{for_all_sizes, growth, numbers, witness};
use crate::escape::escaped;
use crate::matching::KernelPlace;
use crate::verdict::Verdict;
use premiss_report::counted;
use std::fmt::Write as _;

/// More rows than this are only counted, to keep comments short.
const MOST_ROWS: usize = 60;
/// More new and removed nests than this are only counted.
const MOST_NAMES: usize = 20;

/// The comparison as Markdown: a heading with the verdict, a table of what changed, the new and removed nests, and the
/// conditions. `path_of` gives the path under which a file is shown.
#[must_use]
pub fn delta_markdown(
    delta: &Delta,
    names: (&str, &str),
    path_of: &dyn Fn(&str) -> String,
    conditions: &str,
) -> String {
    let verdict = match delta.verdict() {
        Verdict::Within => "within limits",
        Verdict::Undecided => "undecided",
        Verdict::Exceeds => "limits exceeded",
    };
    let (base, head) = (escaped(names.0), escaped(names.1));
    let mut text = format!("### premiss diff: {verdict}\n\n{base} → {head}\n\n");
    let mut changed: Vec<&KernelDelta> = delta
        .kernels
        .iter()
        .filter(|x| x.status() == "changed")
        .collect();
    // The worst verdicts come first.
    changed.sort_by_key(|kernel| std::cmp::Reverse(kernel.verdict()));
    let rows: Vec<String> = changed
        .iter()
        .flat_map(|kernel| rows(kernel, path_of))
        .collect();
    if !rows.is_empty() {
        text.push_str("| function | metric | base | head | growth | verdict | where |\n");
        text.push_str("| --- | --- | ---: | ---: | ---: | --- | --- |\n");
        text.extend(rows.iter().take(MOST_ROWS).cloned());
        if MOST_ROWS < rows.len() {
            let _ = writeln!(text, "\n… and {} more rows", rows.len() - MOST_ROWS);
        }
        text.push('\n');
    }
    for status in ["added", "removed"] {
        let of_status = delta.kernels.iter().filter(|x| x.status() == status);
        let places = of_status.filter_map(|x| x.head.first().or(x.base.first()));
        let names: Vec<String> = places.map(|place| place_text(place, path_of)).collect();
        if !names.is_empty() {
            let rest = names.len().saturating_sub(MOST_NAMES);
            let more = if 0 < rest {
                format!(" and {rest} more")
            } else {
                String::new()
            };
            let first = names[..names.len() - rest].join(", ");
            let _ = writeln!(text, "{status}: {first}{more}\n");
        }
    }
    if let Some(path) = &delta.unparsed {
        let _ = writeln!(
            text,
            "{}: one side has text that could not be read\n",
            escaped(path)
        );
    }
    if !delta.policy_changes.is_empty() {
        text.push_str("The settings change; those of the base apply:\n\n");
        let changes = delta.policy_changes.iter();
        text.extend(changes.map(|change| format!("- {}\n", escaped(change))));
        text.push('\n');
    }
    let _ = writeln!(text, "{}", escaped(conditions));
    text
}

fn place_text(place: &KernelPlace, path_of: &dyn Fn(&str) -> String) -> String {
    let (name, path) = (escaped(&place.function), escaped(&path_of(&place.path)));
    format!("{name} ({path}:{})", place.line)
}

fn rows(kernel: &KernelDelta, path_of: &dyn Fn(&str) -> String) -> Vec<String> {
    let name = kernel.head.first().map(|place| escaped(&place.function));
    let name = name.unwrap_or_default();
    let of_one = |metric: &Metric| {
        let place = metric.worst.as_ref().map_or_else(String::new, |worst| {
            let (path, text) = (escaped(&path_of(&worst.path)), escaped(&worst.text));
            format!("{path}:{}: {text}", worst.line)
        });
        let verdict = match metric.verdict {
            Verdict::Within if metric.for_all_sizes.is_some() => for_all_sizes(metric),
            Verdict::Within => String::new(),
            Verdict::Undecided => "undecided".to_owned(),
            Verdict::Exceeds => {
                let at = witness(metric).unwrap_or_default();
                format!("**exceeds {}**{}", metric.limit, escaped(&at))
            }
        };
        let (before, after) = numbers(metric);
        let growth = growth(before, after);
        let (before, after) = (counted(before), counted(after));
        let metric = escaped(&metric.name);
        format!("| {name} | {metric} | {before} | {after} | {growth} | {verdict} | {place} |\n")
    };
    kernel.metrics.iter().map(of_one).collect()
}
