//! Reads the files that a command is about; the names that options mention have to be in them.

use crate::arguments::{FileArguments, PathArguments};
use crate::failure::{Failure, suggest};
use crate::input;
use premiss_analyze::{MeasureOptions, Program, ReadOptions, read};
use premiss_source::{FileId, SourceMap};
use std::collections::BTreeSet;

/// A file, read, with the chosen function alone if there is one.
///
/// # Errors
///
/// The file cannot be read, or it has no size, array or function of a name that an option mentions.
pub(crate) fn read_selected(
    sources: &mut SourceMap,
    arguments: &FileArguments,
    reading: &ReadOptions,
    options: &MeasureOptions,
    function: Option<&str>,
) -> Result<(FileId, Program), Failure> {
    let file = input::open(sources, &arguments.file, &arguments.stdin_filename)?;
    let mut program = read(sources, file, reading, &mut input::load_include);
    let path = sources.file(file).path();
    check_sizes(&program.unused_sizes, &program.size_names, path)?;
    check_bases(&program, options)?;
    select(&mut program, function)?;
    Ok((file, program))
}

/// Reads files and folders, and hands each program on with the number of files.
///
/// # Errors
///
/// A file cannot be read, none of them uses a size that an option mentions, or `each` fails.
pub(crate) fn read_all(
    sources: &mut SourceMap,
    arguments: &PathArguments,
    reading: &ReadOptions,
    each: &mut dyn FnMut(Program, usize) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let paths = input::expand(&arguments.paths)?;
    let (mut unused, mut names) = (reading.sizes.keys().cloned().collect(), BTreeSet::new());
    for path in &paths {
        let file = input::open(sources, path, &arguments.stdin_filename)?;
        let program = read(sources, file, reading, &mut input::load_include);
        note_sizes(&program, &mut unused, &mut names);
        each(program, paths.len())?;
    }
    let unused: Vec<_> = unused.into_iter().collect();
    check_sizes(&unused, &names, &paths.join(", "))
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

/// Refuses a base for an array that no function has.
pub(crate) fn check_bases(program: &Program, options: &MeasureOptions) -> Result<(), Failure> {
    let trees = program.functions.iter();
    let names: BTreeSet<&str> = trees
        .flat_map(|tree| tree.arrays.values())
        .map(|array| array.name.as_str())
        .collect();
    match options
        .bases
        .keys()
        .find(|name| !names.contains(name.as_str()))
    {
        None => Ok(()),
        Some(name) => {
            let suggestion = suggest(name, names);
            Err(Failure::usage(format!(
                "--base {name}: no function has an array of that name{suggestion}"
            )))
        }
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
