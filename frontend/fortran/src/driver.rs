//! Runs the stages of the front end on the files of a program.
//!
//! Incrementality: a file for which an earlier run stored a summary is not parsed; if its dependencies are unchanged
//! as well, its translation is deferred until another file needs its functions.

use crate::input_file::{FileContent, InputFile};
use crate::missing_modules::missing_modules;
use crate::names::{
    FileDefinitions, FileInput, FileSummary, ProgramIndex, dependency_digests, link,
};
use crate::options::{INLINE_BUDGET, Options};
use crate::syntax::FortranFile;
use crate::text::{SourceForm, expand, expand_plain, runs_of_plain_file};
use crate::translate;
use premiss_ast::OriginMap;
use premiss_ast::syntax::{Notation, Unit, UnitId};
use premiss_incremental::{
    FileOutcome, IncrementalCache, IncrementalProgram, TranslationUnit, UnitInput,
    add_notes_on_bytes, included_text_fingerprint, read_on_own_stack,
};
use premiss_link::{DeferredUnit, FunctionModels, LazyUnit, LinkOptions, LinkUnit, SizeOptions};
use premiss_parallel as parallel;
use premiss_source::{FileId, Files, SourceMap, Span};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// Reads Fortran files that form one program, each with its own options; sizes and stated functions are those of the
/// first file's options. Modules, COMMON blocks and calls are resolved across the files. With a cache of an earlier
/// run, files whose results are still valid are not lowered again.
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
    let Some((main, options)) = mains.first() else {
        return;
    };
    let inputs = load_files(sources, mains, cache, files);
    let sources = &*sources;
    let read = |each: &mut dyn FnMut(FileOutcome<TranslationUnit>)| {
        read_files(sources, &inputs, (options, cache), each);
    };
    read_on_own_stack(*main, mains.len(), read, &mut |outcome| {
        each(sources, outcome);
    });
}

/// Loads files and their includes, or their stored summaries.
fn load_files<'m>(
    sources: &mut SourceMap,
    mains: &[(FileId, Options)],
    cache: Option<&'m IncrementalCache>,
    files: &dyn Files,
) -> Vec<InputFile<'m>> {
    let ids: Vec<FileId> = mains.iter().map(|(file, _)| *file).collect();
    let stored: Vec<&[u8]> = match cache {
        Some(cache) => cache.frontend_summaries(&ids),
        None => vec![&[]; mains.len()],
    };
    let contents = parallel::map(ids.iter().zip(stored), |(main, stored)| {
        let summary = FileSummary::decode(stored);
        let summary = summary.map(|summary| FileContent::Summarized(summary, stored));
        summary.or_else(|| expand_plain(sources, *main).map(FileContent::Expanded))
    });
    let mut inputs = Vec::new();
    for ((file, options), content) in mains.iter().zip(contents) {
        let form = SourceForm::of_file(sources.file(*file));
        let mut content = match content {
            Some(content) => content,
            None => FileContent::Expanded(expand(sources, *file, options, files)),
        };
        let runs = match &mut content {
            FileContent::Expanded(expanded) => std::mem::take(&mut expanded.runs),
            FileContent::Summarized(..) => runs_of_plain_file(sources, *file),
        };
        inputs.push(InputFile {
            origins: OriginMap::new(*file, runs),
            form,
            content,
        });
    }
    inputs
}

/// Fingerprints of each file by which a later run checks whether its results are still valid.
struct FileDigests<'f> {
    /// What its translation depends on in other files, one entry per file.
    dependencies: Vec<u64>,
    /// The texts that it includes, one entry per file.
    included: Vec<u64>,
    /// The stored forms of the summaries, one per file.
    summaries: Vec<Cow<'f, [u8]>>,
}

/// A file as a unit of the program: translated, or with a deferred translation.
enum FileUnit<'a> {
    Ready(Unit),
    Deferred(DeferredUnit<'a>),
}

impl FileUnit<'_> {
    fn into_unit(self) -> Option<Unit> {
        match self {
            Self::Ready(unit) => Some(unit),
            Self::Deferred(deferred) => deferred.into_unit(),
        }
    }

    fn lazy(&self) -> LazyUnit<'_> {
        match self {
            Self::Ready(unit) => LazyUnit::Ready(unit),
            Self::Deferred(deferred) => LazyUnit::Deferred(deferred),
        }
    }
}

fn with_unit_ids<T>(list: &[T]) -> impl ExactSizeIterator<Item = (UnitId, &T)> {
    let number = |idx: usize| UnitId(u32::try_from(idx).unwrap_or(u32::MAX));
    list.iter()
        .enumerate()
        .map(move |(idx, one)| (number(idx), one))
}

