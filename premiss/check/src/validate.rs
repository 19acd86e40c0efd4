//! Checks that names in options exist in the program: a misspelt name must not be silently without effect.

use crate::error::CheckError;
use crate::suggestion::suggest;
use premiss_analyze::{MeasureOptions, Program, ReadOptions};
use premiss_source::SourceMap;
use premiss_tree::{NestTree, ParameterId, SizeBound};
use std::collections::BTreeSet;

/// Whether options of the command line name a size. Sizes in settings need not be used.
#[must_use]
pub fn mentions_size(options: &ReadOptions, size: &str) -> bool {
    options.sizes.contains_key(size) || options.symbolic.contains(size)
}

/// Refuses the first of the sizes that nothing uses; `names` are the sizes that exist in `file`.
///
/// # Errors
///
/// There is an unused size.
pub fn check_sizes(
    unused: &[String],
    names: &BTreeSet<String>,
    file: &str,
) -> Result<(), CheckError> {
    let Some(name) = unused.first() else {
        return Ok(());
    };
    // A name may exist without an effect: a macro that no loop depends on.
    let others = names.iter().filter(|other| *other != name);
    let suggestion = suggest(name, others.map(String::as_str));
    Err(CheckError::usage(format!(
        "-P {name}: {file} uses no size of that name{suggestion}"
    )))
}

/// Refuses a base address for an array that no function has.
///
/// # Errors
///
/// There is such an array.
pub fn check_bases<'a>(
    functions: impl IntoIterator<Item = &'a NestTree>,
    options: &MeasureOptions,
) -> Result<(), CheckError> {
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
            Err(CheckError::usage(format!(
                "--array-base {name}: no function has an array of that name{suggestion}"
            )))
        }
    }
}

/// Refuses sizes that violate a `premiss:assume` of the source; `given` returns the values of sizes that the program
/// keeps symbolic.
///
/// # Errors
///
/// An assumption is violated.
pub fn check_bounds(
    sources: &SourceMap,
    program: &Program,
    given: &dyn Fn(&str) -> Option<i64>,
) -> Result<(), CheckError> {
    let mut broken = program.functions.iter().filter_map(|tree| {
        let bound = tree.violated_bound(given)?;
        Some((tree, bound))
    });
    let Some((tree, bound)) = broken.next() else {
        return Ok(());
    };
    let path = sources.file(bound.span.file).path();
    let line = sources.start(bound.span).line;
    Err(CheckError::usage(format!(
        "{path}:{line}: `premiss:assume {}` does not hold for `{}`{}; choose other sizes with -P, or \
         change the line",
        bound.text,
        tree.function,
        sizes_of(tree, bound, given)
    )))
}

/// ` at k = 5, n = 4`: the values of the sizes in a bound.
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

/// Keeps only the function with this name, if a name is given.
///
/// # Errors
///
/// No function with this name has a loop nest.
pub fn select(program: &mut Program, function: Option<&str>) -> Result<(), CheckError> {
    let Some(name) = function else {
        return Ok(());
    };
    let known = program.functions.iter().map(|tree| tree.function.as_str());
    let suggestion = suggest(name, known);
    if program.keep(name) {
        return Ok(());
    }
    Err(CheckError::usage(format!(
        "--function {name}: no function of that name has a loop nest{suggestion}"
    )))
}
