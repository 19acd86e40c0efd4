//! A comparison of two programs as one page: the verdict, each nest with each metric before and after, and the
//! functions that changed with their sources and charts, which show both versions.
//!
//! Verdicts are decided elsewhere; here they become words and numbers. The page has the parts of a report page; JSON
//! pointers of numbers point into the document of the comparison.

mod function;
mod levels;
mod nests;

use super::change::mark;
use super::comparison::{Compared, ComparedFunction, Comparison};
use super::conditions;
use super::context::{Context, Subject};
use super::explanations::Explanations;
use super::levels::choice;
use super::roofs;
use super::template::{
    FULL_PAGE, LARGEST_JSON, PAGE, SCRIPT as PAGE_SCRIPT, STYLE, embedded, filled,
};
use crate::chart::escaped;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// The script of the page beyond that of a report.
pub(super) const SCRIPT: &str = include_str!("compare.js");

/// The whole comparison as one self-contained HTML document.
#[must_use]
pub fn comparison_html(comparison: &Comparison<'_>) -> String {
    let Comparison { base, head, .. } = comparison;
    let context = context(*head, Some(*base), &comparison.functions);
    let before = Context {
        is_base: true,
        ..context_of(*base)
    };
    // An estimate of the length of the table.
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
        ("about", conditions::of_two(&context, &before)),
        ("id", "premiss-diff".to_owned()),
        ("json", json),
        ("script", format!("{PAGE_SCRIPT}{SCRIPT}")),
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
    Context {
        sources,
        analysis,
        derivations,
        explanations: Explanations::of(sources, derivations),
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
    for (idx, text) in comparison.sentences.iter().enumerate() {
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
