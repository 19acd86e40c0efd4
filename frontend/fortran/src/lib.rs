//! From Fortran text to NestTree.
//!
//! A file is expanded (`INCLUDE`, preprocessor), split into statements by its source form, parsed; names get
//! their meaning over all files that are read together, modules included; and each procedure is translated
//! into an imperative program, which [`premiss_imperative`] lowers. What is not understood is a rejection
//! in the tree of the procedure that it concerns; the rest of the file is there all the same.

mod array_descriptors;
mod build;
mod intrinsics;
mod names;
mod parser;
mod syntax;
#[cfg(test)]
mod tests;
mod text;
mod translate;

pub use premiss_imperative::TranslationUnit;

use names::{Draft, Index, Own, Source, Told, depends, draft, own_of_plain};
use premiss_imperative::syntax::{Notation, Unit, UnitId};
use premiss_imperative::{
    Deferred, FunctionTable, Links, Memory, OriginMap, Parsed, Program, Prospect, Said, Sizes,
    Stated, add_notes_on_bytes, digest_of_included, read_on_own_stack,
};
use premiss_parallel as parallel;
use premiss_source::{Diagnostic, FileId, SourceMap, Span};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use syntax::File;
use text::{Expanded, Form};

/// How far calls into other files are followed: libraries such as LAPACK are made of them.
const LINKS: Links = Links {
    of_one: 24_000,
    of_few: 50_000_000,
    of_all: 1_000_000_000,
    of_files: u64::MAX,
};

/// How to read a file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// Folders in which includes are looked for, in order.
    pub include_dirs: Vec<String>,
    /// Macros of the command line in order: a name, and its text or `None` where it is undefined.
    pub macros: Vec<(String, Option<String>)>,
    /// Values for constants and sizes of procedures, by name.
    pub sizes: BTreeMap<String, i64>,
    /// Constants and sizes of procedures that are kept as sizes without a value, whatever the program
    /// says that they are.
    pub symbolic: BTreeSet<String>,
    /// Whether real and complex numbers that only running the program would tell are numbers, and equal none of the
    /// constants that they are compared with.
    pub dense: bool,
    /// Whether operations are left out of the trees: what asks for nests alone needs none.
    pub without_operations: bool,
    /// What is stated of procedures, whatever their definitions say.
    pub functions: FunctionTable,
}

/// A file.
struct Text<'m> {
    origins: OriginMap,
    form: Form,
    content: Content<'m>,
}

/// What there is of a file.
enum Content<'m> {
    /// Its text, ready to be parsed.
    Expanded(Expanded),
    /// What an earlier run kept of it, which it still is, with the form in which that was kept.
    Drafted(Draft, &'m [u8]),
}

/// Reads a Fortran file and what it includes; `load` returns the bytes of the file of a path, where there
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
    read_linked(sources, &[file], load, &mut |_, unit| units.push(unit));
    units.pop().unwrap_or_default()
}

/// Reads Fortran files that make one program, each with its own options; the sizes given, and what is
/// stated of procedures, are those of the first. Modules, COMMON blocks and calls lead from one to another.
///
/// Never fails. `each` gets a unit for each file, in order, with all files that were read.
pub fn read_linked(
    sources: &mut SourceMap,
    files: &[(FileId, Options)],
    load: &mut dyn FnMut(&str) -> Option<Vec<u8>>,
    each: &mut dyn FnMut(&SourceMap, TranslationUnit),
) {
    read_remembering(sources, files, None, load, each);
}

