//! A file, read.

use crate::coverage::{LoopCoverage, loop_coverage};
use crate::measure::sort_by_place;
use crate::read_options::ReadOptions;
use premiss_incremental::{IncrementalCache, PathAndBytes, TranslationUnit};
use premiss_profile::{Directives, KnownSizes};
use premiss_source::{Diagnostic, FileId, Files, Label, ObservedFiles, Severity, SourceMap, Span};
use premiss_tree::{NestTree, Rejection};
use std::collections::{BTreeMap, BTreeSet};

/// The functions of files that have loop nests.
#[derive(Debug, Default)]
pub struct Program {
    /// One tree a function, in the order of the source.
    pub functions: Vec<NestTree>,
    /// What there is to say about the text, rejections included.
    pub diagnostics: Vec<Diagnostic>,
    /// Sizes that were given a value, and that something in the file uses, with it.
    pub used_sizes: BTreeMap<String, i64>,
    /// Sizes that were given a value or kept symbolic and that nothing in the file uses.
    pub unused_sizes: Vec<String>,
    /// The sizes that can be given a value.
    pub size_names: BTreeSet<String>,
    /// The array nests of each function, where conditions that keep their value count as known.
    pub coverage: Vec<LoopCoverage>,
    /// Whether some condition was answered by the user's word that numbers equal no constants and are numbers.
    pub is_dense: bool,
    /// The profile that its averages are from, if any is.
    pub averages_of: Option<String>,
    /// Where its text says how often something happens on average, as `k.c:12`.
    pub assumed_at: Vec<String>,
    /// Whether its file is as an earlier run left it, which has said what is in it.
    pub is_known: bool,
}

/// Takes the program of a file, with all files that were read.
type Each<'a> = dyn FnMut(&SourceMap, FileId, Program) + 'a;

/// How many files are put together at a time.
const FILES_TOGETHER: usize = 32;

/// The languages that files can be in.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Language {
    /// C.
    C,
    /// Fortran, in fixed or free form.
    Fortran,
    /// Rust.
    Rust,
}

impl Language {
    /// The language of a file by the end of its name; `None` where that tells none.
    #[must_use]
    pub fn of_path(path: &str) -> Option<Self> {
        let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
        let (_, extension) = name.rsplit_once('.')?;
        match extension {
            "c" | "h" | "i" => Some(Self::C),
            "rs" => Some(Self::Rust),
            other => {
                let other = other.to_ascii_lowercase();
                let is_fortran = matches!(
                    other.as_str(),
                    "f" | "for" | "ftn" | "fpp" | "f77" | "f90" | "f95" | "f03" | "f08" | "f18"
                );
                is_fortran.then_some(Self::Fortran)
            }
        }
    }
}

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
    each: &mut Each<'_>,
) {
    for language in [Language::C, Language::Fortran, Language::Rust] {
        let is_of = |(file, _): &&(FileId, ReadOptions)| {
            let path = sources.file(*file).path();
            Language::of_path(path).unwrap_or(Language::C) == language
        };
        let group: Vec<_> = mains.iter().filter(is_of).cloned().collect();
        if let (Some(cache), Some((first, _))) = (cache, group.first())
            && let Some(texts) = unread(sources, &group, cache)
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
                each(sources, *file, program(sources, *file, known, options));
            }
            continue;
        }
        let mut looked_for = BTreeSet::new();
        let observed = ObservedFiles::new(files, |path: &str, _: Option<&[u8]>| {
            looked_for.insert(path.to_owned());
        });
        let mut arriving = Arriving {
            rest: group.iter(),
            open: Vec::new(),
            n_new: 0,
        };
        let mut emit = |sources: &SourceMap, unit| arriving.unit(sources, unit, each);
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
        arriving.tell(sources, each);
        drop(observed);
        if let (Some(cache), Some((first, _))) = (cache, group.first()) {
            cache.record_lookups(*first, looked_for);
        }
    }
}

/// Files of one language that have been read, put together side by side.
struct Arriving<'a> {
    /// Those that are still to come.
    rest: std::slice::Iter<'a, (FileId, ReadOptions)>,
    open: Vec<(&'a (FileId, ReadOptions), TranslationUnit)>,
    /// How many of these are not as an earlier run left them.
    n_new: usize,
}

impl Arriving<'_> {
    fn unit(&mut self, sources: &SourceMap, unit: TranslationUnit, each: &mut Each<'_>) {
        self.n_new += usize::from(!unit.is_reused);
        self.open.extend(self.rest.next().map(|file| (file, unit)));
        if FILES_TOGETHER <= self.n_new {
            self.tell(sources, each);
        }
    }

    /// Tells what has come so far.
    fn tell(&mut self, sources: &SourceMap, each: &mut Each<'_>) {
        let open = std::mem::take(&mut self.open);
        self.n_new = 0;
        let programs = premiss_parallel::map(open, |((file, options), unit)| {
            (*file, program(sources, *file, unit, options))
        });
        for (file, program) in programs {
            each(sources, file, program);
        }
    }
}

/// The texts that files of one language come with, where they need not be read. Which sizes they have names for is
/// known only where they are.
fn unread<'m>(
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

