//! The results for a file: its trees and diagnostics.

use crate::driver::{MAX_FILES_AHEAD, UnitTrees, lower_units};
use crate::program::IncrementalProgram;
use premiss_link::{STACK, no_stack};
use premiss_source::{Diagnostic, FileId, Label, Severity, SourceMap, Span};
use premiss_tree::{NestTree, RejectReason};
use std::collections::BTreeSet;

/// The maximum number of syntax errors reported per file.
const MAX_SYNTAX_ERRORS: usize = 100;

/// The results for a file.
#[derive(Debug, Default)]
pub struct TranslationUnit {
    /// The trees of the functions with a loop, in the order of the source.
    pub functions: Vec<NestTree>,
    /// Diagnostics, rejections included.
    pub diagnostics: Vec<Diagnostic>,
    /// The names of sizes that the user gives or keeps symbolic and that the program uses.
    pub used_sizes: BTreeSet<String>,
    /// The names of sizes that the user can give a value.
    pub size_names: BTreeSet<String>,
    /// The symbolic sizes whose value affects conditional compilation.
    pub sizes_in_conditions: BTreeSet<String>,
}

/// The outcome of reading a file.
#[derive(Debug)]
pub enum FileOutcome<T> {
    /// The file was read, with this result.
    Read(T),
    /// The result of an earlier run is still valid and was not recomputed.
    Reused(SizeNames),
}

/// The names of sizes in a file.
#[derive(Debug, Default)]
pub struct SizeNames {
    /// The names of sizes that the user gives or keeps symbolic and that the program uses.
    pub used: BTreeSet<String>,
    /// The names of sizes that the user can give a value.
    pub all: BTreeSet<String>,
}

impl<T> FileOutcome<T> {
    /// Applies `convert` to the result of a file that was read.
    pub fn map<U>(self, convert: impl FnOnce(T) -> U) -> FileOutcome<U> {
        match self {
            Self::Read(read) => FileOutcome::Read(convert(read)),
            Self::Reused(names) => FileOutcome::Reused(names),
        }
    }

    /// The result, if the file was read.
    pub fn into_read(self) -> Option<T> {
        match self {
            Self::Read(read) => Some(read),
            Self::Reused(_) => None,
        }
    }
}

/// What a front end reports about a file before its functions are lowered.
#[derive(Debug, Default)]
pub struct FrontendReport {
    /// Diagnostics about its text.
    pub diagnostics: Vec<Diagnostic>,
    /// Places that could not be parsed, with the reasons.
    pub syntax_errors: Vec<(RejectReason, Span)>,
    /// The names of sizes that the user can give a value, apart from those of its functions.
    pub size_names: BTreeSet<String>,
    /// The symbolic sizes whose value affects conditional compilation.
    pub sizes_in_conditions: BTreeSet<String>,
}

/// Lowers all functions of a program. `each` is called once per report, in order: report `i` belongs to unit `i`, and
/// units without a report, such as preludes, are skipped. `used_sizes` are the sizes of the user that had an effect
/// before lowering.
pub fn translate(
    incremental: &IncrementalProgram,
    reports: Vec<FrontendReport>,
    used_sizes: &BTreeSet<String>,
    each: &mut dyn FnMut(FileOutcome<TranslationUnit>),
) {
    let mut reports = reports.into_iter();
    lower_units(incremental, &mut |result| {
        let Some(mut report) = reports.next() else {
            return;
        };
        let mut names = SizeNames {
            used: incremental.program().used_sizes(),
            all: result.size_names,
        };
        names.used.extend(used_sizes.iter().cloned());
        names.all.append(&mut report.size_names);
        each(match result.trees {
            UnitTrees::Lowered(trees) => FileOutcome::Read(unit_of_trees(trees, report, names)),
            UnitTrees::Reused => FileOutcome::Reused(names),
        });
    });
}

fn unit_of_trees(
    trees: Vec<NestTree>,
    report: FrontendReport,
    names: SizeNames,
) -> TranslationUnit {
    let mut diagnostics = report.diagnostics;
    add_syntax_errors(&report.syntax_errors, &mut diagnostics);
    add_rejections(&trees, &mut diagnostics);
    TranslationUnit {
        functions: trees,
        diagnostics,
        used_sizes: names.used,
        size_names: names.all,
        sizes_in_conditions: report.sizes_in_conditions,
    }
}

