//! The report as text: the source with its misses beside it.

use crate::coverage::{coverage_line, reasons};
use crate::human::counted;
use crate::listing::listing;
use crate::style::Style;
use crate::wrap::{broken, indented, wrapped};
use crate::{Colour, Histograms, summary};
use premiss_analyze::{
    Analysis, CoverageClass, FunctionAnalysis, Hierarchy, LevelCounts, ReferenceCounts, Scope,
    Traffic,
};
use premiss_histogram::Counted;
use premiss_machine::{CacheLevel, Machine, format_bytes};
use premiss_source::SourceMap;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// The most reasons of one nest that a report lists.
const MOST_REASONS: usize = 8;

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
        let headline = wrapped(&headline(sources, function));
        text.push_str(&colour.paint(Style::Bold, headline.trim_end()));
        text.push('\n');
        if let Some(line) = crate::operations::line(function.operations.of(Scope::Function)) {
            text.push_str(&indented(&line));
        }
        text.push_str(&crate::vector::hindered(sources, function));
        text.push_str(&body(sources, function, analysis, histograms, colour));
        text.push('\n');
    }
    if !analysis.functions.is_empty() {
        text.push_str(&notes(analysis));
    }
    let (coverage, totals) = (coverage_line(analysis.coverage), uncertain_totals(analysis));
    let _ = writeln!(text, "{coverage}{totals} · {}", analysis.machine.id());
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
    text.push_str(&inexact_totals(sources, function));
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
        reasons(sources, nest, MOST_REASONS, &mut text);
    }
    text
}

/// Why the totals of a function are not exact though all of its nests are: these count as entered.
fn inexact_totals(sources: &SourceMap, function: &FunctionAnalysis) -> String {
    if !has_uncertain_totals(function) {
        return String::new();
    }
    if matches!(function.accesses, Counted::Bounded { .. }) {
        let why = "Totals are bounds, though each nest is exact once it is entered: data decide whether it is, or \
                   what runs outside of nests.";
        return format!("\n{}", indented(why));
    }
    let mut text = match function.nests.is_empty() {
        true => "\n Totals are unknown:\n".to_owned(),
        false => "\n Totals are unknown, though each nest is exact:\n".to_owned(),
    };
    for rejection in function.tree.rejections.values() {
        let path = sources.file(rejection.span.file).path();
        let at = sources.start(rejection.span);
        let why = rejection.reason.message();
        text.push_str(&broken(
            &format!("{path}:{}:{}: {why}", at.line, at.column),
            "  ",
            "    ",
        ));
    }
    text
}

/// Whether the totals of a function are not exact though all of its nests are.
fn has_uncertain_totals(function: &FunctionAnalysis) -> bool {
    let mut nests = function.nests.iter();
    let is_certain = matches!(function.accesses, Counted::Exact(_) | Counted::Estimate(_));
    !is_certain && function.failure.is_none() && nests.all(|x| x.class == CoverageClass::Exact)
}

/// `; totals of 1 function are not exact`, where nests alone would not say so.
pub(crate) fn uncertain_totals(analysis: &Analysis) -> String {
    let functions = analysis.functions.iter();
    match functions.filter(|x| has_uncertain_totals(x)).count() {
        0 => String::new(),
        1 => "; totals of 1 function are not exact".to_owned(),
        n => format!("; totals of {n} functions are not exact"),
    }
}

/// How to read the numbers, and their assumptions.
fn notes(analysis: &Analysis) -> String {
    let mut text = String::new();
    let levels = seen_by(analysis.hierarchy);
    let sizes = line_sizes(&analysis.machine);
    text.push_str(&wrapped(&format!(
        "Levels: {levels}{sizes}. `~` is an estimate, `a..b` bounds, `?` unknown."
    )));
    for note in unknown_details(analysis) {
        text.push_str(&wrapped(&note));
    }
    if !analysis.assumptions.is_empty() {
        let assumed = analysis.assumptions.join("; ");
        text.push_str(&wrapped(&format!("Assumed: {assumed}.")));
    }
    text
}

/// `; lines of 64 B, pages of 4 KiB`
fn line_sizes(machine: &Machine) -> String {
    let words = |sizes: BTreeSet<u64>| {
        let words: Vec<String> = sizes.into_iter().map(format_bytes).collect();
        words.join(" and ")
    };
    let caches = machine.caches().iter().map(CacheLevel::line_size);
    let tlbs = machine.tlbs().iter().map(|x| x.geometry().line_size);
    let lines = format!("; lines of {}", words(caches.collect()));
    match words(tlbs.collect()).as_str() {
        "" => lines,
        pages => format!("{lines}, pages of {pages}"),
    }
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

/// Why the traffic below some level, or the causes of its misses, are unknown.
pub(crate) fn unknown_details(analysis: &Analysis) -> Vec<String> {
    // Where data decide what is accessed, that is the reason, and the numbers show it.
    let functions = analysis.functions.iter();
    let certain = functions.filter(|x| matches!(x.accesses, Counted::Exact(_)));
    let levels = certain.flat_map(|x| &x.levels);
    let counted: Vec<&LevelCounts> = levels
        .filter(|level| matches!(level.misses, Counted::Exact(_) | Counted::Estimate(_)))
        .collect();
    let mut notes = Vec::new();
    if counted
        .iter()
        .any(|level| level.traffic == Some(Traffic::UNKNOWN))
    {
        notes.push(
            "Write-backs and bytes that are not shown, or `?`, take too many steps to simulate; a larger \
             --budget or --hierarchy filtered counts them.",
        );
    }
    let has_no_causes =
        |level: &&LevelCounts| level.has_causes && level.three_c.capacity == Counted::Unknown;
    if counted.iter().any(has_no_causes) {
        notes.push(
            "Causes of misses that are `?` take too many steps to tell; a larger --budget or --exact tells \
             them.",
        );
    }
    notes.into_iter().map(str::to_owned).collect()
}
