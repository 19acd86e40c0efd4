//! The report as one page that needs nothing else: no network, no other file, no script to be read.
//!
//! Tables and pictures are made here; the script in the page only toggles, unfolds and saves. Every number that
//! is also in the JSON document is a `<data>` element with the same value and, where it is no sum of several,
//! the place of it in the document as a JSON pointer. Functions are ordered by the bytes that they move, and so
//! is what is left out where a page would grow too large.

mod about;
mod arrays;
mod charts;
mod compare;
mod curve;
mod derivation;
mod figure;
mod function;
mod levels;
mod number;
mod overview;
mod roofs;
mod sizes;
mod source;
mod table;

use crate::Histograms;
use crate::chart::escaped;
use crate::coverage::coverage_line;
use crate::explain::stories;
use crate::json::compact_json;
pub use compare::{
    Compared, ComparedFunction, ComparedMetric, ComparedNest, Comparison, PlainCounts, Witnessed,
    comparison_html,
};
use premiss_analyze::{Analysis, Explanation, FunctionAnalysis, FunctionSweep, Point};
use premiss_histogram::Counted;
use premiss_machine::Machine;
use premiss_source::SourceMap;
use premiss_tree::NestTree;
use std::collections::BTreeSet;

const PAGE: &str = include_str!("html/page.html");
const STYLE: &str = include_str!("html/page.css");
const SCRIPT: &str = include_str!("html/page.js");

/// A JSON document beyond so many bytes is left out of the page.
const LARGEST_JSON: usize = 1_400_000;
/// Functions are shown in full as long as they and the JSON document have no more bytes than this, and one in any
/// case. Tables over all functions come on top.
const FULL_PAGE: usize = 1_700_000;

/// What closed forms say of the functions of an analysis.
#[derive(Debug, Default)]
pub struct Derivations {
    /// The levels that stories tell of.
    pub levels: Vec<String>,
    /// Functions, with sizes kept symbolic where that could be, and where the lines of their references come from.
    pub stories: Vec<(NestTree, Explanation)>,
    /// Misses over single sizes.
    pub sweeps: Vec<SizeSweep>,
    /// What is not there, and why: whole sentences.
    pub notes: Vec<String>,
}

/// The misses of a function over one of its sizes.
#[derive(Debug)]
pub struct SizeSweep {
    /// The function with that size symbolic.
    pub tree: NestTree,
    /// The name of the size.
    pub size: String,
    /// Its values.
    pub points: Vec<Point>,
    /// The misses at each.
    pub swept: FunctionSweep,
    /// The levels that they are of.
    pub machine: Machine,
}

/// What the parts of a page look at.
struct Context<'a> {
    sources: &'a SourceMap,
    analysis: &'a Analysis,
    derivations: &'a Derivations,
    stories: derivation::Stories,
    /// What it is compared with, if with anything.
    base: Option<Compared<'a>>,
    /// What functions are compared with.
    compared: &'a [ComparedFunction],
    /// Whether it is itself what others are compared with.
    is_base: bool,
}

/// A function and its place among all; where nothing is compared that is its place in the JSON document, too.
#[derive(Clone, Copy)]
struct Subject<'a> {
    index: usize,
    function: &'a FunctionAnalysis,
}

impl Context<'_> {
    /// The JSON pointer to a number of a function: none where the document of the page is about nests.
    fn pointer(&self, subject: Subject<'_>, what: &str) -> String {
        match self.is_compared() {
            true => String::new(),
            false => format!("/functions/{}/{what}", subject.index),
        }
    }

    /// Whether the page is about two programs.
    fn is_compared(&self) -> bool {
        self.base.is_some() || self.is_base
    }

    /// What a function was.
    fn before(&self, subject: Subject<'_>) -> Option<&FunctionAnalysis> {
        let index = self.compared(subject)?.base?;
        self.base?.analysis.functions.get(index)
    }

    /// What a function is compared with.
    fn compared(&self, subject: Subject<'_>) -> Option<&ComparedFunction> {
        self.compared.iter().find(|x| x.head == subject.index)
    }
}

