//! From records to what they were made of; nothing where one is about a file that is not there.

use super::{
    DiagnosticRecord, FindingRecord, LookedRecord, NestRecord, ReasonRecord, SeverityRecord,
    SpanRecord, Word,
};
use crate::run::check::look::Looked;
use crate::run::check::texts::Places;
use crate::run::gathered::FileRow;
use premiss_analyze::{LoopCoverage, NestCoverage, Reason};
use premiss_gate::Finding;
use premiss_source::{Diagnostic, FileId, Label, Severity, Span};
use std::collections::BTreeSet;

/// Makes of records what they were.
pub(super) struct Reader {
    places: Places,
    words: Vec<String>,
    /// Those of the words that are names.
    named: Vec<Option<&'static str>>,
    names: BTreeSet<&'static str>,
}

impl Reader {
    pub(super) fn of(places: Places, words: Vec<String>) -> Self {
        Self {
            places,
            named: vec![None; words.len()],
            words,
            names: BTreeSet::new(),
        }
    }

    pub(super) fn looked(&mut self, record: LookedRecord) -> Option<Looked> {
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
                    .moved(&|path, line| self.places.line(path, line))?,
            },
            is_open: false,
            broken: self.diagnostics(record.broken)?,
            uncounted: self.diagnostics(record.uncounted)?,
        })
    }

    pub(super) fn diagnostics(
        &mut self,
        records: Vec<DiagnosticRecord>,
    ) -> Option<Vec<Diagnostic>> {
        records.into_iter().map(|x| self.diagnostic(x)).collect()
    }

    pub(super) fn file(&self, number: u32) -> Option<FileId> {
        self.places.file(number)
    }

    fn span(&self, SpanRecord(file, start, end): SpanRecord) -> Option<Span> {
        self.places.span(file, start, end)
    }

    /// A text that the program is made of: there are few, and they stay for the rest of the run.
    fn name(&mut self, text: String) -> &'static str {
        if let Some(known) = self.names.get(text.as_str()) {
            return known;
        }
        let name = Box::leak(text.into_boxed_str());
        self.names.insert(name);
        name
    }

    /// The same of one of the words.
    fn named(&mut self, word: Word) -> Option<&'static str> {
        let idx = word as usize;
        if let Some(name) = self.named.get(idx)? {
            return Some(name);
        }
        let name = self.name(self.words.get(idx)?.clone());
        self.named[idx] = Some(name);
        Some(name)
    }

    pub(super) fn nest(&mut self, record: NestRecord) -> Option<NestCoverage> {
        let reasons = record.reasons.iter();
        Some(NestCoverage {
            span: self.span(record.span)?,
            function: record.function,
            is_inner: record.is_inner,
            class: record.class.into(),
            reasons: reasons.map(|x| self.reason(x)).collect::<Option<_>>()?,
        })
    }

    fn reason(&mut self, record: &ReasonRecord) -> Option<Reason> {
        Some(Reason {
            class: record.class.into(),
            code: self.named(record.code)?,
            text: self.words.get(record.text as usize)?.clone(),
            help: self.named(record.help)?,
            span: self.span(record.span)?,
        })
    }

    pub(super) fn finding(&mut self, record: FindingRecord) -> Option<Finding> {
        let around = record.around.into_iter();
        Some(Finding {
            function: record.function,
            text: record.text,
            around: around.map(|x| self.span(x)).collect::<Option<_>>()?,
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
            code: self.name(record.code),
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
