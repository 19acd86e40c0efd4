//! What is known of all references of a function together, where data decide what is executed.
//!
//! Of `if (x[i] > 0) y[i] = 1; else y[i] = 2;` there are two references to `y`, each executed 0 to n times; together they are
//! executed n times. Closed forms count each reference by itself; a trace of limited length tells the rest, unless nothing but
//! closed forms is asked for.

use crate::counts::Provenance;
use crate::options::{Engine, MeasureOptions};
use crate::task::{CountedLevel, execution_within, steps_per_run};
use premiss_cache::CacheGeometry;
use premiss_histogram::Counted;
use premiss_trace::Execution;
use premiss_tree::NestTree;

/// The most steps of a trace that only narrows bounds.
const MOST_STEPS: u64 = 1 << 25;

fn execution<'tree>(tree: &'tree NestTree, options: &MeasureOptions) -> Option<Execution<'tree>> {
    let steps = match options.engine {
        // No step is taken: this only places the arrays.
        Engine::Closed => 1,
        Engine::Auto | Engine::Trace => MOST_STEPS.min(steps_per_run(options)),
    };
    execution_within(tree, options, steps).ok()
}

/// Narrows the sums of all accesses, loads and stores, where they are bounded.
pub(crate) fn narrow_accesses(
    sums: [Counted; 3],
    tree: &NestTree,
    options: &MeasureOptions,
) -> [Counted; 3] {
    let is_bounded = |count: &Counted| matches!(count, Counted::Bounded { .. });
    if !sums.iter().any(is_bounded) {
        return sums;
    }
    let joint = execution(tree, options).and_then(|x| x.joint_accesses().ok().flatten());
    match joint {
        Some(joint) => [0, 1, 2].map(|idx| sums[idx].narrowed(joint[idx])),
        None => sums,
    }
}

/// Adds what is known of the misses of all references together, where a closed form bounds those of each.
pub(crate) fn add_total(
    level: &mut CountedLevel,
    geometry: CacheGeometry,
    tree: &NestTree,
    options: &MeasureOptions,
) {
    let mut all = level.run.misses.values();
    let is_bounded = all.any(|count| matches!(count, Counted::Bounded { .. }));
    if level.provenance != Provenance::ClosedForm || !is_bounded {
        return;
    }
    let Some(execution) = execution(tree, options) else {
        return;
    };
    let traced = execution.joint_misses(geometry).ok().flatten();
    level.run.total = traced.or_else(|| first_touches_alone(&execution, geometry));
}

/// Where all arrays fit into a cache at the same time, each line misses once at most.
fn first_touches_alone(execution: &Execution<'_>, geometry: CacheGeometry) -> Option<Counted> {
    let ranges = execution.line_ranges(geometry.line_size)?;
    if !geometry.holds(&ranges) {
        return None;
    }
    let lines = ranges.iter().map(|(first, last)| last - first + 1).sum();
    Some(Counted::between(0, lines))
}
