//! The form in which results of files are stored, in the cache and in what a shard writes: files by their numbers, texts
//! that many have in common by their places in a table, everything else as it is.

use super::analyze_file::FileResult;
use premiss_analyze::{CoverageClass, CoverageReason, NestCoverage};
use premiss_gate::Finding;
use premiss_report::CallgrindProfile;
use premiss_source::{Diagnostic, Severity, Span, UnknownSize};
use rustc_hash::FxHashMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The result of one file.
#[derive(Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "LookedRecord", description = "What one file has.")]
pub(super) struct ResultRecord {
    pub(super) file: u32,
    pub(super) nests: Vec<NestRecord>,
    pub(super) without_arrays: u64,
    /// The codes and subjects of assumptions.
    pub(super) assumptions: Vec<(String, String)>,
    pub(super) findings: Vec<FindingRecord>,
    pub(super) diagnostics: Vec<DiagnosticRecord>,
    pub(super) broken: Vec<DiagnosticRecord>,
    pub(super) uncounted: Vec<DiagnosticRecord>,
    pub(super) profile: CallgrindProfile,
    /// How many steps each function was expected to take of the budget of the run.
    pub(super) expected_steps: Vec<u64>,
    /// How often the budget was halved for them, if they depend on that.
    pub(super) halvings: Option<u32>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub(super) struct NestRecord {
    pub(super) span: SpanRecord,
    pub(super) function: String,
    pub(super) is_inner: bool,
    pub(super) class: ClassRecord,
    pub(super) reasons: Vec<ReasonRecord>,
}

/// The index of a text in the string table of some records.
pub(super) type StringIndex = u32;

/// Texts, each once.
#[derive(Default)]
struct StringTable<'t> {
    indices: FxHashMap<&'t str, StringIndex>,
    strings: Vec<String>,
}

impl<'t> StringTable<'t> {
    fn index(&mut self, text: &'t str) -> StringIndex {
        let next = StringIndex::try_from(self.strings.len()).unwrap_or(StringIndex::MAX);
        let strings = &mut self.strings;
        *self.indices.entry(text).or_insert_with(|| {
            strings.push(text.to_owned());
            next
        })
    }
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub(super) struct ReasonRecord {
    pub(super) class: ClassRecord,
    pub(super) code: StringIndex,
    pub(super) text: StringIndex,
    pub(super) help: StringIndex,
    pub(super) span: SpanRecord,
}

#[derive(Clone, Copy, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum ClassRecord {
    Exact,
    Bounded,
    Unknown,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub(super) struct FindingRecord {
    pub(super) function: String,
    pub(super) text: String,
    pub(super) around: Vec<SpanRecord>,
    pub(super) bytes: u64,
    /// The misses from a sample that it rests on: about how many, the least and the most.
    pub(super) estimate: Option<(u64, u64, u64)>,
    pub(super) diagnostic: DiagnosticRecord,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub(super) struct DiagnosticRecord {
    pub(super) code: String,
    pub(super) severity: SeverityRecord,
    pub(super) message: String,
    pub(super) labels: Vec<(SpanRecord, String)>,
    pub(super) help: Option<String>,
    /// Names of sizes without a value, values to try, and declarations.
    pub(super) sizes: Vec<(String, i64, SpanRecord)>,
}

#[derive(Clone, Copy, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum SeverityRecord {
    Note,
    Warning,
    Error,
}

/// A file by its number, and its bytes from and to.
#[derive(Clone, Copy, Serialize, Deserialize, JsonSchema)]
pub(super) struct SpanRecord(pub(super) u32, pub(super) u32, pub(super) u32);

impl ResultRecord {
    /// The records of results, with the string table that they refer to.
    pub(super) fn encode_all(results: &[FileResult]) -> (Vec<Self>, Vec<String>) {
        let mut table = StringTable::default();
        let results = results.iter();
        let records = results
            .map(|result| Self::new(result, &mut table))
            .collect();
        (records, table.strings)
    }

    /// The number of its file.
    pub(super) fn file(&self) -> u32 {
        self.file
    }

    /// The numbers of the files that its nests and diagnostics refer to.
    pub(super) fn referenced_files(&self) -> BTreeSet<u32> {
        let diagnostics = [&self.diagnostics, &self.broken, &self.uncounted];
        let findings = self.findings.iter();
        let diagnostics = diagnostics
            .into_iter()
            .flatten()
            .chain(findings.map(|x| &x.diagnostic));
        let labels = diagnostics.flat_map(|x| {
            let sizes = x.sizes.iter().map(|size| size.2);
            x.labels.iter().map(|label| label.0).chain(sizes)
        });
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

    fn new<'t>(result: &'t FileResult, table: &mut StringTable<'t>) -> Self {
        let report = &result.report;
        let nests = report.loops.nests.iter();
        let all = |list: &[Diagnostic]| list.iter().map(DiagnosticRecord::new).collect();
        let assumed = report.assumptions.iter();
        Self {
            file: report.file.as_u32(),
            nests: nests.map(|x| NestRecord::new(x, table)).collect(),
            without_arrays: report.loops.without_arrays,
            assumptions: assumed
                .map(|one| (one.kind.code().to_owned(), one.subject.clone()))
                .collect(),
            findings: report.findings.iter().map(FindingRecord::new).collect(),
            diagnostics: all(&report.diagnostics),
            broken: all(&result.broken),
            uncounted: all(&result.uncounted),
            profile: report.profile.clone(),
            expected_steps: result.budget.expected.clone(),
            halvings: result.budget.halvings,
        }
    }
}

impl NestRecord {
    fn new<'t>(nest: &'t NestCoverage, table: &mut StringTable<'t>) -> Self {
        let reason = |reason: &'t CoverageReason| ReasonRecord {
            class: reason.class.into(),
            code: table.index(reason.code),
            text: table.index(&reason.text),
            help: table.index(reason.help),
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
    fn new(finding: &Finding) -> Self {
        Self {
            function: finding.function.clone(),
            text: finding.text.clone(),
            around: finding
                .enclosing
                .iter()
                .map(|span| (*span).into())
                .collect(),
            bytes: finding.bytes,
            estimate: finding.estimate.map(|x| (x.value, x.least, x.most)),
            diagnostic: DiagnosticRecord::new(&finding.diagnostic),
        }
    }
}

impl DiagnosticRecord {
    fn new(diagnostic: &Diagnostic) -> Self {
        let labels = diagnostic.labels.iter();
        let sizes = diagnostic.sizes.iter();
        let size = |x: &UnknownSize| (x.name.clone(), x.example, x.span.into());
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
            sizes: sizes.map(size).collect(),
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
