//! The formulas of one function: accesses, cold misses, distances, and misses of caches.

use crate::closed_form::Derivation;
use crate::formula::{DistanceCount, Formula};
use crate::formula_builder::FormulaBuilder;
use crate::refusal::NoClosedForm;
use crate::residue_classes::{ResidueFactors, SymbolicOptions, factors, symbolic_form};
use crate::set_classes::SetClassForm;
use premiss_arithmetic::lcm;
use premiss_cache::CacheGeometry;
use premiss_dataflow::{DistanceBound, accesses_in_order};
use premiss_distance::{ReferenceHistogram, SymbolicHistogram};
use premiss_presburger::{Column, Refusal};
use premiss_scop::{NodeId, Scop};
use premiss_tree::{NestTree, ParameterId, ReferenceId};
use std::collections::{BTreeMap, BTreeSet};

/// The most classes of a size that may be introduced to make formulas shorter.
const MOST_CLASSES: i64 = 64;

/// A number as a formula, or why there is none.
pub type FormulaResult = Result<Formula, Refusal>;

/// The counts of one function as formulas in its sizes.
#[derive(Debug)]
pub struct FunctionFormulas {
    /// The derived histogram, whose columns all formulas use.
    pub histogram: SymbolicHistogram,
    /// The scop of the tree, which gives the loops that distances depend on.
    pub scop: Scop,
    /// The number of accesses.
    pub accesses: FormulaResult,
    /// The number of accesses that are the first to their line.
    pub cold: FormulaResult,
    /// The misses of each level that was asked for.
    pub levels: Vec<LevelFormula>,
    /// The references, one entry for each, in order of execution.
    pub references: Vec<ReferenceFormulas>,
    /// Where data decide what executes, all other formulas are upper bounds, and these the lower ones, of the same sizes
    /// and references.
    pub lower: Option<Box<FunctionFormulas>>,
}

/// The misses of one level.
#[derive(Debug)]
pub struct LevelFormula {
    /// Its name.
    pub name: String,
    /// Its geometry.
    pub geometry: CacheGeometry,
    /// The misses as if it were a fully associative LRU cache of as many lines.
    pub misses: FormulaResult,
    /// The misses with its sets, for sizes of one class, where these were asked for.
    pub sets: Option<Result<SetClassForm, NoClosedForm>>,
}

/// The counts of one reference.
#[derive(Debug)]
pub struct ReferenceFormulas {
    /// The reference.
    pub id: ReferenceId,
    /// Its node in the scop.
    pub node: NodeId,
    /// The number of its accesses.
    pub accesses: FormulaResult,
    /// The number of its accesses that are the first to their line.
    pub cold: FormulaResult,
    /// The number of its accesses at each distance, in distinct other lines.
    pub distances: Result<Vec<DistanceCount>, Refusal>,
    /// Its misses in each level, in the order of [`FunctionFormulas::levels`], as if it were fully associative.
    pub misses: Vec<FormulaResult>,
}

/// Derives the formulas of a function in its sizes without a value, for the residue class of sizes given by `residues`;
/// sizes that are not in it have remainder 0. If `residues` is empty, sizes may be restricted further, to a class that
/// makes the formulas shorter. `levels` are names and geometries; a formula that cannot be made is an error in its
/// place.
///
/// # Errors
/// The function has no closed form in these sizes.
pub fn formulas(
    tree: &NestTree,
    levels: &[(String, CacheGeometry)],
    residues: &BTreeMap<ParameterId, i64>,
    options: SymbolicOptions<'_>,
) -> Result<FunctionFormulas, NoClosedForm> {
    let mut factors: ResidueFactors = factors(tree, options)?;
    for id in residues.keys() {
        let whole_line = i64::try_from(options.line_size / 8).unwrap_or(1).max(1);
        factors.entry(*id).or_insert(whole_line);
    }
    let form = symbolic_form(tree, &factors, residues, options)?;
    let found = of_derivation(form, levels, options);
    if residues.is_empty()
        && let Some(finer) = without_floors(&found)
        && let Ok(form) = symbolic_form(tree, &finer, residues, options)
    {
        let finer = of_derivation(form, levels, options);
        if denominators(&finer).is_empty() {
            return Ok(finer);
        }
    }
    Ok(found)
}

