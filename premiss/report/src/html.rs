//! The report as one self-contained page: no network, no other file, and readable without scripts.
//!
//! Tables and charts are made here; the script in the page only toggles, unfolds and saves. Every number that is also
//! in the JSON document is a `<data>` element with the same value and, unless it is a sum of several, its JSON pointer.
//! Functions are ordered by the bytes that they move, and so are those that are left out if a page would grow too
//! large.

mod arrays;
mod change;
mod charts;
mod compare;
mod comparison;
mod conditions;
mod context;
mod curve;
mod derivation;
mod derivations;
mod explanations;
mod figure;
mod function;
mod levels;
mod number;
mod order;
mod overview;
mod roofs;
mod sizes;
mod source;
mod table;
mod template;

pub use compare::comparison_html;
pub use comparison::{
    Compared, ComparedFunction, ComparedMetric, ComparedNest, Comparison, PlainCounts, Witnessed,
};
pub use derivations::{Derivations, SizeSweep};
pub use order::by_bytes_moved;

use crate::Histograms;
use crate::chart::escaped;
use crate::coverage::coverage_line;
use crate::json::compact_json;
use crate::text::uncertain_totals;
use context::Context;
use explanations::Explanations;
use order::by_bytes;
use premiss_analyze::Analysis;
use premiss_source::SourceMap;
use std::collections::BTreeSet;
use template::{FULL_PAGE, LARGEST_JSON, PAGE, SCRIPT, STYLE, embedded, filled};

/// The whole analysis as one HTML document; `derivations` adds explanations and charts over sizes. `histograms` is for
/// the embedded JSON document.
#[must_use]
pub fn report_html(
    sources: &SourceMap,
    analysis: &Analysis,
    histograms: Histograms,
    derivations: &Derivations,
) -> String {
    let context = Context {
        sources,
        analysis,
        derivations,
        explanations: Explanations::of(sources, derivations),
        base: None,
        compared: &[],
        is_base: false,
    };
    let json = compact_json(sources, analysis, histograms);
    let (json, no_json) = embedded(&json, LARGEST_JSON, "premiss report --format json");
    let order = by_bytes(analysis);
    let mut sections = String::new();
    let mut shown = BTreeSet::new();
    for subject in &order {
        let section = function::section(&context, *subject);
        if !shown.is_empty() && FULL_PAGE < sections.len() + section.len() + json.len() {
            break;
        }
        sections.push_str(&section);
        shown.insert(subject.index);
    }
    let mut left_out: Vec<String> = no_json.into_iter().collect();
    let n_hidden = order.len() - shown.len();
    if 0 < n_hidden {
        left_out.push(format!(
            "The sources and charts of {n_hidden} functions that move fewer bytes are left out, to keep the page \
             small. `premiss report --function NAME` shows one of them."
        ));
    }
    let title = title(sources, analysis);
    let coverage = coverage_line(analysis.coverage) + &uncertain_totals(analysis);
    let machine = analysis.machine.id();
    let parts = [
        ("title", escaped(&title)),
        ("style", STYLE.to_owned()),
        ("coverage", escaped(&format!("{coverage} · {machine}"))),
        ("levels", levels::choice(analysis)),
        (
            "overview",
            overview::section(&context, &order, &shown, &left_out),
        ),
        ("functions", sections),
        ("roofline", roofs::section(&context)),
        ("about", conditions::section(&context)),
        ("id", "premiss-report".to_owned()),
        ("json", json),
        ("script", SCRIPT.to_owned()),
    ];
    filled(PAGE, &parts)
}

/// `gemm.c and 2 more files`.
fn title(sources: &SourceMap, analysis: &Analysis) -> String {
    let functions = analysis.functions.iter();
    let mut files: Vec<_> = functions.map(|x| x.tree.span.file).collect();
    files.dedup();
    let first = files.first().map(|file| sources.file(*file).path());
    match (first, files.len()) {
        (None, _) => "no function with a loop nest".to_owned(),
        (Some(path), 1) => path.to_owned(),
        (Some(path), 2) => format!("{path} and another file"),
        (Some(path), n) => format!("{path} and {} more files", n - 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_asks_for_nothing() {
        for part in [PAGE, STYLE, SCRIPT, compare::SCRIPT] {
            for word in [
                "http:", "https:", "@import", "url(", "src=", "fetch(", "href=\"/",
            ] {
                assert!(!part.contains(word), "{word}");
            }
        }
    }
}
