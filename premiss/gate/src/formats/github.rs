//! Annotations of GitHub: workflow commands that a step prints, `::warning title=…,file=…,line=…::text`.
//!
//! GitHub shows at most ten errors, ten warnings and ten notices of a step; those left out are counted in a notice.

use crate::results::{Issue, Results, counted};
use premiss_source::Severity;

/// The most annotations of each severity that are shown.
const MOST: usize = 10;

/// One line for each annotation; if there are too many, those with most bytes.
#[must_use]
pub fn github(results: &Results) -> String {
    let mut text = String::new();
    for severity in [Severity::Error, Severity::Warning, Severity::Note] {
        let of_severity = results.issues.iter().filter(|x| x.severity == severity);
        text.extend(of_severity.take(most(severity)).map(annotation));
    }
    let rest = without_annotation(results);
    if 0 < rest {
        let more = format!("{} without an annotation", counted(rest, "more result"));
        text.push_str(&format!("::notice title=premiss::{}\n", message(&more)));
    }
    text
}

/// The number of results without an annotation, because GitHub would not show it.
#[must_use]
pub fn without_annotation(results: &Results) -> usize {
    let severities = [Severity::Error, Severity::Warning, Severity::Note];
    let rest = severities.map(|severity| {
        let of_severity = results.issues.iter().filter(|x| x.severity == severity);
        of_severity.count().saturating_sub(most(severity))
    });
    rest.iter().sum()
}

/// One notice is reserved for the number of those left out.
fn most(severity: Severity) -> usize {
    match severity {
        Severity::Error | Severity::Warning => MOST,
        Severity::Note => MOST - 1,
    }
}

fn annotation(issue: &Issue) -> String {
    let command = match issue.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "notice",
    };
    let title = property(&format!("premiss ({})", issue.code));
    let place = issue.place.as_ref().map_or_else(String::new, |place| {
        let (path, line) = (property(&place.path), place.line);
        let (column, end) = (place.column, place.end_column);
        format!(",file={path},line={line},endLine={line},col={column},endColumn={end}")
    });
    format!(
        "::{command} title={title}{place}::{}\n",
        message(&issue.text())
    )
}

/// Escapes the text of a message.
fn message(text: &str) -> String {
    let text = text.replace('%', "%25");
    text.replace('\r', "%0D").replace('\n', "%0A")
}

/// Escapes the value of a property.
fn property(text: &str) -> String {
    message(text).replace(':', "%3A").replace(',', "%2C")
}
