//! The coverage of a program, as text and JSON.

use crate::json::{CoverageJson, DiagnosticJson, NestJson, Paths, class_name, diagnostics, nests};
use crate::number::{EstimatedMisses, Number};
use crate::schema::schema;
use crate::wrap::broken;
use crate::{Colour, SCHEMA_VERSION, style::Style};
use premiss_analyze::{Coverage, CoverageClass, CoverageReason, NestCoverage, RankedReason, rank};
use premiss_source::{Diagnostic, FileId, SourceMap, Span};
use premiss_tree::{Assumption, assumption_texts};
use schemars::JsonSchema;
use serde::Serialize;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// The array nests of a program with their classes, and the files that they are in.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CoverageReport {
    /// The nests of all files, in order.
    pub nests: Vec<NestCoverage>,
    /// How many outermost loops access no array; they are not nests.
    pub without_arrays: u64,
    /// How many files were parsed completely.
    pub parsed: u64,
    /// The files with text that was not read: a syntax error, a limit, an include that is not followed. The rest of their
    /// text is covered by the report.
    pub partly_parsed: Vec<FileId>,
    /// How many files were skipped because other files include them.
    pub included: u64,
    /// What the nests rest on beyond the text, such as `--dense`.
    pub assumptions: BTreeSet<Assumption>,
    /// How many findings a baseline holds back; `None` without a baseline.
    pub held_back: Option<usize>,
    /// The misses from samples that findings rest on, by the code and the place of the finding.
    pub estimates: BTreeMap<(&'static str, Option<Span>), EstimatedMisses>,
}

/// The coverage as text: one line for each nest, with the reasons for which it is not exact below; then the files, the
/// most frequent reasons, and on the last line the number of nests in each class.
#[must_use]
pub fn coverage_text(sources: &SourceMap, report: &CoverageReport, colour: Colour) -> String {
    let mut text = String::new();
    for nest in &report.nests {
        let path = sources.file(nest.span.file).path();
        let line = sources.start(nest.span).line;
        let class = colour.paint(Style::Bold, class_name(nest.class));
        let header = first_line(sources.text(nest.span));
        let alone = if nest.is_inner { "  (by itself)" } else { "" };
        let _ = writeln!(text, "{path}:{line}: {class}  {header}{alone}");
        reasons(sources, nest, usize::MAX, &mut text);
    }
    ranking(sources, &report.nests, &mut text);
    files(sources, report, &mut text);
    for assumed in assumption_texts(&report.assumptions) {
        let _ = writeln!(text, "Assumed: {assumed}.");
    }
    text.push_str(&coverage_summary(&report.nests));
    text
}

/// One line with the number of nests in each class.
#[must_use]
pub fn coverage_summary(nests: &[NestCoverage]) -> String {
    format!("{}\n", coverage_line(Coverage::of(nests)))
}

/// The coverage and the diagnostics of a program as one JSON object with a final line break. `path_of` gives the path
/// under which a file is shown.
///
/// # Panics
///
/// Never: the form has text for keys and finite numbers.
#[must_use]
pub fn coverage_json(
    sources: &SourceMap,
    path_of: &dyn Fn(&str) -> String,
    report: &CoverageReport,
    all_diagnostics: &[Diagnostic],
) -> String {
    let form = form(sources, path_of, report, all_diagnostics);
    let mut json =
        serde_json::to_string_pretty(&form).expect("a report has nothing that JSON cannot say");
    json.push('\n');
    json
}

/// The same for a shard, on one line, with `part`, the record that merging needs.
///
/// # Panics
///
/// Never, where `part` has text for keys and finite numbers.
#[must_use]
pub fn part_json(
    sources: &SourceMap,
    path_of: &dyn Fn(&str) -> String,
    report: &CoverageReport,
    all_diagnostics: &[Diagnostic],
    part: impl Serialize,
) -> String {
    let form = CheckJson {
        report: form(sources, path_of, report, all_diagnostics),
        part: Some(part),
    };
    let json = serde_json::to_string(&form);
    json.expect("a part has nothing that JSON cannot say") + "\n"
}

/// The schema of the output of `premiss check`, where `P` is the record of a shard.
#[must_use]
pub fn check_schema<P: JsonSchema>() -> String {
    schema::<CheckJson<'_, P>>("What premiss check writes")
}

fn form<'a>(
    sources: &SourceMap,
    path_of: &dyn Fn(&str) -> String,
    report: &'a CoverageReport,
    all_diagnostics: &'a [Diagnostic],
) -> ReportJson<'a> {
    // Diagnostics may have thousands of places in few files.
    let files = sources.files();
    let paths: Vec<String> = files.map(|(_, file)| path_of(file.path())).collect();
    let path = |file: FileId| Cow::Owned(paths[file.as_u32() as usize].clone());
    ReportJson {
        schema_version: SCHEMA_VERSION,
        nests: nests(sources, &path, &report.nests),
        coverage: Coverage::of(&report.nests).into(),
        assumptions: assumption_texts(&report.assumptions),
        loops_without_arrays: report.without_arrays,
        files: FilesJson {
            parsed: report.parsed,
            partly_parsed: report.partly_parsed.iter().map(|x| path(*x)).collect(),
            included: report.included,
        },
        reasons: rank(&report.nests)
            .into_iter()
            .map(|row| ranked_json(sources, &path, row))
            .collect(),
        held_back: report.held_back,
        diagnostics: estimated(
            report,
            all_diagnostics,
            diagnostics(sources, &path, all_diagnostics),
        ),
    }
}

