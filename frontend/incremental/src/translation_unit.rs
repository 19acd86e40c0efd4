//! What comes of a file: its trees, and what there is to say about it.

use crate::driver::{MAX_FILES_AHEAD, UnitTrees, lower_units};
use crate::program::IncrementalProgram;
use premiss_link::{STACK, no_stack};
use premiss_source::{Diagnostic, FileId, Label, Severity, SourceMap, Span};
use premiss_tree::{NestTree, RejectReason};
use std::collections::BTreeSet;

/// How many syntax errors of one file are reported.
const MAX_SYNTAX_ERRORS: usize = 100;

/// What comes of a file.
#[derive(Debug, Default)]
pub struct TranslationUnit {
    /// The functions that have a loop, in the order of the source.
    pub functions: Vec<NestTree>,
    /// What there is to say, rejections included.
    pub diagnostics: Vec<Diagnostic>,
    /// Which of the sizes that are given or kept symbolic the program has a name for.
    pub used_sizes: BTreeSet<String>,
    /// The names that can be given a value.
    pub size_names: BTreeSet<String>,
    /// The sizes that are kept symbolic and whose value decided which lines of the text count.
    pub sizes_in_conditions: BTreeSet<String>,
}

/// What reading a file comes to.
#[derive(Debug)]
pub enum FileOutcome<T> {
    /// The file was read, and this is in it.
    Read(T),
    /// What an earlier run reported of the file still holds, and none of it was found again.
    Reused(SizeNames),
}

/// The names of a file that sizes can be given for.
#[derive(Debug, Default)]
pub struct SizeNames {
    /// Which of the sizes that are given or kept symbolic the program has a name for.
    pub used: BTreeSet<String>,
    /// The names that can be given a value.
    pub all: BTreeSet<String>,
}

impl<T> FileOutcome<T> {
    /// The outcome with what `convert` makes of the file.
    pub fn map<U>(self, convert: impl FnOnce(T) -> U) -> FileOutcome<U> {
        match self {
            Self::Read(read) => FileOutcome::Read(convert(read)),
            Self::Reused(names) => FileOutcome::Reused(names),
        }
    }

    /// What is in the file, where it was read.
    pub fn into_read(self) -> Option<T> {
        match self {
            Self::Read(read) => Some(read),
            Self::Reused(_) => None,
        }
    }
}

/// What a front end has to say about a file before its functions are lowered.
#[derive(Debug, Default)]
pub struct FrontendReport {
    /// What there is to say about its text.
    pub diagnostics: Vec<Diagnostic>,
    /// What could not be read.
    pub syntax_errors: Vec<(RejectReason, Span)>,
    /// The names that can be given a value, apart from those of its functions.
    pub size_names: BTreeSet<String>,
    /// The sizes that are kept symbolic and whose value decided which lines of the text count.
    pub sizes_in_conditions: BTreeSet<String>,
}

/// Lowers all functions of a program. `each` gets a unit for each of the first files, those that there
/// are reports of, in order. `used_sizes` are the given sizes that had an effect before lowering.
pub fn translate(
    incremental: &IncrementalProgram,
    reports: Vec<FrontendReport>,
    used_sizes: &BTreeSet<String>,
    each: &mut dyn FnMut(FileOutcome<TranslationUnit>),
) {
    let mut reports = reports.into_iter();
    lower_units(incremental, &mut |result| {
        let Some(report) = reports.next() else {
            return;
        };
        let mut names = SizeNames {
            used: incremental.program().used_sizes(),
            all: result.size_names,
        };
        names.used.extend(used_sizes.iter().cloned());
        names.all.extend(report.size_names.iter().cloned());
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

/// Reads `n_files` files on a stack of their own; `read` hands on a unit for each, and the next ones are
/// made while those before are dealt with. Where the system gives no stack, a diagnostic says so in
/// `main`.
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

/// What is left to say where the system gives no stack.
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

/// What is said where something is not understood.
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
    }
}

/// Adds a note for each file that is not UTF-8.
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

/// Adds each rejection once, however many functions call what it is about.
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