/// As [`formulas`]; where data decide what executes, upper and lower bounds.
///
/// # Errors
/// The function has neither in these sizes.
pub fn bounded_formulas(
    tree: &NestTree,
    levels: &[(String, CacheGeometry)],
    residues: &BTreeMap<ParameterId, i64>,
    options: SymbolicOptions<'_>,
) -> Result<FunctionFormulas, NoClosedForm> {
    match formulas(tree, levels, residues, options) {
        Err(why) if why.is_condition() => {}
        exact => return exact,
    }
    let of_bound = |bound| SymbolicOptions {
        bound: Some(bound),
        ..options
    };
    let mut upper = formulas(tree, levels, residues, of_bound(DistanceBound::Upper))?;
    let sizes = upper.histogram.parameters.iter();
    let factors = sizes.map(|size| (size.id, size.factor)).collect();
    let options = of_bound(DistanceBound::Lower);
    let lower = symbolic_form(tree, &factors, residues, options)?;
    upper.lower = Some(Box::new(of_derivation(lower, levels, options)));
    Ok(upper)
}

/// Factors of residue classes in which the number of accesses has no floors of sizes; `None` if it has none anyway, or
/// if there would be many classes. Trip counts seldom depend on remainders, and formulas of one class are far shorter
/// than those with floors.
fn without_floors(found: &FunctionFormulas) -> Option<ResidueFactors> {
    let sizes = &found.histogram.parameters;
    let mut factors: Vec<i64> = sizes.iter().map(|size| size.factor).collect();
    let denominators = denominators(found);
    if denominators.is_empty() {
        return None;
    }
    for (size, denominator) in denominators {
        let all = sizes[size].factor.checked_mul(denominator)?;
        factors[size] = lcm(factors[size], all)?;
    }
    let are_few = factors.iter().all(|factor| *factor <= MOST_CLASSES);
    let named = sizes.iter().zip(factors);
    are_few.then(|| named.map(|(size, factor)| (size.id, factor)).collect())
}

/// The denominators of floors of sizes in the number of accesses, with the index of the size.
fn denominators(found: &FunctionFormulas) -> BTreeSet<(usize, i64)> {
    let n_sizes = found.histogram.parameters.len();
    let cases = found.accesses.iter().flat_map(|formula| &formula.cases);
    let mut denominators = BTreeSet::new();
    for floor in cases.flat_map(|case| &case.domain.floors) {
        let of_sizes = floor
            .numerator
            .support()
            .map(Column::place)
            .filter(|size| *size < n_sizes);
        denominators.extend(of_sizes.map(|size| (size, floor.denominator)));
    }
    denominators
}

/// The formulas of a closed form.
fn of_derivation(
    form: Derivation,
    levels: &[(String, CacheGeometry)],
    options: SymbolicOptions<'_>,
) -> FunctionFormulas {
    let mut builder = FormulaBuilder::new(&form.histogram, options.effort.steps);
    let all: Vec<&ReferenceHistogram> = form.histogram.references.iter().collect();
    let of_level =
        |builder: &mut FormulaBuilder, (name, geometry): &(String, CacheGeometry)| LevelFormula {
            name: name.clone(),
            geometry: *geometry,
            misses: builder.misses(&all, geometry.lines()),
            sets: None,
        };
    let accesses = builder.misses(&all, 0);
    let cold = builder.cold(&all);
    let of_levels = levels.iter().map(|level| of_level(&mut builder, level));
    let of_levels = of_levels.collect();
    let mut references = Vec::new();
    let accesses_in_order = accesses_in_order(&form.scop);
    for (part, (node, _)) in form.histogram.references.iter().zip(accesses_in_order) {
        let one = [part];
        let misses = levels.iter().map(|(_, x)| builder.misses(&one, x.lines()));
        let misses = misses.collect();
        references.push(ReferenceFormulas {
            id: part.reference,
            node,
            accesses: builder.misses(&one, 0),
            cold: builder.cold(&one),
            distances: builder.distances(part),
            misses,
        });
    }
    FunctionFormulas {
        accesses,
        cold,
        levels: of_levels,
        references,
        histogram: form.histogram,
        scop: form.scop,
        lower: None,
    }
}
