//! Two programs compared, as one page: the verdict, each nest with each metric before and after, and the functions
//! that changed with their sources and pictures, in which both stand.
//!
//! What is to be said of a nest is decided elsewhere: here are its words and numbers. The page is the one of a report,
//! and so are its parts; numbers with a place in a document name that of the comparison.

mod function;
mod levels;
mod nests;
mod was;

pub(super) use was::{Was, mark, was_cell};

use super::levels::choice;
use super::{
    Context, Derivations, FULL_PAGE, LARGEST_JSON, PAGE, STYLE, Subject, about, derivation,
    embedded, filled, roofs,
};
use crate::chart::escaped;
use crate::explain::stories;
use premiss_analyze::Analysis;
use premiss_histogram::Counted;
use premiss_source::{SourceMap, Span};
use premiss_tree::ReferenceId;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// What the page does beside what a report does.
pub(super) const SCRIPT: &str = include_str!("compare.js");

/// Two programs, and what is to be said of what became of the one.
pub struct Comparison<'a> {
    /// What is compared with.
    pub base: Compared<'a>,
    /// What is compared.
    pub head: Compared<'a>,
    /// The functions that are shown, in this order.
    pub functions: Vec<ComparedFunction>,
    /// All nests, in the order of the document.
    pub nests: Vec<ComparedNest>,
    /// `within`, `undecided` or `exceeds`.
    pub verdict: &'static str,
    /// The verdict in a few words, then what it means and what it rests on: a paragraph each.
    pub said: Vec<String>,
    /// How much is covered, and the machine, as a line.
    pub coverage: String,
    /// The document of the comparison.
    pub json: String,
}

/// One of the programs, and what there is of it.
#[derive(Clone, Copy)]
pub struct Compared<'a> {
    /// What to call it.
    pub name: &'a str,
    /// Its texts.
    pub sources: &'a SourceMap,
    /// Its functions; those that are shown with their times.
    pub analysis: &'a Analysis,
    /// What closed forms say of those that are shown.
    pub derivations: &'a Derivations,
}

/// Accesses, and misses by level.
pub type PlainCounts = (Counted, Vec<Counted>);

