//! Markdown, for a comment on a change or the summary of a step: a table, most bytes first.

use super::{Issue, Results, counted, level};
use premiss_source::Severity;
use std::fmt::Write as _;

/// Rows beyond so many are only counted: a comment has an end.
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

/// Text that Markdown shows as it is, on one line of a table.
pub(crate) fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for character in text.chars() {
        match character {
            '\n' => escaped.push_str("<br>"),
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '\\' | '|' | '*' | '_' | '[' | ']' | '`' | '~' | '#' => {
                escaped.push('\\');
                escaped.push(character);
            }
            other if other.is_control() => escaped.push(' '),
            other => escaped.push(other),
        }
    }
    escaped
}
