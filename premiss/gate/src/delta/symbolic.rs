//! Comparing the closed forms of both sides for all sizes, where sizes have no values.
//!
//! A metric that grows for no size is within its limit; one that exceeds it at some size does so with that size as
//! witness. Levels count as fully associative.

use super::count::Quantity;
use super::kernel_delta::{ForAllSizes, Metric};
use super::program::ComparedProgram;
use crate::matching::{Kernel, Pair};
use crate::verdict::Verdict;
use premiss_analyze::{
    CapacityLimit, MissGrowth, Rational, ReferenceSet, SizeRange, SymbolicOptions, Witness,
    growth_for_all_sizes,
};
use premiss_tree::{NestTree, ParameterId, ReferenceId};
use std::collections::BTreeSet;

/// Decides metrics that are undecided because sizes have no values, as far as closed forms do; gives witnesses for
/// those that exceed their limits.
pub(super) fn decide(
    pair: &Pair,
    (base, head): (ComparedProgram<'_>, ComparedProgram<'_>),
    metrics: &mut [(Quantity, Metric)],
    (range, options): (SizeRange, SymbolicOptions<'_>),
) -> Vec<Option<Witness>> {
    let mut witnesses = vec![None; metrics.len()];
    let Some((before, after)) =
        function_references(base, &pair.base).zip(function_references(head, &pair.head))
    else {
        return witnesses;
    };
    if !has_open_sizes(before.tree) && !has_open_sizes(after.tree) {
        return witnesses;
    }
    let sizes = common_sizes(
        (base, before.tree, &pair.base),
        (head, after.tree, &pair.head),
    );
    if sizes
        .iter()
        .any(|(old, new)| is_open(before.tree, *old) != is_open(after.tree, *new))
    {
        // Callers fix the size on one side alone: the counts are of different sizes.
        return witnesses;
    }
    let levels = &head.function(&head.kernels[pair.head[0]]).levels;
    let shape = |quantity: &Quantity| levels[quantity.level].geometry;
    let is_undecided = |(quantity, metric): &(Quantity, Metric)| {
        let model = &levels[quantity.level].model;
        metric.verdict == Verdict::Undecided && model.follows_reuse_distance()
    };
    let open: Vec<usize> = (0..metrics.len())
        .filter(|idx| is_undecided(&metrics[*idx]))
        .collect();
    let lines: Vec<u64> = open
        .iter()
        .map(|idx| shape(&metrics[*idx].0).line_size)
        .collect();
    for line_size in lines.iter().copied().collect::<BTreeSet<u64>>() {
        let here = open
            .iter()
            .zip(&lines)
            .filter(|(_, line)| **line == line_size);
        let here: Vec<usize> = here.map(|(idx, _)| *idx).collect();
        let exceeds: Vec<Box<dyn Fn(u64, u64) -> bool>> =
            here.iter().map(|idx| exceeds(&metrics[*idx])).collect();
        let capacities: Vec<CapacityLimit<'_>> = here
            .iter()
            .zip(&exceeds)
            .map(|(idx, exceeds)| CapacityLimit {
                lines: shape(&metrics[*idx].0).lines(),
                times: times(&metrics[*idx].1),
                more: more(&metrics[*idx]),
                exceeds,
            })
            .collect();
        let parts = (before.reference_set(), after.reference_set());
        let options = SymbolicOptions {
            line_size,
            ..options
        };
        let found = growth_for_all_sizes(parts, (&sizes, range), &capacities, options);
        for (idx, found) in here.into_iter().zip(found) {
            witnesses[idx] = decide_by_growth(&mut metrics[idx], found);
        }
    }
    witnesses
}

/// The factor up to which a metric may grow in any case.
fn times(metric: &Metric) -> Rational {
    let (numerator, denominator) = metric.limit.times();
    Rational::new(numerator, denominator).unwrap_or(Rational::ONE)
}

/// The number of misses by which a metric may grow in any case.
fn more((quantity, metric): &(Quantity, Metric)) -> Rational {
    let (numerator, denominator) = metric.limit.more();
    let misses = denominator.saturating_mul(i128::from(quantity.weight));
    Rational::new(numerator, misses).unwrap_or(Rational::ONE)
}

/// Whether given misses before and after exceed the limit of a metric.
fn exceeds((quantity, metric): &(Quantity, Metric)) -> Box<dyn Fn(u64, u64) -> bool> {
    let (weight, limit) = (quantity.weight, metric.limit.clone());
    Box::new(move |before, after| {
        limit.is_exceeded(before.saturating_mul(weight), after.saturating_mul(weight))
    })
}

fn decide_by_growth(
    (quantity, metric): &mut (Quantity, Metric),
    found: MissGrowth,
) -> Option<Witness> {
    match found {
        MissGrowth::Undecided => None,
        MissGrowth::Never => {
            metric.verdict = Verdict::Within;
            metric.for_all_sizes = Some(ForAllSizes::NeverMore);
            None
        }
        MissGrowth::At(witness) => {
            metric.verdict = Verdict::Exceeds;
            let total = |all: &[(ReferenceId, u64)]| {
                let misses: u64 = all.iter().map(|x| x.1).sum();
                misses.saturating_mul(quantity.weight)
            };
            metric.for_all_sizes = Some(ForAllSizes::MoreAt {
                sizes: witness.sizes.clone(),
                before: total(&witness.before),
                after: total(&witness.after),
            });
            Some(witness)
        }
    }
}

/// The references of nests of one function.
struct FunctionReferences<'a> {
    tree: &'a NestTree,
    references: Vec<ReferenceId>,
}