/// What a function of the head was.
#[derive(Debug)]
pub struct ComparedFunction {
    /// Its place among the functions of the head.
    pub head: usize,
    /// The function of the base that most of it was, if any.
    pub base: Option<usize>,
    /// `within`, `undecided` or `exceeds`.
    pub verdict: &'static str,
    /// What became of it: whole sentences.
    pub said: Vec<String>,
    /// What is to be said on lines of it, each with its verdict.
    pub findings: Vec<(Span, &'static str, String)>,
    /// Its references with what they were, accesses and misses by level; nothing where they are new.
    pub references: Vec<(Vec<ReferenceId>, Option<PlainCounts>)>,
    /// References of the base that became nothing: text and place, accesses and misses by level.
    pub gone: Vec<(String, PlainCounts)>,
}

/// What became of a nest.
#[derive(Debug)]
pub struct ComparedNest {
    /// Its function and where it is: now, or before where it is gone.
    pub place: String,
    /// Where it was, if elsewhere or under another name.
    pub moved_from: Option<String>,
    /// `changed`, `unchanged`, `added` or `removed`.
    pub status: &'static str,
    /// How it was found again, in words.
    pub found_by: Option<&'static str>,
    /// The function of the head, if the page shows it.
    pub function: Option<usize>,
    /// `within`, `undecided` or `exceeds`.
    pub verdict: &'static str,
    /// Its metrics, in the order of the document.
    pub metrics: Vec<ComparedMetric>,
}

/// A count before and after.
#[derive(Debug)]
pub struct ComparedMetric {
    /// Its name.
    pub name: String,
    /// In the base.
    pub before: Counted,
    /// In the head.
    pub after: Counted,
    /// By how much it may grow.
    pub limit: String,
    /// `within`, `undecided` or `exceeds`.
    pub verdict: &'static str,
    /// What was proved for all sizes, or why it is open.
    pub said: Option<String>,
    /// Sizes at which it exceeds its limit, with both counts there.
    pub witness: Option<Witnessed>,
    /// Where it grew most, with what that was and is.
    pub worst: Option<(String, Counted, Counted)>,
}

/// Counts at sizes that closed forms found.
#[derive(Debug)]
pub struct Witnessed {
    /// `n = 1000`
    pub sizes: String,
    /// In the base.
    pub before: u64,
    /// In the head.
    pub after: u64,
}

/// The whole comparison as one HTML document.
#[must_use]
pub fn comparison_html(comparison: &Comparison<'_>) -> String {
    let Comparison { base, head, .. } = comparison;
    let context = context(*head, Some(*base), &comparison.functions);
    let before = Context {
        is_base: true,
        ..context_of(*base)
    };
    // About as long as the table will be.
    let n_bytes = nests::table(&comparison.nests, &BTreeSet::new()).len();
    let most = LARGEST_JSON.saturating_sub(n_bytes);
    let (json, no_json) = embedded(&comparison.json, most, "premiss diff --format json");
    let reserved = n_bytes + json.len();
    let (mut sections, mut shown) = (String::new(), BTreeSet::new());
    for ComparedFunction { head: index, .. } in &comparison.functions {
        let Some(function) = head.analysis.functions.get(*index) else {
            continue;
        };
        let index = *index;
        let section = function::section(&context, &before, Subject { index, function });
        if !shown.is_empty() && FULL_PAGE < sections.len() + section.len() + reserved {
            break;
        }
        sections.push_str(&section);
        shown.insert(index);
    }
    let mut left_out: Vec<String> = no_json.into_iter().collect();
    let n_hidden = comparison.functions.len() - shown.len();
    if 0 < n_hidden {
        left_out.push(format!(
            "The sources and charts of {n_hidden} functions that changed less are left out, to keep the page small. \
             A comparison of their files alone shows them."
        ));
    }
    let title = format!("{} → {}", base.name, head.name);
    let parts = [
        ("title", escaped(&title)),
        ("style", STYLE.to_owned()),
        ("coverage", escaped(&comparison.coverage)),
        ("levels", choice(head.analysis)),
        ("overview", overview(comparison, &shown, &left_out)),
        ("functions", sections),
        ("roofline", roofs::section(&context)),
        ("about", about::of_two(&context, &before)),
        ("id", "premiss-diff".to_owned()),
        ("json", json),
        ("script", format!("{}{SCRIPT}", super::SCRIPT)),
    ];
    filled(PAGE, &parts)
}

fn context_of(program: Compared<'_>) -> Context<'_> {
    context(program, None, &[])
}

fn context<'a>(
    program: Compared<'a>,
    base: Option<Compared<'a>>,
    compared: &'a [ComparedFunction],
) -> Context<'a> {
    let Compared {
        sources,
        analysis,
        derivations,
        ..
    } = program;
    let told = derivations.stories.iter();
    let stories = told.flat_map(|(tree, x)| stories(sources, (tree, x), &derivations.levels));
    Context {
        sources,
        analysis,
        derivations,
        stories: derivation::Stories::new(stories.collect()),
        base,
        compared,
        is_base: false,
    }
}

/// The verdict, and all nests.
fn overview(comparison: &Comparison<'_>, shown: &BTreeSet<usize>, left_out: &[String]) -> String {
    let verdict = comparison.verdict;
    let mut html = format!(
        "<section aria-labelledby=\"verdict\">\n<h2 id=\"verdict\">Verdict</h2>\n<div class=\"verdict {verdict}\">"
    );
    for (idx, text) in comparison.said.iter().enumerate() {
        let text = escaped(text);
        let _ = match idx {
            0 => write!(html, "<p><strong>{} {text}</strong></p>", mark(verdict)),
            _ => write!(html, "<p>{text}</p>"),
        };
    }
    html.push_str("</div>\n");
    html.push_str(&nests::table(&comparison.nests, shown));
    let derivations = [comparison.base, comparison.head].map(|side| &side.derivations.notes);
    let mut told = BTreeSet::new();
    let notes = left_out.iter().chain(derivations.into_iter().flatten());
    for note in notes.filter(|note| told.insert(*note)) {
        let _ = writeln!(html, "<p class=\"notes\">{}</p>", escaped(note));
    }
    html.push_str("</section>\n");
    html
}
