//! The form in which what a check found is kept: files by their numbers, everything else as it is.

use super::look::{After, Before, Found, Looked};
use super::texts::{Places, TextRecord, Texts};
use crate::run::gathered::FileRow;
use crate::run::selection::Opened;
use premiss_analyze::{Class, LoopCoverage, NestCoverage, ProgramMemory, Reason};
use premiss_gate::Finding;
use premiss_report::{CallgrindProfile, CoverageReport};
use premiss_source::{Diagnostic, FileId, Label, Severity, SourceMap, Span};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet, HashMap};

#[derive(Serialize, Deserialize)]
pub(super) struct FoundRecord {
    words: Vec<String>,
    nests: Vec<NestRecord>,
    without_arrays: u64,
    parsed: u64,
    partly_parsed: Vec<u32>,
    included: u64,
    is_dense: bool,
    findings: Vec<FindingRecord>,
    diagnostics: Vec<DiagnosticRecord>,
    silenced: usize,
    profile: CallgrindProfile,
}

/// What a run leaves for the next one over the same paths.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct BeforeRecord {
    programs: Vec<ProgramMemory>,
    n_files: usize,
    texts: Vec<TextRecord>,
    words: Vec<String>,
    rows: Vec<LookedRecord>,
}

/// What one file has.
#[derive(Serialize, Deserialize)]
struct LookedRecord {
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

#[derive(Serialize, Deserialize)]
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
    numbers: HashMap<&'t str, Word>,
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

#[derive(Serialize, Deserialize)]
struct ReasonRecord {
    class: ClassRecord,
    code: Word,
    text: Word,
    help: Word,
    span: SpanRecord,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
enum ClassRecord {
    Exact,
    Bounded,
    Unknown,
}

#[derive(Serialize, Deserialize)]
struct FindingRecord {
    function: String,
    text: String,
    around: Vec<SpanRecord>,
    bytes: u64,
    diagnostic: DiagnosticRecord,
}

#[derive(Serialize, Deserialize)]
struct DiagnosticRecord {
    code: String,
    severity: SeverityRecord,
    message: String,
    labels: Vec<(SpanRecord, String)>,
    help: Option<String>,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
enum SeverityRecord {
    Note,
    Warning,
    Error,
}

/// A file by its number, and its bytes from and to.
#[derive(Clone, Copy, Serialize, Deserialize)]
struct SpanRecord(u32, u32, u32);

impl FoundRecord {
    pub(super) fn of(found: &Found) -> Self {
        let report = &found.report;
        let mut words = Words::default();
        let nests = report.nests.iter();
        Self {
            nests: nests.map(|x| NestRecord::of(x, &mut words)).collect(),
            words: words.list,
            without_arrays: report.without_arrays,
            parsed: report.parsed,
            partly_parsed: report.partly_parsed.iter().map(|x| x.as_u32()).collect(),
            included: report.included,
            is_dense: report.is_dense,
            findings: found.findings.iter().map(FindingRecord::of).collect(),
            diagnostics: found.diagnostics.iter().map(DiagnosticRecord::of).collect(),
            silenced: found.silenced,
            profile: found.profile.clone(),
        }
    }

    /// What was found in so many files; nothing where it is about others.
    pub(super) fn found(self, n_files: usize) -> Option<Found> {
        let mut reader = Reader::of(Places::unmoved(n_files), self.words);
        let partly_parsed = self.partly_parsed.into_iter();
        let nests = self.nests.into_iter();
        let findings = self.findings.into_iter();
        Some(Found {
            report: CoverageReport {
                nests: nests.map(|x| reader.nest(x)).collect::<Option<_>>()?,
                without_arrays: self.without_arrays,
                parsed: self.parsed,
                partly_parsed: partly_parsed
                    .map(|x| reader.file(x))
                    .collect::<Option<_>>()?,
                included: self.included,
                is_dense: self.is_dense,
                held_back: None,
            },
            findings: findings.map(|x| reader.finding(x)).collect::<Option<_>>()?,
            diagnostics: reader.diagnostics(self.diagnostics)?,
            silenced: self.silenced,
            profile: self.profile,
        })
    }
}

impl BeforeRecord {
    pub(super) fn of(sources: &SourceMap, texts: &Texts, after: &After) -> Self {
        let mut words = Words::default();
        let rows = after.rows.iter();
        Self {
            programs: after.programs.clone(),
            n_files: sources.files().count(),
            texts: texts.records(),
            rows: rows.map(|x| LookedRecord::of(x, &mut words)).collect(),
            words: words.list,
        }
    }

    /// What was left of the files that are open, and what these say.
    pub(super) fn before(self, sources: &SourceMap, opened: &Opened) -> (Texts, Before) {
        let (texts, places) = Texts::after(sources, opened, (self.n_files, self.texts));
        let mut reader = Reader::of(places, self.words);
        let rows = self.rows.into_iter();
        let rows: BTreeMap<u32, Looked> = rows
            .filter_map(|row| Some((row.file, reader.looked(row)?)))
            .collect();
        let before = Before::new(&texts, opened, self.programs, rows);
        (texts, before)
    }
}

impl LookedRecord {
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
        let reason = |reason: &'t Reason| ReasonRecord {
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
            around: finding.around.iter().map(|span| (*span).into()).collect(),
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

impl From<Class> for ClassRecord {
    fn from(class: Class) -> Self {
        match class {
            Class::Exact => Self::Exact,
            Class::Bounded => Self::Bounded,
            Class::Unknown => Self::Unknown,
        }
    }
}

impl From<ClassRecord> for Class {
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

/// Makes of records what they were.
struct Reader {
    places: Places,
    words: Vec<String>,
    /// Those of the words that are names.
    named: Vec<Option<&'static str>>,
    names: BTreeSet<&'static str>,
}

impl Reader {
    fn of(places: Places, words: Vec<String>) -> Self {
        Self {
            places,
            named: vec![None; words.len()],
            words,
            names: BTreeSet::new(),
        }
    }

    fn looked(&mut self, record: LookedRecord) -> Option<Looked> {
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

    fn diagnostics(&mut self, records: Vec<DiagnosticRecord>) -> Option<Vec<Diagnostic>> {
        records.into_iter().map(|x| self.diagnostic(x)).collect()
    }

    fn file(&self, number: u32) -> Option<FileId> {
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

    fn nest(&mut self, record: NestRecord) -> Option<NestCoverage> {
        let reasons = record.reasons.into_iter();
        Some(NestCoverage {
            span: self.span(record.span)?,
            function: record.function,
            is_inner: record.is_inner,
            class: record.class.into(),
            reasons: reasons.map(|x| self.reason(x)).collect::<Option<_>>()?,
        })
    }

    fn reason(&mut self, record: ReasonRecord) -> Option<Reason> {
        Some(Reason {
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
