//! The form in which what a check found is kept: files by their numbers, everything else as it is.

mod reader;

use super::look::Looked;
use super::texts::Places;
use premiss_analyze::{CoverageClass, CoverageReason, NestCoverage};
use premiss_gate::Finding;
use premiss_report::CallgrindProfile;
use premiss_source::{Diagnostic, Severity, Span};
pub(super) use reader::Reader;
use rustc_hash::FxHashMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// What one file has.
#[derive(Serialize, Deserialize, JsonSchema)]
pub(super) struct LookedRecord {
    file: u32,
    nests: Vec<NestRecord>,
    without_arrays: u64,
    is_dense: bool,
    findings: Vec<FindingRecord>,
    diagnostics: Vec<DiagnosticRecord>,
    broken: Vec<DiagnosticRecord>,
    uncounted: Vec<DiagnosticRecord>,
    profile: CallgrindProfile,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct NestRecord {
    span: SpanRecord,
    function: String,
    is_inner: bool,
    class: ClassRecord,
    reasons: Vec<ReasonRecord>,
}

/// A text that many have in common, as its number in the list of the record.
type Word = u32;

/// Texts that stand in a record once.
#[derive(Default)]
struct Words<'t> {
    numbers: FxHashMap<&'t str, Word>,
    list: Vec<String>,
}

impl<'t> Words<'t> {
    fn number(&mut self, text: &'t str) -> Word {
        let next = Word::try_from(self.list.len()).unwrap_or(Word::MAX);
        let list = &mut self.list;
        *self.numbers.entry(text).or_insert_with(|| {
            list.push(text.to_owned());
            next
        })
    }
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct ReasonRecord {
    class: ClassRecord,
    code: Word,
    text: Word,
    help: Word,
    span: SpanRecord,
}

#[derive(Clone, Copy, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum ClassRecord {
    Exact,
    Bounded,
    Unknown,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct FindingRecord {
    function: String,
    text: String,
    around: Vec<SpanRecord>,
    bytes: u64,
    diagnostic: DiagnosticRecord,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct DiagnosticRecord {
    code: String,
    severity: SeverityRecord,
    message: String,
    labels: Vec<(SpanRecord, String)>,
    help: Option<String>,
}

#[derive(Clone, Copy, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum SeverityRecord {
    Note,
    Warning,
    Error,
}

/// A file by its number, and its bytes from and to.
#[derive(Clone, Copy, Serialize, Deserialize, JsonSchema)]
struct SpanRecord(u32, u32, u32);

impl LookedRecord {
    /// What files have, with the words that the records name by number.
    pub(super) fn all_of(rows: &[Looked]) -> (Vec<Self>, Vec<String>) {
        let mut words = Words::default();
        let records = rows.iter().map(|row| Self::of(row, &mut words)).collect();
        (records, words.list)
    }

    /// What files have, by their numbers, of so many files; nothing where it is about others.
    pub(super) fn all(
        records: Vec<Self>,
        words: Vec<String>,
        n_files: usize,
    ) -> Option<Vec<Looked>> {
        let places = Places::unmoved(n_files);
        let mut reader = Reader::of(&places, words);
        records.into_iter().map(|row| reader.looked(row)).collect()
    }

    /// The file that it is about.
    pub(super) fn file(&self) -> u32 {
        self.file
    }

    /// The numbers of the files in which something is, its own aside.
    pub(super) fn places(&self) -> BTreeSet<u32> {
        let told = [&self.diagnostics, &self.broken, &self.uncounted];
        let findings = self.findings.iter();
        let told = told
            .into_iter()
            .flatten()
            .chain(findings.map(|x| &x.diagnostic));
        let labels = told.flat_map(|x| x.labels.iter().map(|label| label.0));
        let reasons = |nest: &NestRecord| -> Vec<SpanRecord> {
            nest.reasons.iter().map(|reason| reason.span).collect()
        };
        let nests = self.nests.iter();
        let nests = nests.flat_map(|nest| reasons(nest).into_iter().chain([nest.span]));
        labels
            .chain(nests)
            .map(|SpanRecord(file, ..)| file)
            .collect()
    }

    fn of<'t>(looked: &'t Looked, words: &mut Words<'t>) -> Self {
        let row = &looked.row;
        let nests = row.loops.nests.iter();
        let all = |list: &[Diagnostic]| list.iter().map(DiagnosticRecord::of).collect();
        Self {
            file: row.file.as_u32(),
            nests: nests.map(|x| NestRecord::of(x, words)).collect(),
            without_arrays: row.loops.without_arrays,
            is_dense: row.is_dense,
            findings: row.findings.iter().map(FindingRecord::of).collect(),
            diagnostics: all(&row.diagnostics),
            broken: all(&looked.broken),
            uncounted: all(&looked.uncounted),
            profile: row.profile.clone(),
        }
    }
}

impl NestRecord {
    fn of<'t>(nest: &'t NestCoverage, words: &mut Words<'t>) -> Self {
        let reason = |reason: &'t CoverageReason| ReasonRecord {
            class: reason.class.into(),
            code: words.number(reason.code),
            text: words.number(&reason.text),
            help: words.number(reason.help),
            span: reason.span.into(),
        };
        Self {
            span: nest.span.into(),
            function: nest.function.clone(),
            is_inner: nest.is_inner,
            class: nest.class.into(),
            reasons: nest.reasons.iter().map(reason).collect(),
        }
    }
}

impl FindingRecord {
    fn of(finding: &Finding) -> Self {
        Self {
            function: finding.function.clone(),
            text: finding.text.clone(),
            around: finding
                .enclosing
                .iter()
                .map(|span| (*span).into())
                .collect(),
            bytes: finding.bytes,
            diagnostic: DiagnosticRecord::of(&finding.diagnostic),
        }
    }
}

impl DiagnosticRecord {
    fn of(diagnostic: &Diagnostic) -> Self {
        let labels = diagnostic.labels.iter();
        Self {
            code: diagnostic.code.to_owned(),
            severity: match diagnostic.severity {
                Severity::Note => SeverityRecord::Note,
                Severity::Warning => SeverityRecord::Warning,
                Severity::Error => SeverityRecord::Error,
            },
            message: diagnostic.message.clone(),
            labels: labels.map(|x| (x.span.into(), x.text.clone())).collect(),
            help: diagnostic.help.clone(),
        }
    }
}

impl From<CoverageClass> for ClassRecord {
    fn from(class: CoverageClass) -> Self {
        match class {
            CoverageClass::Exact => Self::Exact,
            CoverageClass::Bounded => Self::Bounded,
            CoverageClass::Unknown => Self::Unknown,
        }
    }
}

impl From<ClassRecord> for CoverageClass {
    fn from(class: ClassRecord) -> Self {
        match class {
            ClassRecord::Exact => Self::Exact,
            ClassRecord::Bounded => Self::Bounded,
            ClassRecord::Unknown => Self::Unknown,
        }
    }
}

impl From<Span> for SpanRecord {
    fn from(span: Span) -> Self {
        Self(span.file.as_u32(), span.start, span.end)
    }
}
