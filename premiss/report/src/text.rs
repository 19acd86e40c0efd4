//! The report as text: the source with its misses beside it.

use crate::coverage::{coverage_line, reasons};
use crate::human::counted;
use crate::listing::listing;
use crate::style::Style;
use crate::{Colour, Histograms, summary};
use premiss_analyze::{
    Analysis, CoverageClass, FunctionAnalysis, Hierarchy, LevelCounts, ReferenceCounts, Scope,
    Traffic,
};
use premiss_histogram::Counted;
use premiss_source::SourceMap;
use std::fmt::Write as _;
use unicode_width::UnicodeWidthStr;

/// The columns of running text.
const WIDTH: usize = 100;

/// The whole analysis as text; the last line has the coverage.
#[must_use]
pub fn report_text(
    sources: &SourceMap,
    analysis: &Analysis,
    histograms: Histograms,
    colour: Colour,
) -> String {
    let mut text = String::new();
    for function in &analysis.functions {
        text.push_str(&colour.paint(Style::Bold, &headline(sources, function)));
        text.push('\n');
        if let Some(line) = crate::operations::line(function.operations.of(Scope::Function)) {
            let _ = writeln!(text, " {line}");
        }
        text.push_str(&crate::vector::hindered(sources, function));
        text.push_str(&body(sources, function, analysis, histograms, colour));
        text.push('\n');
    }
    if !analysis.functions.is_empty() {
        text.push_str(&notes(analysis));
    }
    let coverage = coverage_line(analysis.coverage);
    let _ = writeln!(text, "{coverage} · {}", analysis.machine.id());
    text
}

/// The tables of a function; those with unknown counts only are left out.
fn body(
    sources: &SourceMap,
    function: &FunctionAnalysis,
    analysis: &Analysis,
    histograms: Histograms,
    colour: Colour,
) -> String {
    let mut text = String::new();
    let is_known = |counts: &ReferenceCounts| counts.accesses != Counted::Unknown;
    if function.references.iter().any(is_known) {
        text.push('\n');
        text.push_str(&listing(sources, function, colour));
    }
    let is_counted = |level: &LevelCounts| level.misses != Counted::Unknown;
    let is_estimate = matches!(function.accesses, Counted::Estimate(_));
    let has_levels = !is_estimate || function.levels.iter().any(is_counted);
    if function.accesses != Counted::Unknown && has_levels {
        text.push('\n');
        text.push_str(&summary::levels(function, &analysis.machine));
        text.push_str(&summary::spreads(function));
        let traffic = summary::traffic(function, &analysis.machine);
        if !traffic.is_empty() {
            text.push('\n');
            text.push_str(&traffic);
        }
        text.push_str(&crate::time::summary(function, &analysis.machine));
        if histograms == Histograms::Show {
            text.push_str(&summary::histograms(function));
        }
    }
    text.push_str(&inexact_nests(sources, function));
    text
}

/// `gemm.c:5 gemm · n=1000 · 4.00 G accesses: 3.00 G loads, 1.00 G stores · trace`
fn headline(sources: &SourceMap, function: &FunctionAnalysis) -> String {
    let tree = &function.tree;
    let path = sources.file(tree.span.file).path();
    let line = sources.start(tree.span).line;
    let mut text = format!("{path}:{line} {}", tree.function);
    let parameters = function.parameters.iter().map(|(name, value)| {
        let value = value.map(|value| value.to_string());
        format!("{name}={}", value.as_deref().unwrap_or("?"))
    });
    let parameters: Vec<_> = parameters.collect();
    if !parameters.is_empty() {
        let _ = write!(text, " · {}", parameters.join(" "));
    }
    let [accesses, loads, stores] =
        [function.accesses, function.loads, function.stores].map(counted);
    let _ = match (&function.failure, function.accesses) {
        (Some(failure), _) => write!(text, " · not counted: {failure}"),
        (None, Counted::Unknown) => write!(text, " · partly understood: totals are unknown"),
        (None, _) => write!(
            text,
            " · {accesses} accesses: {loads} loads, {stores} stores · {}",
            function.engine.name()
        ),
    };
    text
}

/// The reasons for which nests of a function are not exact.
fn inexact_nests(sources: &SourceMap, function: &FunctionAnalysis) -> String {
    let mut text = String::new();
    for nest in &function.nests {
        let class = match nest.class {
            CoverageClass::Exact => continue,
            CoverageClass::Bounded => "bounded",
            CoverageClass::Unknown => "unknown",
        };
        let line = sources.start(nest.span).line;
        let _ = writeln!(text, "\n The nest of line {line} is {class}:");
        reasons(sources, nest, &mut text);
    }
    text
}

/// How to read the numbers, and their assumptions.
fn notes(analysis: &Analysis) -> String {
    let mut text = String::new();
    let levels = seen_by(analysis.hierarchy);
    let _ = writeln!(
        text,
        "Levels: {levels}. `~` is an estimate, `a..b` bounds, `?` unknown."
    );
    if let Some(note) = unknown_traffic(analysis) {
        text.push_str(&wrapped(&note));
    }
    if !analysis.assumptions.is_empty() {
        let assumed = analysis.assumptions.join("; ");
        text.push_str(&wrapped(&format!("Assumed: {assumed}.")));
    }
    text
}

/// Which accesses a level sees.
pub(crate) fn seen_by(hierarchy: Hierarchy) -> &'static str {
    match hierarchy {
        Hierarchy::Independent => "every level sees every access (independent)",
        Hierarchy::Filtered => {
            "a level sees the misses of the one above; TLBs see all accesses (filtered)"
        }
        Hierarchy::Inclusive => {
            "a level sees the misses of the one above and holds all that it holds; TLBs see all \
             accesses (inclusive)"
        }
        Hierarchy::Exclusive => {
            "a level sees the misses of the one above and holds nothing that it holds; TLBs see \
             all accesses (exclusive)"
        }
    }
}

/// Why the traffic below some level is unknown.
pub(crate) fn unknown_traffic(analysis: &Analysis) -> Option<String> {
    // Where data decide what is executed, that is the reason, and the numbers show it.
    let functions = analysis.functions.iter();
    let certain = functions.filter(|x| matches!(x.accesses, Counted::Exact(_)));
    let levels = certain.flat_map(|x| &x.levels);
    let mut known = levels.filter_map(|level| Some((level, level.traffic?)));
    let is_broken_off = |(level, traffic): (&LevelCounts, Traffic)| {
        traffic == Traffic::UNKNOWN && level.misses != Counted::Unknown
    };
    known.any(is_broken_off).then(|| {
        "Write-backs and bytes are counted by running the loops, for levels that see every access \
         within a thousandth of --budget; --hierarchy filtered counts them always."
            .to_owned()
    })
}

/// Text in lines of at most [`WIDTH`] columns, broken at spaces, with later lines indented.
fn wrapped(text: &str) -> String {
    let mut lines = String::new();
    let mut column = 0;
    for word in text.split(' ') {
        let width = word.width();
        if 0 < column && WIDTH < column + 1 + width {
            lines.push_str("\n ");
            column = 1;
        }
        if 0 < column {
            lines.push(' ');
            column += 1;
        }
        lines.push_str(word);
        column += width;
    }
    lines.push('\n');
    lines
}
