//! What access patterns promise of misses, beside what they are: Byna, Sun, Gropp and Thakur (2004) on the
//! kernels of `testdata`, by class.
//!
//! For each group of references that move alike, the error is how far the misses that its pattern promises
//! are from those that the trace counts; a class has the sum of errors over the sum of misses. The time
//! is that of evaluating all patterns of a kernel, derived once, for one level.

#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]

use premiss_cache::{CacheGeometry, Hierarchy};
use premiss_histogram::Counted;
use premiss_operations::enumerate;
use premiss_testdata::kernel::Kernel;
use premiss_testdata::language::Language;
use premiss_time::{PatternClass, PatternLevel, ReferencePattern, patterns};
use premiss_trace::{Execution, Placement};
use premiss_tree::{LoopId, NestTree};
use std::collections::BTreeMap;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// More steps than any of these runs takes.
const BUDGET: u64 = 2_000_000_000;
/// Sizes of kernels: rows that divide the line, and rows that do not.
const SCALES: [i64; 2] = [64, 101];
/// The levels.
const LEVELS: [(&str, CacheGeometry); 4] = [
    ("4 KiB 2-way", geometry(64, 32, 2)),
    ("32 KiB 8-way", geometry(64, 64, 8)),
    ("64 KiB full", geometry(64, 1, 1024)),
    ("TLB 16 4-way", geometry(4096, 4, 4)),
];

const fn geometry(line_size: u64, sets: u64, ways: u64) -> CacheGeometry {
    CacheGeometry {
        line_size,
        sets,
        ways,
    }
}

/// What is summed up of a class in a level.
#[derive(Clone, Copy, Default)]
struct Sum {
    groups: u64,
    misses: f64,
    promised: f64,
    error: f64,
}

fn main() {
    let mut sums: BTreeMap<(PatternClass, usize), Sum> = BTreeMap::new();
    let (mut spent, mut evaluations) = (Duration::ZERO, 0_u32);
    for name in Language::C.kernels().keys() {
        for scale in SCALES {
            let kernel = Kernel::at_scale(name, Language::C, scale);
            for tree in &kernel.unit.functions {
                let Some(walks) = walks(tree) else {
                    continue;
                };
                for (idx, (_, shape)) in LEVELS.iter().enumerate() {
                    let start = Instant::now();
                    for walk in &walks {
                        black_box(walk.pattern.misses(level(*shape)));
                    }
                    spent += start.elapsed();
                    evaluations += 1;
                    add(tree, &walks, idx, &mut sums);
                }
            }
        }
    }
    print(&sums);
    println!(
        "\nAll patterns of a kernel, one level: {:?} on average",
        spent / evaluations.max(1)
    );
}

/// The patterns of a function that can be counted.
fn walks(tree: &NestTree) -> Option<Vec<ReferencePattern>> {
    let sizes = BTreeMap::new();
    let counts = enumerate(tree, &sizes, BUDGET).ok()?;
    let exact = |count: Counted| count.exact().map(float);
    let known: Option<BTreeMap<LoopId, f64>> = tree
        .loops
        .keys()
        .map(|id| {
            let runs = counts.runs(id);
            Some((id, exact(runs.iterations)? / exact(runs.entries)?.max(1.0)))
        })
        .collect();
    let known = known?;
    Some(patterns(tree, &sizes, &|id| known[&id]))
}

fn add(
    tree: &NestTree,
    walks: &[ReferencePattern],
    idx: usize,
    sums: &mut BTreeMap<(PatternClass, usize), Sum>,
) {
    let shape = LEVELS[idx].1;
    let placement = Placement {
        alignment: 4096,
        bases: BTreeMap::new(),
    };
    let execution = Execution::new(tree, &BTreeMap::new(), &placement, BUDGET);
    let Ok(misses) =
        execution.and_then(|execution| execution.misses(&[shape], Hierarchy::Independent))
    else {
        return;
    };
    for walk in walks {
        let counted: Counted = walk.references.iter().map(|id| misses[0][*id]).sum();
        let Some(counted) = counted.exact().map(float) else {
            continue;
        };
        let promised = walk.pattern.misses(level(shape));
        let sum = sums.entry((walk.pattern.class, idx)).or_default();
        sum.groups += 1;
        sum.misses += counted;
        sum.promised += promised;
        sum.error += (promised - counted).abs();
    }
}

fn print(sums: &BTreeMap<(PatternClass, usize), Sum>) {
    println!(
        "{:<26}{:<14}{:>8}{:>12}{:>12}{:>10}",
        "class", "level", "groups", "misses", "promised", "error"
    );
    for ((class, idx), sum) in sums {
        println!(
            "{:<26}{:<14}{:>8}{:>12.0}{:>12.0}{:>8.1} %",
            class.name(),
            LEVELS[*idx].0,
            sum.groups,
            sum.misses,
            sum.promised,
            100.0 * sum.error / sum.misses.max(1.0)
        );
    }
}

fn level(shape: CacheGeometry) -> PatternLevel {
    PatternLevel {
        line: float(shape.line_size),
        capacity: float(shape.line_size * shape.sets * shape.ways),
        ways: float(shape.ways),
    }
}

#[expect(clippy::cast_precision_loss, reason = "sums of a table")]
fn float(number: u64) -> f64 {
    number as f64
}
