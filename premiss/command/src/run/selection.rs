//! Whether the names that options mention are in the program.

use crate::failure::{Failure, suggest};
use premiss_analyze::{MeasureOptions, Program};
use std::collections::BTreeSet;

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
