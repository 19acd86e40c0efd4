//! Misses of set-associative levels as formulas, for sizes of one residue class.
//!
//! In a cache of 64 sets, whether two rows of `N` doubles share sets depends on `N` modulo 512. For `N = 512·x + r` the
//! misses are a formula in `x`, as those of a fully associative cache are for `N = 8·x + r`. Which sizes need such a class,
//! and of which period, is found by trying, as with lines: those that make rows longer, or move an array.

use crate::closed_form::{scop_of, scop_options};
use crate::formula_builder::FormulaBuilder;
use crate::function_formulas::FormulaResult;
use crate::refusal::{DerivationStage, NoClosedForm};
use crate::residue_classes::{SymbolicOptions, class_sizes, factors};
use premiss_cache::CacheGeometry;
use premiss_distance::{SymbolicHistogram, class_misses, sizes_that_move_lines};
use premiss_presburger::{Piece, Refusal};
use premiss_scop::{LineSpaceId, Scop};
use premiss_tree::{ArrayId, BinaryOperator, Expression, NestTree, ParameterId, SecondaryMap};
use std::collections::{BTreeMap, BTreeSet};

/// Where arrays start is evaluated at so many members of a class for each size: it is a polynomial of a lower degree, and its
/// residue is the same everywhere if it is at as many points as its degree and one more.
const N_MEMBERS: i64 = 4;

/// At most so many sizes may move an array.
const MOST_SIZES: usize = 4;

/// The address of each array's first byte at given values of the sizes without one; `None` where arrays cannot be placed.
pub type ArrayBases<'a> =
    &'a (dyn Fn(&BTreeMap<ParameterId, i64>) -> Option<SecondaryMap<ArrayId, u64>> + Sync);

/// The misses of a set-associative LRU level that sees all accesses, for sizes of one residue class.
#[derive(Debug)]
pub struct SetClassForm {
    /// The class, and what is assumed of sizes; it has no references.
    pub histogram: SymbolicHistogram,
    /// The misses.
    pub misses: FormulaResult,
    /// The same for each reference, in order of execution.
    pub references: Vec<FormulaResult>,
}

/// Derives the misses of a level for the class of sizes that leave the same remainders as `sizes`; remainders of sizes that
/// are not in it are 0.
///
/// # Errors
/// The function has no closed form in these sizes, where an array starts is unknown or different for sizes of a class, or the
/// effort does not suffice.
pub fn set_class_form(
    tree: &NestTree,
    geometry: CacheGeometry,
    sizes: &BTreeMap<ParameterId, i64>,
    options: SymbolicOptions<'_>,
    bases: ArrayBases<'_>,
) -> Result<SetClassForm, NoClosedForm> {
    let class = SetClass::new(tree, geometry, sizes, options, bases)?;
    let scop = &class.scop;
    let deriver = options.deriver(scop);
    let relation = deriver.relation()?;
    let first_line = |space: LineSpaceId| class.first_lines[scop.spaces[space].array];
    let steps = options.effort.steps;
    let found = class_misses(scop, &relation, &first_line, geometry, steps)
        .map_err(|refusal| deriver.refused(DerivationStage::Conflicts, refusal))?;
    let histogram = SymbolicHistogram {
        line_size: scop.line_size,
        parameters: scop.parameters.clone(),
        context: scop.context.clone(),
        references: Vec::new(),
    };
    let mut builder = FormulaBuilder::new(&histogram, options.effort.steps);
    let mut all: Result<Vec<Piece>, Refusal> = Ok(Vec::new());
    let mut references = Vec::new();
    for one in found {
        let own = one.misses.clone();
        references.push(own.and_then(|pieces| builder.of_pieces(&pieces)));
        all = all.and_then(|mut all| {
            all.extend(one.misses?);
            Ok(all)
        });
    }
    let misses = all.and_then(|pieces| builder.of_pieces(&pieces));
    Ok(SetClassForm {
        misses,
        references,
        histogram,
    })
}

/// A class of sizes for which strides and first lines are the same modulo the number of sets.
struct SetClass {
    scop: Scop,
    /// Modulo the number of sets.
    first_lines: SecondaryMap<ArrayId, i64>,
}

