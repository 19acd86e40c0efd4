//! One function that changed: its verdict, its source in both versions, and charts of both.

use super::levels::totals;
use crate::chart::escaped;
use crate::html::change::mark;
use crate::html::charts::{ChartSide, FunctionChart};
use crate::html::comparison::PlainCounts;
use crate::html::context::{Context, Subject};
use crate::html::function::{counts, opening};
use crate::html::number::count;
use crate::html::table::table;
use crate::html::{arrays, curve, levels, sizes, source};
use premiss_analyze::FunctionAnalysis;
use premiss_histogram::Counted;
use std::fmt::Write as _;

pub(super) fn section(context: &Context<'_>, base: &Context<'_>, subject: Subject<'_>) -> String {
    let Subject { index, function } = subject;
    let before = context.before(subject);
    let mut html = head(context, subject);
    let _ = writeln!(html, "<p>{}</p>", escaped(&counts(function)));
    html.push_str(&source::listing(context, subject));
    html.push_str(&gone(context, subject));
    if let Some(before) = before {
        html.push_str(&source_of_base(context, base, (subject, before)));
    }
    match before {
        Some(before) if is_counted(before) || is_counted(function) => {
            let machine = &context.analysis.machine;
            html.push_str(&totals(machine, before, function));
        }
        None if is_counted(function) => html.push_str(&levels::tables(context, subject)),
        _ => {}
    }
    let before = before.map(|before| (ChartSide::Base, before));
    let states = before.into_iter().chain([(ChartSide::Head, function)]);
    let chart = FunctionChart {
        index,
        states: states.collect(),
    };
    if chart
        .states
        .iter()
        .any(|(_, function)| is_counted(function))
    {
        html.push_str(&curve::figure(&chart));
        html.push_str(&arrays::figure(&chart));
    }
    html.push_str(&sizes::figures(context, &chart));
    html.push_str("</section>\n");
    html
}

fn is_counted(function: &FunctionAnalysis) -> bool {
    function.accesses != Counted::Unknown
}

/// The name, the verdict and a description of the change.
fn head(context: &Context<'_>, subject: Subject<'_>) -> String {
    let mut html = opening(context, subject);
    if let Some(compared) = context.compared(subject) {
        let verdict = compared.verdict;
        let _ = write!(html, "<div class=\"verdict {verdict}\">");
        for (idx, sentence) in compared.sentences.iter().enumerate() {
            let sign = if idx == 0 {
                mark(verdict)
            } else {
                String::new()
            };
            let _ = write!(html, "<p>{sign} {}</p>", escaped(sentence));
        }
        html.push_str("</div>\n");
    }
    html
}

/// The references of the base that have no counterpart.
fn gone(context: &Context<'_>, subject: Subject<'_>) -> String {
    let all = context.compared(subject).map_or(&[][..], |x| &x.gone);
    if all.is_empty() {
        return String::new();
    }
    let levels = subject.function.levels.iter();
    let levels: Vec<String> = levels
        .map(|level| format!("{} misses", level.name))
        .collect();
    let heads = ["Reference", "Accesses"].into_iter();
    let heads: Vec<&str> = heads.chain(levels.iter().map(String::as_str)).collect();
    let row = |(text, (accesses, misses)): &(String, PlainCounts)| {
        let mut cells = vec![escaped(text), count(*accesses, "")];
        cells.extend(misses.iter().map(|x| count(*x, "")));
        cells
    };
    let rows: Vec<_> = all.iter().map(row).collect();
    table("References of the base that are gone", &heads, &rows)
}

/// The source in the base, folded.
fn source_of_base(
    context: &Context<'_>,
    base: &Context<'_>,
    (subject, before): (Subject<'_>, &FunctionAnalysis),
) -> String {
    let Some(index) = context.compared(subject).and_then(|compared| compared.base) else {
        return String::new();
    };
    let before = Subject {
        index,
        function: before,
    };
    let listing = source::listing(base, before);
    format!("<details class=\"before\"><summary>Source of the base</summary>{listing}</details>\n")
}
