//! Nests and diagnostics of a report, and the names of files.

use super::forms::{DiagnosticJson, NestJson, ReasonJson};
use premiss_analyze::{CoverageClass, NestCoverage};
use premiss_source::{Diagnostic, FileId, Severity, SourceMap};
use std::borrow::Cow;

/// The name of a file in a report.
pub(crate) type Paths<'p, 'a> = &'p dyn Fn(FileId) -> Cow<'a, str>;

/// Files under their given names.
pub(crate) fn as_given<'a>(sources: &'a SourceMap) -> impl Fn(FileId) -> Cow<'a, str> {
    |file| Cow::Borrowed(sources.file(file).path())
}

pub(crate) fn nests<'a>(
    sources: &SourceMap,
    path: Paths<'_, 'a>,
    nests: &'a [NestCoverage],
) -> Vec<NestJson<'a>> {
    let of_one = |nest: &'a NestCoverage| NestJson {
        file: path(nest.span.file),
        line: sources.start(nest.span).line,
        class: class_name(nest.class),
        is_inner: nest.is_inner,
        reasons: reasons(sources, path, nest),
    };
    nests.iter().map(of_one).collect()
}

fn reasons<'a>(
    sources: &SourceMap,
    path: Paths<'_, 'a>,
    nest: &'a NestCoverage,
) -> Vec<ReasonJson<'a>> {
    let of_one = |reason: &'a premiss_analyze::CoverageReason| {
        let at = sources.start(reason.span);
        ReasonJson {
            file: path(reason.span.file),
            line: at.line,
            column: at.column,
            class: class_name(reason.class),
            text: &reason.text,
        }
    };
    nest.reasons.iter().map(of_one).collect()
}

pub(crate) fn class_name(class: CoverageClass) -> &'static str {
    match class {
        CoverageClass::Exact => "exact",
        CoverageClass::Bounded => "bounded",
        CoverageClass::Unknown => "unknown",
    }
}

pub(crate) fn diagnostics<'a>(
    sources: &SourceMap,
    path: Paths<'_, 'a>,
    diagnostics: &'a [Diagnostic],
) -> Vec<DiagnosticJson<'a>> {
    let of_one = |diagnostic: &'a Diagnostic| {
        let span = diagnostic.labels.first().map(|label| label.span);
        let at = span.map(|span| sources.start(span));
        DiagnosticJson {
            code: diagnostic.code,
            severity: match diagnostic.severity {
                Severity::Note => "note",
                Severity::Warning => "warning",
                Severity::Error => "error",
            },
            message: &diagnostic.message,
            file: span.map(|span| path(span.file)),
            line: at.map(|at| at.line),
            column: at.map(|at| at.column),
            help: diagnostic.help.as_deref(),
            misses: None,
        }
    };
    diagnostics.iter().map(of_one).collect()
}