/// Runs `read` on a new thread with [`STACK`] bytes of stack. `read` calls its argument once for each of `n_files`
/// files; `each` receives these outcomes in order on the calling thread, while `read` runs ahead by a bounded number
/// of files. If the thread cannot be created, each file gets a diagnostic at the start of `main`. Panics of `read` are
/// propagated.
pub fn read_on_own_stack(
    main: FileId,
    n_files: usize,
    read: impl FnOnce(&mut dyn FnMut(FileOutcome<TranslationUnit>)) + Send,
    each: &mut dyn FnMut(FileOutcome<TranslationUnit>),
) {
    let reader = std::thread::Builder::new().stack_size(STACK);
    std::thread::scope(|scope| {
        let (sender, receiver) = std::sync::mpsc::sync_channel(MAX_FILES_AHEAD);
        let read = move || {
            read(&mut |unit| {
                let is_waited_for = sender.send(unit).is_ok();
                debug_assert!(is_waited_for, "the receiver takes all units");
            });
        };
        let Ok(handle) = reader.spawn_scoped(scope, read) else {
            (0..n_files).for_each(|_| each(FileOutcome::Read(without_stack(main))));
            return;
        };
        receiver.into_iter().for_each(each);
        if let Err(panic) = handle.join() {
            std::panic::resume_unwind(panic);
        }
    });
}

/// The result for a file if there is no stack to read it.
fn without_stack(main: FileId) -> TranslationUnit {
    let span = Span {
        file: main,
        start: 0,
        end: 0,
    };
    TranslationUnit {
        diagnostics: vec![diagnostic(&no_stack(), span, Severity::Error)],
        ..TranslationUnit::default()
    }
}

/// The diagnostic for a rejection.
#[must_use]
pub fn diagnostic(reason: &RejectReason, span: Span, severity: Severity) -> Diagnostic {
    Diagnostic {
        code: reason.code(),
        severity,
        message: reason.message(),
        labels: vec![Label {
            span,
            text: String::new(),
        }],
        help: Some(reason.help().to_owned()),
        sizes: Vec::new(),
    }
}

/// Adds a note for each file with bytes that are not UTF-8.
pub fn add_notes_on_bytes(sources: &SourceMap, diagnostics: &mut Vec<Diagnostic>) {
    for (file, source) in sources.files() {
        let n_bytes = source.invalid_bytes();
        if n_bytes == 0 {
            continue;
        }
        let at = source.text().find('?').unwrap_or(0);
        let start = u32::try_from(at).unwrap_or(u32::MAX);
        diagnostics.push(Diagnostic {
            code: "not-utf-8",
            severity: Severity::Note,
            message: format!("{n_bytes} bytes of `{}` are not UTF-8", source.path()),
            labels: vec![Label {
                span: Span {
                    file,
                    start,
                    end: start.saturating_add(1),
                },
                text: String::new(),
            }],
            help: Some("they read as `?`; save the file as UTF-8".to_owned()),
            sizes: Vec::new(),
        });
    }
}

fn add_syntax_errors(errors: &[(RejectReason, Span)], diagnostics: &mut Vec<Diagnostic>) {
    let mut seen = BTreeSet::new();
    for (reason, span) in errors {
        if seen.len() < MAX_SYNTAX_ERRORS && seen.insert(span_key(*span)) {
            diagnostics.push(diagnostic(reason, *span, Severity::Error));
        }
    }
}

/// Adds each rejection once, even if it is in a function that several others inline.
fn add_rejections(functions: &[NestTree], diagnostics: &mut Vec<Diagnostic>) {
    let mut seen = BTreeSet::new();
    for rejection in functions.iter().flat_map(|tree| tree.rejections.values()) {
        let key = (rejection.reason.code(), span_key(rejection.span));
        let is_reported = matches!(rejection.reason, RejectReason::Syntax);
        if !is_reported && seen.insert(key) {
            let new = diagnostic(&rejection.reason, rejection.span, Severity::Warning);
            diagnostics.push(new);
        }
    }
}

fn span_key(span: Span) -> (FileId, u32, u32) {
    (span.file, span.start, span.end)
}
