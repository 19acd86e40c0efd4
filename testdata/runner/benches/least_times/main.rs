//! Measured times of compiled kernels over their least times.
//!
//! Each kernel is compiled with `-O3 -march=native` and timed at sizes that leave one cache after another,
//! each run with cold caches; the least of several runs stands for what the machine can. The least time is
//! that of `bounds/time` with the misses that no replacement avoids, as a machine does not tell how it
//! replaces lines, on the machine of a file:
//!
//! ```text
//! ./x run machine detect --measure > here.toml
//! PREMISS_MACHINE=here.toml cargo bench -p premiss-testdata --bench least_times
//! ```
//!
//! Noise makes measured times longer, never shorter: a ratio under 1 would refute the bound.

#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]

mod driver;

use driver::{Program, measured};
use premiss_histogram::{Counted, ReuseDistanceHistogram};
use premiss_machine::Machine;
use premiss_operations::{Scope, enumerate};
use premiss_testdata::closed::{by_reference, closed_form};
use premiss_testdata::kernel::Kernel;
use premiss_time::{Bound, LevelTraffic, Resource, Work};
use premiss_trace::{Execution, PerReference, Placement};
use premiss_tree::NestTree;
use std::collections::BTreeMap;
use std::time::Instant;

/// More steps than any of these runs takes.
const BUDGET: u64 = 20_000_000_000;

/// The kernels, with sizes that leave caches of 32 KiB, 1 MiB, 32 MiB, and the last ones 105 MiB.
const PROGRAMS: [Program; 5] = [
    Program {
        path: "kernels/c/micro/triad.c",
        call: "triad(N, a, b, c)",
        arrays: &[("a", "N"), ("b", "N"), ("c", "N")],
        size: "n",
        values: &[1_000, 20_000, 500_000, 8_000_000],
    },
    Program {
        path: "kernels/c/gemm.c",
        call: "kernel_gemm(1.5, 1.2, (void *)C, (void *)A, (void *)B)",
        arrays: &[("C", "N * N"), ("A", "N * N"), ("B", "N * N")],
        size: "NI NJ NK",
        values: &[30, 150, 600, 2_400],
    },
    Program {
        path: "kernels/c/mvt.c",
        call: "kernel_mvt(x1, x2, y_1, y_2, (void *)A)",
        arrays: &[
            ("x1", "N"),
            ("x2", "N"),
            ("y_1", "N"),
            ("y_2", "N"),
            ("A", "N * N"),
        ],
        size: "N",
        values: &[50, 300, 1_000, 4_000],
    },
    Program {
        path: "kernels/c/jacobi-2d.c",
        call: "kernel_jacobi_2d((void *)A, (void *)B)",
        arrays: &[("A", "N * N"), ("B", "N * N")],
        size: "N",
        values: &[40, 200, 700, 2_700],
    },
    Program {
        path: "kernels/c/gesummv.c",
        call: "kernel_gesummv(1.5, 1.2, (void *)A, (void *)B, tmp, x, y)",
        arrays: &[
            ("A", "N * N"),
            ("B", "N * N"),
            ("tmp", "N"),
            ("x", "N"),
            ("y", "N"),
        ],
        size: "N",
        values: &[40, 250, 1_000, 4_000],
    },
];

fn main() {
    let Ok(path) = std::env::var("PREMISS_MACHINE") else {
        println!(
            "skipped: PREMISS_MACHINE names no machine file (premiss machine detect --measure)"
        );
        return;
    };
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let machine = Machine::from_toml(&text).unwrap_or_else(|error| panic!("{path}: {error}"));
    println!("{}: measured times over least times", machine.id());
    println!(
        "{:<12}{:>10}{:>14}{:>14}{:>9}  binds",
        "kernel", "size", "at least", "measured", "ratio"
    );
    let mut lowest = f64::INFINITY;
    for program in PROGRAMS {
        for value in program.values {
            lowest = lowest.min(compare(&program, *value, &machine));
        }
    }
    println!("lowest ratio: {lowest:.2}");
}

