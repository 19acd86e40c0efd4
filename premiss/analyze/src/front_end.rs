//! The front ends of all languages behind one function; files of one language are read as one program.

use crate::language::Language;
use crate::program::Program;
use crate::read_options::ReadOptions;
use premiss_incremental::{
    FileOutcome, IncrementalCache, PathAndBytes, SizeNames, TranslationUnit,
};
use premiss_source::{FileId, Files, ObservedFiles, SourceMap};
use std::collections::BTreeSet;

/// Receives the program of a file, with all files that were read.
type ProgramSink<'a> = dyn FnMut(&SourceMap, FileId, FileOutcome<Program>) + 'a;

/// How many files are turned into programs at a time, in parallel.
const FILES_TOGETHER: usize = 32;

/// Reads a file, in the language that its name tells, with all that it includes. `files` provides the files that it
/// includes or uses; what cannot be read or understood becomes a diagnostic of the program.
pub fn read(
    sources: &mut SourceMap,
    file: FileId,
    options: &ReadOptions,
    files: &dyn Files,
) -> Program {
    let mut program = None;
    let mains = [(file, options.clone())];
    read_linked(sources, &mains, None, files, &mut |_, _, outcome| {
        program = outcome.into_read();
    });
    program.unwrap_or_default()
}

/// Reads files, each with its own options. The files of one language make one program: calls from one file to another
/// are followed, and one file may define what another declares. A file whose name tells no language is read as C.
/// `each` is called once for each file, with all files that were read so far: first for those in C, then Fortran, then
/// Rust, in the order of `mains`.
///
/// With a cache of an earlier run, files whose results are still valid are not read in full. `mains` have to be the
/// first files of `sources`, and sizes, options and the premiss program itself the same as in that run.
pub fn read_linked(
    sources: &mut SourceMap,
    mains: &[(FileId, ReadOptions)],
    cache: Option<&IncrementalCache>,
    files: &dyn Files,
    each: &mut ProgramSink<'_>,
) {
    for language in [Language::C, Language::Fortran, Language::Rust] {
        let is_of = |(file, _): &&(FileId, ReadOptions)| {
            let path = sources.file(*file).path();
            Language::of_path(path).unwrap_or(Language::C) == language
        };
        let group: Vec<_> = mains.iter().filter(is_of).cloned().collect();
        if let (Some(cache), Some((first, _))) = (cache, group.first())
            && let Some(texts) = unchanged_texts(sources, &group, cache)
        {
            for (path, bytes) in texts.iter().cloned() {
                sources.add(path, bytes);
            }
            cache.carry_over(*first);
            for (file, _) in &group {
                each(sources, *file, FileOutcome::Reused(SizeNames::default()));
            }
            continue;
        }
        let mut requested = BTreeSet::new();
        let observed = ObservedFiles::new(files, |path: &str, _: Option<&[u8]>| {
            requested.insert(path.to_owned());
        });
        let mut batch = UnitBatch {
            rest: group.iter(),
            open: Vec::new(),
            n_new: 0,
        };
        let mut emit = |sources: &SourceMap, outcome| batch.unit(sources, outcome, each);
        match language {
            Language::C => {
                let group = with_options(&group, ReadOptions::for_c);
                premiss_c::read_linked(sources, &group, cache, &observed, &mut emit);
            }
            Language::Fortran => {
                let group = with_options(&group, ReadOptions::for_fortran);
                premiss_fortran::read_linked(sources, &group, cache, &observed, &mut emit);
            }
            Language::Rust => {
                let group = with_options(&group, ReadOptions::for_rust);
                premiss_rust::read_linked(sources, &group, &observed, &mut emit);
            }
        }
        batch.flush(sources, each);
        if let (Some(cache), Some((first, _))) = (cache, group.first()) {
            cache.record_lookups(*first, requested);
        }
    }
}

/// Files of one language that have been read and wait to be turned into programs together.
struct UnitBatch<'a> {
    /// Files that have not been read yet.
    rest: std::slice::Iter<'a, (FileId, ReadOptions)>,
    open: Vec<(&'a (FileId, ReadOptions), FileOutcome<TranslationUnit>)>,
    /// How many of these were read.
    n_new: usize,
}

impl UnitBatch<'_> {
    fn unit(
        &mut self,
        sources: &SourceMap,
        outcome: FileOutcome<TranslationUnit>,
        each: &mut ProgramSink<'_>,
    ) {
        self.n_new += usize::from(matches!(outcome, FileOutcome::Read(_)));
        self.open
            .extend(self.rest.next().map(|file| (file, outcome)));
        if FILES_TOGETHER <= self.n_new {
            self.flush(sources, each);
        }
    }

    /// Passes on the results of the files read so far.
    fn flush(&mut self, sources: &SourceMap, each: &mut ProgramSink<'_>) {
        let open = std::mem::take(&mut self.open);
        self.n_new = 0;
        let outcomes = premiss_parallel::map(open, |((file, options), outcome)| {
            let program = |unit| Program::of_unit(sources, *file, unit, options);
            (*file, outcome.map(program))
        });
        for (file, outcome) in outcomes {
            each(sources, file, outcome);
        }
    }
}

/// The texts that files of one language come with, where they need not be read. Which sizes they have names for is
/// known only where they are.
fn unchanged_texts<'m>(
    sources: &SourceMap,
    group: &[(FileId, ReadOptions)],
    cache: &'m IncrementalCache,
) -> Option<&'m [PathAndBytes]> {
    let names_no_size = |(_, options): &(FileId, ReadOptions)| {
        options.sizes.is_empty() && options.symbolic.is_empty()
    };
    let files: Vec<FileId> = group.iter().map(|(file, _)| *file).collect();
    cache
        .texts_of_unchanged(sources, &files)
        .filter(|_| group.iter().all(names_no_size))
}

/// The files of a group with the options of their language.
fn with_options<O>(
    group: &[(FileId, ReadOptions)],
    convert: impl Fn(&ReadOptions) -> O,
) -> Vec<(FileId, O)> {
    let files = group.iter();
    files
        .map(|(file, options)| (*file, convert(options)))
        .collect()
}