fn program(
    sources: &SourceMap,
    file: FileId,
    unit: TranslationUnit,
    options: &ReadOptions,
) -> Program {
    let sizes = options.sizes.clone().into_iter();
    let (used, unused): (BTreeMap<_, _>, BTreeMap<_, _>) =
        sizes.partition(|(name, _)| unit.used_sizes.contains(name));
    let symbolic = options.symbolic.iter();
    let unused_symbolic: Vec<String> = symbolic
        .filter(|name| {
            let mut sizes = unit
                .functions
                .iter()
                .flat_map(|tree| tree.parameters.values());
            !unit.used_sizes.contains(*name) && sizes.all(|size| size.name != **name)
        })
        .cloned()
        .collect();
    let is_known = unit.is_reused;
    let mut diagnostics = unit.diagnostics;
    add_rejections(&unit.functions, &mut diagnostics);
    let size_names = unit.size_names;
    let coverage = unit.functions.iter().map(loop_coverage).collect();
    let mut functions = unit.functions;
    functions.iter_mut().for_each(NestTree::predicates_to_data);
    functions
        .iter_mut()
        .for_each(NestTree::widen_to_bounding_ranges);
    let known = KnownSizes {
        names: &size_names,
        values: &used,
    };
    let (told, assumed_at) = match is_known {
        true => (Vec::new(), Vec::new()),
        false => assume(sources, file, &mut functions, known),
    };
    diagnostics.extend(told);
    sort_by_place(&mut diagnostics);
    let is_dense = functions.iter().any(|tree| tree.is_dense);
    Program {
        functions,
        coverage,
        is_dense,
        averages_of: None,
        assumed_at,
        diagnostics,
        used_sizes: used,
        unused_sizes: unused.into_keys().chain(unused_symbolic).collect(),
        size_names,
        is_known,
    }
}

/// Gives functions what comments assume of them; yields what there is to say of those, and where estimates
/// stand.
fn assume(
    sources: &SourceMap,
    file: FileId,
    functions: &mut [NestTree],
    known: KnownSizes<'_>,
) -> (Vec<Diagnostic>, Vec<String>) {
    let mut files = BTreeSet::from([file]);
    for tree in &*functions {
        files.insert(tree.span.file);
        files.extend(tree.loops.values().map(|x| x.span.file));
    }
    let mut told = Vec::new();
    let mut directives = Directives::read(sources, &files, &mut told);
    for tree in &mut *functions {
        directives.apply(tree, known);
    }
    let has_work = functions.iter().any(|tree| !tree.work.body.is_empty());
    told.extend(directives.unused(has_work || functions.is_empty()));
    (told, directives.estimates())
}

/// Adds what was not understood, each place once: a function that several others call is rejected
/// in each of them.
fn add_rejections(functions: &[NestTree], diagnostics: &mut Vec<Diagnostic>) {
    let mut known: BTreeSet<_> = diagnostics.iter().map(place).collect();
    for rejection in functions.iter().flat_map(|tree| tree.rejections.values()) {
        let diagnostic = describe(rejection);
        if known.insert(place(&diagnostic)) {
            diagnostics.push(diagnostic);
        }
    }
}

fn describe(rejection: &Rejection) -> Diagnostic {
    Diagnostic {
        code: rejection.reason.code(),
        severity: Severity::Warning,
        message: rejection.reason.message(),
        labels: vec![Label {
            span: rejection.span,
            text: String::new(),
        }],
        help: Some(rejection.reason.help().to_owned()),
    }
}

/// What a diagnostic is known by.
fn place(diagnostic: &Diagnostic) -> (&'static str, Option<Span>) {
    let span = diagnostic.labels.first().map(|label| label.span);
    (diagnostic.code, span)
}

impl Program {
    /// What is assumed of sizes and does not hold at those that functions have.
    #[must_use]
    pub fn broken_bounds(&self) -> Vec<Diagnostic> {
        let of_one = |tree: &NestTree| {
            let bound = tree.violated_bound(|_| None)?;
            Some(Diagnostic {
                code: "broken-assumption",
                severity: Severity::Error,
                message: format!(
                    "`{}` does not hold at the sizes that `{}` is counted for",
                    bound.text, tree.function
                ),
                labels: vec![Label {
                    span: bound.span,
                    text: String::new(),
                }],
                help: Some("choose other sizes with -P, or change the line".to_owned()),
            })
        };
        self.functions.iter().filter_map(of_one).collect()
    }

    /// Keeps the functions of that name, and of the diagnostics all but those of what was not
    /// understood in the others. Whether there was one.
    pub fn keep(&mut self, function: &str) -> bool {
        let (kept, dropped): (Vec<_>, Vec<_>) = std::mem::take(&mut self.functions)
            .into_iter()
            .partition(|tree| tree.function == function);
        let places = |trees: &[NestTree]| -> BTreeSet<_> {
            let rejections = trees.iter().flat_map(|tree| tree.rejections.values());
            rejections
                .map(|x| (x.reason.code(), Some(x.span)))
                .collect()
        };
        let (of_kept, of_dropped) = (places(&kept), places(&dropped));
        self.diagnostics.retain(|diagnostic| {
            let place = place(diagnostic);
            of_kept.contains(&place) || !of_dropped.contains(&place)
        });
        self.functions = kept;
        !self.functions.is_empty()
    }
}
