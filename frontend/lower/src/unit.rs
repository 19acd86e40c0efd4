//! What a front end says of a file.

use crate::{Program, lowering};
use premiss_source::{Diagnostic, FileId, Label, Severity, SourceMap, Span};
use premiss_tree::{NestTree, RejectReason};
use std::collections::BTreeSet;

/// Stack for reading one file, enough for what nests as deep as the limits allow.
pub(crate) const STACK: usize = 512 << 20;
/// How many syntax errors of one file are told.
const MAX_SYNTAX_ERRORS: usize = 100;

/// What a file says.
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
    /// Whether it is as an earlier run left it, which has said all of it: there are no functions then.
    pub is_known: bool,
}

/// What is known of a file before its functions are lowered.
#[derive(Debug, Default)]
pub struct Prospect {
    /// What there is to say about its text.
    pub diagnostics: Vec<Diagnostic>,
    /// What could not be read.
    pub syntax_errors: Vec<(RejectReason, Span)>,
    /// The names that can be given a value, apart from those of its functions.
    pub size_names: BTreeSet<String>,
}

/// Lowers all functions of a program. `each` gets a unit for each of the first files, those that there
/// are prospects of, in order. `used_sizes` are the given sizes that had an effect before lowering.
pub fn translate(
    program: &Program,
    prospects: Vec<Prospect>,
    used_sizes: &BTreeSet<String>,
    each: &mut dyn FnMut(TranslationUnit),
) {
    let mut prospects = prospects.into_iter();
    lowering::lower_units(program, &mut |lowered| {
        let Some(prospect) = prospects.next() else {
            return;
        };
        let mut diagnostics = Vec::new();
        if !lowered.is_known {
            diagnostics = prospect.diagnostics;
            add_syntax_errors(&prospect.syntax_errors, &mut diagnostics);
            add_rejections(&lowered.trees, &mut diagnostics);
        }
        let mut size_names = lowered.names;
        size_names.extend(prospect.size_names);
        let mut used = program.used_sizes();
        used.extend(used_sizes.iter().cloned());
        each(TranslationUnit {
            functions: lowered.trees,
            diagnostics,
            used_sizes: used,
            size_names,
            is_known: lowered.is_known,
        });
    });
}

/// Reads `n_files` files on a stack of their own; `read` hands on a unit for each, and the next ones are
/// made while those before are dealt with. Where the system gives no stack, a diagnostic says so in
/// `main`.
pub fn read_on_own_stack(
    main: FileId,
    n_files: usize,
    read: impl FnOnce(&mut dyn FnMut(TranslationUnit)) + Send,
    each: &mut dyn FnMut(TranslationUnit),
) {
    let reader = std::thread::Builder::new().stack_size(STACK);
    std::thread::scope(|scope| {
        let (sender, receiver) = std::sync::mpsc::sync_channel(lowering::MAX_FILES_AHEAD);
        let read = move || {
            read(&mut |unit| {
                let is_waited_for = sender.send(unit).is_ok();
                debug_assert!(is_waited_for, "the receiver takes all units");
            });
        };
        let Ok(handle) = reader.spawn_scoped(scope, read) else {
            (0..n_files).for_each(|_| each(without_memory(main)));
            return;
        };
        receiver.into_iter().for_each(each);
        if let Err(panic) = handle.join() {
            std::panic::resume_unwind(panic);
        }
    });
}

/// Does something on a stack of its own; `None` where the system gives none.
pub fn on_own_stack<T: Send>(work: impl FnOnce() -> T + Send) -> Option<T> {
    let reader = std::thread::Builder::new().stack_size(STACK);
    std::thread::scope(|scope| {
        let handle = reader.spawn_scoped(scope, work).ok()?;
        let result = handle.join();
        Some(result.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })
}

/// What is left to say where the system gives no stack.
fn without_memory(main: FileId) -> TranslationUnit {
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

/// That there is no stack to read on.
#[must_use]
pub fn no_stack() -> RejectReason {
    RejectReason::Budget {
        limit: format!("{STACK} bytes of stack, which the system does not give"),
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
        let is_told = matches!(rejection.reason, RejectReason::Syntax);
        if !is_told && seen.insert(key) {
            let new = diagnostic(&rejection.reason, rejection.span, Severity::Warning);
            diagnostics.push(new);
        }
    }
}

fn span_key(span: Span) -> (FileId, u32, u32) {
    (span.file, span.start, span.end)
}
