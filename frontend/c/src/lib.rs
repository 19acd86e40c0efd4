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

mod effects;
mod lowering;
mod preprocess;
mod syntax;
#[cfg(test)]
mod tests;

pub use preprocess::{
    MacroFlag, NearbyFiles, ObjectMacro, OriginMap, Pragma, PreprocessOptions, Preprocessed,
    preprocess,
};

pub use effects::{FunctionEffect, FunctionTable, ResultKind};

use lowering::{Parsed, Program, Sizes, Stated};
use premiss_source::{Diagnostic, FileId, Label, Severity, SourceMap, Span};
use premiss_tree::{NestTree, RejectReason};
use preprocess::{KnownFiles, preprocess_with};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use syntax::{Names, SyntaxError, UnitId};

/// The name of the file that holds what is stated of functions.
const FUNCTIONS: &str = "<functions>";
/// Stack for reading one file, enough for what nests as deep as the limits allow.
const STACK: usize = 512 << 20;
/// How many syntax errors of one file are told.
const MAX_SYNTAX_ERRORS: usize = 100;

/// How to read a file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// Folders in which includes are looked for, in order.
    pub include_dirs: Vec<String>,
    /// Folders in which includes in quotes are looked for before those.
    pub quote_dirs: Vec<String>,
    /// Files that are read before the file itself.
    pub forced_includes: Vec<String>,
    /// Macros of the command line, in order.
    pub macros: Vec<MacroFlag>,
    /// Values for macros, constants, and sizes of functions, by name.
    pub sizes: BTreeMap<String, i64>,
    /// Macros, constants and sizes of functions that are kept as sizes without a value, whatever the
    /// program says that they are.
    pub symbolic: BTreeSet<String>,
    /// What is stated of functions, whatever their definitions say.
    pub functions: FunctionTable,
    /// Where headers are looked for by their names that no folder has.
    pub nearby: Arc<NearbyFiles>,
}

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
    let mut units = Vec::new();
    let file = (main, options.clone());
    read_linked(sources, &[file], load, &mut |unit| units.push(unit));
    units.pop().unwrap_or_default()
}

/// Reads C files that make one program, each with its own options; the sizes given, and what is stated
/// of functions, are those of the first. A call of a function that another of the files defines is
/// followed as within a file, and what is declared `extern` in one is what another defines.
///
/// Never fails. `each` gets a unit for each file, in order.
pub fn read_linked(
    sources: &mut SourceMap,
    files: &[(FileId, Options)],
    load: &mut dyn FnMut(&str) -> Option<Vec<u8>>,
    each: &mut dyn FnMut(TranslationUnit),
) {
    let mut known = KnownFiles::default();
    let mut preprocessed = Vec::new();
    for (main, options) in files {
        let options = PreprocessOptions {
            include_dirs: options.include_dirs.clone(),
            quote_dirs: options.quote_dirs.clone(),
            forced_includes: options.forced_includes.clone(),
            macros: options.macros.clone(),
            overrides: options.sizes.clone(),
            symbolic: options.symbolic.clone(),
            nearby: options.nearby.clone(),
        };
        let one = preprocess_with(sources, *main, &options, &mut known, load);
        preprocessed.push(one);
    }
    let Some((main, options)) = files.first() else {
        return;
    };
    preprocessed.push(stated_bodies(sources, &options.functions, *main));
    let sources = &*sources;
    let reader = std::thread::Builder::new().stack_size(STACK);
    std::thread::scope(|scope| {
        // A unit is made while the one before is dealt with.
        let (sender, receiver) = std::sync::mpsc::sync_channel(1);
        let read = move || {
            read_texts(sources, preprocessed, options, &mut |unit| {
                let is_waited_for = sender.send(unit).is_ok();
                debug_assert!(is_waited_for, "the receiver takes all units");
            });
        };
        let Ok(handle) = reader.spawn_scoped(scope, read) else {
            files.iter().for_each(|_| each(without_memory(*main)));
            return;
        };
        receiver.into_iter().for_each(each);
        if let Err(panic) = handle.join() {
            std::panic::resume_unwind(panic);
        }
    });
}

