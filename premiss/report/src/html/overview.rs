//! The overview: the functions and references that move most bytes.

use super::context::{Context, Subject};
use super::function::sizes_of;
use super::number::{count, seconds};
use super::order::bytes_moved;
use super::source::anchor;
use super::table::table;
use crate::chart::escaped;
use crate::human::bytes;
use crate::listing::{Merged, WIDEST_LINE, excerpt, sections};
use crate::time::{has_exact_bytes, resource};
use premiss_histogram::Counted;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// The most functions in the table.
const MOST_FUNCTIONS: usize = 200;
/// The most references in the table.
const MOST_REFERENCES: usize = 10;

/// A reference of a function.
struct OverviewRow<'a> {
    subject: Subject<'a>,
    merged: Merged<'a>,
    place: String,
    bytes: f64,
}

pub(super) fn section(
    context: &Context<'_>,
    order: &[Subject<'_>],
    shown: &BTreeSet<usize>,
    left_out: &[String],
) -> String {
    let mut html =
        "<section aria-labelledby=\"first\">\n<h2 id=\"first\">What moves most</h2>\n".to_owned();
    if order.is_empty() {
        html.push_str("<p>There is no function with a loop nest.</p>\n");
    }
    let rows = references(context, order);
    html.push_str(&verdict(context, order, &rows));
    if !rows.is_empty() {
        html.push_str(&hottest(context, shown, &rows));
    }
    if !order.is_empty() {
        html.push_str(&functions(context, order, shown));
    }
    for note in left_out.iter().chain(&context.derivations.notes) {
        let _ = writeln!(html, "<p class=\"notes\">{}</p>", escaped(note));
    }
    html.push_str("</section>\n");
    html
}

/// A summary of the first function in a few sentences.
fn verdict(context: &Context<'_>, order: &[Subject<'_>], rows: &[OverviewRow<'_>]) -> String {
    let Some(Subject { function, .. }) = order.first() else {
        return String::new();
    };
    let all: Vec<_> = function.levels.iter().map(|level| level.misses).collect();
    let moved = bytes_moved(function, &all);
    let mut text = String::new();
    let name = &function.tree.function;
    // Bytes are those of upper bounds, whose ratio would be no share.
    let is_bounded = all.iter().any(|x| matches!(x, Counted::Bounded { .. }));
    if 0.0 < moved {
        let at_most = if is_bounded { "at most " } else { "" };
        let _ = write!(
            text,
            "{name} moves most: {at_most}{} of lines into caches.",
            bytes(moved)
        );
        if let Some(row) = rows.first() {
            let reference = excerpt(row.merged.text, WIDEST_LINE);
            let place = &row.place;
            let owner = match row.subject.function.tree.function == *name {
                true if is_bounded => format!("at most {}", bytes(row.bytes)),
                true => format!("{:.0} % of that", 100.0 * row.bytes / moved),
                false => format!(
                    "{} in {}",
                    bytes(row.bytes),
                    row.subject.function.tree.function
                ),
            };
            let _ = write!(
                text,
                " The most by one reference: {reference} ({place}), {owner}."
            );
        }
    }
    let time = &function.times.function;
    if time.bound.is_some() {
        let sentence = crate::time::sentence(function, &context.analysis.machine);
        let _ = write!(text, " {sentence}");
    }
    match text.is_empty() {
        true => String::new(),
        false => format!(
            "<p class=\"notes\"><strong>{}</strong></p>\n",
            escaped(text.trim())
        ),
    }
}

/// The references of all functions that move most bytes.
fn references<'a>(context: &Context<'_>, order: &[Subject<'a>]) -> Vec<OverviewRow<'a>> {
    let mut rows: Vec<OverviewRow<'a>> = Vec::new();
    for subject in order {
        let function = subject.function;
        for ((file, _), section) in sections(context.sources, function) {
            let path = context.sources.file(file).path();
            for (line, references) in section.references {
                for (_, merged) in references {
                    let bytes = bytes_moved(function, &merged.counts.misses);
                    if 0.0 < bytes {
                        let place = place(context, path, line);
                        rows.push(OverviewRow {
                            subject: *subject,
                            merged,
                            place,
                            bytes,
                        });
                    }
                }
            }
        }
        // A function that moves less in total than each of the first references has none among them.
        rows.sort_by(|a, b| b.bytes.total_cmp(&a.bytes));
        rows.truncate(MOST_REFERENCES);
    }
    rows
}

/// `line 20`, with the file if the report has several.
fn place(context: &Context<'_>, path: &str, line: u32) -> String {
    let mut functions = context.analysis.functions.iter();
    let is_here = |file| context.sources.file(file).path() == path;
    match functions.all(|x| is_here(x.tree.span.file)) {
        true => format!("line {line}"),
        false => format!("{path}:{line}"),
    }
}

fn hottest(context: &Context<'_>, shown: &BTreeSet<usize>, rows: &[OverviewRow<'_>]) -> String {
    let levels: Vec<String> = context
        .analysis
        .machine
        .levels()
        .map(|(name, _)| format!("{name} misses"))
        .collect();
    let heads = [
        "Reference",
        "Where",
        "Function",
        "Bytes into caches",
        "Accesses",
    ]
    .into_iter();
    let heads: Vec<&str> = heads.chain(levels.iter().map(String::as_str)).collect();
    let of_one = |row: &OverviewRow<'_>| {
        let name = escaped(&excerpt(row.merged.text, WIDEST_LINE));
        let index = row.subject.index;
        let name = match shown.contains(&index) {
            true => format!(
                "<a href=\"#{}\"><code>{name}</code></a>",
                anchor(context, index, row.merged.ids[0])
            ),
            false => format!("<code>{name}</code>"),
        };
        let mut cells = vec![
            format!("{name} {}", row.merged.kind()),
            escaped(&row.place),
            escaped(&row.subject.function.tree.function),
            bytes(row.bytes),
            count(row.merged.counts.accesses, ""),
        ];
        cells.extend(row.merged.counts.misses.iter().map(|x| count(*x, "")));
        cells
    };
    let rows: Vec<_> = rows.iter().map(of_one).collect();
    table("References that move most bytes into caches", &heads, &rows)
}

