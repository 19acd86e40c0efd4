//! Whether misses grow, for all sizes at once.
//!
//! The closed forms of a program before and after are functions of the same sizes. Their difference is formed piece by
//! piece. If it is positive nowhere, misses grow for no size; a size at which it is positive is a witness. With one
//! size, the sign of the difference is found exactly; with several, only for pieces all of whose coefficients are at
//! most 0, and other pieces stay undecided. Levels count as fully associative.

mod difference;
mod size_class;
mod types;

pub use types::{CapacityLimit, MissGrowth, ReferenceSet, SizeRange, Witness};

use crate::refusal::Effort;
use crate::residue_classes::{ResidueFactors, SymbolicOptions, factors};
use premiss_arithmetic::lcm;
use premiss_tree::{NestTree, ParameterId};
use size_class::{Size, SizeClass};
use std::collections::BTreeSet;

/// With more residue classes than this, nothing is proved.
const MOST_CLASSES: i64 = 64;
/// Each derivation gets this fraction of the effort.
const PART_OF_EFFORT: u64 = 8;

/// Compares the misses of references in caches before and after a change, for all values in `range` of the sizes that
/// have none; `sizes` pairs sizes before with sizes after. The result has one entry for each of `capacities`; what cannot be
/// derived is [`MissGrowth::Undecided`].
#[must_use]
pub fn growth_for_all_sizes(
    (before, after): (ReferenceSet<'_>, ReferenceSet<'_>),
    (sizes, range): (&[(ParameterId, ParameterId)], SizeRange),
    capacities: &[CapacityLimit<'_>],
    options: SymbolicOptions<'_>,
) -> Vec<MissGrowth> {
    let open = || vec![MissGrowth::Undecided; capacities.len()];
    let options = SymbolicOptions {
        effort: Effort {
            steps: options.effort.steps / PART_OF_EFFORT,
        },
        ..options
    };
    let (Ok(old), Ok(new)) = (factors(before.tree, options), factors(after.tree, options)) else {
        return open();
    };
    let Some(sizes) = all_sizes((before, after), sizes) else {
        return open();
    };
    let common: Vec<i64> = sizes
        .iter()
        .map(|size| common_factor(*size, &old, &new))
        .collect();
    let common = finer(
        (before, after),
        (&sizes, range, common),
        capacities,
        options,
    );
    let n_classes = common
        .iter()
        .fold(1_i64, |n, factor| n.saturating_mul(*factor));
    let (classes, unless_found) = match n_classes <= MOST_CLASSES {
        true => (n_classes, MissGrowth::Never),
        false => (1, MissGrowth::Undecided),
    };
    let mut answers = vec![unless_found; capacities.len()];
    for class in 0..classes {
        let asked = SizeClass {
            sizes: &sizes,
            range,
            factors: &common,
            residues: &residues(class, &common),
        };
        let Ok(found) = asked.growths((before, after), capacities, options) else {
            // If a class is undecided, the remaining classes need not be compared.
            answers
                .iter_mut()
                .filter(|x| **x == MissGrowth::Never)
                .for_each(|x| *x = MissGrowth::Undecided);
            break;
        };
        for (answer, found) in answers.iter_mut().zip(found) {
            match (&answer, found) {
                (MissGrowth::At(_), _) | (_, MissGrowth::Never) => {}
                (_, found) => *answer = found,
            }
        }
    }
    answers
}

/// Factors of finer residue classes in which formulas have no floors of sizes, if these are not too many: within such a
/// class, the number of lines of an array is a polynomial.
fn finer(
    parts: (ReferenceSet<'_>, ReferenceSet<'_>),
    (sizes, range, factors): (&[Size], SizeRange, Vec<i64>),
    capacities: &[CapacityLimit<'_>],
    options: SymbolicOptions<'_>,
) -> Vec<i64> {
    let class = SizeClass {
        sizes,
        range,
        factors: &factors,
        residues: &vec![0; factors.len()],
    };
    let mut finer = factors.clone();
    for (size, denominator) in class
        .denominators(parts, capacities, options)
        .unwrap_or_default()
    {
        // A divided size is already a multiple of its factor.
        let whole = factors[size].saturating_mul(denominator);
        finer[size] = lcm(finer[size], whole).unwrap_or(i64::MAX);
    }
    let n_classes = finer
        .iter()
        .fold(1_i64, |n, factor| n.saturating_mul(*factor));
    if n_classes <= MOST_CLASSES {
        finer
    } else {
        factors
    }
}

/// The sizes without a value of both programs.
fn all_sizes(
    (before, after): (ReferenceSet<'_>, ReferenceSet<'_>),
    known: &[(ParameterId, ParameterId)],
) -> Option<Vec<Size>> {
    let open = |tree: &NestTree| -> BTreeSet<ParameterId> {
        let used = tree.used_parameters().into_iter();
        used.filter(|id| {
            tree.parameters
                .get(*id)
                .is_some_and(|size| size.value.is_none())
        })
        .collect()
    };
    let (mut old, mut new) = (open(before.tree), open(after.tree));
    let mut all: Vec<Size> = Vec::new();
    for (was, is) in known {
        if old.remove(was) && new.remove(is) {
            all.push((Some(*was), Some(*is)));
        }
    }
    // A size on one side only may be a renamed size of the other side, which is not known here.
    (old.is_empty() || new.is_empty()).then_some(())?;
    all.extend(old.into_iter().map(|id| (Some(id), None)));
    all.extend(new.into_iter().map(|id| (None, Some(id))));
    Some(all)
}

fn common_factor((was, is): Size, old: &ResidueFactors, new: &ResidueFactors) -> i64 {
    let of = |id: Option<ParameterId>, factors: &ResidueFactors| {
        id.and_then(|id| factors.get(&id).copied())
            .unwrap_or(1)
            .max(1)
    };
    let (a, b) = (of(was, old), of(is, new));
    lcm(a, b).unwrap_or(i64::MAX)
}

/// The remainders of the class with this number.
fn residues(mut class: i64, factors: &[i64]) -> Vec<i64> {
    let of_one = |factor: &i64| {
        let residue = class % factor;
        class /= factor;
        residue
    };
    factors.iter().map(of_one).collect()
}