/// The whole analysis as one HTML document.
#[must_use]
pub fn report_html(
    sources: &SourceMap,
    analysis: &Analysis,
    histograms: Histograms,
    derivations: &Derivations,
) -> String {
    let told = derivations.stories.iter();
    let stories = told.flat_map(|(tree, x)| stories(sources, (tree, x), &derivations.levels));
    let context = Context {
        sources,
        analysis,
        derivations,
        stories: derivation::Stories::new(stories.collect()),
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
    let coverage = coverage_line(analysis.coverage);
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
        ("about", about::section(&context)),
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

/// The functions of an analysis by their index, those first that move most bytes into caches.
#[must_use]
pub fn by_bytes_moved(analysis: &Analysis) -> Vec<usize> {
    let order = by_bytes(analysis);
    order.iter().map(|subject| subject.index).collect()
}

/// Functions, those first that move most bytes.
fn by_bytes(analysis: &Analysis) -> Vec<Subject<'_>> {
    let functions = analysis.functions.iter().enumerate();
    let mut order: Vec<Subject> = functions
        .map(|(index, function)| Subject { index, function })
        .collect();
    let bytes = |x: &Subject| {
        let levels = x.function.levels.iter();
        let misses: Vec<Counted> = levels.map(|level| level.misses).collect();
        bytes_moved(x.function, &misses)
    };
    order.sort_by(|a, b| bytes(b).total_cmp(&bytes(a)));
    order
}

/// The bytes of the lines that misses fetch into all caches, to rank by.
fn bytes_moved(function: &FunctionAnalysis, misses: &[Counted]) -> f64 {
    let levels = function.levels.iter().zip(misses);
    let caches = levels.filter(|(level, _)| level.traffic.is_some());
    let bytes = caches
        .map(|(level, misses)| misses.magnitude().unwrap_or(0.0) * level.geometry.line_size as f64);
    bytes.sum()
}

/// A document as it stands in a page, unless it has more bytes than that: then why not, with the command that writes it.
fn embedded(json: &str, most: usize, command: &str) -> (String, Option<String>) {
    let n_bytes = json.len();
    match n_bytes <= most {
        true => (script_safe(json), None),
        false => (
            "null".to_owned(),
            Some(format!(
                "The JSON document is left out: it has {n_bytes} bytes. `{command}` writes it."
            )),
        ),
    }
}

/// JSON that cannot end the element that it stands in: `<` occurs in strings alone.
fn script_safe(json: &str) -> String {
    json.replace('<', "\\u003c")
}

/// The template with each `{{name}}` replaced; what is put in is not looked at again.
fn filled(template: &str, parts: &[(&str, String)]) -> String {
    let mut page = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("{{") {
        let (name, after) = after.split_once("}}").unwrap_or((after, ""));
        page.push_str(before);
        let part = parts.iter().find(|(known, _)| *known == name);
        page.push_str(part.map_or("", |(_, text)| text));
        rest = after;
    }
    page.push_str(rest);
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_place_of_the_template_is_filled_once() {
        let names: Vec<&str> = PAGE
            .split("{{")
            .skip(1)
            .filter_map(|x| x.split("}}").next())
            .collect();
        let expected = [
            "title",
            "style",
            "title",
            "coverage",
            "levels",
            "overview",
            "functions",
            "roofline",
            "about",
            "id",
            "json",
            "script",
        ];
        assert_eq!(names, expected);
        let parts = [("a", "{{b}}".to_owned()), ("b", "x".to_owned())];
        assert_eq!(filled("1{{a}}2{{b}}3", &parts), "1{{b}}2x3");
    }

    #[test]
    fn json_cannot_end_its_element() {
        assert_eq!(
            script_safe(r#"["</script><!--"]"#),
            r#"["\u003c/script>\u003c!--"]"#
        );
    }

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
