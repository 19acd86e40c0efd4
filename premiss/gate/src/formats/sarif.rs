//! SARIF 2.1.0, for GitHub's code scanning and other viewers.
//!
//! The location of a result is one line, that of the reference; the loop is a related location, because an alert is
//! shown on a change only if all its lines are part of the change. Issues without a place are notifications of the run.

use crate::results::{Issue, IssuePlace, Results, level};
use crate::rule::RULES;
use crate::verdict::{POLICY, REGRESSION, UNDECIDED};
use premiss_source::Severity;
use serde::Serialize;
use std::collections::BTreeSet;

/// GitHub rejects files with more results.
const MOST_RESULTS: usize = 25_000;
/// GitHub shows at most this many results.
const MOST_SHOWN: usize = 5_000;

/// Results as a SARIF log with one run and a final line break.
///
/// # Panics
///
/// Never: the form has text for keys and finite numbers.
#[must_use]
pub fn sarif(all: &Results) -> String {
    let (placed, unplaced): (Vec<&Issue>, Vec<&Issue>) =
        all.issues.iter().partition(|issue| issue.place.is_some());
    let rules = rules(&placed);
    let shown = placed.iter().take(MOST_RESULTS);
    let results = shown.map(|issue| result(issue, &rules)).collect();
    let mut notifications: Vec<Notification> = unplaced.into_iter().map(notification).collect();
    notifications.extend(limits(placed.len()));
    let conditions = &all.conditions;
    let log = Log {
        schema: "https://json.schemastore.org/sarif-2.1.0.json",
        version: "2.1.0",
        runs: [Run {
            tool: Tool {
                driver: Driver {
                    name: "premiss",
                    semantic_version: env!("CARGO_PKG_VERSION"),
                    rules,
                },
            },
            automation_details: AutomationDetails {
                id: match all.command {
                    "check" => format!("premiss/{}/", conditions.machine),
                    other => format!("premiss-{other}/{}/", conditions.machine),
                },
            },
            invocations: [Invocation {
                execution_successful: true,
                tool_execution_notifications: notifications,
            }],
            column_kind: "unicodeCodePoints",
            results,
            properties: RunProperties {
                machine: &conditions.machine_id,
                coverage: &conditions.coverage,
            },
        }],
    };
    let json = serde_json::to_string_pretty(&log);
    json.expect("a log has nothing that JSON cannot say") + "\n"
}

/// A notification if there are more results than GitHub accepts or shows.
fn limits(results: usize) -> Option<Notification<'static>> {
    if results <= MOST_SHOWN {
        return None;
    }
    let text = if results <= MOST_RESULTS {
        format!("of {results} results GitHub shows {MOST_SHOWN}: the first are those of most bytes")
    } else {
        format!(
            "of {results} results the first {MOST_RESULTS} are here, those of most bytes first; \
             GitHub shows {MOST_SHOWN}"
        )
    };
    Some(Notification {
        descriptor: Id {
            id: "too-many-results",
        },
        level: "warning",
        message: Message { text },
    })
}

/// All rules, then the codes of other issues.
fn rules(issues: &[&Issue]) -> Vec<Descriptor> {
    let is_rule = |code: &str| RULES.iter().any(|rule| rule.code == code);
    let others: BTreeSet<&'static str> = issues
        .iter()
        .map(|issue| issue.code)
        .filter(|code| !is_rule(code))
        .collect();
    let of_rules = RULES.iter().map(|rule| {
        let paragraphs: Vec<&str> = rule.page.split("\n\n").collect();
        let about = paragraphs.get(1).copied().unwrap_or(rule.summary);
        let about = about.replace('\n', " ");
        descriptor((rule.code, rule.name), rule.summary, about, rule.page).of(rule.severity)
    });
    let of_others = others.into_iter().map(|code| {
        let about = match code {
            REGRESSION => "Misses or bytes grew beyond their limit since the base; the message has the numbers.",
            UNDECIDED => "Whether misses or bytes grew beyond their limit since the base is not known.",
            POLICY => "A setting differs from that of the base, which applies.",
            _ => "Something could not be understood or counted, or was assumed; the message says what.",
        };
        descriptor(
            (code, code),
            &code.replace('-', " "),
            about.to_owned(),
            about,
        )
    });
    of_rules.chain(of_others).collect()
}

fn descriptor(
    (id, name): (&'static str, &'static str),
    summary: &str,
    about: String,
    page: &str,
) -> Descriptor {
    Descriptor {
        id,
        name,
        short_description: Message::new(summary),
        full_description: Message { text: about },
        help: Help {
            text: page.to_owned(),
            markdown: page.to_owned(),
        },
        default_configuration: Configuration { level: "warning" },
        properties: DescriptorProperties {
            tags: ["performance", "cache"],
            precision: "high",
            severity: "warning",
        },
    }
}