/// Parses, links, translates and lowers files.
fn read_files(
    sources: &SourceMap,
    files: &[InputFile],
    (options, cache): (&Options, Option<&IncrementalCache>),
    each: &mut dyn FnMut(FileOutcome<TranslationUnit>),
) {
    let syntax: Vec<Option<FortranFile>> =
        parallel::map(with_unit_ids(files), |(unit, file)| file.parse(unit));
    let inputs = with_unit_ids(files).zip(&syntax);
    let inputs = inputs.filter_map(|((unit, file), syntax)| file.input(unit, syntax.as_ref()));
    let inputs: Vec<FileInput> = inputs.collect();
    let (index, definitions) = link(&inputs);
    let digests = digest_files(sources, files, &inputs, (&index, &definitions), cache);
    let units = translate_files(
        sources,
        files,
        &inputs,
        (&index, definitions),
        (&digests, cache),
    );
    let no_unit = Unit::default();
    let no_origin = OriginMap::new(first_file(sources), Vec::new());
    let no_macros: BTreeMap<String, Option<Span>> = BTreeMap::new();
    let mut parsed: Vec<UnitInput> = Vec::new();
    for (idx, (unit, file)) in units.iter().zip(files).enumerate() {
        parsed.push(UnitInput {
            unit: LinkUnit {
                syntax: unit.lazy(),
                origins: &file.origins,
                size_macros: &no_macros,
                prelude: None,
            },
            translation: digests.dependencies[idx],
            included: digests.included[idx],
            frontend_summary: &digests.summaries[idx],
        });
    }
    // Nothing is known about procedures that no file defines.
    parsed.push(UnitInput {
        unit: LinkUnit {
            syntax: LazyUnit::Ready(&no_unit),
            origins: &no_origin,
            size_macros: &no_macros,
            prelude: None,
        },
        translation: 0,
        included: 0,
        frontend_summary: &[],
    });
    lower_files(
        sources,
        (files, &syntax, &index),
        parsed,
        (options, cache),
        each,
    );
    let units: Vec<Option<Unit>> = units.into_iter().map(FileUnit::into_unit).collect();
    parallel::drop_later((units, index, syntax));
}

fn digest_files<'f>(
    sources: &SourceMap,
    files: &'f [InputFile],
    inputs: &[FileInput],
    (index, definitions): (&ProgramIndex, &[FileDefinitions]),
    cache: Option<&IncrementalCache>,
) -> FileDigests<'f> {
    let no_macros: BTreeMap<String, Option<Span>> = BTreeMap::new();
    let included = parallel::map(files, |file| {
        included_text_fingerprint(sources, &file.origins, &no_macros, file.diagnostics())
    });
    let dependencies = dependency_digests(index, inputs, definitions, &included);
    let with_definitions = files.iter().zip(inputs.iter().zip(definitions));
    let summaries = parallel::map(
        with_definitions,
        |(file, (input, definitions))| match cache {
            Some(_) => file.summary(input, definitions, index),
            None => Cow::default(),
        },
    );
    FileDigests {
        dependencies,
        included,
        summaries,
    }
}

/// Translates the files without a valid earlier result; the others are deferred.
fn translate_files<'a>(
    sources: &'a SourceMap,
    files: &'a [InputFile],
    inputs: &'a [FileInput<'a>],
    (index, definitions): (&'a ProgramIndex, Vec<FileDefinitions<'a>>),
    (digests, cache): (&FileDigests, Option<&'a IncrementalCache>),
) -> Vec<FileUnit<'a>> {
    let mains: Vec<FileId> = files.iter().map(|file| file.origins.main()).collect();
    let summaries = cache.and_then(|cache| Some((cache, cache.summaries(sources, &mains)?)));
    let with_digests = files.iter().zip(&digests.dependencies);
    let all = inputs.iter().zip(definitions).zip(with_digests).enumerate();
    parallel::map(
        all,
        |(idx, ((input, definitions), (file, dependencies)))| {
            let summary = summaries.and_then(|(cache, all)| {
                let record = all.get(idx)?;
                let is_valid = cache.is_valid(record, file.origins.main(), *dependencies);
                is_valid.then_some(record.summary())
            });
            let translate = move || match input {
                FileInput::Parsed(source) => translate::unit(index, source, &definitions),
                FileInput::Summarized(unit, _) => file.translate_deferred(sources, *unit, index),
            };
            match summary {
                Some(summary) => {
                    FileUnit::Deferred(DeferredUnit::new(translate, Notation::Fortran, summary))
                }
                None => FileUnit::Ready(translate()),
            }
        },
    )
}

/// Links units and lowers their functions.
fn lower_files(
    sources: &SourceMap,
    (files, syntax, index): (&[InputFile], &[Option<FortranFile>], &ProgramIndex),
    parsed: Vec<UnitInput>,
    (options, cache): (&Options, Option<&IncrementalCache>),
    each: &mut dyn FnMut(FileOutcome<TranslationUnit>),
) {
    let models = FunctionModels {
        stated: &options.functions,
        builtin: UnitId(u32::try_from(files.len()).unwrap_or(u32::MAX)),
    };
    let sizes = SizeOptions {
        values: &options.sizes,
        symbolic: &options.symbolic,
        dense: options.dense,
        without_operations: options.without_operations,
    };
    let options = LinkOptions {
        models,
        sizes,
        budget: INLINE_BUDGET,
    };
    let program = IncrementalProgram::link(parsed, options, sources, cache);
    let missing = missing_modules(syntax, index, program.program());
    let with_syntax = files.iter().zip(syntax).enumerate();
    let reports = with_syntax.map(|(idx, (file, syntax))| {
        let missing = missing.get(&idx).map_or(&[][..], Vec::as_slice);
        file.report(program.program(), syntax.as_ref(), missing)
    });
    let mut reports: Vec<_> = reports.collect();
    let used_sizes = files.iter().flat_map(InputFile::used_sizes).cloned();
    let used_sizes: BTreeSet<String> = used_sizes.collect();
    if let Some(first) = reports.first_mut() {
        add_notes_on_bytes(sources, &mut first.diagnostics);
    }
    premiss_incremental::translate(&program, reports, &used_sizes, each);
}

fn first_file(sources: &SourceMap) -> FileId {
    let mut files = sources.files();
    files
        .next()
        .map_or_else(|| FileId::from_u32(0), |(id, _)| id)
}
