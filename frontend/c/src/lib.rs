//! The C front end: lowers C files to `NestTree`s.
//!
//! # The stages
//!
//! ```text
//! bytes ──preprocess──▶ text, origins, pragmas ──syntax──▶ Unit ──link, lower──▶ NestTrees
//!        (C11 phases 2 to 4)                    (C11 6.5 to 6.9)  (imperative syntax)
//! ```
//!
//! 1. `preprocess` turns a file and its includes into one text without directives and macros, in which every token has
//!    its place in the source. Headers that many files begin with are preprocessed once.
//! 2. `syntax` parses the text of a translation unit by recursive descent.
//! 3. `units` parses the texts of a program in parallel; common preambles of files are separate units if they only
//!    declare.
//! 4. [`read_linked`] links the units with those of `library_models`, and lowers every function with a loop to one
//!    `NestTree`.
//!
//! What is not understood is a rejection in the tree of the function that contains it; the rest of the file is not
//! affected.
//!
//! The parser is written by hand. C cannot be parsed without the table of its typedef names: to a grammar without one,
//! `(n) - a * b` is a cast of `-a`, times `b`. tree-sitter-c (0.24) parses it so, and has no tree for `__attribute__`
//! after a declarator, `_Complex` after a type, or a declarator with two qualifiers; repairing such trees is more work
//! than parsing C.
//!
//! # Preambles
//!
//! The common beginning of C files is read once. As long as a file has read only headers, the state of the
//! preprocessor depends on these and the options alone: the beginning of the second file is kept, text and state, and
//! the third file continues from there. The text is parsed once, too, and is a separate unit if it only declares. A
//! header that defines something, has an error, ends within a declaration, uses `#pragma pack`, or declares a struct
//! that the file completes, is a part of each text instead. Tests with random programs compare both ways.
//!
//! # How to add a construct
//!
//! A directive is an arm in `preprocess/directives`; an expression, statement or specifier is a function in the module
//! of `syntax` with its production, with its words in `syntax/keywords`; an attribute that affects layout is an arm in
//! `syntax/attributes`. A library function with known effects is a definition in `library_models/`.

mod library_models;
mod preprocess;
mod syntax;
#[cfg(test)]
mod tests;
mod units;

pub use preprocess::{
    MacroFlag, NearbyFiles, ObjectMacro, Pragma, PreprocessOptions, Preprocessed, preprocess,
};

pub use premiss_incremental::{FileOutcome, TranslationUnit};

use premiss_ast::{FunctionEffect, FunctionTable};
use premiss_incremental::{
    FrontendReport, IncrementalCache, IncrementalProgram, UnitInput, add_notes_on_bytes,
    included_text_fingerprint, read_on_own_stack, translate,
};
use premiss_link::{
    FunctionModels, InlineBudget, LazyUnit, LinkOptions, LinkUnit, Program, Queries, SizeOptions,
    no_stack, on_own_stack,
};
use premiss_source::{FileId, Files, MemoryFiles, SourceMap, Span};
use preprocess::{Preamble, PreprocessCache, preprocess_with};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use syntax::{Names, SyntaxError, UnitId};
use units::UnitReader;

/// The name of the file with the stated definitions of functions.
const FUNCTIONS: &str = "<functions>";
/// The limits of inlining for calls into other files: with higher ones, large test programs would spend nine tenths of
/// the time on such calls and gain next to nothing.
const INLINE_BUDGET: InlineBudget = InlineBudget {
    per_function: 50_000,
    shared: 10_000_000,
    for_loops: 200_000,
    total: 100_000_000,
    own_bodies: u64::MAX,
    own_body: u64::MAX,
};

