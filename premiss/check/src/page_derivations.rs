//! Further analysis for the page of a report or comparison: closed forms of references, and misses over sizes.
//!
//! The program is read once more with the sizes of `-P` kept symbolic. Only the functions that move most bytes are
//! derived, with fractions of the budget, so that a page takes little more work than its counts.

use crate::error::CheckError;
use crate::lru_levels::lru_levels;
use crate::symbolic_program::ProgramSource;
use premiss_analyze::{
    Analysis, CacheGeometry, Engine, Explanation, FunctionAnalysis, MeasureOptions, NoClosedForm,
    Point, Program, Scope, SweepPoint, SymbolicOptions, explain, parallel, sweep,
};
use premiss_report::{Derivations, SizeSweep, by_bytes_moved};
use premiss_source::SourceMap;
use premiss_tree::NestTree;
use std::collections::{BTreeMap, BTreeSet};

/// The most functions that are explained, and swept over sizes.
const MOST_FUNCTIONS: usize = 6;
/// Functions with more references are not explained.
const MOST_REFERENCES: usize = 40;
/// With more sizes than this, none is varied.
const MOST_SIZES: usize = 3;
/// A sweep over one size gets the budget divided by this.
const POINTS_PER_BUDGET: u64 = 1000;
/// Sizes are multiples of this, the number of four-byte elements in a line, so that one derivation holds for all of
/// them.
const LEAST: i64 = 16;

/// The closed forms and the misses over sizes of the functions that move most bytes.
///
/// # Errors
/// A profile is of other files.
pub fn derive_page(
    sources: &mut SourceMap,
    analysis: &Analysis,
    source: &ProgramSource<'_>,
    measuring: &MeasureOptions,
) -> Result<Derivations, CheckError> {
    let ranked = by_bytes_moved(analysis);
    let functions: Vec<&FunctionAnalysis> =
        ranked.iter().map(|idx| &analysis.functions[*idx]).collect();
    derive_first(sources, &functions, source, measuring)
}

/// The same for the first functions of a list.
///
/// # Errors
/// A profile is of other files.
pub(crate) fn derive_first(
    sources: &mut SourceMap,
    all: &[&FunctionAnalysis],
    source: &ProgramSource<'_>,
    measuring: &MeasureOptions,
) -> Result<Derivations, CheckError> {
    let functions: Vec<&FunctionAnalysis> = all.iter().copied().take(MOST_FUNCTIONS).collect();
    let mut found = Derivations::default();
    let sizes: BTreeMap<String, i64> = source
        .files
        .iter()
        .flat_map(|(_, options)| options.sizes.clone())
        .collect();
    let request = DerivationRequest {
        source,
        measuring,
        functions: &functions,
        sizes: &sizes,
    };
    add_stories(sources, &request, &mut found)?;
    add_sweeps(sources, &request, &mut found)?;
    if functions.len() < all.len() {
        found.notes.push(format!(
            "Closed forms, and misses against a size, are shown for {MOST_FUNCTIONS} functions, those that matter \
             most; `premiss explain`, `formula` and `sweep` have them for all."
        ));
    }
    Ok(found)
}

/// The functions to derive, and the program that they are in.
#[derive(Clone, Copy)]
struct DerivationRequest<'a> {
    source: &'a ProgramSource<'a>,
    measuring: &'a MeasureOptions,
    functions: &'a [&'a FunctionAnalysis],
    /// The sizes that have values.
    sizes: &'a BTreeMap<String, i64>,
}

/// Adds the explanations of references.
fn add_stories(
    sources: &mut SourceMap,
    request: &DerivationRequest<'_>,
    found: &mut Derivations,
) -> Result<(), CheckError> {
    let DerivationRequest {
        source,
        measuring,
        functions,
        sizes,
    } = *request;
    if measuring.engine == Engine::Trace {
        found
            .notes
            .push("No closed forms are shown: --engine trace has none.".to_owned());
        return Ok(());
    }
    let symbolic = match sizes.is_empty() {
        true => None,
        false => Some(source.read(sources, &sizes.keys().cloned().collect())?),
    };
    let line_size = measuring.machine.caches().first();
    let line_size = line_size.map_or(64, |cache| cache.geometry().line_size);
    let levels: Vec<(String, CacheGeometry)> = lru_levels(&measuring.machine, line_size).collect();
    let geometries: Vec<CacheGeometry> = levels.iter().map(|(_, geometry)| *geometry).collect();
    let options = SymbolicOptions {
        line_size,
        alignment: measuring.alignment(),
        bound: None,
        effort: measuring.effort,
        store: measuring.store.as_deref(),
    };
    let few = functions
        .iter()
        .filter(|x| x.references.len() <= MOST_REFERENCES);
    let few: Vec<&NestTree> = few.map(|x| &x.tree).collect();
    if few.len() < functions.len() {
        found.notes.push(format!(
            "Closed forms are shown for functions of at most {MOST_REFERENCES} references; `premiss explain \
             FILE:LINE` has those of others."
        ));
    }
    let explanation_of = |tree: &NestTree| -> Result<Explanation, NoClosedForm> {
        explain(tree, &|_| true, &geometries, options)
    };
    let sources = &*sources;
    let answers = parallel::map(&few, |tree| {
        let open = symbolic
            .as_ref()
            .and_then(|program| same_function(sources, program, tree));
        match open.map(|open| (open, explanation_of(open))) {
            Some((open, Ok(explanation))) => Ok((open.clone(), explanation)),
            _ => explanation_of(tree).map(|explanation| ((*tree).clone(), explanation)),
        }
    });
    for (tree, answer) in few.iter().zip(answers) {
        match answer {
            Ok(story) => found.stories.push(story),
            Err(why) => found.notes.push(format!(
                "{} has no closed form: {}.",
                tree.function,
                why.message(tree)
            )),
        }
    }
    found.levels = levels;
    Ok(())
}