impl Descriptor {
    /// The same with the default level for a severity.
    fn of(mut self, severity: Severity) -> Self {
        self.default_configuration.level = level(severity);
        self.properties.severity = match severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "recommendation",
        };
        self
    }
}

/// Text in which nothing is a link: `[text](target)` would be one.
fn without_links(text: &str) -> String {
    text.replace("](", "] (")
}

fn result<'a>(issue: &'a Issue, rules: &[Descriptor]) -> SarifResult<'a> {
    let rule_index = rules.iter().position(|rule| rule.id == issue.code);
    SarifResult {
        rule_id: issue.code,
        rule_index: rule_index.expect("each code has a rule"),
        level: level(issue.severity),
        message: Message {
            text: without_links(&issue.text()),
        },
        locations: issue
            .place
            .iter()
            .map(|place| location(None, place))
            .collect(),
        related_locations: (1..)
            .zip(&issue.related)
            .map(|(id, place)| location(Some(id), place))
            .collect(),
        partial_fingerprints: Fingerprints {
            line: &issue.fingerprint,
        },
    }
}

fn location(id: Option<u32>, place: &IssuePlace) -> Location {
    Location {
        id,
        physical_location: PhysicalLocation {
            artifact_location: ArtifactLocation {
                uri: uri(&place.path),
                uri_base_id: "%SRCROOT%",
            },
            region: Region {
                start_line: place.line,
                start_column: place.column,
                end_line: place.line,
                end_column: place.end_column,
            },
        },
        message: Some(&place.label)
            .filter(|label| !label.is_empty())
            .map(|label| Message::new(label)),
    }
}

fn notification(issue: &Issue) -> Notification<'_> {
    Notification {
        descriptor: Id { id: issue.code },
        level: level(issue.severity),
        message: Message {
            text: without_links(&issue.text()),
        },
    }
}

/// A relative path as a URI reference (RFC 3986): all but letters, digits and `-._~/` are percent-encoded.
fn uri(path: &str) -> String {
    let mut uri = String::new();
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(char::from(byte));
            }
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

#[derive(Serialize)]
struct Log<'a> {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run<'a>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run<'a> {
    tool: Tool,
    automation_details: AutomationDetails,
    invocations: [Invocation<'a>; 1],
    column_kind: &'static str,
    results: Vec<SarifResult<'a>>,
    properties: RunProperties<'a>,
}

#[derive(Serialize)]
struct Tool {
    driver: Driver,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Driver {
    name: &'static str,
    semantic_version: &'static str,
    rules: Vec<Descriptor>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Descriptor {
    id: &'static str,
    name: &'static str,
    short_description: Message,
    full_description: Message,
    help: Help,
    default_configuration: Configuration,
    properties: DescriptorProperties,
}

#[derive(Serialize)]
struct Help {
    text: String,
    markdown: String,
}

#[derive(Serialize)]
struct Configuration {
    level: &'static str,
}

#[derive(Serialize)]
struct DescriptorProperties {
    tags: [&'static str; 2],
    precision: &'static str,
    #[serde(rename = "problem.severity")]
    severity: &'static str,
}

#[derive(Serialize)]
struct AutomationDetails {
    id: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Invocation<'a> {
    execution_successful: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tool_execution_notifications: Vec<Notification<'a>>,
}

#[derive(Serialize)]
struct Notification<'a> {
    descriptor: Id<'a>,
    level: &'static str,
    message: Message,
}

#[derive(Serialize)]
struct Id<'a> {
    id: &'a str,
}

#[derive(Serialize)]
struct RunProperties<'a> {
    machine: &'a str,
    coverage: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifResult<'a> {
    rule_id: &'static str,
    rule_index: usize,
    level: &'static str,
    message: Message,
    locations: Vec<Location>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_locations: Vec<Location>,
    partial_fingerprints: Fingerprints<'a>,
}

#[derive(Serialize)]
struct Fingerprints<'a> {
    #[serde(rename = "primaryLocationLineHash")]
    line: &'a str,
}

#[derive(Serialize)]
struct Message {
    text: String,
}

impl Message {
    fn new(text: &str) -> Self {
        Self {
            text: text.to_owned(),
        }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<u32>,
    physical_location: PhysicalLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<Message>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PhysicalLocation {
    artifact_location: ArtifactLocation,
    region: Region,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ArtifactLocation {
    uri: String,
    uri_base_id: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: u32,
    start_column: u32,
    end_line: u32,
    end_column: u32,
}