impl FunctionReferences<'_> {
    fn reference_set(&self) -> ReferenceSet<'_> {
        ReferenceSet {
            tree: self.tree,
            references: &self.references,
        }
    }
}

/// The function of nests with their references; `None` if there are several functions.
fn function_references<'a>(
    side: ComparedProgram<'a>,
    all: &[usize],
) -> Option<FunctionReferences<'a>> {
    if side.saved.is_some() {
        return None;
    }
    let functions: BTreeSet<usize> = side.kernels_of(all).map(|kernel| kernel.function).collect();
    let function = functions.first().filter(|_| functions.len() == 1)?;
    let references = side
        .kernels_of(all)
        .flat_map(|kernel| kernel.nest.references.iter().copied());
    Some(FunctionReferences {
        tree: &side.functions[*function].tree,
        references: references.collect(),
    })
}

fn has_open_sizes(tree: &NestTree) -> bool {
    let used = tree.used_parameters();
    used.iter().any(|id| is_open(tree, *id))
}

/// Whether a size has no value.
fn is_open(tree: &NestTree, id: ParameterId) -> bool {
    let size = tree.parameters.get(id);
    size.is_some_and(|size| size.value.is_none())
}

/// The pairs of sizes of the base and the head: those with equal names; of the rest, if there are as many, those in the
/// same place of the order in which nests use them.
fn common_sizes(
    (base, old, was): (ComparedProgram<'_>, &NestTree, &[usize]),
    (head, new, is): (ComparedProgram<'_>, &NestTree, &[usize]),
) -> Vec<(ParameterId, ParameterId)> {
    let (mut before, mut after) = (old.used_parameters(), new.used_parameters());
    let mut pairs = Vec::new();
    for id in before.clone() {
        let same = after.iter().find(|x| {
            new.parameters.get(**x).map(|x| &x.name) == old.parameters.get(id).map(|x| &x.name)
        });
        if let Some(same) = same.copied() {
            before.remove(&id);
            after.remove(&same);
            pairs.push((id, same));
        }
    }
    let in_order = |side: ComparedProgram<'_>, all: &[usize], left: &BTreeSet<ParameterId>| {
        let mut sizes: Vec<ParameterId> = Vec::new();
        let of_nest = |kernel: &Kernel| kernel.nest.sizes.clone();
        for id in side.kernels_of(all).flat_map(of_nest) {
            if left.contains(&id) && !sizes.contains(&id) {
                sizes.push(id);
            }
        }
        sizes
    };
    let (before, after) = (in_order(base, was, &before), in_order(head, is, &after));
    if before.len() == after.len() {
        pairs.extend(before.into_iter().zip(after));
    }
    pairs
}
