//! From records to what they were made of; nothing where one is about a file that is not there.

use super::{
    DiagnosticRecord, FindingRecord, LookedRecord, NestRecord, ReasonRecord, SeverityRecord,
    SpanRecord, Word,
};
use crate::run::check::look::Looked;
use crate::run::check::texts::Places;
use crate::run::gathered::FileRow;
use premiss_analyze::{CoverageReason, LoopCoverage, NestCoverage};
use premiss_gate::Finding;
use premiss_source::{Diagnostic, FileId, Label, Severity, Span};
use std::cell::Cell;
use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

/// Makes of records what they were.
pub(in crate::run::check) struct Reader<'p> {
    places: &'p Places,
    words: Vec<String>,
    /// Those of the words that are names.
    named: Vec<Option<&'static str>>,
    /// Whether something of what was read is elsewhere now.
    is_moved: Cell<bool>,
}

impl<'p> Reader<'p> {
    pub(in crate::run::check) fn of(places: &'p Places, words: Vec<String>) -> Self {
        Self {
            places,
            named: vec![None; words.len()],
            words,
            is_moved: Cell::new(false),
        }
    }

    /// Whether something of what was read is elsewhere now.
    pub(in crate::run::check) fn is_moved(&self) -> bool {
        self.is_moved.get()
    }

    pub(in crate::run::check) fn looked(&mut self, record: LookedRecord) -> Option<Looked> {
        let nests = record.nests.into_iter();
        let findings = record.findings.into_iter();
        Some(Looked {
            row: FileRow {
                file: self.file(record.file)?,
                loops: LoopCoverage {
                    nests: nests.map(|x| self.nest(x)).collect::<Option<_>>()?,
                    without_arrays: record.without_arrays,
                },
                is_dense: record.is_dense,
                findings: findings.map(|x| self.finding(x)).collect::<Option<_>>()?,
                diagnostics: self.diagnostics(record.diagnostics)?,
                profile: record
                    .profile
                    .with_lines_mapped(&|path, line| self.line(path, line))?,
            },
            is_open: false,
            broken: self.diagnostics(record.broken)?,
            uncounted: self.diagnostics(record.uncounted)?,
        })
    }

    fn diagnostics(&mut self, records: Vec<DiagnosticRecord>) -> Option<Vec<Diagnostic>> {
        records.into_iter().map(|x| self.diagnostic(x)).collect()
    }

    fn file(&self, number: u32) -> Option<FileId> {
        self.places.file(number)
    }

    fn span(&self, SpanRecord(file, start, end): SpanRecord) -> Option<Span> {
        let span = self.places.span(file, start, end)?;
        self.note((span.start, span.end) != (start, end));
        Some(span)
    }

    fn line(&self, path: &str, line: u32) -> Option<u32> {
        let now = self.places.line(path, line)?;
        self.note(now != line);
        Some(now)
    }

    fn note(&self, is_moved: bool) {
        self.is_moved.set(self.is_moved.get() || is_moved);
    }

    /// The same of one of the words.
    fn named(&mut self, word: Word) -> Option<&'static str> {
        let idx = word as usize;
        if let Some(name) = self.named.get(idx)? {
            return Some(name);
        }
        let name = name(self.words.get(idx)?);
        self.named[idx] = Some(name);
        Some(name)
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
            code: self.named(record.code)?,
            text: self.words.get(record.text as usize)?.clone(),
            help: self.named(record.help)?,
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
        Some(Diagnostic {
            code: name(&record.code),
            severity: match record.severity {
                SeverityRecord::Note => Severity::Note,
                SeverityRecord::Warning => Severity::Warning,
                SeverityRecord::Error => Severity::Error,
            },
            message: record.message,
            labels,
            help: record.help,
        })
    }
}

/// A text that the program is made of: there are few, and they stay for the rest of the run.
fn name(text: &str) -> &'static str {
    static NAMES: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = names.get(text) {
        return known;
    }
    let name = Box::leak(text.to_owned().into_boxed_str());
    names.insert(name);
    name
}
