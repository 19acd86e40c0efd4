//! Reads the files that a command is about; the names that options mention have to be in them.

use crate::arguments::{FileArguments, PathArguments, ReadingArguments};
use crate::failure::{Failure, suggest};
use crate::flags;
use crate::input::{self, Input};
use crate::output;
use crate::progress::Progress;
use premiss_analyze::{
    CacheGeometry, CacheModel, MeasureOptions, Memory, Program, ReadOptions, parallel, read_linked,
    read_remembering,
};
use premiss_machine::Machine;
use premiss_source::{Diagnostic, FileId, FileSystem, Files, SourceMap, Span};
use premiss_tree::{NestTree, ParameterId, SizeBound};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Files read as one program, with the chosen function alone if there is one.
pub(crate) struct Selected {
    pub(crate) files: Vec<FileId>,
    /// The same with how each was read.
    pub(crate) opened: Vec<(FileId, ReadOptions)>,
    /// Their paths, for a message.
    pub(crate) paths: String,
    pub(crate) program: Program,
}

/// Reads the files that a command is about.
///
/// # Errors
///
/// A file cannot be read, or there is no size, array or function of a name that an option mentions.
pub(crate) fn read_selected(
    sources: &mut SourceMap,
    arguments: &FileArguments,
    reading: (&ReadingArguments, &ReadOptions),
    options: &MeasureOptions,
    function: Option<&str>,
) -> Result<Selected, Failure> {
    let files = open_all(sources, arguments, reading)?;
    let mut program = read_merged(sources, &files);
    let paths = shown(sources, &files);
    let unused = program.unused_sizes.iter();
    let unused: Vec<String> = unused
        .filter(|x| flags::mention(reading.1, x))
        .cloned()
        .collect();
    check_sizes(&unused, &program.size_names, &paths)?;
    check_bases(&program.functions, options, "--base")?;
    select(&mut program, function)?;
    check_bounds(sources, &program, &|_| None)?;
    Ok(Selected {
        files: files.iter().map(|(file, _)| *file).collect(),
        opened: files,
        paths,
        program,
    })
}

/// Takes in the files that a command is about.
///
/// # Errors
///
/// There is none, or one that cannot be read.
pub(crate) fn open_all(
    sources: &mut SourceMap,
    arguments: &FileArguments,
    (reading, options): (&ReadingArguments, &ReadOptions),
) -> Result<Vec<(FileId, ReadOptions)>, Failure> {
    let inputs = input::inputs(&arguments.files, reading, options)?;
    open_inputs(sources, inputs, &arguments.stdin_filename)
}

/// The paths of files, for a message.
pub(crate) fn shown(sources: &SourceMap, files: &[(FileId, ReadOptions)]) -> String {
    let paths = files.iter().map(|(file, _)| sources.file(*file).path());
    paths.collect::<Vec<_>>().join(", ")
}

/// Reads files as one program.
pub(crate) fn read_merged(sources: &mut SourceMap, files: &[(FileId, ReadOptions)]) -> Program {
    read_merged_from(sources, files, &FileSystem)
}

/// The same, where included files come from `included`.
pub(crate) fn read_merged_from(
    sources: &mut SourceMap,
    files: &[(FileId, ReadOptions)],
    included: &dyn Files,
) -> Program {
    let mut told = Told::default();
    let mut merged: Option<Program> = None;
    let progress = Progress::new("reading", files.len());
    let mut n_read = 0;
    read_linked(
        sources,
        files,
        included,
        &mut |sources, file, mut program| {
            progress.at(n_read, "reading", sources.file(file).path());
            n_read += 1;
            told.retain_new(&mut program.diagnostics);
            let Some(merged) = &mut merged else {
                merged = Some(program);
                return;
            };
            merged.functions.extend(program.functions);
            merged.diagnostics.extend(program.diagnostics);
            merged.used_sizes.extend(program.used_sizes);
            merged.size_names.extend(program.size_names);
            merged.assumed_at.extend(program.assumed_at);
            merged.assumed_at.sort();
            merged.assumed_at.dedup();
            let unused = &mut merged.unused_sizes;
            unused.retain(|name| program.unused_sizes.contains(name));
        },
    );
    merged.unwrap_or_default()
}

/// The code of what is said of a header that was found by its name: once for all that include it.
const FOUND_BY_NAME: &str = "header-by-name";