/// How to read a file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// The directories that are searched for includes, in order.
    pub include_dirs: Vec<String>,
    /// The directories that are searched before those for includes in quotes.
    pub quote_dirs: Vec<String>,
    /// Files that are read before the file itself, in order.
    pub forced_includes: Vec<String>,
    /// Macros of the command line, in order.
    pub macros: Vec<MacroFlag>,
    /// Values for macros, constants, and sizes of functions, by name.
    pub sizes: BTreeMap<String, i64>,
    /// Names of macros, constants and sizes of functions that stay sizes without a value, regardless of their values
    /// in the program.
    pub symbolic: BTreeSet<String>,
    /// Whether floating-point and complex numbers that depend on data are assumed to be no NaN and to differ from all
    /// constants that they are compared with.
    pub dense: bool,
    /// Whether trees are built without operations, for callers that only need loop nests.
    pub without_operations: bool,
    /// The effects that the user states for functions; they take precedence over definitions.
    pub functions: FunctionTable,
    /// Where headers are searched by name if no include directory has them.
    pub nearby: Arc<NearbyFiles>,
}

/// Reads a C file and its includes, and lowers its functions.
///
/// Never fails: problems are reported in the diagnostics.
pub fn read(
    sources: &mut SourceMap,
    main: FileId,
    options: &Options,
    files: &dyn Files,
) -> TranslationUnit {
    let mut read = None;
    let mains = [(main, options.clone())];
    read_linked(sources, &mains, None, files, &mut |_, outcome| {
        read = outcome.into_read();
    });
    read.unwrap_or_default()
}

/// Reads C files that form one program, each with its own options; sizes and stated functions are those of the first
/// file's options. A call of a function that another of the files defines is treated as a call within a file, and an
/// `extern` declaration refers to the definition in another file. With a cache of an earlier run, files whose results
/// are still valid are not lowered again.
///
/// Never fails: problems are diagnostics and rejections. `each` is called once per file of `mains`, in order, with the
/// outcome and all texts that were read.
pub fn read_linked(
    sources: &mut SourceMap,
    mains: &[(FileId, Options)],
    cache: Option<&IncrementalCache>,
    files: &dyn Files,
    each: &mut dyn FnMut(&SourceMap, FileOutcome<TranslationUnit>),
) {
    let mut known = PreprocessCache::default();
    let mut preprocessed = Vec::new();
    for (main, options) in mains {
        let options = PreprocessOptions {
            include_dirs: options.include_dirs.clone(),
            quote_dirs: options.quote_dirs.clone(),
            forced_includes: options.forced_includes.clone(),
            macros: options.macros.clone(),
            overrides: options.sizes.clone(),
            symbolic: options.symbolic.clone(),
            nearby: options.nearby.clone(),
        };
        let one = preprocess_with(sources, *main, &options, &mut known, files);
        preprocessed.push(one);
    }
    let Some((main, options)) = mains.first() else {
        return;
    };
    preprocessed.push(stated_bodies(sources, &options.functions, *main));
    let texts = (preprocessed, known.into_preambles());
    let sources = &*sources;
    let read = |each: &mut dyn FnMut(FileOutcome<TranslationUnit>)| {
        read_texts(sources, texts, (options, cache), each);
    };
    read_on_own_stack(*main, mains.len(), read, &mut |outcome| {
        each(sources, outcome);
    });
}

/// The definitions that are stated or known of functions, as a file.
fn stated_bodies(
    sources: &mut SourceMap,
    functions: &FunctionTable,
    otherwise: FileId,
) -> Preprocessed {
    let mut text = String::new();
    for definition in functions.definitions() {
        text.push_str(definition);
        text.push('\n');
    }
    text.push_str(&library_models::definitions());
    let options = PreprocessOptions::default();
    let file = sources.add(FUNCTIONS, text.into_bytes());
    preprocess(
        sources,
        file.unwrap_or(otherwise),
        &options,
        &MemoryFiles::new(),
    )
}

/// Checks that a text is a C definition of a function of that name.
///
/// # Errors
///
/// If the text is not valid C or does not define the function; the message says why.
pub fn check_definition(name: &str, text: &str) -> Result<(), String> {
    let mut sources = SourceMap::new();
    let Some(file) = sources.add(FUNCTIONS, text.into()) else {
        return Err("it has 4 GiB or more".to_owned());
    };
    let entry = (name.to_owned(), FunctionEffect::Body(text.to_owned()));
    let table = FunctionTable::new([entry]);
    let preprocessed = stated_bodies(&mut sources, &table, file);
    let parse = || {
        let text = (preprocessed.text.as_str(), preprocessed.pragmas.as_slice());
        let read = syntax::parse(UnitId(0), text, &[], &mut Names::default());
        let defines = |item: &syntax::Item| match item {
            syntax::Item::Function(function) => &*function.name == name,
            syntax::Item::Declaration(_) => false,
        };
        match (read.unit.items.iter().any(defines), read.errors.is_empty()) {
            (true, true) => Ok(()),
            (_, false) => Err("it is not valid C".to_owned()),
            (false, true) => Err(format!("it defines no function `{name}`")),
        }
    };
    on_own_stack(parse).unwrap_or_else(|| Err(no_stack().message()))
}

