//! Markdown, for a comment on a change or the summary of a step: a table of results, most bytes first.

use crate::results::{Issue, Results, counted, level};
use premiss_report::{Document, Markdown};
use premiss_source::Severity;

/// More rows than this are only counted, to keep comments short.
const MOST_ROWS: usize = 50;

/// Results as a heading, a table and the coverage.
#[must_use]
pub fn markdown(results: &Results) -> String {
    let issues = &results.issues;
    let notes = issues
        .iter()
        .filter(|x| x.severity == Severity::Note)
        .count();
    let mut all = Document::<Markdown>::new()
        .markup("### premiss: ")
        .text(&counted(issues.len() - notes, "finding"));
    if 0 < notes {
        all = all.markup(", ").text(&counted(notes, "note"));
    }
    all = all.markup("\n\n");
    if !issues.is_empty() {
        all = all.part(&table(issues));
    }
    if let Some(known) = results.held_back() {
        all = all.text(&known).markup("\n\n");
    }
    let conditions = &results.conditions;
    let all = all.text(&conditions.coverage).markup(" · ");
    all.text(&conditions.machine_id).markup("\n").into_string()
}

fn table(issues: &[Issue]) -> Document<Markdown> {
    let mut table = Document::new()
        .markup("| level | rule | place | what, and what to do |\n| --- | --- | --- | --- |\n");
    for issue in issues.iter().take(MOST_ROWS) {
        table = table.part(&row(issue));
    }
    if MOST_ROWS < issues.len() {
        let more = format!("… and {} more", issues.len() - MOST_ROWS);
        table = table.markup("\n").text(&more).markup("\n");
    }
    table.markup("\n")
}

fn row(issue: &Issue) -> Document<Markdown> {
    let place = issue.place.as_ref().map_or_else(String::new, |place| {
        format!("{}:{}:{}", place.path, place.line, place.column)
    });
    Document::new()
        .markup("| ")
        .text(level(issue.severity))
        .markup(" | ")
        .text(issue.code)
        .markup(" | ")
        .text(&place)
        .markup(" | ")
        .text(&issue.text())
        .markup(" |\n")
}