/// The same, where files that are as an earlier run left them are not lowered again.
pub fn read_remembering(
    sources: &mut SourceMap,
    files: &[(FileId, Options)],
    memory: Option<&Memory>,
    load: &mut dyn FnMut(&str) -> Option<Vec<u8>>,
    each: &mut dyn FnMut(&SourceMap, TranslationUnit),
) {
    let Some((main, options)) = files.first() else {
        return;
    };
    let mains: Vec<FileId> = files.iter().map(|(file, _)| *file).collect();
    let kept: Vec<&[u8]> = match memory {
        Some(memory) => memory.drafts(&mains),
        None => vec![&[]; files.len()],
    };
    let begun = parallel::map(mains.iter().zip(kept), |(main, kept)| {
        let draft = Draft::read(kept).map(|draft| Content::Drafted(draft, kept));
        draft.or_else(|| text::plain(sources, *main).map(Content::Expanded))
    });
    let mut texts = Vec::new();
    for ((file, options), begun) in files.iter().zip(begun) {
        let form = Form::of_path(sources.file(*file).path());
        let mut content = match begun {
            Some(begun) => begun,
            None => Content::Expanded(text::expand(sources, *file, options, load)),
        };
        let runs = match &mut content {
            Content::Expanded(expanded) => std::mem::take(&mut expanded.runs),
            Content::Drafted(..) => text::whole(sources, *file),
        };
        texts.push(Text {
            origins: OriginMap::new(*file, runs),
            form,
            content,
        });
    }
    let sources = &*sources;
    let read = |each: &mut dyn FnMut(TranslationUnit)| {
        read_texts(sources, &texts, (options, memory), each);
    };
    read_on_own_stack(*main, files.len(), read, &mut |unit| each(sources, unit));
}

fn read_texts(
    sources: &SourceMap,
    texts: &[Text],
    (options, memory): (&Options, Option<&Memory>),
    each: &mut dyn FnMut(TranslationUnit),
) {
    let numbered = || (0..).map(UnitId).zip(texts);
    let files: Vec<Option<File>> = parallel::map(numbered(), |(unit, one)| match &one.content {
        Content::Expanded(expanded) => Some(parser::parse(unit, &expanded.text, one.form)),
        Content::Drafted(..) => None,
    });
    let told = numbered().zip(&files);
    let told: Vec<Told> = told
        .filter_map(|((unit, one), file)| one.told(unit, file.as_ref()))
        .collect();
    let (index, own) = Index::new(&told);
    let kept: BTreeMap<String, Option<Span>> = BTreeMap::new();
    let included = parallel::map(texts, |one| {
        digest_of_included(sources, &one.origins, &kept, one.diagnostics())
    });
    let depends = depends(&index, &told, &own, &included);
    let with_texts = texts.iter().zip(told.iter().zip(&own));
    let drafts = parallel::map(with_texts, |(text, (told, own))| match memory {
        Some(_) => text.draft(told, own, &index),
        None => Cow::default(),
    });
    let mains: Vec<FileId> = texts.iter().map(|one| one.origins.main()).collect();
    let summaries = memory.and_then(|memory| Some((memory, memory.summaries(sources, &mains)?)));
    let made = told.iter().zip(own).zip(texts.iter().zip(&depends));
    let made = parallel::map(made.enumerate(), |(idx, ((told, own), (text, depends)))| {
        let summary = summaries.and_then(|(memory, all)| {
            let summary = all.get(idx)?;
            let still_holds = memory.still_holds(summary, text.origins.main(), *depends);
            still_holds.then_some(summary)
        });
        let index = &index;
        let make = move || match told {
            Told::Read(source) => translate::unit(index, source, &own),
            Told::Drafted(unit, _) => anew(sources, text, *unit, index),
        };
        match summary {
            Some(summary) => Made::Later(Deferred::new(make, Notation::Fortran, summary)),
            None => Made::Now(make()),
        }
    });
    let no_unit = Unit::default();
    let no_origin = OriginMap::new(first_file(sources), Vec::new());
    let mut parsed: Vec<Parsed> = Vec::new();
    let told_of = depends.iter().zip(&included).zip(&drafts);
    for ((made, ((depends, included), draft)), one) in made.iter().zip(told_of).zip(texts) {
        parsed.push(Parsed {
            said: made.said(),
            depends: *depends,
            included: *included,
            draft,
            origins: &one.origins,
            kept: &kept,
            after: None,
        });
    }
    // Nothing is known of procedures that no file defines.
    parsed.push(Parsed {
        said: Said::Now(&no_unit),
        depends: 0,
        included: 0,
        draft: &[],
        origins: &no_origin,
        kept: &kept,
        after: None,
    });
    let stated = Stated {
        table: &options.functions,
        known: UnitId(u32::try_from(texts.len()).unwrap_or(u32::MAX)),
    };
    let sizes = Sizes {
        values: &options.sizes,
        symbolic: &options.symbolic,
        dense: options.dense,
        without_operations: options.without_operations,
    };
    let program = Program::new(parsed, stated, sizes, LINKS, sources, memory);
    let mut prospects = Vec::new();
    let mut used_sizes = BTreeSet::new();
    for (one, file) in texts.iter().zip(&files) {
        if let Content::Expanded(expanded) = &one.content {
            used_sizes.extend(expanded.used_sizes.iter().cloned());
        }
        prospects.push(prospect(&program, one, file.as_ref()));
    }
    if let Some(first) = prospects.first_mut() {
        add_notes_on_bytes(sources, &mut first.diagnostics);
    }
    premiss_imperative::translate(&program, prospects, &used_sizes, each);
    drop(program);
    let units: Vec<Option<Unit>> = made.into_iter().map(Made::into_unit).collect();
    parallel::drop_later((units, index, files));
}

