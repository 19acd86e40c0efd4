//! The driver: reads the main file to its end and writes the resulting text.

use super::budget::{self, Budget};
use super::expand;
use super::include;
use super::integers;
use super::macros::MacroTable;
use super::options::PreprocessOptions;
use super::output::Output;
use super::preamble_reuse;
use super::preambles::PreambleProgress;
use super::predefined;
use super::preprocessed::{Pragma, Preprocessed};
use super::report::Report;
use super::state::{HeaderRole, PreprocessCache, Preprocessor, Reader};
use super::token::{Kind, Name, Token};
use premiss_ast::OriginMap;
use premiss_source::{FileId, Files, SourceMap};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::rc::Rc;

/// Preprocesses the file `main` (C11 5.1.1.2, phases 2 to 4). Never fails: problems are reported in the diagnostics.
///
/// Headers come from `files`. Every file that is read is added to `sources`; built-in headers have paths such as
/// `<stdio.h>`.
pub fn preprocess(
    sources: &mut SourceMap,
    main: FileId,
    options: &PreprocessOptions,
    files: &dyn Files,
) -> Preprocessed {
    preprocess_with(
        sources,
        main,
        options,
        &mut PreprocessCache::default(),
        files,
    )
}

/// Preprocesses a file of a program whose files have many headers in common.
pub(crate) fn preprocess_with(
    sources: &mut SourceMap,
    main: FileId,
    options: &PreprocessOptions,
    cache: &mut PreprocessCache,
    files: &dyn Files,
) -> Preprocessed {
    let mut preprocessor = Preprocessor {
        sources,
        main,
        options,
        files,
        names: std::mem::take(&mut cache.names),
        macros: MacroTable::default(),
        readers: Vec::new(),
        contexts: Vec::new(),
        argument_depth: 0,
        budget: Budget::default(),
        output: Output::default(),
        pragmas: Vec::new(),
        report: Report::default(),
        counter: 0,
        overridden: BTreeSet::new(),
        symbolic_macros: BTreeMap::new(),
        candidates: Rc::default(),
        cache: std::mem::take(cache),
        entered: HashSet::new(),
        once: HashSet::new(),
        guards: HashMap::new(),
        missing: HashSet::new(),
        refusal: None,
        by_name: HashSet::new(),
        sizes_in_conditions: BTreeSet::new(),
        progress: PreambleProgress::default(),
        names_main: false,
    };
    predefined::define_predefined(&mut preprocessor);
    run(&mut preprocessor);
    let preprocessed = finish(&mut preprocessor);
    *cache = preprocessor.cache;
    cache.names = preprocessor.names;
    preprocessed
}

fn run(ctx: &mut Preprocessor) {
    let path = ctx.sources.file(ctx.main).path().to_owned();
    ctx.cache.by_path.insert(path, Ok(ctx.main));
    ctx.readers.push(Reader::new(ctx.main, HeaderRole::User));
    preamble_reuse::start_preamble(ctx);
    include::enter_forced_includes(ctx);
    while !ctx.budget.is_exhausted() {
        match expand::next_expanded(ctx) {
            Some(token) if token.kind == Kind::Identifier && token.name == Name::PRAGMA => {
                pragma_operator(ctx, token);
            }
            Some(token) => write(ctx, token),
            None if !include::leave_file(ctx) => break,
            None => {}
        }
    }
    if let Some(limit) = ctx.budget.exhausted() {
        ctx.run_over_limit(limit);
    }
}

fn finish(ctx: &mut Preprocessor) -> Preprocessed {
    let object_macros = match ctx.progress.integer_macros.take() {
        Some(known) => Rc::unwrap_or_clone(known),
        None => integers::integer_macros(ctx),
    };
    let kept = ctx.symbolic_macros.iter().map(|(&name, candidate)| {
        let name = ctx.names.spelling(name).to_owned();
        (name, integers::object_macro(ctx, candidate))
    });
    let kept = kept.collect();
    let output = std::mem::take(&mut ctx.output);
    Preprocessed {
        after: ctx.progress.after,
        text: output.text,
        origins: OriginMap::new(ctx.main, output.runs),
        pragmas: std::mem::take(&mut ctx.pragmas),
        diagnostics: std::mem::take(&mut ctx.report).finish(),
        overridden: std::mem::take(&mut ctx.overridden),
        symbolic_macros: kept,
        sizes_in_conditions: std::mem::take(&mut ctx.sizes_in_conditions),
        object_macros,
    }
}

fn write(ctx: &mut Preprocessor, token: Token) {
    if ctx.budget.is_over() {
        return;
    }
    ctx.output.write(token, &ctx.names, ctx.sources);
    if ctx.progress.n_bytes + ctx.output.text.len() > budget::Limit::Text.value() {
        ctx.budget.exceed(budget::Limit::Text);
    }
}

/// `_Pragma ( "…" )`, in a file or from a macro.
fn pragma_operator(ctx: &mut Preprocessor, operator: Token) {
    let offset = ctx.output.text.len();
    let mut read = Vec::new();
    let mut next_is = |ctx: &mut Preprocessor, wanted: &dyn Fn(&Token) -> bool| {
        let token = expand::next_expanded(ctx);
        read.extend(token);
        token.filter(wanted)
    };
    let open = next_is(ctx, &|token| token.is(Name::LEFT_PARENTHESIS));
    let string = open.and_then(|_| next_is(ctx, &|token| token.kind == Kind::String));
    let close = string.and_then(|_| next_is(ctx, &|token| token.is(Name::RIGHT_PARENTHESIS)));
    let (Some(string), Some(close)) = (string, close) else {
        ctx.malformed_directive("`_Pragma` needs a string in parentheses", operator.span);
        for token in read {
            write(ctx, token);
        }
        return;
    };
    let text = unquoted(ctx.names.spelling(string.name));
    let span = operator.span.cover(close.span);
    if !ctx.budget.is_over() {
        ctx.pragmas.push(Pragma { text, span, offset });
    }
}

/// The text of a string literal without quotes and escapes (C11 6.10.9).
fn unquoted(literal: &str) -> String {
    let inner = literal.split_once('"').map_or("", |(_, rest)| rest);
    let inner = inner.strip_suffix('"').unwrap_or(inner);
    let mut text = String::with_capacity(inner.len());
    let mut characters = inner.chars().peekable();
    while let Some(character) = characters.next() {
        match (character, characters.peek()) {
            ('\\', Some(&escaped @ ('"' | '\\'))) => {
                text.push(escaped);
                characters.next();
            }
            _ => text.push(character),
        }
    }
    text.trim().to_owned()
}
