//! From C text to NestTree.
//!
//! [`read`] preprocesses a file, parses what is left and lowers every function that has a loop to
//! one [`NestTree`]. What is not understood is a rejection in the tree of the function that it
//! concerns; the rest of the file is there all the same.
//!
//! The parser is our own. C cannot be parsed without the table of its typedef names: to a grammar
//! without one, `(n) - a * b` is a cast of `-a`, times `b`. tree-sitter-c (0.24) reads it so, and
//! has no tree for `__attribute__` behind a declarator, `_Complex` behind a type, or a declarator
//! with two qualifiers; repairing such trees takes more than reading C.

mod lowering;
mod preprocess;
mod syntax;
#[cfg(test)]
mod tests;

pub use preprocess::{
    MacroFlag, ObjectMacro, OriginMap, Pragma, PreprocessOptions, Preprocessed, preprocess,
};

use lowering::{Program, Symbolic};
use premiss_source::{Diagnostic, FileId, Label, Severity, SourceMap, Span};
use premiss_tree::{NestTree, RejectReason};
use std::collections::{BTreeMap, BTreeSet};
use syntax::SyntaxError;

/// Stack for reading one file, enough for what nests as deep as the limits allow.
const STACK: usize = 512 << 20;
/// How many syntax errors of one file are told.
const MAX_SYNTAX_ERRORS: usize = 100;

/// How to read a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// Folders in which includes are looked for, in order.
    pub include_dirs: Vec<String>,
    /// Macros of the command line, in order.
    pub macros: Vec<MacroFlag>,
    /// Values for macros, constants, and sizes of functions, by name.
    pub sizes: BTreeMap<String, i64>,
    /// Macros, constants and sizes of functions that are kept as sizes without a value, whatever the
    /// program says that they are.
    pub symbolic: BTreeSet<String>,
}

/// What a file says.
#[derive(Debug)]
pub struct TranslationUnit {
    /// The functions that have a loop, in the order of the source.
    pub functions: Vec<NestTree>,
    /// What there is to say, rejections included.
    pub diagnostics: Vec<Diagnostic>,
    /// Which of the sizes that are given or kept symbolic the program has a name for.
    pub used_sizes: BTreeSet<String>,
    /// The names that can be given a value.
    pub size_names: BTreeSet<String>,
}

/// Reads a C file and what it includes; `load` returns the bytes of the file of a path, where there
/// is one.
///
/// Never fails: what cannot be read is in the diagnostics.
pub fn read(
    sources: &mut SourceMap,
    main: FileId,
    options: &Options,
    load: &mut dyn FnMut(&str) -> Option<Vec<u8>>,
) -> TranslationUnit {
    let preprocess_options = PreprocessOptions {
        include_dirs: options.include_dirs.clone(),
        macros: options.macros.clone(),
        overrides: options.sizes.clone(),
        symbolic: options.symbolic.clone(),
    };
    let preprocessed = preprocess(sources, main, &preprocess_options, load);
    let sources = &*sources;
    let reader = std::thread::Builder::new().stack_size(STACK);
    std::thread::scope(|scope| {
        let read = || read_text(sources, &preprocessed, options);
        let result = match reader.spawn_scoped(scope, read) {
            Ok(handle) => handle.join(),
            Err(_) => return without_memory(main),
        };
        result.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// What is left to say where the system gives no stack.
fn without_memory(main: FileId) -> TranslationUnit {
    let span = Span {
        file: main,
        start: 0,
        end: 0,
    };
    let reason = RejectReason::Budget {
        limit: format!("{STACK} bytes of stack, which the system does not give"),
    };
    TranslationUnit {
        functions: Vec::new(),
        diagnostics: vec![diagnostic(&reason, span, Severity::Error)],
        used_sizes: BTreeSet::new(),
        size_names: BTreeSet::new(),
    }
}

fn read_text(
    sources: &SourceMap,
    preprocessed: &Preprocessed,
    options: &Options,
) -> TranslationUnit {
    let (unit, errors) = syntax::parse(&preprocessed.text);
    let symbolic = Symbolic {
        names: &options.symbolic,
        macros: &preprocessed.kept,
    };
    let origins = &preprocessed.origins;
    let program = Program::new(&unit, &options.sizes, symbolic, sources, origins);
    let (functions, mut size_names) = lowering::lower_unit(&program);
    let mut used_sizes = program.used_sizes();
    used_sizes.extend(preprocessed.overridden.iter().cloned());
    used_sizes.extend(preprocessed.kept.keys().cloned());
    size_names.extend(preprocessed.object_macros.keys().cloned());
    let mut diagnostics = preprocessed.diagnostics.clone();
    add_notes_on_bytes(sources, &mut diagnostics);
    add_syntax_errors(&program, &errors, &mut diagnostics);
    add_rejections(&functions, &mut diagnostics);
    TranslationUnit {
        functions,
        diagnostics,
        used_sizes,
        size_names,
    }
}

fn diagnostic(reason: &RejectReason, span: Span, severity: Severity) -> Diagnostic {
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

fn add_notes_on_bytes(sources: &SourceMap, diagnostics: &mut Vec<Diagnostic>) {
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

fn add_syntax_errors(program: &Program, errors: &[SyntaxError], diagnostics: &mut Vec<Diagnostic>) {
    let mut seen = BTreeSet::new();
    for error in errors {
        let span = program.span(error.at);
        if seen.len() < MAX_SYNTAX_ERRORS && seen.insert(span_key(span)) {
            diagnostics.push(diagnostic(&error.reason, span, Severity::Error));
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
