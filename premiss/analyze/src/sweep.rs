//! Misses over a range of sizes, from one derivation for each residue class.

mod forms;
mod levels;
mod point;
mod thresholds;

pub use point::{FunctionSweep, Point, SweepPoint, SweepThreshold};

use crate::operations::{counts_at, operations};
use crate::options::MeasureOptions;
use crate::times::bound;
use forms::SweepForms;
use levels::TracedChains;
use point::tree_at;
use premiss_histogram::Counted;
use premiss_machine::{CacheChain, chains};
use premiss_operations::{Counts, Scope};
use premiss_parallel as parallel;
use premiss_tree::NestTree;

/// Counts the misses of a function at each of some points, which give values to those of its sizes that have none.
///
/// Closed forms are derived first for the line size of the first level, which thresholds are computed for, and for line
/// sizes of levels that only closed forms count. For other lines, such as pages, which have many residue classes, they
/// are derived only where the trace exceeds its budget.
#[must_use]
pub fn sweep(tree: &NestTree, points: &[Point], options: &MeasureOptions) -> FunctionSweep {
    let mut forms = SweepForms::new(tree, options);
    let first = forms.classes(points, |forms, _, line_size| {
        forms.is_wanted_first(line_size)
    });
    forms.derive(&first);
    let traced = parallel::map(points, |point| forms.traced_chains(point));
    let chains = chains(&options.machine, options.hierarchy);
    let second = forms.classes(points, |_, point, line_size| {
        let has_lines = |chain: &CacheChain| chain.has_lines(line_size);
        let mut chains = chains.iter().zip(&traced[point]);
        chains.any(|(chain, traced)| traced.is_none() && has_lines(chain))
    });
    forms.derive(&second);
    let work: Vec<(&Point, &TracedChains)> = points.iter().zip(&traced).collect();
    let results = parallel::map(&work, |(point, traced)| forms.levels_at(point, traced));
    let mut reasons = forms.reasons.clone();
    let mut swept = Vec::new();
    for ((levels, reason), counts) in results.into_iter().zip(counts(tree, points, options)) {
        if let Some(reason) = reason.filter(|reason| !reasons.contains(reason)) {
            reasons.push(reason);
        }
        let guaranteed: Vec<Counted> = levels.iter().map(|level| level.guaranteed).collect();
        let shown = levels.iter().map(|level| (level.misses, level.provenance));
        swept.push(SweepPoint {
            levels: shown.collect(),
            flops: counts.flops(),
            bound: bound(&options.machine, &counts, &guaranteed),
        });
    }
    FunctionSweep {
        points: swept,
        derivations: forms.derived.values().filter(|form| form.is_ok()).count(),
        thresholds: forms.thresholds(points),
        reasons,
    }
}

/// The operations of the function at each point.
fn counts(tree: &NestTree, points: &[Point], options: &MeasureOptions) -> Vec<Counts> {
    counts_at(tree, points, options).unwrap_or_else(|| {
        parallel::map(points, |point| {
            let counts = operations(&tree_at(tree, point), options);
            counts.of(Scope::Function).clone()
        })
    })
}