/// Adds the misses over each size that has a value.
fn add_sweeps(
    sources: &mut SourceMap,
    request: &DerivationRequest<'_>,
    found: &mut Derivations,
) -> Result<(), CheckError> {
    let DerivationRequest {
        source,
        measuring,
        functions,
        sizes,
    } = *request;
    if sizes.is_empty() || MOST_SIZES < sizes.len() {
        found.notes.push(format!(
            "Misses against a size are shown where -P gives one to {MOST_SIZES} sizes; `premiss sweep FILE -P \
             NAME=64..8192` has them for any."
        ));
        return Ok(());
    }
    let Ok(machine) = measuring.machine.clone().without_tlbs() else {
        return Ok(());
    };
    let mut options = measuring.clone();
    options.machine = machine;
    options.budget = (options.budget / POINTS_PER_BUDGET).max(1);
    for (size, value) in sizes {
        let program = source.read(sources, &BTreeSet::from([size.clone()]))?;
        let sources = &*sources;
        let points = points(size, *value);
        let trees = functions
            .iter()
            .filter_map(|x| same_function(sources, &program, &x.tree));
        let trees: Vec<&NestTree> = trees.filter(|tree| opens(tree, size)).collect();
        let swept = parallel::map(&trees, |tree| {
            let holds = |point: &&Point| {
                tree.violated_bound(|name: &str| point.get(name).copied())
                    .is_none()
            };
            let points: Vec<Point> = points.iter().filter(holds).cloned().collect();
            let mut sweep = SizeSweep {
                size: size.clone(),
                swept: sweep(tree, &points, &options),
                points,
                tree: (*tree).clone(),
                machine: options.machine.clone(),
            };
            let mut own = functions.iter().filter(|x| is_same(sources, &x.tree, tree));
            if let Some(function) = own.next().filter(|_| 0 < *value) {
                put_counts(&mut sweep, *value, function);
            }
            sweep
        });
        found
            .sweeps
            .extend(swept.into_iter().filter(|x| 1 < x.points.len()));
    }
    Ok(())
}

/// The same function in a program that was read with other sizes.
fn same_function<'a>(
    sources: &SourceMap,
    program: &'a Program,
    tree: &NestTree,
) -> Option<&'a NestTree> {
    let mut functions = program.functions.iter();
    functions.find(|x| is_same(sources, x, tree))
}

/// Whether two trees are of the same function of the source.
fn is_same(sources: &SourceMap, a: &NestTree, b: &NestTree) -> bool {
    let identity = |tree: &NestTree| {
        let path = sources.file(tree.span.file).path().to_owned();
        (tree.function.clone(), path, tree.span.start)
    };
    identity(a) == identity(b)
}

/// Puts the counts of the report into a sweep, at the size of the report: they are as good as those of the sweep, or
/// better, and the page has one number for one thing.
fn put_counts(sweep: &mut SizeSweep, value: i64, function: &FunctionAnalysis) {
    let n_levels = sweep.machine.levels().count();
    let levels = function.levels.iter().take(n_levels);
    let counted = SweepPoint {
        levels: levels.map(|x| (x.misses, x.provenance)).collect(),
        flops: function.operations.of(Scope::Function).flops(),
        bound: None,
    };
    let of = |point: &Point| point.get(&sweep.size).copied();
    let place = sweep
        .points
        .partition_point(|point| of(point) < Some(value));
    match sweep.points.get(place).and_then(of) {
        Some(known) if known == value => sweep.swept.points[place] = counted,
        _ => {
            let point = BTreeMap::from([(sweep.size.clone(), value)]);
            sweep.points.insert(place, point);
            sweep.swept.points.insert(place, counted);
        }
    }
}

/// Whether this size is the only one without a value.
fn opens(tree: &NestTree, size: &str) -> bool {
    let used = tree.used_parameters();
    let mut open = used
        .iter()
        .map(|id| &tree.parameters[*id])
        .filter(|x| x.value.is_none());
    open.next().is_some_and(|x| x.name == size) && open.next().is_none()
}

/// Powers of two and three times these, from a sixteenth to four times the value.
fn points(size: &str, value: i64) -> Vec<Point> {
    let least = (value / 16).max(LEAST);
    let most = value.saturating_mul(4).max(8 * LEAST);
    let powers = std::iter::successors(Some(LEAST), |x| x.checked_mul(2));
    let all = powers.flat_map(|x| [Some(x), x.checked_mul(3)]).flatten();
    let fits = all.filter(|x| (least..=most).contains(x));
    let values: BTreeSet<i64> = fits.collect();
    values
        .into_iter()
        .map(|value| BTreeMap::from([(size.to_owned(), value)]))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_around_the_given_one() {
        let values = |value| {
            let points = points("n", value);
            points.iter().map(|x| x["n"]).collect::<Vec<i64>>()
        };
        let expected = [64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048, 3072];
        assert_eq!(values(1000), expected);
        assert_eq!(values(5), [16, 32, 48, 64, 96, 128]);
        assert!(values(i64::MAX).len() < 20);
    }
}
