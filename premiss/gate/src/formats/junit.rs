//! JUnit XML: a failed test for each finding, and a passed one for each note. Without issues there is one passed test,
//! because readers take a report without tests for an error.

use crate::results::{Issue, Results};
use crate::verdict::REGRESSION;
use premiss_report::{Document, Xml};
use premiss_source::Severity;

/// Results as one test suite. It has no times: same input, same bytes.
#[must_use]
pub fn junit(results: &Results) -> String {
    let count = |outcome| {
        let issues = results.issues.iter();
        issues.filter(|issue| outcome_of(issue) == outcome).count()
    };
    let tests = results.issues.len().max(1);
    let (failures, errors) = (count(Outcome::Failed), count(Outcome::Broken));
    let counts = Document::new()
        .markup("tests=\"")
        .text(&tests.to_string())
        .markup("\" failures=\"")
        .text(&failures.to_string())
        .markup("\" errors=\"")
        .text(&errors.to_string())
        .markup("\"");
    let mut all = Document::new()
        .markup("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"premiss\" ")
        .part(&counts)
        .markup(">\n  <testsuite name=\"premiss ")
        .text(results.command)
        .markup("\" ")
        .part(&counts)
        .markup(" skipped=\"0\">\n    <properties>\n")
        .part(&property("machine", &results.conditions.machine_id))
        .part(&property("coverage", &results.conditions.coverage))
        .markup("    </properties>\n");
    for issue in &results.issues {
        all = all.part(&test(issue));
    }
    if results.issues.is_empty() {
        all = all.markup("    <testcase name=\"nothing to report\" classname=\"premiss\"/>\n");
    }
    all.markup("  </testsuite>\n</testsuites>\n").into_string()
}

fn property(name: &'static str, value: &str) -> Document<Xml> {
    Document::new()
        .markup("      <property name=\"")
        .markup(name)
        .markup("\" value=\"")
        .text(value)
        .markup("\"/>\n")
}

fn test(issue: &Issue) -> Document<Xml> {
    let name = match &issue.place {
        Some(place) => {
            let (path, line, column) = (&place.path, place.line, place.column);
            format!("{} {path}:{line}:{column}", issue.code)
        }
        None => issue.code.to_owned(),
    };
    let class = issue.place.as_ref().map_or("premiss", |place| &place.path);
    Document::new()
        .markup("    <testcase name=\"")
        .text(&name)
        .markup("\" classname=\"")
        .text(class)
        .markup("\">\n      ")
        .part(&outcome(issue))
        .markup("\n    </testcase>\n")
}

fn outcome(issue: &Issue) -> Document<Xml> {
    let (open, close) = match outcome_of(issue) {
        Outcome::Broken => ("<error", "</error>"),
        Outcome::Failed => ("<failure", "</failure>"),
        Outcome::Passed => {
            let all = Document::new().markup("<system-out>").text(&issue.text());
            return all.markup("</system-out>");
        }
    };
    Document::new()
        .markup(open)
        .markup(" message=\"")
        .text(&issue.message)
        .markup("\" type=\"")
        .text(issue.code)
        .markup("\">")
        .text(&issue.text())
        .markup(close)
}

/// The outcome of a test.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Passed,
    Failed,
    Broken,
}

/// A regression is a failure of the test; other errors keep it from running.
fn outcome_of(issue: &Issue) -> Outcome {
    match issue.severity {
        Severity::Error if issue.code != REGRESSION => Outcome::Broken,
        Severity::Error | Severity::Warning => Outcome::Failed,
        Severity::Note => Outcome::Passed,
    }
}