/// The definitions that are stated or known of functions, as a file.
fn stated_bodies(
    sources: &mut SourceMap,
    functions: &FunctionTable,
    otherwise: FileId,
) -> Preprocessed {
    let mut text = functions.bodies();
    text.push_str(&effects::known_bodies());
    let options = PreprocessOptions::default();
    let file = sources.add(FUNCTIONS, text.into_bytes());
    preprocess(sources, file.unwrap_or(otherwise), &options, &mut |_| None)
}

/// Checks that a text defines a function of that name.
///
/// # Errors
///
/// It does not, or is no C: why.
pub fn check_definition(name: &str, text: &str) -> Result<(), String> {
    let mut sources = SourceMap::new();
    let Some(file) = sources.add(FUNCTIONS, text.into()) else {
        return Err("it has 4 GiB or more".to_owned());
    };
    let entry = (name.to_owned(), FunctionEffect::Body(text.to_owned()));
    let table = FunctionTable::new([entry]);
    let preprocessed = stated_bodies(&mut sources, &table, file);
    let reader = std::thread::Builder::new().stack_size(STACK);
    let parse = || {
        let (unit, errors) = syntax::parse(
            UnitId(0),
            &preprocessed.text,
            &preprocessed.pragmas,
            &mut Names::default(),
        );
        let defines = |item: &syntax::Item| match item {
            syntax::Item::Function(function) => &*function.name == name,
            syntax::Item::Declaration(_) => false,
        };
        match (unit.items.iter().any(defines), errors.is_empty()) {
            (true, true) => Ok(()),
            (_, false) => Err("it is not valid C".to_owned()),
            (false, true) => Err(format!("it defines no function `{name}`")),
        }
    };
    std::thread::scope(|scope| match reader.spawn_scoped(scope, parse) {
        Ok(handle) => {
            let result = handle.join();
            result.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        }
        Err(_) => Err(format!("reading it takes {STACK} bytes of stack")),
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
        diagnostics: vec![diagnostic(&reason, span, Severity::Error)],
        ..TranslationUnit::default()
    }
}

fn read_texts(
    sources: &SourceMap,
    preprocessed: Vec<Preprocessed>,
    options: &Options,
    each: &mut dyn FnMut(TranslationUnit),
) {
    let mut texts = preprocessed;
    let mut parsed = Vec::new();
    let mut names = Names::default();
    for (unit, one) in (0..).map(UnitId).zip(&mut texts) {
        // The text is needed for nothing else: the tree has its places.
        let text = std::mem::take(&mut one.text);
        parsed.push(syntax::parse(unit, &text, &one.pragmas, &mut names));
    }
    let units = parsed.iter().zip(&texts).map(|((unit, _), text)| Parsed {
        unit,
        origins: &text.origins,
        kept: &text.kept,
    });
    let sizes = Sizes {
        values: &options.sizes,
        symbolic: &options.symbolic,
    };
    let last = u32::try_from(texts.len()).unwrap_or(u32::MAX);
    let stated = Stated {
        table: &options.functions,
        known: UnitId(last.saturating_sub(1)),
    };
    let program = Program::new(units.collect(), stated, sizes, sources);
    lowering::lower_units(&program, &mut |lowered| {
        let idx = lowered.unit.0 as usize;
        // The last text is that of stated functions, which is nobody's file.
        let (Some(text), Some((_, errors))) = (texts.get(idx), parsed.get(idx)) else {
            return;
        };
        if idx + 1 == texts.len() {
            return;
        }
        let mut diagnostics = text.diagnostics.clone();
        if idx == 0 {
            add_notes_on_bytes(sources, &mut diagnostics);
        }
        add_syntax_errors(&program, errors, &mut diagnostics);
        add_rejections(&lowered.trees, &mut diagnostics);
        let mut size_names = lowered.names;
        size_names.extend(text.object_macros.keys().cloned());
        let mut used_sizes = program.used_sizes();
        for text in &texts {
            used_sizes.extend(text.overridden.iter().cloned());
            used_sizes.extend(text.kept.keys().cloned());
        }
        each(TranslationUnit {
            functions: lowered.trees,
            diagnostics,
            used_sizes,
            size_names,
        });
    });
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
