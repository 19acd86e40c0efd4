//! From files to programs: each language's front end, with files of one language read as one program.

use crate::language::Language;
use crate::program::Program;
use crate::read_options::ReadOptions;
use premiss_incremental::{IncrementalCache, PathAndBytes, TranslationUnit};
use premiss_source::{FileId, Files, ObservedFiles, SourceMap};
use std::collections::BTreeSet;

/// Takes the program of a file, with all files that were read.
type ProgramSink<'a> = dyn FnMut(&SourceMap, FileId, Program) + 'a;

/// How many files are put together at a time.
const FILES_TOGETHER: usize = 32;

/// Reads a file and what it includes.
pub fn read(
    sources: &mut SourceMap,
    file: FileId,
    options: &ReadOptions,
    files: &dyn Files,
) -> Program {
    let mut found = Program::default();
    let mains = [(file, options.clone())];
    read_linked(sources, &mains, files, &mut |_, _, program| found = program);
    found
}

/// Reads files, each with its own options; those of one language make one program: calls from one to
/// another are followed, and what one declares another may define. A file whose name tells no language
/// is read as C. `each` gets a program for each file, with all files that were read: first those in C, then those in Fortran, then
/// those in Rust, in order.
pub fn read_linked(
    sources: &mut SourceMap,
    mains: &[(FileId, ReadOptions)],
    files: &dyn Files,
    each: &mut dyn FnMut(&SourceMap, FileId, Program),
) {
    read_remembering(sources, mains, None, files, each);
}

/// The same, where files that are as an earlier run left them are not read in full again: what they have was
/// said then. Files have to be the first of the texts, and sizes, options and the program itself the same as then.
pub fn read_remembering(
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
            for (file, options) in &group {
                let known = TranslationUnit {
                    is_reused: true,
                    ..TranslationUnit::default()
                };
                each(
                    sources,
                    *file,
                    Program::of_unit(sources, *file, known, options),
                );
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
        let mut emit = |sources: &SourceMap, unit| batch.unit(sources, unit, each);
        match language {
            Language::C => {
                let group = with_options(&group, ReadOptions::for_c);
                premiss_c::read_remembering(sources, &group, cache, &observed, &mut emit);
            }
            Language::Fortran => {
                let group = with_options(&group, ReadOptions::for_fortran);
                premiss_fortran::read_remembering(sources, &group, cache, &observed, &mut emit);
            }
            Language::Rust => {
                let group = with_options(&group, ReadOptions::for_rust);
                premiss_rust::read_linked(sources, &group, &mut emit);
            }
        }
        batch.flush(sources, each);
        if let (Some(cache), Some((first, _))) = (cache, group.first()) {
            cache.record_lookups(*first, requested);
        }
    }
}

/// Files of one language that have been read, put together side by side.
struct UnitBatch<'a> {
    /// Those that are still to come.
    rest: std::slice::Iter<'a, (FileId, ReadOptions)>,
    open: Vec<(&'a (FileId, ReadOptions), TranslationUnit)>,
    /// How many of these are not as an earlier run left them.
    n_new: usize,
}

impl UnitBatch<'_> {
    fn unit(&mut self, sources: &SourceMap, unit: TranslationUnit, each: &mut ProgramSink<'_>) {
        self.n_new += usize::from(!unit.is_reused);
        self.open.extend(self.rest.next().map(|file| (file, unit)));
        if FILES_TOGETHER <= self.n_new {
            self.flush(sources, each);
        }
    }

    /// Hands on the programs of the units that have come so far.
    fn flush(&mut self, sources: &SourceMap, each: &mut ProgramSink<'_>) {
        let open = std::mem::take(&mut self.open);
        self.n_new = 0;
        let programs = premiss_parallel::map(open, |((file, options), unit)| {
            (*file, Program::of_unit(sources, *file, unit, options))
        });
        for (file, program) in programs {
            each(sources, file, program);
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