impl SetClass {
    fn new(
        tree: &NestTree,
        geometry: CacheGeometry,
        sizes: &BTreeMap<ParameterId, i64>,
        options: SymbolicOptions<'_>,
        bases: ArrayBases<'_>,
    ) -> Result<Self, NoClosedForm> {
        let sets = i64::try_from(geometry.sets).unwrap_or(i64::MAX);
        let mut factors = factors(tree, options)?;
        let mut enlarged = BTreeSet::new();
        loop {
            let class = class_sizes(tree, &factors, sizes);
            let scop_options = scop_options(options.line_size, options.alignment, class)?;
            let scop =
                scop_of(tree, &scop_options, options.bound).map_err(NoClosedForm::Rejected)?;
            let mut moving = sizes_that_move_lines(&scop, sets);
            if moving.is_empty() {
                match first_lines(tree, &scop, geometry, bases)? {
                    Ok(first_lines) => return Ok(Self { scop, first_lines }),
                    Err(sizes) => moving = sizes,
                }
            }
            for size in moving {
                let factor = factors.entry(size).or_insert(1);
                if !enlarged.insert(size) {
                    return Err(NoClosedForm::SetPlacement);
                }
                *factor = factor.checked_mul(sets).ok_or(NoClosedForm::SetPlacement)?;
            }
        }
    }
}

/// The line in which each array of a scop starts, modulo the number of sets; sizes on which that depends where it is not the
/// same for the whole class.
///
/// # Errors
/// An array's extent is no polynomial in sizes, or there are too many sizes.
fn first_lines(
    tree: &NestTree,
    scop: &Scop,
    geometry: CacheGeometry,
    bases: ArrayBases<'_>,
) -> Result<Result<SecondaryMap<ArrayId, i64>, Vec<ParameterId>>, NoClosedForm> {
    let sizes = &scop.parameters;
    let mut arrays = tree.arrays.values();
    let is_known = arrays.all(|array| array.extent.as_ref().is_some_and(is_polynomial));
    if MOST_SIZES < sizes.len() || !is_known {
        return Err(NoClosedForm::SetPlacement);
    }
    let at = |members: &[i64]| {
        let values = sizes.iter().zip(members);
        let values = values.map(|(size, x)| (size.id, size.factor * x + size.residue));
        let bases = bases(&values.collect()).ok_or(NoClosedForm::SetPlacement)?;
        let mut lines = SecondaryMap::new();
        lines.resize(tree.arrays.len());
        for space in scop.spaces.values() {
            let line = bases[space.array] / geometry.line_size % geometry.sets;
            lines[space.array] = line.cast_signed();
        }
        Ok::<SecondaryMap<ArrayId, i64>, NoClosedForm>(lines)
    };
    let mut members = vec![1; sizes.len()];
    let first = at(&members)?;
    let mut moving = Vec::new();
    for (idx, size) in sizes.iter().enumerate() {
        members[idx] = 2;
        if at(&members)? != first {
            moving.push(size.id);
        }
        members[idx] = 1;
    }
    if !moving.is_empty() {
        return Ok(Err(moving));
    }
    while next_member(&mut members) {
        if at(&members)? != first {
            return Ok(Err(sizes.iter().map(|size| size.id).collect()));
        }
    }
    Ok(Ok(first))
}

/// Steps to the next combination of members; returns whether there is one.
fn next_member(members: &mut [i64]) -> bool {
    for member in members {
        if *member < N_MEMBERS {
            *member += 1;
            return true;
        }
        *member = 1;
    }
    false
}

/// Whether an expression is a polynomial in sizes of a degree below [`N_MEMBERS`] in each.
fn is_polynomial(expression: &Expression) -> bool {
    let mut uses: BTreeMap<ParameterId, i64> = BTreeMap::new();
    let mut is_one = true;
    expression.walk(&mut |part| match part {
        Expression::Integer(_) => {}
        Expression::Parameter(id) => *uses.entry(*id).or_default() += 1,
        Expression::Binary(
            BinaryOperator::Add | BinaryOperator::Subtract | BinaryOperator::Multiply,
            ..,
        ) => {}
        _ => is_one = false,
    });
    is_one && uses.values().all(|n_uses| *n_uses < N_MEMBERS)
}
