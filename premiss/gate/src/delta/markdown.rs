//! A comparison as Markdown, for a comment on a change: what grew or shrank, nest by nest and level by level.

use super::kernel_delta::{Delta, KernelDelta, Metric};
use super::text::{for_all_sizes, growth, numbers, witness};
use crate::matching::KernelPlace;
use crate::verdict::Verdict;
use premiss_report::{Document, Markdown, counted};

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
    let mut all = Document::<Markdown>::new()
        .markup("### premiss diff: ")
        .markup(verdict)
        .markup("\n\n")
        .text(names.0)
        .markup(" → ")
        .text(names.1)
        .markup("\n\n")
        .part(&table(delta, path_of));
    for status in ["added", "removed"] {
        all = all.part(&unmatched(delta, status, path_of));
    }
    if let Some(path) = &delta.unparsed {
        let why = ": one side has text that could not be read\n\n";
        all = all.text(path).markup(why);
    }
    if !delta.policy_changes.is_empty() {
        all = all.markup("The settings change; those of the base apply:\n\n");
        for change in &delta.policy_changes {
            all = all.markup("- ").text(change).markup("\n");
        }
        all = all.markup("\n");
    }
    all.text(conditions).markup("\n").into_string()
}

/// What changed, the worst verdicts first; empty if nothing did.
fn table(delta: &Delta, path_of: &dyn Fn(&str) -> String) -> Document<Markdown> {
    let kernels = delta.kernels.iter();
    let mut changed: Vec<&KernelDelta> = kernels.filter(|x| x.status() == "changed").collect();
    changed.sort_by_key(|kernel| std::cmp::Reverse(kernel.verdict()));
    let rows = changed.iter();
    let rows: Vec<_> = rows.flat_map(|kernel| rows_of(kernel, path_of)).collect();
    if rows.is_empty() {
        return Document::new();
    }
    let mut table = Document::new()
        .markup("| function | metric | base | head | growth | verdict | where |\n")
        .markup("| --- | --- | ---: | ---: | ---: | --- | --- |\n");
    for row in rows.iter().take(MOST_ROWS) {
        table = table.part(row);
    }
    if MOST_ROWS < rows.len() {
        let more = format!("… and {} more rows", rows.len() - MOST_ROWS);
        table = table.markup("\n").text(&more).markup("\n");
    }
    table.markup("\n")
}

/// The nests of one side that the other one does not have; empty if there are none.
fn unmatched(
    delta: &Delta,
    status: &'static str,
    path_of: &dyn Fn(&str) -> String,
) -> Document<Markdown> {
    let of_status = delta.kernels.iter().filter(|x| x.status() == status);
    let places = of_status.filter_map(|x| x.head.first().or(x.base.first()));
    let names: Vec<String> = places.map(|place| place_text(place, path_of)).collect();
    if names.is_empty() {
        return Document::new();
    }
    let rest = names.len().saturating_sub(MOST_NAMES);
    let first = names[..names.len() - rest].join(", ");
    let all = Document::new().markup(status).markup(": ").text(&first);
    let more = if 0 < rest {
        format!(" and {rest} more")
    } else {
        String::new()
    };
    all.text(&more).markup("\n\n")
}

fn place_text(place: &KernelPlace, path_of: &dyn Fn(&str) -> String) -> String {
    format!(
        "{} ({}:{})",
        place.function,
        path_of(&place.path),
        place.line
    )
}

fn rows_of(kernel: &KernelDelta, path_of: &dyn Fn(&str) -> String) -> Vec<Document<Markdown>> {
    let name = kernel.head.first().map_or("", |place| &place.function);
    let of_one = |metric: &Metric| {
        let place = metric.worst.as_ref().map_or_else(String::new, |worst| {
            format!("{}:{}: {}", path_of(&worst.path), worst.line, worst.text)
        });
        let (before, after) = numbers(metric);
        let growth = growth(before, after);
        Document::new()
            .markup("| ")
            .text(name)
            .markup(" | ")
            .text(&metric.name)
            .markup(" | ")
            .text(&counted(before))
            .markup(" | ")
            .text(&counted(after))
            .markup(" | ")
            .text(&growth)
            .markup(" | ")
            .part(&verdict(metric))
            .markup(" | ")
            .text(&place)
            .markup(" |\n")
    };
    kernel.metrics.iter().map(of_one).collect()
}

fn verdict(metric: &Metric) -> Document<Markdown> {
    match metric.verdict {
        Verdict::Within if metric.for_all_sizes.is_some() => Document::of(&for_all_sizes(metric)),
        Verdict::Within => Document::new(),
        Verdict::Undecided => Document::of("undecided"),
        Verdict::Exceeds => Document::new()
            .markup("**exceeds ")
            .text(&metric.limit.to_string())
            .markup("**")
            .text(&witness(metric).unwrap_or_default()),
    }
}