fn read_texts(
    sources: &SourceMap,
    (mut texts, preambles): (Vec<Preprocessed>, Vec<Preamble>),
    (options, cache): (&Options, Option<&IncrementalCache>),
    each: &mut dyn FnMut(FileOutcome<TranslationUnit>),
) {
    let number = |idx: usize| UnitId(u32::try_from(idx).unwrap_or(u32::MAX));
    let (reader, begun) = UnitReader::new(&preambles, number(texts.len()));
    let read = reader.read_all(&mut texts);
    let kept: Vec<BTreeMap<String, Option<Span>>> = texts.iter().map(kept_sizes).collect();
    let units = read.iter().zip(texts.iter().zip(&kept));
    let units = units.map(|((unit, _), (text, size_macros))| UnitInput {
        unit: LinkUnit {
            syntax: LazyUnit::Ready(unit),
            origins: &text.origins,
            size_macros,
            prelude: text.after.map(|id| reader.unit_of(id)),
        },
        translation: 0,
        included: included_text_fingerprint(sources, &text.origins, size_macros, &text.diagnostics),
        frontend_summary: &[],
    });
    let begun = begun.iter().zip(&preambles);
    let begun = begun.map(|(unit, text)| UnitInput {
        unit: LinkUnit {
            syntax: LazyUnit::Ready(unit),
            origins: &text.origins,
            size_macros: &text.symbolic_macros,
            prelude: text.after.map(|id| reader.unit_of(id)),
        },
        translation: 0,
        included: included_text_fingerprint(sources, &text.origins, &text.symbolic_macros, &[]),
        frontend_summary: &[],
    });
    let sizes = SizeOptions {
        values: &options.sizes,
        symbolic: &options.symbolic,
        dense: options.dense,
        without_operations: options.without_operations,
    };
    // The last text has the stated functions, which belong to no file.
    let n_files = texts.len().saturating_sub(1);
    let models = FunctionModels {
        stated: &options.functions,
        builtin: number(n_files),
    };
    let units = units.chain(begun).collect();
    let options = LinkOptions {
        models,
        sizes,
        budget: INLINE_BUDGET,
    };
    let program = IncrementalProgram::link(units, options, sources, cache);
    let files = texts.iter().zip(&read).take(n_files).enumerate();
    let reports = files.map(|(idx, (text, (_, errors)))| {
        let mut report = report(program.program(), text, errors);
        if idx == 0 {
            add_notes_on_bytes(sources, &mut report.diagnostics);
        }
        report
    });
    let reports = reports.collect();
    let mut used_sizes = BTreeSet::new();
    for text in &texts {
        used_sizes.extend(text.overridden.iter().cloned());
        used_sizes.extend(text.symbolic_macros.keys().cloned());
    }
    translate(&program, reports, &used_sizes, each);
}

/// The report on a preprocessed and parsed file.
fn report(program: &Program, text: &Preprocessed, errors: &[SyntaxError]) -> FrontendReport {
    let placed = errors.iter();
    let placed = placed.map(|error| (error.reason.clone(), program.span(error.at)));
    FrontendReport {
        diagnostics: text.diagnostics.clone(),
        syntax_errors: placed.collect(),
        size_names: text.object_macros.keys().cloned().collect(),
        sizes_in_conditions: text.sizes_in_conditions.clone(),
    }
}

/// The macros that are left unexpanded in a text as sizes, with the places of their definitions.
fn kept_sizes(text: &Preprocessed) -> BTreeMap<String, Option<Span>> {
    let kept = text.symbolic_macros.iter();
    kept.map(|(name, kept)| (name.clone(), kept.defined_at))
        .collect()
}