/// A file as a unit of the program, made now or when it is asked for.
enum Made<'a> {
    Now(Unit),
    Later(Deferred<'a>),
}

impl Made<'_> {
    fn into_unit(self) -> Option<Unit> {
        match self {
            Self::Now(unit) => Some(unit),
            Self::Later(deferred) => deferred.into_unit(),
        }
    }

    fn said(&self) -> Said<'_> {
        match self {
            Self::Now(unit) => Said::Now(unit),
            Self::Later(deferred) => Said::Later(deferred),
        }
    }
}

fn first_file(sources: &SourceMap) -> FileId {
    let mut files = sources.files();
    files
        .next()
        .map_or_else(|| FileId::from_u32(0), |(id, _)| id)
}

/// What is known of a file; where there is a draft of it, there is nothing to be said of its text.
fn prospect(program: &Program, text: &Text, file: Option<&File>) -> Prospect {
    let (Content::Expanded(expanded), Some(file)) = (&text.content, file) else {
        return Prospect::default();
    };
    let errors = file.errors.iter();
    let errors = errors.map(|(reason, at)| (reason.clone(), program.span(*at)));
    Prospect {
        diagnostics: expanded.diagnostics.clone(),
        syntax_errors: errors.collect(),
        size_names: expanded.macros.clone(),
    }
}

/// A file of which there is a draft, read after all.
fn anew(sources: &SourceMap, text: &Text, unit: UnitId, index: &Index) -> Unit {
    let expanded = text::plain(sources, text.origins.main()).unwrap_or_default();
    let text_of_unit = &expanded.text;
    let file = parser::parse(unit, text_of_unit, text.form);
    let source = Source {
        unit,
        text: text_of_unit,
        file: &file,
    };
    translate::unit(index, &source, &own_of_plain(&source))
}

impl Text<'_> {
    /// What is known of it before names have their meaning; `file` is what it was parsed to.
    fn told<'a>(&'a self, unit: UnitId, file: Option<&'a File>) -> Option<Told<'a>> {
        Some(match &self.content {
            Content::Expanded(Expanded { text, .. }) => Told::Read(Source {
                unit,
                text,
                file: file?,
            }),
            Content::Drafted(draft, _) => Told::Drafted(unit, draft),
        })
    }

    /// What to keep of it; empty where it has to be read each time, as where it has text of other files.
    fn draft(&self, told: &Told, own: &Own, index: &Index) -> Cow<'_, [u8]> {
        match (&self.content, told) {
            (Content::Drafted(_, kept), _) => Cow::Borrowed(*kept),
            (Content::Expanded(expanded), Told::Read(source)) if expanded.is_plain => {
                draft(source, own, index).into()
            }
            _ => Cow::default(),
        }
    }

    fn diagnostics(&self) -> &[Diagnostic] {
        match &self.content {
            Content::Expanded(expanded) => &expanded.diagnostics,
            Content::Drafted(..) => &[],
        }
    }
}
