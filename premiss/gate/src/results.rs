//! The results of a command, from which all output formats are made.

use crate::finding::Finding;
use premiss_analyze::parallel;
use premiss_source::{Diagnostic, Label, Severity, SourceMap, Span};
use std::collections::HashMap;

/// The results of a command on one machine: the findings of rules, most bytes first, then other diagnostics.
#[derive(Clone, Debug)]
pub struct Results {
    pub(crate) issues: Vec<Issue>,
    pub(crate) conditions: Conditions,
    /// The command: `check` or `diff`.
    pub(crate) command: &'static str,
}

/// The machine, the coverage, and the effect of a baseline.
#[derive(Clone, Debug)]
pub struct Conditions {
    /// The name of the machine: `spr`.
    pub machine: String,
    /// The machine with its fingerprint: `spr@4f1c`.
    pub machine_id: String,
    /// The coverage of nests, as a line.
    pub coverage: String,
    /// How many findings a baseline holds back; `None` without a baseline.
    pub held_back: Option<usize>,
}

/// One finding or diagnostic.
#[derive(Clone, Debug)]
pub(crate) struct Issue {
    pub(crate) code: &'static str,
    pub(crate) severity: Severity,
    pub(crate) message: String,
    pub(crate) help: Option<String>,
    /// Its place; `None` if it concerns no place in a file.
    pub(crate) place: Option<IssuePlace>,
    /// Related places.
    pub(crate) related: Vec<IssuePlace>,
    /// An identifier that stays the same when lines move, unique within the results.
    pub(crate) fingerprint: String,
    /// The bytes at stake, where they are known.
    pub(crate) bytes: Option<u64>,
}

/// A place on one line: lines and columns count from 1, columns in characters.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct IssuePlace {
    pub(crate) path: String,
    pub(crate) line: u32,
    pub(crate) column: u32,
    /// The column after its last character.
    pub(crate) end_column: u32,
    /// A short label; may be empty.
    pub(crate) label: String,
}

/// What an issue concerns, independent of its place: code, function, text.
type IssueSubject = (&'static str, String, String);

impl Results {
    /// The results of `check`: findings, then diagnostics. `path_of` gives the path under which a file is shown.
    #[must_use]
    pub fn new(
        sources: &SourceMap,
        path_of: &dyn Fn(&str) -> String,
        findings: &[Finding],
        diagnostics: &[Diagnostic],
        conditions: Conditions,
    ) -> Self {
        let of_findings = findings.iter().map(|finding| {
            let subject = (
                finding.code(),
                finding.function.clone(),
                one_line(&finding.text),
            );
            (subject, &finding.diagnostic)
        });
        let of_diagnostics = parallel::map(diagnostics, |x| subject(sources, x));
        let of_diagnostics = of_diagnostics.into_iter().zip(diagnostics);
        let (subjects, all): (Vec<IssueSubject>, Vec<&Diagnostic>) =
            of_findings.chain(of_diagnostics).unzip();
        let paths: Vec<String> = sources
            .files()
            .map(|(_, file)| path_of(file.path()))
            .collect();
        let place = |label: &Label| place(sources, &paths, label);
        let mut issues = parallel::map(&all, |diagnostic| issue(diagnostic, &place));
        for (issue, finding) in issues.iter_mut().zip(findings) {
            issue.bytes = Some(finding.bytes);
        }
        number(&mut issues, &subjects);
        Self {
            issues,
            conditions,
            command: "check",
        }
    }

    /// The conditions of the results.
    #[must_use]
    pub fn conditions(&self) -> &Conditions {
        &self.conditions
    }
}

impl Issue {
    /// The text of the issue: the message, the label of the place and the help, a line each.
    pub(crate) fn text(&self) -> String {
        let label = self.place.iter().map(|place| place.label.clone());
        let help = self.help.iter().map(|help| format!("help: {help}"));
        let lines = std::iter::once(self.message.clone())
            .chain(label)
            .chain(help);
        let lines: Vec<String> = lines.filter(|line| !line.is_empty()).collect();
        lines.join("\n")
    }
}

/// `error`, `warning` or `note`.
pub(crate) fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    }
}

/// `1 finding`, `2 findings`.
pub(crate) fn counted(number: usize, word: &str) -> String {
    let ending = if number == 1 { "" } else { "s" };
    format!("{number} {word}{ending}")
}

fn issue(diagnostic: &Diagnostic, place: &dyn Fn(&Label) -> IssuePlace) -> Issue {
    Issue {
        code: diagnostic.code,
        severity: diagnostic.severity,
        message: diagnostic.message.clone(),
        help: diagnostic.help.clone(),
        place: diagnostic.labels.first().map(place),
        related: diagnostic.labels.iter().skip(1).map(place).collect(),
        fingerprint: String::new(),
        bytes: None,
    }
}

/// The first line of a label: the whole body of a loop is no useful place.
fn place(sources: &SourceMap, paths: &[String], label: &Label) -> IssuePlace {
    let Span { file, .. } = label.span;
    let (start, end) = (sources.start(label.span), sources.end(label.span));
    let end_column = match start.line == end.line {
        true => end.column,
        false => {
            let characters = sources.file(file).line(start.line).chars().count();
            u32::try_from(characters)
                .unwrap_or(u32::MAX)
                .saturating_add(1)
        }
    };
    IssuePlace {
        path: paths[file.as_u32() as usize].clone(),
        line: start.line,
        column: start.column,
        end_column: end_column.max(start.column.saturating_add(1)),
        label: label.text.clone(),
    }
}

/// The subject of a diagnostic is the text at its place or, without a place, its message.
fn subject(sources: &SourceMap, diagnostic: &Diagnostic) -> IssueSubject {
    let first = diagnostic.labels.first();
    let text = first.map_or(diagnostic.message.as_str(), |label| {
        sources.text(label.span)
    });
    (diagnostic.code, String::new(), one_line(text))
}

/// A text with each run of white space replaced by a blank, so that reformatting does not change it.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Gives each issue its fingerprint: a digest of its subject and of its index among the issues with the same subject,
/// in the order of paths and lines. `a[i]` twice in `f` is 0 and 1, wherever `f` moves to.
pub(crate) fn number(issues: &mut [Issue], subjects: &[IssueSubject]) {
    let mut order: Vec<usize> = (0..issues.len()).collect();
    order.sort_by(|&a, &b| issues[a].place.cmp(&issues[b].place));
    let mut times: HashMap<&IssueSubject, u64> = HashMap::new();
    let mut before = vec![0; issues.len()];
    for idx in order {
        let times = times.entry(&subjects[idx]).or_insert(0);
        before[idx] = *times;
        *times += 1;
    }
    let numbered: Vec<_> = subjects.iter().zip(before).collect();
    let fingerprints = parallel::map(&numbered, |(subject, before)| digest(subject, *before));
    for (issue, fingerprint) in issues.iter_mut().zip(fingerprints) {
        issue.fingerprint = fingerprint;
    }
}

fn digest((code, function, text): &IssueSubject, before: u64) -> String {
    let mut hasher = blake3::Hasher::new();
    for part in [code, function.as_str(), text.as_str()] {
        // Lengths keep `ab`, `c` and `a`, `bc` apart.
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part.as_bytes());
    }
    hasher.update(&before.to_le_bytes());
    hasher.finalize().to_hex()[..32].to_owned()
}
