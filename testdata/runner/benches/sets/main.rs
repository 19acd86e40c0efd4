//! What it costs to decide the misses of set-associative caches without a run, beside the trace.
//!
//! `cargo bench -p premiss-testdata --bench sets -- large` prints a table of all kernels for an L1 of 32 KiB in 8 ways,
//! `… -- extralarge` for the next larger data sets, and `… -- gemm NI=1000 NJ=1100 NK=1200` one line of it. `spr` after that
//! counts all five levels of that machine, or with `L2` that one, and `trace` traces the same levels beside, in at most 10^9 steps each.
//! Seconds are those of all processors together.

#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]

#[path = "../closed/kernels.rs"]
mod kernels;

use kernels::{EXTRALARGE, LARGE, sizes_of};
use premiss_cache::{CacheGeometry, Hierarchy};
use premiss_dataflow::analyze;
use premiss_distance::{ConflictSets, PageConflicts, conflict_sets};
use premiss_isl::with_budget;
use premiss_machine::shipped;
use premiss_presburger::{Budget, Refusal};
use premiss_scop::{ArrayLayout, ScopOptions, lower};
use premiss_testdata::kernel::Kernel;
use premiss_testdata::pages::pages_of;
use premiss_testdata::usage::processor_seconds;
use premiss_trace::{Execution, Placement};
use premiss_tree::{NestTree, ReferenceId};
use std::collections::BTreeMap;

/// The steps that deciding a level may take, as in a report whose level cannot be traced.
const STEPS: u64 = 16_000_000;

/// The operations on sets that a relation of lines may take: where rows share them in many ways, pages take fewer.
const OPERATIONS: u64 = 4_000_000;

fn main() {
    let arguments: Vec<String> = std::env::args()
        .skip(1)
        .filter(|x| x != "--bench")
        .collect();
    let has = |word: &str| arguments.iter().any(|x| x == word);
    let levels = match has("spr") {
        true => spr(&has),
        false => vec![CacheGeometry {
            line_size: 64,
            sets: 64,
            ways: 8,
        }],
    };
    match arguments.first().map(String::as_str) {
        None => {}
        Some("large") => table(&LARGE, &levels, has("trace")),
        Some("extralarge") => table(&EXTRALARGE, &levels, has("trace")),
        Some(name) => {
            let sizes = sizes_of(name, &arguments);
            line(name, &sizes, &levels, has("trace"));
        }
    }
}

/// The caches and TLBs of the machine that comes along, or those that are named.
fn spr(is_named: &dyn Fn(&str) -> bool) -> Vec<CacheGeometry> {
    let machine = shipped("spr").expect("it comes along");
    let levels: Vec<(&str, CacheGeometry)> = machine.levels().collect();
    let is_any_named = levels.iter().any(|level| is_named(level.0));
    let named = levels
        .iter()
        .filter(|level| !is_any_named || is_named(level.0));
    named.map(|level| level.1).collect()
}

fn table(kernels: &[kernels::Sized], levels: &[CacheGeometry], is_traced: bool) {
    let mut decided = 0;
    let mut total = 0.0;
    for (name, sizes) in kernels {
        let (seconds, is_decided) = line(name, sizes, levels, is_traced);
        decided += u32::from(is_decided);
        total += seconds;
    }
    println!(
        "{decided} of {} kernels decided; {total:.1} s in all",
        kernels.len()
    );
}

/// Prints what one kernel costs; returns the seconds and whether all levels were decided.
fn line(
    name: &str,
    sizes: &[(&str, i64)],
    levels: &[CacheGeometry],
    is_traced: bool,
) -> (f64, bool) {
    let kernel = Kernel::read(&format!("kernels/c/{name}.c"), sizes, sizes);
    let tree = kernel.unit.functions.last().expect("a function");
    let placement = Placement {
        alignment: 4096,
        bases: BTreeMap::new(),
    };
    let execution = Execution::new(tree, &BTreeMap::new(), &placement, 1_000_000_000);
    let execution = execution.expect("its arrays fit");
    let start = processor_seconds();
    let mut derived: BTreeMap<u64, Result<Conflicts, String>> = BTreeMap::new();
    for level in levels {
        let line_size = level.line_size;
        derived
            .entry(line_size)
            .or_insert_with(|| derive(tree, line_size, &execution));
    }
    let mut text = format!("{name:15} {:8.2}", processor_seconds() - start);
    let mut is_decided = true;
    for level in levels {
        let mut budget = Budget::new(STEPS);
        let before = processor_seconds();
        let misses = match &derived[&level.line_size] {
            Ok(sets) => sets.misses(*level, &mut budget).map_err(|x| x.to_string()),
            Err(why) => Err(why.clone()),
        };
        let seconds = processor_seconds() - before;
        let steps = STEPS - budget.left();
        let total = misses.map(|all| all.into_iter().map(|x| x.1).sum::<u64>());
        is_decided &= total.is_ok();
        let total = total.map_or_else(|why| why, |total| total.to_string());
        text += &format!(" | {total:>14} {seconds:6.2} s {steps:8}");
    }
    let seconds = processor_seconds() - start;
    if is_traced {
        for level in levels {
            let start = processor_seconds();
            let traced = execution.misses(&[*level], Hierarchy::Independent);
            let total =
                traced.map(|all| all[0].values().copied().sum::<premiss_histogram::Counted>());
            let total = total.map_or_else(|why| why.to_string(), |total| format!("{total:?}"));
            text += &format!(" | trace {total} {:.2} s", processor_seconds() - start);
        }
    }
    println!("{text} | {seconds:.2} s");
    (seconds, is_decided)
}

/// What decides misses.
enum Conflicts {
    Lines(ConflictSets),
    /// Of each array: rows are no multiple of a page.
    Pages(Vec<PageConflicts>),
}

impl Conflicts {
    fn misses(
        &self,
        level: CacheGeometry,
        budget: &mut Budget,
    ) -> Result<Vec<(ReferenceId, u64)>, Refusal> {
        match self {
            Self::Lines(sets) => sets.misses(level, budget),
            Self::Pages(arrays) => {
                let arrays = arrays.iter().map(|array| array.misses(level, budget));
                Ok(arrays.collect::<Result<Vec<_>, _>>()?.concat())
            }
        }
    }
}

fn derive(tree: &NestTree, line_size: u64, execution: &Execution<'_>) -> Result<Conflicts, String> {
    let options = ScopOptions {
        line_size,
        layout: ArrayLayout::Aligned,
        sizes: BTreeMap::new(),
    };
    let pages = || pages_of(tree, line_size, execution, STEPS).map(Conflicts::Pages);
    let Ok(scop) = lower(tree, &options) else {
        return pages();
    };
    let Ok(relation) = with_budget(OPERATIONS, || analyze(&scop)) else {
        return pages();
    };
    let first_line = |space| {
        let base = execution.bases()[scop.spaces[space].array];
        (base / line_size).cast_signed()
    };
    let sets = conflict_sets(&scop, &relation, &first_line, &mut Budget::new(STEPS));
    sets.map(Conflicts::Lines).map_err(|x| x.to_string())
}