/// Prints a line; the ratio.
fn compare(program: &Program, value: i64, machine: &Machine) -> f64 {
    let tree = program.kernel(value);
    let start = Instant::now();
    let bound = bound(program.tree(&tree), machine);
    let least = bound.binding().expect("the machine tells how fast it is");
    let taken = start.elapsed();
    let measured = measured(program, value);
    let ratio = measured / least.seconds;
    let name = program.path.rsplit('/').next().unwrap_or(program.path);
    let binds = match least.resource {
        Resource::Arithmetic => "arithmetic".to_owned(),
        Resource::Below(cache) => format!("below {}", machine.caches()[cache].name()),
    };
    println!(
        "{:<12}{value:>10}{:>11.2} µs{:>11.2} µs{ratio:>9.2}  {binds} (counted in {taken:.1?})",
        name.trim_end_matches(".c"),
        least.seconds * 1e6,
        measured * 1e6,
    );
    ratio
}

/// The least time of a kernel, by the misses that each cache has whatever it replaces.
///
/// These are first accesses, and half of what LRU misses with twice the lines: Sleator and Tarjan,
/// *Amortized efficiency of list update and paging rules* (1985), theorem 6, with n the lines of LRU and
/// n / 2 those of the cache: LRU misses less than n / (n / 2 + 1) < 2 times as often, both empty at first.
fn bound(tree: &NestTree, machine: &Machine) -> Bound {
    let sizes = BTreeMap::new();
    let counts = premiss_operations::count(tree, &sizes, BUDGET)
        .ok()
        .or_else(|| enumerate(tree, &sizes, BUDGET).ok())
        .expect("operations are counted");
    let mut histograms: BTreeMap<u64, ReuseDistanceHistogram> = BTreeMap::new();
    let moved = machine.caches().iter().map(|cache| {
        let shape = cache.geometry();
        let histogram = histograms.entry(shape.line_size).or_insert_with(|| {
            let found = distances(tree, shape.line_size);
            let mut sum = ReuseDistanceHistogram::default();
            tree.references.keys().for_each(|id| sum.merge(&found[id]));
            sum
        });
        let least = |count: Counted| count.bounds().map_or(0, |(lower, _)| lower);
        let replaced = least(histogram.misses(2 * shape.lines())) / 2;
        LevelTraffic {
            bytes_in: float(least(histogram.cold()).max(replaced) * shape.line_size),
            bytes_out: 0.0,
        }
    });
    let moved = moved.collect();
    let work = Work::of(counts.of(Scope::Function));
    Bound::new(machine, &work, moved).expect("the machine tells of its core")
}

/// The reuse distances of each reference: of closed forms, which do not take longer for larger sizes, or traced.
fn distances(tree: &NestTree, line_size: u64) -> PerReference<ReuseDistanceHistogram> {
    let sizes = BTreeMap::new();
    let closed = closed_form(tree, line_size, &sizes).ok();
    let closed = closed.and_then(|(form, _)| by_reference(tree, &form.at(&[]).ok()?).ok());
    closed.unwrap_or_else(|| {
        let placement = Placement {
            alignment: 4096,
            bases: BTreeMap::new(),
        };
        let execution = Execution::new(tree, &BTreeMap::new(), &placement, BUDGET);
        let execution = execution.expect("sizes are given");
        execution.histograms(line_size).expect("within budget")
    })
}

impl Program {
    fn kernel(&self, value: i64) -> Kernel {
        let sizes: Vec<(&str, i64)> = self.size.split(' ').map(|name| (name, value)).collect();
        let is_macro = |(name, _): &&(&str, i64)| name.chars().all(char::is_uppercase);
        let macros: Vec<(&str, i64)> = sizes.iter().filter(is_macro).copied().collect();
        let macros = [&macros[..], &[("TSTEPS", 4)]].concat();
        Kernel::read(self.path, &macros, &sizes)
    }

    fn tree<'a>(&self, kernel: &'a Kernel) -> &'a NestTree {
        kernel.only_tree()
    }
}

#[expect(clippy::cast_precision_loss, reason = "times are not that exact")]
fn float(number: u64) -> f64 {
    number as f64
}