/// What has been said, so that several files that include a header say it once.
#[derive(Default)]
pub(crate) struct Told(FxHashSet<(&'static str, Option<Span>, String)>);

impl Told {
    /// Leaves out what was said before.
    pub(crate) fn retain_new(&mut self, diagnostics: &mut Vec<Diagnostic>) {
        diagnostics.retain(|diagnostic| {
            let is_of_all = diagnostic.code == FOUND_BY_NAME;
            let span = diagnostic.labels.first().map(|label| label.span);
            let span = span.filter(|_| !is_of_all);
            self.0
                .insert((diagnostic.code, span, diagnostic.message.clone()))
        });
    }
}

/// Takes all texts, a file and all files that were asked for, and what the file has.
type Each<'a> = dyn FnMut(&SourceMap, (FileId, &[FileId]), Program) -> Result<(), Failure> + 'a;

/// Reads files that were taken in as one program, and hands on what each has, with all of them. What is
/// said of a header that several files include is said once.
///
/// # Errors
///
/// None of them uses a size that an option mentions, or `each` fails.
pub(crate) fn read_all(
    sources: &mut SourceMap,
    opened: &Opened,
    each: &mut Each<'_>,
) -> Result<(), Failure> {
    let mut told = Told::default();
    read_opened(
        sources,
        opened,
        None,
        &FileSystem,
        &mut |sources, file, mut program| {
            told.retain_new(&mut program.diagnostics);
            each(sources, file, program)
        },
    )
}

/// Files that were taken in, before they are read.
pub(crate) struct Opened {
    /// Each with its options.
    pub(crate) files: Vec<(FileId, ReadOptions)>,
    /// The options of the command line.
    pub(crate) own: ReadOptions,
}

impl Opened {
    /// The files.
    pub(crate) fn mains(&self) -> BTreeSet<FileId> {
        self.files.iter().map(|(file, _)| *file).collect()
    }
}

/// Takes in files, and those of folders.
///
/// # Errors
///
/// There is none, or one that cannot be read.
pub(crate) fn open_below(
    sources: &mut SourceMap,
    arguments: &PathArguments,
    (reading, options): (&ReadingArguments, &ReadOptions),
) -> Result<Opened, Failure> {
    let input::Expanded { paths, nearby } = input::expand(&arguments.paths, &reading.configured)?;
    let own = options.with_nearby(Arc::new(nearby));
    let inputs = input::inputs(&paths, reading, &own)?;
    let files = open_inputs(sources, inputs, &arguments.stdin_filename)?;
    Ok(Opened { files, own })
}

/// Takes in files, in order.
fn open_inputs(
    sources: &mut SourceMap,
    inputs: Vec<Input>,
    stdin_filename: &str,
) -> Result<Vec<(FileId, ReadOptions)>, Failure> {
    let read = parallel::map(&inputs, |input| input::open(&input.path, stdin_filename));
    let files = inputs.into_iter().zip(read);
    let files = files.map(|(input, file)| Ok((sources.push(file?), input.options)));
    files.collect()
}

/// Reads files that were taken in, where included files come from `included`. Of files that are as `memory`
/// has them nothing is said, and of others everything, even where another file has said it.
///
/// # Errors
///
/// None of them uses a size that an option mentions, or `each` fails.
pub(crate) fn read_opened(
    sources: &mut SourceMap,
    opened: &Opened,
    memory: Option<&Memory>,
    included: &dyn Files,
    each: &mut Each<'_>,
) -> Result<(), Failure> {
    let all: Vec<FileId> = opened.files.iter().map(|(file, _)| *file).collect();
    let sizes = opened.own.sizes.keys();
    let (mut unused, mut names) = (sizes.cloned().collect(), BTreeSet::new());
    let mut result = Ok(());
    read_remembering(
        sources,
        &opened.files,
        memory,
        included,
        &mut |sources, file, program| {
            if !opened.own.sizes.is_empty() {
                note_sizes(&program, &mut unused, &mut names);
            }
            if result.is_ok() {
                result = each(sources, (file, &all), program);
            }
        },
    );
    result?;
    let unused: Vec<_> = unused.into_iter().collect();
    check_sizes(&unused, &names, &shown(sources, &opened.files))
}

/// Of several files, a size has to be used in one.
fn note_sizes(program: &Program, unused: &mut BTreeSet<String>, names: &mut BTreeSet<String>) {
    unused.retain(|name| program.unused_sizes.contains(name));
    names.extend(program.size_names.iter().cloned());
}

/// Refuses a size that nothing uses: a misspelt name must not pass for one that has no effect.
pub(crate) fn check_sizes(
    unused: &[String],
    names: &BTreeSet<String>,
    file: &str,
) -> Result<(), Failure> {
    let Some(name) = unused.first() else {
        return Ok(());
    };
    let suggestion = suggest(name, names.iter().map(String::as_str));
    Err(Failure::usage(format!(
        "-P {name}: {file} uses no size of that name{suggestion}"
    )))
}

/// Refuses a place, given by an option of that name, for an array that no function has.
pub(crate) fn check_bases<'a>(
    functions: impl IntoIterator<Item = &'a NestTree>,
    options: &MeasureOptions,
    option: &str,
) -> Result<(), Failure> {
    let arrays = functions.into_iter().flat_map(|tree| tree.arrays.values());
    let names: BTreeSet<&str> = arrays.map(|array| array.name.as_str()).collect();
    match options
        .bases
        .keys()
        .find(|name| !names.contains(name.as_str()))
    {
        None => Ok(()),
        Some(name) => {
            let suggestion = suggest(name, names);
            Err(Failure::usage(format!(
                "{option} {name}: no function has an array of that name{suggestion}"
            )))
        }
    }
}

/// Refuses sizes for which the source says that it is not meant, where those without a value have these.
pub(crate) fn check_bounds(
    sources: &SourceMap,
    program: &Program,
    given: &dyn Fn(&str) -> Option<i64>,
) -> Result<(), Failure> {
    let mut broken = program.functions.iter().filter_map(|tree| {
        let bound = tree.violated_bound(given)?;
        Some((tree, bound))
    });
    let Some((tree, bound)) = broken.next() else {
        return Ok(());
    };
    let path = sources.file(bound.span.file).path();
    let line = sources.start(bound.span).line;
    Err(Failure::usage(format!(
        "{path}:{line}: `premiss:assume {}` does not hold for `{}`{}; choose other sizes with -P, or \
         change the line",
        bound.text,
        tree.function,
        sizes_of(tree, bound, given)
    )))
}

/// ` at k = 5, n = 4`: the sizes of a bound that have names there.
fn sizes_of(tree: &NestTree, bound: &SizeBound, given: &dyn Fn(&str) -> Option<i64>) -> String {
    let of_one = |id: &ParameterId| {
        let own = tree.parameters.get(*id);
        let size = own.or_else(|| tree.work.parameters.get(*id))?;
        let value = size.value.or_else(|| given(&size.name))?;
        Some(format!("{} = {value}", size.name))
    };
    let sizes: Vec<String> = bound.sizes.keys().filter_map(of_one).collect();
    match sizes.is_empty() {
        true => String::new(),
        false => format!(" at {}", sizes.join(", ")),
    }
}

/// Keeps the function of that name alone.
pub(crate) fn select(program: &mut Program, function: Option<&str>) -> Result<(), Failure> {
    let Some(name) = function else {
        return Ok(());
    };
    let known = program.functions.iter().map(|tree| tree.function.as_str());
    let suggestion = suggest(name, known);
    if program.keep(name) {
        return Ok(());
    }
    Err(Failure::usage(format!(
        "--function {name}: no function of that name has a loop nest{suggestion}"
    )))
}

/// The levels with lines of so many bytes whose misses are a matter of reuse distances: LRU levels
/// that allocate on stores.
pub(crate) fn lru_levels(
    machine: &Machine,
    line_size: u64,
) -> impl Iterator<Item = (String, CacheGeometry)> {
    let fits = move |(_, model): &(&str, CacheModel)| {
        model.follows_reuse_distance() && model.geometry.line_size == line_size
    };
    let levels = machine.models().filter(fits);
    levels.map(|(name, model)| (name.to_owned(), model.geometry))
}

/// Says which levels have no formulas.
pub(crate) fn say_left_out(machine: &Machine) {
    let others = machine
        .models()
        .filter(|(_, x)| !x.follows_reuse_distance());
    let names: Vec<&str> = others.map(|(name, _)| name).collect();
    if !names.is_empty() {
        output::say(&format!(
            "note: formulas are for levels that are LRU and allocate on stores; left out, and \
             counted by `premiss report`: {}\n",
            names.join(", ")
        ));
    }
}
