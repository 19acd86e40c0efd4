//! The section of a function: its source, its tables, its charts.

use super::charts::{ChartSide, FunctionChart};
use super::context::{Context, Subject};
use super::{arrays, curve, levels, sizes, source};
use crate::chart::escaped;
use crate::human::counted;
use crate::operations;
use premiss_analyze::{FunctionAnalysis, Scope};
use premiss_histogram::Counted;
use std::fmt::Write as _;

pub(super) fn section(context: &Context<'_>, subject: Subject<'_>) -> String {
    let Subject { index, function } = subject;
    let mut html = opening(context, subject);
    let _ = writeln!(html, "<p>{}</p>", escaped(&counts(function)));
    if let Some(line) = operations::line(function.operations.of(Scope::Function)) {
        let _ = writeln!(html, "<p>{}</p>", escaped(&line));
    }
    for line in crate::vector::hindered(context.sources, function).lines() {
        let _ = writeln!(html, "<p>{}</p>", escaped(line));
    }
    html.push_str(&source::listing(context, subject));
    if function.accesses != Counted::Unknown {
        html.push_str(&levels::tables(context, subject));
        let chart = FunctionChart {
            index,
            states: vec![(ChartSide::Only, function)],
        };
        html.push_str(&curve::figure(&chart));
        html.push_str(&arrays::figure(&chart));
        html.push_str(&sizes::figures(context, &chart));
    }
    html.push_str("</section>\n");
    html
}

/// The start of the section of a function: its name, and its place.
pub(super) fn opening(context: &Context<'_>, subject: Subject<'_>) -> String {
    let Subject { index, function } = subject;
    let tree = &function.tree;
    let path = context.sources.file(tree.span.file).path();
    let line = context.sources.start(tree.span).line;
    let name = escaped(&tree.function);
    format!(
        "<section aria-labelledby=\"f{index}\">\n<h2 id=\"f{index}\">{name} <span class=\"place\">{}:{line}</span></h2>\n",
        escaped(path),
    )
}

/// Sizes, accesses and the engine, as one line.
pub(super) fn counts(function: &FunctionAnalysis) -> String {
    let mut parts = Vec::new();
    let sizes = sizes_of(function);
    if !sizes.is_empty() {
        parts.push(sizes);
    }
    let [accesses, loads, stores] =
        [function.accesses, function.loads, function.stores].map(counted);
    parts.push(match (&function.failure, function.accesses) {
        (Some(failure), _) => format!("not counted: {failure}"),
        (None, Counted::Unknown) => "partly understood: totals are unknown".to_owned(),
        (None, _) => format!("{accesses} accesses: {loads} loads, {stores} stores"),
    });
    let engine = function.engine.name();
    parts.push(match &function.engine_reason {
        Some(reason) => format!("counted by {engine}: {reason}"),
        None => format!("counted by {engine}"),
    });
    parts.join(" · ")
}

/// `n=1000 m=?`
pub(super) fn sizes_of(function: &FunctionAnalysis) -> String {
    let sizes = function.parameters.iter().map(|(name, value)| {
        let value = value.map(|value| value.to_string());
        format!("{name}={}", value.as_deref().unwrap_or("?"))
    });
    sizes.collect::<Vec<_>>().join(" ")
}