fn functions(context: &Context<'_>, order: &[Subject<'_>], shown: &BTreeSet<usize>) -> String {
    let machine = &context.analysis.machine;
    let levels: Vec<String> = machine
        .levels()
        .map(|(name, _)| format!("{name} misses"))
        .collect();
    let heads = ["Function", "Where", "Sizes", "At least", "Binds", "About"].into_iter();
    let heads = heads.chain(["Counted by", "Accesses"]);
    let heads: Vec<&str> = heads.chain(levels.iter().map(String::as_str)).collect();
    let of_one = |subject: &Subject<'_>| {
        let Subject { index, function } = *subject;
        let tree = &function.tree;
        let name = escaped(&tree.function);
        let path = context.sources.file(tree.span.file).path();
        let at = format!("/functions/{index}");
        let mut cells = vec![
            match shown.contains(&index) {
                true => format!("<a href=\"#f{index}\">{name}</a>"),
                false => name,
            },
            escaped(&place(context, path, context.sources.start(tree.span).line)),
            escaped(&sizes_of(function)),
        ];
        let time = &function.times.function;
        let least = time
            .bound
            .as_ref()
            .and_then(premiss_analyze::Bound::binding);
        cells.push(least.map_or_else(String::new, |x| {
            seconds(x.seconds, &format!("{at}/time/least/seconds"))
        }));
        let binds = least.filter(|_| has_exact_bytes(function));
        cells.push(binds.map_or_else(
            || least.map_or_else(String::new, |_| "?".to_owned()),
            |x| escaped(&resource(x.resource, machine)),
        ));
        cells.push(time.estimate().map_or_else(String::new, |x| {
            format!("~{}", seconds(x, &format!("{at}/time/estimate/value")))
        }));
        cells.push(function.engine.name().to_owned());
        cells.push(count(function.accesses, &format!("{at}/accesses")));
        for (level, counts) in function.levels.iter().enumerate() {
            cells.push(count(counts.misses, &format!("{at}/levels/{level}/misses")));
        }
        cells
    };
    let rows: Vec<_> = order.iter().take(MOST_FUNCTIONS).map(of_one).collect();
    let mut html = table("Functions, those first that move most bytes", &heads, &rows);
    if MOST_FUNCTIONS < order.len() {
        let n = order.len() - MOST_FUNCTIONS;
        let _ = writeln!(
            html,
            "<p>Left out: {n} functions that move fewer bytes.</p>"
        );
    }
    html
}
