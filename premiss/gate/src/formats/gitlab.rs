//! The code quality report of GitLab: a JSON list of issues.

use crate::results::{Issue, Results};
use premiss_source::Severity;
use serde::Serialize;

/// Results as a JSON list with a final line break. GitLab requires a place for every issue: those without one are
/// placed in line 1 of `.`.
///
/// # Panics
///
/// Never: the form has text for keys and finite numbers.
#[must_use]
pub fn gitlab(results: &Results) -> String {
    let issues: Vec<Quality<'_>> = results.issues.iter().map(quality).collect();
    let json = serde_json::to_string_pretty(&issues);
    json.expect("a list has nothing that JSON cannot say") + "\n"
}

fn quality(issue: &Issue) -> Quality<'_> {
    let place = issue.place.as_ref();
    Quality {
        description: issue.text(),
        check_name: issue.code,
        fingerprint: &issue.fingerprint,
        severity: match issue.severity {
            Severity::Error => "critical",
            Severity::Warning => "major",
            Severity::Note => "info",
        },
        location: Location {
            path: place.map_or(".", |place| &place.path),
            lines: Lines {
                begin: place.map_or(1, |place| place.line),
            },
        },
    }
}

#[derive(Serialize)]
struct Quality<'a> {
    description: String,
    check_name: &'static str,
    fingerprint: &'a str,
    severity: &'static str,
    location: Location<'a>,
}

#[derive(Serialize)]
struct Location<'a> {
    path: &'a str,
    lines: Lines,
}

#[derive(Serialize)]
struct Lines {
    begin: u32,
}
