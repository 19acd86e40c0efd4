//! The basis of the numbers: the machine, the assumptions, what is unknown, and the coverage.

use super::context::Context;
use super::number::count;
use super::table::table;
use crate::chart::escaped;
use crate::coverage::coverage_line;
use crate::text::uncertain_totals;
use crate::text::{seen_by, unknown_details};
use premiss_analyze::{CoverageClass, NestCoverage};
use premiss_histogram::Counted;
use premiss_source::{Diagnostic, Severity};
use std::fmt::Write as _;

/// The most nests and the most diagnostics that are listed.
const MOST_ROWS: usize = 200;

pub(super) fn section(context: &Context<'_>) -> String {
    let mut html =
        "<section aria-labelledby=\"rests\">\n<h2 id=\"rests\">What the numbers rest on</h2>\n"
            .to_owned();
    html.push_str(&machine(context));
    html.push_str(&assumptions(context));
    html.push_str("<h3>What is unknown</h3>\n");
    html.push_str(&unknown(context));
    html.push_str(&coverage(context));
    html.push_str("</section>\n");
    html
}

/// The same for two programs, which have the same machine and assumptions.
pub(super) fn of_two(head: &Context<'_>, base: &Context<'_>) -> String {
    let mut html =
        "<section aria-labelledby=\"rests\">\n<h2 id=\"rests\">What the numbers rest on</h2>\n"
            .to_owned();
    html.push_str(&machine(head));
    html.push_str(&assumptions(head));
    html.push_str("<h3>What is unknown in the head</h3>\n");
    html.push_str(&unknown(head));
    html.push_str("<h3>What is unknown in the base</h3>\n");
    html.push_str(&unknown(base));
    html.push_str("</section>\n");
    html
}

fn machine(context: &Context<'_>) -> String {
    let machine = &context.analysis.machine;
    let caches = machine.caches().iter().map(ToString::to_string);
    let tlbs = machine.tlbs().iter().map(ToString::to_string);
    let levels = caches.chain(tlbs).zip(machine.models());
    let plain = |number: u64| format!("<data value=\"{number}\">{number}</data>");
    let row = |(shape, (_, model)): (String, (&str, premiss_analyze::CacheModel))| {
        let geometry = model.geometry;
        let numbers = [geometry.sets, geometry.ways, geometry.line_size].map(plain);
        std::iter::once(escaped(&shape)).chain(numbers).collect()
    };
    let rows: Vec<Vec<String>> = levels.map(row).collect();
    let title = match machine.title() {
        "" => machine.name(),
        title => title,
    };
    let heads = ["Level", "Sets", "Ways", "Bytes in a line or page"];
    format!(
        "<h3>Machine</h3>\n<p>{} · {} · {:016x}</p>\n{}<p>Levels: {}.</p>\n",
        escaped(title),
        escaped(&machine.id()),
        machine.hash(),
        table("Levels of the machine", &heads, &rows),
        escaped(seen_by(context.analysis.hierarchy))
    )
}

fn assumptions(context: &Context<'_>) -> String {
    let mut html = "<h3>Assumed</h3>\n<ul class=\"notes\">".to_owned();
    for assumed in &context.analysis.assumptions {
        let _ = write!(html, "<li>{}</li>", escaped(assumed));
    }
    html.push_str(
        "</ul>\n<h3>How to read numbers</h3>\n<p class=\"notes\">A number by itself is exact. <em>~1.13 G</em> is an \
         estimate, <em>1.10..1.51 M</em> are bounds, <em>?</em> is unknown. k, M, G, T are thousands, millions and \
         so on; unfolded references have all digits. Bytes into caches are misses times the line, added up over the \
         caches. Heat has four blocks for more than three quarters of the misses of the hottest line, none for less \
         than a hundredth.</p>\n",
    );
    html
}

fn unknown(context: &Context<'_>) -> String {
    let analysis = context.analysis;
    let mut html = String::new();
    let mut items = Vec::new();
    for function in &analysis.functions {
        let name = &function.tree.function;
        if let Some(failure) = &function.failure {
            items.push(format!("{name} is not counted: {failure}"));
        }
        items.extend(
            function
                .nests
                .iter()
                .filter_map(|nest| inexact(context, nest)),
        );
    }
    items.extend(unknown_details(analysis));
    let problems = analysis.diagnostics.iter();
    items.extend(problems.map(|x| problem(context, x)));
    if items.is_empty() {
        html.push_str("<p>Nothing: every nest is exact, and there is no diagnostic.</p>\n");
        return html;
    }
    html.push_str("<ul class=\"notes\">");
    for item in items.iter().take(MOST_ROWS) {
        let _ = writeln!(html, "<li>{}</li>", escaped(item));
    }
    html.push_str("</ul>\n");
    if MOST_ROWS < items.len() {
        let n = items.len() - MOST_ROWS;
        let _ = writeln!(
            html,
            "<p>Left out: {n} more; `premiss report` prints them all.</p>"
        );
    }
    html
}

/// The reasons for which a nest is not exact.
fn inexact(context: &Context<'_>, nest: &NestCoverage) -> Option<String> {
    let class = match nest.class {
        CoverageClass::Exact => return None,
        CoverageClass::Bounded => "bounded",
        CoverageClass::Unknown => "unknown",
    };
    let path = context.sources.file(nest.span.file).path();
    let line = context.sources.start(nest.span).line;
    let mut text = format!("The nest at {path}:{line} is {class}");
    for (idx, reason) in nest.reasons.iter().enumerate() {
        let path = context.sources.file(reason.span.file).path();
        let at = context.sources.start(reason.span);
        let joint = if idx == 0 { ": " } else { "; " };
        let _ = write!(
            text,
            "{joint}{} ({path}:{}:{})",
            reason.text, at.line, at.column
        );
    }
    text.push('.');
    Some(text)
}

fn problem(context: &Context<'_>, diagnostic: &Diagnostic) -> String {
    let severity = match diagnostic.severity {
        Severity::Note => "Note",
        Severity::Warning => "Warning",
        Severity::Error => "Error",
    };
    let mut text = format!("{severity} [{}]: {}", diagnostic.code, diagnostic.message);
    if let Some(label) = diagnostic.labels.first() {
        let at = context.sources.start(label.span);
        let path = context.sources.file(label.span.file).path();
        let _ = write!(text, " ({path}:{}:{})", at.line, at.column);
    }
    if let Some(help) = &diagnostic.help {
        let _ = write!(text, ". Help: {help}");
    }
    text.push('.');
    text
}

fn coverage(context: &Context<'_>) -> String {
    let coverage = context.analysis.coverage;
    let cell =
        |number: u64, what: &str| count(Counted::Exact(number), &format!("/coverage/{what}"));
    let rows = [
        (
            "exact: every access and its address are known as functions of sizes",
            coverage.exact,
            "exact",
        ),
        (
            "bounded: every access is finite, and what is open is listed",
            coverage.bounded,
            "bounded",
        ),
        (
            "unknown: something was not understood",
            coverage.unknown,
            "unknown",
        ),
    ];
    let rows = rows.map(|(text, number, what)| vec![text.to_owned(), cell(number, what)]);
    format!(
        "<h3 id=\"coverage\">Coverage</h3>\n{}<p>{}</p>\n",
        table(
            "Loop nests by how much is known of them",
            &["Nests that are", "Nests"],
            &rows
        ),
        escaped(&(coverage_line(coverage) + &uncertain_totals(context.analysis)))
    )
}
