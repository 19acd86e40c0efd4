//! Markdown, for a comment on a change or the summary of a step: a table of results, most bytes first.

use crate::escape::escaped;
use crate::results::{Issue, Results, counted, level};
use premiss_source::Severity;
use std::fmt::Write as _;

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
    let mut text = format!("### premiss: {}", counted(issues.len() - notes, "finding"));
    if 0 < notes {
        let _ = write!(text, ", {}", counted(notes, "note"));
    }
    text.push_str("\n\n");
    if !issues.is_empty() {
        text.push_str(
            "| level | rule | place | what, and what to do |\n| --- | --- | --- | --- |\n",
        );
        text.extend(issues.iter().take(MOST_ROWS).map(row));
        if MOST_ROWS < issues.len() {
            let _ = writeln!(text, "\n… and {} more", issues.len() - MOST_ROWS);
        }
        text.push('\n');
    }
    if let Some(known) = results.held_back() {
        let _ = writeln!(text, "{known}\n");
    }
    let conditions = &results.conditions;
    let (coverage, machine) = (
        escaped(&conditions.coverage),
        escaped(&conditions.machine_id),
    );
    let _ = writeln!(text, "{coverage} · {machine}");
    text
}

fn row(issue: &Issue) -> String {
    let place = issue.place.as_ref().map_or_else(String::new, |place| {
        format!("{}:{}:{}", escaped(&place.path), place.line, place.column)
    });
    let (level, code) = (level(issue.severity), escaped(issue.code));
    format!(
        "| {level} | {code} | {place} | {} |\n",
        escaped(&issue.text())
    )
}