/// The diagnostics with the misses from samples that they rest on.
fn estimated<'a>(
    report: &CoverageReport,
    all_diagnostics: &[Diagnostic],
    mut forms: Vec<DiagnosticJson<'a>>,
) -> Vec<DiagnosticJson<'a>> {
    for (form, diagnostic) in forms.iter_mut().zip(all_diagnostics) {
        let span = diagnostic.labels.first().map(|label| label.span);
        let estimate = report.estimates.get(&(diagnostic.code, span));
        form.misses = estimate.map(|estimate| Number::from(*estimate));
    }
    forms
}

#[derive(Serialize, JsonSchema)]
struct CheckJson<'a, P> {
    #[serde(flatten)]
    report: ReportJson<'a>,
    /// What `premiss merge` needs of a shard; absent where all files were checked.
    #[serde(skip_serializing_if = "Option::is_none")]
    part: Option<P>,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct ReportJson<'a> {
    schema_version: &'static str,
    nests: Vec<NestJson<'a>>,
    coverage: CoverageJson,
    assumptions: Vec<String>,
    loops_without_arrays: u64,
    files: FilesJson<'a>,
    reasons: Vec<RankedJson<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    held_back: Option<usize>,
    diagnostics: Vec<DiagnosticJson<'a>>,
}

#[derive(Serialize, JsonSchema)]
struct FilesJson<'a> {
    parsed: u64,
    partly_parsed: Vec<Cow<'a, str>>,
    included: u64,
}

#[derive(Serialize, JsonSchema)]
struct RankedJson<'a> {
    class: &'static str,
    code: &'static str,
    nests: u64,
    alone: u64,
    file: Cow<'a, str>,
    line: u32,
    text: String,
    help: &'static str,
}

fn ranked_json<'a>(sources: &SourceMap, path: Paths<'_, 'a>, row: RankedReason) -> RankedJson<'a> {
    RankedJson {
        class: class_name(row.class),
        code: row.code,
        nests: row.nests,
        alone: row.alone,
        file: path(row.example.span.file),
        line: sources.start(row.example.span).line,
        text: row.example.text,
        help: row.example.help,
    }
}

/// `Coverage: 1/1 nests exact, 0 bounded, 0 unknown`
pub(crate) fn coverage_line(coverage: Coverage) -> String {
    let Coverage {
        exact,
        bounded,
        unknown,
    } = coverage;
    let nests = coverage.nests();
    format!("Coverage: {exact}/{nests} nests exact, {bounded} bounded, {unknown} unknown")
}

/// The reasons of a nest that is not exact, one on a line, indented; more than `most` are only counted.
pub(crate) fn reasons(sources: &SourceMap, nest: &NestCoverage, most: usize, text: &mut String) {
    if nest.class == CoverageClass::Exact {
        return;
    }
    if let Some(more) = nest.reasons.len().checked_sub(most.saturating_add(1)) {
        reasons_of(sources, &nest.reasons[..most], text);
        let _ = writeln!(
            text,
            "  … and {} more; `premiss coverage` has all",
            more + 1
        );
        return;
    }
    reasons_of(sources, &nest.reasons, text);
}

fn reasons_of(sources: &SourceMap, reasons: &[CoverageReason], text: &mut String) {
    for reason in reasons {
        let path = sources.file(reason.span.file).path();
        let at = sources.start(reason.span);
        let line = format!("{path}:{}:{}: {}", at.line, at.column, reason.text);
        text.push_str(&broken(&line, "  ", "    "));
    }
}

/// The reasons for which nests are not exact, the most frequent first, each with its first place.
fn ranking(sources: &SourceMap, nests: &[NestCoverage], text: &mut String) {
    let ranked = rank(nests);
    if ranked.is_empty() {
        return;
    }
    text.push_str("Why nests are not exact (count · only this reason · first location):\n");
    for row in ranked {
        let path = sources.file(row.example.span.file).path();
        let at = sources.start(row.example.span);
        let class = class_name(row.class);
        let (nests, alone, code) = (row.nests, row.alone, row.code);
        let _ = writeln!(text, "  {nests:>6} {alone:>6}  {class:<7}  {code}");
        let _ = writeln!(
            text,
            "    {path}:{}:{}: {}",
            at.line, at.column, row.example.text
        );
        let _ = writeln!(text, "    help: {}", row.example.help);
    }
}

/// The number of files, and those that were not parsed completely.
fn files(sources: &SourceMap, report: &CoverageReport, text: &mut String) {
    let partly = report.partly_parsed.len();
    let all = report.parsed + u64::try_from(partly).unwrap_or(u64::MAX);
    let _ = write!(text, "Files: {}/{all} parsed", report.parsed);
    if 0 < report.included {
        let _ = write!(text, ", {} more where others include them", report.included);
    }
    let _ = writeln!(
        text,
        "; {} outermost loops without arrays",
        report.without_arrays
    );
    for file in &report.partly_parsed {
        let _ = writeln!(text, "  partly: {}", sources.file(*file).path());
    }
}

fn first_line(text: &str) -> String {
    let line = text.lines().next().unwrap_or("");
    line.chars().filter(|c| !c.is_control()).take(80).collect()
}
