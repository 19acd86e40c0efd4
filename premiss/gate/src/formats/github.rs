//! Annotations of GitHub: workflow commands that a step prints, `::warning title=…,file=…,line=…::text`.
//!
//! GitHub shows at most ten errors, ten warnings and ten notices of a step; those left out are counted in a notice.

use crate::results::{Issue, IssuePlace, Results, counted};
use premiss_report::{CommandProperty, Document, WorkflowCommand};
use premiss_source::Severity;

/// The most annotations of each severity that are shown.
const MOST: usize = 10;

/// One line for each annotation; if there are too many, those with most bytes.
#[must_use]
pub fn github(results: &Results) -> String {
    let mut all = Document::new();
    for severity in [Severity::Error, Severity::Warning, Severity::Note] {
        let of_severity = results.issues.iter().filter(|x| x.severity == severity);
        for issue in of_severity.take(most(severity)) {
            all = all.part(&annotation(issue));
        }
    }
    let rest = without_annotation(results);
    if 0 < rest {
        let more = format!("{} without an annotation", counted(rest, "more result"));
        all = all
            .markup("::notice title=premiss::")
            .text(&more)
            .markup("\n");
    }
    all.into_string()
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

fn annotation(issue: &Issue) -> Document<WorkflowCommand> {
    let command = match issue.severity {
        Severity::Error => "::error title=",
        Severity::Warning => "::warning title=",
        Severity::Note => "::notice title=",
    };
    let title = format!("premiss ({})", issue.code);
    let place = issue.place.as_ref().map_or_else(Document::new, place);
    Document::new()
        .markup(command)
        .text_as::<CommandProperty>(&title)
        .part(&place)
        .markup("::")
        .text(&issue.text())
        .markup("\n")
}

fn place(place: &IssuePlace) -> Document<WorkflowCommand> {
    Document::new()
        .markup(",file=")
        .text_as::<CommandProperty>(&place.path)
        .markup(",line=")
        .number(place.line)
        .markup(",endLine=")
        .number(place.line)
        .markup(",col=")
        .number(place.column)
        .markup(",endColumn=")
        .number(place.end_column)
}
