//! What a page has besides the numbers of its report: closed forms of its references, and misses over sizes.
//!
//! The program is read again with sizes of `-P` kept symbolic. Only the functions that move most bytes are
//! looked at, within parts of the budget, so that a page is not much more work than its numbers.

use crate::failure::Failure;
use crate::profile::Profiles;
use crate::run::selection::{lru_levels, read_merged_from, select};
use premiss_analyze::{
    Analysis, CacheGeometry, Engine, Explanation, FunctionAnalysis, MeasureOptions, NoClosedForm,
    Point, Program, ReadOptions, SymbolicOptions, explain, parallel, sweep,
};
use premiss_report::{Derivations, SizeSweep, by_bytes_moved};
use premiss_source::{FileId, Files, SourceMap};
use premiss_tree::NestTree;
use std::collections::{BTreeMap, BTreeSet};

/// So many functions are explained, and shown over sizes.
const MOST_FUNCTIONS: usize = 6;
/// A function of more references is not explained.
const MOST_REFERENCES: usize = 40;
/// With more sizes than this, none is varied.
const MOST_SIZES: usize = 3;
/// The part of the budget that one size may take.
const POINTS_PER_BUDGET: u64 = 1000;
/// Sizes are multiples of this, so that one derivation serves them all: the elements of four bytes in a line.
const LEAST: i64 = 16;

/// How the program was read, and what of it is of interest.
pub(super) struct Again<'a> {
    pub(super) files: &'a [(FileId, ReadOptions)],
    /// Where included files come from.
    pub(super) included: &'a dyn Files,
    pub(super) function: Option<&'a str>,
    pub(super) profiles: &'a Profiles,
    pub(super) measuring: &'a MeasureOptions,
}

/// Derives what there is to be derived of the functions that move most bytes.
///
/// # Errors
/// A profile does not fit.
pub(super) fn derive(
    sources: &mut SourceMap,
    analysis: &Analysis,
    again: &Again<'_>,
) -> Result<Derivations, Failure> {
    let ranked = by_bytes_moved(analysis);
    let functions: Vec<&FunctionAnalysis> =
        ranked.iter().map(|idx| &analysis.functions[*idx]).collect();
    derive_first(sources, &functions, again)
}

/// Derives what there is to be derived of the first of some functions.
///
/// # Errors
/// A profile does not fit.
pub(super) fn derive_first(
    sources: &mut SourceMap,
    all: &[&FunctionAnalysis],
    again: &Again<'_>,
) -> Result<Derivations, Failure> {
    let functions: Vec<&FunctionAnalysis> = all.iter().copied().take(MOST_FUNCTIONS).collect();
    let mut found = Derivations::default();
    let sizes: BTreeMap<String, i64> = again
        .files
        .iter()
        .flat_map(|(_, options)| options.sizes.clone())
        .collect();
    again.stories(sources, &functions, &sizes, &mut found)?;
    again.sweeps(sources, &functions, &sizes, &mut found)?;
    if functions.len() < all.len() {
        found.notes.push(format!(
            "Closed forms, and misses against a size, are shown for {MOST_FUNCTIONS} functions, those that matter \
             most; `premiss explain`, `formula` and `sweep` have them for all."
        ));
    }
    Ok(found)
}

