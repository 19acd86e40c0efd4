//! JUnit XML: a failed test for each finding, and a passed one for each note. Without issues there is one passed test,
//! because readers take a report without tests for an error.

use crate::results::{Issue, Results};
use crate::verdict::REGRESSION;
use premiss_source::Severity;
use std::fmt::Write as _;

/// Results as one test suite. It has no times: same input, same bytes.
#[must_use]
pub fn junit(results: &Results) -> String {
    let count = |outcome| {
        let issues = results.issues.iter();
        issues.filter(|issue| outcome_of(issue) == outcome).count()
    };
    let tests = results.issues.len().max(1);
    let (failures, errors) = (count(Outcome::Failed), count(Outcome::Broken));
    let counts = format!("tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\"");
    let machine = escaped(&results.conditions.machine_id);
    let coverage = escaped(&results.conditions.coverage);
    let command = results.command;
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <testsuites name=\"premiss\" {counts}>\n  \
           <testsuite name=\"premiss {command}\" {counts} skipped=\"0\">\n    \
             <properties>\n      \
               <property name=\"machine\" value=\"{machine}\"/>\n      \
               <property name=\"coverage\" value=\"{coverage}\"/>\n    \
             </properties>\n"
    );
    for issue in &results.issues {
        test(issue, &mut text);
    }
    if results.issues.is_empty() {
        text.push_str("    <testcase name=\"nothing to report\" classname=\"premiss\"/>\n");
    }
    text.push_str("  </testsuite>\n</testsuites>\n");
    text
}

fn test(issue: &Issue, text: &mut String) {
    let code = escaped(issue.code);
    let name = match &issue.place {
        Some(place) => {
            let (path, line, column) = (escaped(&place.path), place.line, place.column);
            format!("name=\"{code} {path}:{line}:{column}\" classname=\"{path}\"")
        }
        None => format!("name=\"{code}\" classname=\"premiss\""),
    };
    let (message, all) = (escaped(&issue.message), escaped(&issue.text()));
    let said = match outcome_of(issue) {
        Outcome::Broken => format!("<error message=\"{message}\" type=\"{code}\">{all}</error>"),
        Outcome::Failed => {
            format!("<failure message=\"{message}\" type=\"{code}\">{all}</failure>")
        }
        Outcome::Passed => format!("<system-out>{all}</system-out>"),
    };
    let _ = writeln!(text, "    <testcase {name}>\n      {said}\n    </testcase>");
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

/// Escapes text for XML 1.0, in elements and attributes; characters that XML does not allow become U+FFFD.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\n' => escaped.push_str("&#10;"),
            '\t' => escaped.push_str("&#9;"),
            '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            other => escaped.push(other),
        }
    }
    escaped
}
