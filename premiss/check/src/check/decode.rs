//! From records to results; `None` if a record refers to a file that does not exist.

use super::analyze_file::FileResult;
use super::measure_queue::BudgetUse;
use super::result_record::{
    DiagnosticRecord, FindingRecord, NestRecord, ReasonRecord, ResultRecord, SeverityRecord,
    SpanRecord, StringIndex,
};
use super::span_map::SpanMap;
use crate::file_report::FileReport;
use premiss_analyze::{CoverageReason, LoopCoverage, NestCoverage};
use premiss_gate::Finding;
use premiss_report::EstimatedMisses;
use premiss_source::{Diagnostic, FileId, Label, Severity, Span, UnknownSize};
use premiss_tree::{Assumption, AssumptionKind};
use std::cell::Cell;
use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

/// Turns records into results.
pub(super) struct Decoder<'p> {
    spans: &'p SpanMap,
    strings: Vec<String>,
    /// The strings that were needed as static ones so far.
    statics: Vec<Option<&'static str>>,
    /// Whether a span or line has moved.
    has_moved: Cell<bool>,
}

/// The results of records of a run over `n_files` files; `None` if one refers to another file.
pub(super) fn decode_all(
    records: Vec<ResultRecord>,
    strings: Vec<String>,
    n_files: usize,
) -> Option<Vec<FileResult>> {
    let spans = SpanMap::identity(n_files);
    let mut decoder = Decoder::new(&spans, strings);
    let results = records.into_iter().map(|record| decoder.result(record));
    results.collect()
}

/// Assumptions by their codes and subjects; `None` where a code is unknown.
fn assumptions(records: Vec<(String, String)>) -> Option<BTreeSet<Assumption>> {
    let one = |(code, subject): (String, String)| {
        let kind = AssumptionKind::from_code(&code)?;
        Some(Assumption { kind, subject })
    };
    records.into_iter().map(one).collect()
}

impl<'p> Decoder<'p> {
    pub(super) fn new(spans: &'p SpanMap, strings: Vec<String>) -> Self {
        Self {
            spans,
            statics: vec![None; strings.len()],
            strings,
            has_moved: Cell::new(false),
        }
    }

    /// Whether a span or line of the decoded results has moved.
    pub(super) fn has_moved(&self) -> bool {
        self.has_moved.get()
    }

    pub(super) fn result(&mut self, record: ResultRecord) -> Option<FileResult> {
        let nests = record.nests.into_iter();
        let findings = record.findings.into_iter();
        Some(FileResult {
            report: FileReport {
                file: self.file(record.file)?,
                loops: LoopCoverage {
                    nests: nests.map(|x| self.nest(x)).collect::<Option<_>>()?,
                    without_arrays: record.without_arrays,
                },
                assumptions: assumptions(record.assumptions)?,
                findings: findings.map(|x| self.finding(x)).collect::<Option<_>>()?,
                diagnostics: self.diagnostics(record.diagnostics)?,
                profile: record
                    .profile
                    .with_lines_mapped(&|path, line| self.line(path, line))?,
            },
            needs_operations: false,
            broken: self.diagnostics(record.broken)?,
            uncounted: self.diagnostics(record.uncounted)?,
            budget: BudgetUse {
                expected: record.expected_steps,
                halvings: record.halvings,
            },
        })
    }

    fn diagnostics(&mut self, records: Vec<DiagnosticRecord>) -> Option<Vec<Diagnostic>> {
        records.into_iter().map(|x| self.diagnostic(x)).collect()
    }

    fn file(&self, number: u32) -> Option<FileId> {
        self.spans.file(number)
    }

    fn span(&self, SpanRecord(file, start, end): SpanRecord) -> Option<Span> {
        let span = self.spans.span(file, start, end)?;
        self.record_move((span.start, span.end) != (start, end));
        Some(span)
    }

    fn line(&self, path: &str, line: u32) -> Option<u32> {
        let now = self.spans.line(path, line)?;
        self.record_move(now != line);
        Some(now)
    }

    fn record_move(&self, has_moved: bool) {
        self.has_moved.set(self.has_moved.get() || has_moved);
    }

    /// A string of the table as a static one.
    fn static_string(&mut self, index: StringIndex) -> Option<&'static str> {
        let idx = index as usize;
        if let Some(text) = self.statics.get(idx)? {
            return Some(text);
        }
        let text = intern(self.strings.get(idx)?);
        self.statics[idx] = Some(text);
        Some(text)
    }

    fn nest(&mut self, record: NestRecord) -> Option<NestCoverage> {
        let reasons = record.reasons.iter();
        Some(NestCoverage {
            span: self.span(record.span)?,
            function: record.function,
            is_inner: record.is_inner,
            class: record.class.into(),
            reasons: reasons.map(|x| self.reason(x)).collect::<Option<_>>()?,
        })
    }

    fn reason(&mut self, record: &ReasonRecord) -> Option<CoverageReason> {
        Some(CoverageReason {
            class: record.class.into(),
            code: self.static_string(record.code)?,
            text: self.strings.get(record.text as usize)?.clone(),
            help: self.static_string(record.help)?,
            span: self.span(record.span)?,
        })
    }

    fn finding(&mut self, record: FindingRecord) -> Option<Finding> {
        let around = record.around.into_iter();
        Some(Finding {
            function: record.function,
            text: record.text,
            enclosing: around.map(|x| self.span(x)).collect::<Option<_>>()?,
            bytes: record.bytes,
            estimate: record.estimate.map(|(value, least, most)| EstimatedMisses {
                value,
                least,
                most,
            }),
            diagnostic: self.diagnostic(record.diagnostic)?,
        })
    }

    fn diagnostic(&mut self, record: DiagnosticRecord) -> Option<Diagnostic> {
        let label = |(span, text)| {
            let span = self.span(span)?;
            Some(Label { span, text })
        };
        let labels = record.labels.into_iter().map(label);
        let labels = labels.collect::<Option<_>>()?;
        let size = |(name, example, span)| {
            let span = self.span(span)?;
            Some(UnknownSize {
                name,
                example,
                span,
            })
        };
        let sizes = record.sizes.into_iter().map(size);
        let sizes = sizes.collect::<Option<_>>()?;
        Some(Diagnostic {
            code: intern(&record.code),
            severity: match record.severity {
                SeverityRecord::Note => Severity::Note,
                SeverityRecord::Warning => Severity::Warning,
                SeverityRecord::Error => Severity::Error,
            },
            message: record.message,
            labels,
            help: record.help,
            sizes,
        })
    }
}

/// Interns a text that is a literal of the program: there are few, and each stays for the rest of the run.
fn intern(text: &str) -> &'static str {
    static STRINGS: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let mut strings = STRINGS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(interned) = strings.get(text) {
        return interned;
    }
    let interned = Box::leak(text.to_owned().into_boxed_str());
    strings.insert(interned);
    interned
}