impl Again<'_> {
    /// The program with some sizes symbolic, but those that decide which lines of the text count.
    fn read(
        &self,
        sources: &mut SourceMap,
        symbolic: &BTreeSet<String>,
    ) -> Result<Program, Failure> {
        let mut files = self.files.to_vec();
        let mut open = symbolic.clone();
        loop {
            for ((_, options), (_, given)) in files.iter_mut().zip(self.files) {
                options.symbolic.clone_from(&open);
                options.sizes.clone_from(&given.sizes);
                options.sizes.retain(|name, _| !open.contains(name));
            }
            let mut program = read_merged_from(sources, &files, self.included);
            let notes = program.diagnostics.iter();
            let notes: Vec<&str> = notes
                .filter(|note| note.code == "symbolic-size-in-condition")
                .map(|note| note.message.as_str())
                .collect();
            let n_open = open.len();
            open.retain(|name| {
                let quoted = format!("`{name}`");
                !notes.iter().any(|note| note.contains(&quoted))
            });
            if open.len() == n_open {
                select(&mut program, self.function)?;
                let files: Vec<FileId> = files.iter().map(|(file, _)| *file).collect();
                self.profiles.give(sources, &files, &mut program)?;
                return Ok(program);
            }
        }
    }

    /// Where the lines of references come from.
    fn stories(
        &self,
        sources: &mut SourceMap,
        functions: &[&FunctionAnalysis],
        sizes: &BTreeMap<String, i64>,
        found: &mut Derivations,
    ) -> Result<(), Failure> {
        if self.measuring.engine == Engine::Trace {
            found
                .notes
                .push("No closed forms are shown: --engine trace has none.".to_owned());
            return Ok(());
        }
        let symbolic = match sizes.is_empty() {
            true => None,
            false => Some(self.read(sources, &sizes.keys().cloned().collect())?),
        };
        let line_size = self.measuring.machine.caches().first();
        let line_size = line_size.map_or(64, |cache| cache.geometry().line_size);
        let levels = lru_levels(&self.measuring.machine, line_size);
        let (names, geometries): (Vec<String>, Vec<CacheGeometry>) = levels.unzip();
        let options = SymbolicOptions {
            line_size,
            alignment: self.measuring.alignment(),
            effort: self.measuring.effort,
            store: self.measuring.store.as_deref(),
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
        let told = |tree: &NestTree| -> Result<Explanation, NoClosedForm> {
            explain(tree, &|_| true, &geometries, options)
        };
        let sources = &*sources;
        let answers = parallel::map(&few, |tree| {
            let open = symbolic
                .as_ref()
                .and_then(|program| same(sources, program, tree));
            match open.map(|open| (open, told(open))) {
                Some((open, Ok(explanation))) => Ok((open.clone(), explanation)),
                _ => told(tree).map(|explanation| ((*tree).clone(), explanation)),
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
        found.levels = names;
        Ok(())
    }

    /// Misses over each size that was given.
    fn sweeps(
        &self,
        sources: &mut SourceMap,
        functions: &[&FunctionAnalysis],
        sizes: &BTreeMap<String, i64>,
        found: &mut Derivations,
    ) -> Result<(), Failure> {
        if sizes.is_empty() || MOST_SIZES < sizes.len() {
            found.notes.push(format!(
                "Misses against a size are shown where -P gives one to {MOST_SIZES} sizes; `premiss sweep FILE -P \
                 NAME=64..8192` has them for any."
            ));
            return Ok(());
        }
        let Ok(machine) = self.measuring.machine.clone().without_tlbs() else {
            return Ok(());
        };
        let mut options = self.measuring.clone();
        options.machine = machine;
        options.budget = (options.budget / POINTS_PER_BUDGET).max(1);
        for (size, value) in sizes {
            let program = self.read(sources, &BTreeSet::from([size.clone()]))?;
            let points = points(size, *value);
            let trees = functions
                .iter()
                .filter_map(|x| same(sources, &program, &x.tree));
            let trees: Vec<&NestTree> = trees.filter(|tree| opens(tree, size)).collect();
            let swept = parallel::map(&trees, |tree| {
                let holds = |point: &&Point| {
                    tree.violated_bound(|name: &str| point.get(name).copied())
                        .is_none()
                };
                let points: Vec<Point> = points.iter().filter(holds).cloned().collect();
                SizeSweep {
                    size: size.clone(),
                    swept: sweep(tree, &points, &options),
                    points,
                    tree: (*tree).clone(),
                    machine: options.machine.clone(),
                }
            });
            found
                .sweeps
                .extend(swept.into_iter().filter(|x| 1 < x.points.len()));
        }
        Ok(())
    }
}

/// The same function in another reading.
fn same<'a>(sources: &SourceMap, program: &'a Program, tree: &NestTree) -> Option<&'a NestTree> {
    let key = |tree: &NestTree| {
        (
            sources.file(tree.span.file).path().to_owned(),
            tree.span.start,
        )
    };
    let own = key(tree);
    let mut functions = program.functions.iter();
    functions.find(|x| x.function == tree.function && key(x) == own)
}

/// Whether this size alone has no value.
fn opens(tree: &NestTree, size: &str) -> bool {
    let used = tree.used_parameters();
    let mut open = used
        .iter()
        .map(|id| &tree.parameters[*id])
        .filter(|x| x.value.is_none());
    open.next().is_some_and(|x| x.name == size) && open.next().is_none()
}

/// Powers of two, and three times such, from a sixteenth of a value to four times as much.
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
