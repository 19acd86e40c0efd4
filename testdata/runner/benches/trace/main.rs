//! The trace engine against what a specialist would write for one kernel and one question.
//!
//! The baselines are loops written for the kernel with a simulator written for the cache (or with
//! a tree for distances), all of it compiled together. The engine's time starts at the C text. Both
//! sides must count the same before times are shown; no time is checked.

#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]

mod kernels;
mod l1;
mod memory;
mod stack;

use kernels::Accesses;
use l1::L1;
use premiss_cache::{CacheGeometry, Hierarchy};
use premiss_histogram::{Distance, ReuseDistanceHistogram};
use premiss_testdata::kernel::Kernel;
use premiss_trace::{Execution, Placement};
use stack::StackDistances;
use std::collections::BTreeMap;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// More steps than any of these runs takes.
const BUDGET: u64 = 20_000_000_000;
/// Bytes in a line of every cache here.
const LINE: u64 = 64;
/// 32 KiB, 8 ways.
const L1_GEOMETRY: CacheGeometry = geometry(64, 8);
/// A side runs again, up to ten times, while it has taken less than this.
const PATIENCE: Duration = Duration::from_secs(3);

/// What is run, at what size.
#[derive(Clone, Copy)]
enum Workload {
    /// Square matrices.
    Gemm { n: u64 },
    /// Square grids.
    Jacobi2d { n: u64, steps: u64 },
}

fn main() {
    if memory::is_child() {
        return;
    }
    let workloads = [
        Workload::Gemm { n: 200 },
        Workload::Gemm { n: 500 },
        Workload::Jacobi2d { n: 500, steps: 20 },
        Workload::Jacobi2d { n: 500, steps: 100 },
    ];
    println!("L1 of 32 KiB, 8 ways: misses, by hand and by the engine");
    print_header();
    for workload in workloads {
        compare(&workload, misses_by_hand, misses_by_engine);
    }
    println!("\nReuse distances of 64-byte lines: histogram, by hand and by the engine");
    print_header();
    for workload in workloads {
        compare(&workload, distances_by_hand, distances_by_engine);
    }
    print_others();
    memory::print_growth();
}

fn print_header() {
    println!("kernel                       accesses    by hand     engine   ratio");
}

/// Runs both sides, checks that they agree, prints the times.
fn compare<T: PartialEq + std::fmt::Debug>(
    workload: &Workload,
    by_hand: fn(&Workload) -> T,
    by_engine: fn(&Workload) -> T,
) {
    let (expected, baseline) = time(|| by_hand(workload));
    let (counted, engine) = time(|| by_engine(workload));
    assert_eq!(expected, counted, "{}", workload.name());
    println!(
        "{:<26} {:>10}  {:>7.3} s  {:>7.3} s  {:>5.1}x",
        workload.name(),
        workload.accesses(),
        baseline.as_secs_f64(),
        engine.as_secs_f64(),
        baseline.as_secs_f64() / engine.as_secs_f64()
    );
}

/// The result and the shortest time of some runs.
fn time<T>(run: impl Fn() -> T) -> (T, Duration) {
    let began = Instant::now();
    let mut shortest = Duration::MAX;
    for round in 1.. {
        let start = Instant::now();
        let result = black_box(run());
        shortest = shortest.min(start.elapsed());
        if PATIENCE < began.elapsed() || round == 10 {
            return (result, shortest);
        }
    }
    unreachable!("rounds end")
}

impl Workload {
    fn name(&self) -> String {
        match self {
            Self::Gemm { n } => format!("gemm {n}"),
            Self::Jacobi2d { n, steps } => format!("jacobi-2d {n}, {steps} steps"),
        }
    }

    fn accesses(&self) -> u64 {
        match self {
            Self::Gemm { n } => 4 * n * n * n + 2 * n * n,
            Self::Jacobi2d { n, steps } => 12 * steps * (n - 2) * (n - 2),
        }
    }

    fn run(&self, to: &mut impl Accesses) {
        match self {
            Self::Gemm { n } => kernels::gemm(*n, to),
            Self::Jacobi2d { n, steps } => kernels::jacobi_2d(*n, *steps, to),
        }
    }

    /// Reads the C text at this size.
    fn read(&self) -> Kernel {
        match self {
            Self::Gemm { n } => read("gemm", &[("NI", *n), ("NJ", *n), ("NK", *n)]),
            Self::Jacobi2d { n, steps } => read("jacobi-2d", &[("N", *n), ("TSTEPS", *steps)]),
        }
    }
}

fn read(name: &str, sizes: &[(&str, u64)]) -> Kernel {
    let macros: Vec<_> = sizes
        .iter()
        .map(|(name, value)| (*name, value.cast_signed()))
        .collect();
    Kernel::read(&format!("kernels/c/{name}.c"), &macros, &[])
}

fn execute(kernel: &Kernel) -> Execution<'_> {
    let placement = Placement {
        alignment: 4096,
        bases: BTreeMap::new(),
    };
    let tree = kernel.only_tree();
    Execution::new(tree, &BTreeMap::new(), &placement, BUDGET).expect("all sizes are given")
}

const fn geometry(sets: u64, ways: u64) -> CacheGeometry {
    CacheGeometry {
        line_size: LINE,
        sets,
        ways,
    }
}

fn misses_by_hand(workload: &Workload) -> u64 {
    let mut cache = L1::new();
    workload.run(&mut cache);
    cache.misses()
}

fn misses_by_engine(workload: &Workload) -> u64 {
    let kernel = workload.read();
    let misses = execute(&kernel).misses(&[L1_GEOMETRY], Hierarchy::Independent);
    let misses = misses.expect("within the budget");
    let exact = |count: &premiss_histogram::Counted| count.exact().expect("no data decides");
    misses[0].values().map(exact).sum()
}

/// How often each distance occurs; `None` is the infinite one.
type Distances = BTreeMap<Option<u64>, u64>;

fn distances_by_hand(workload: &Workload) -> Distances {
    let mut distances = StackDistances::new();
    workload.run(&mut distances);
    let (counts, cold) = distances.counts();
    let finite = (0..).zip(counts).filter(|(_, count)| 0 < **count);
    let mut all: Distances = finite
        .map(|(distance, count)| (Some(distance), *count))
        .collect();
    all.insert(None, cold);
    all
}

fn distances_by_engine(workload: &Workload) -> Distances {
    let kernel = workload.read();
    let histograms = execute(&kernel).histograms(LINE);
    let mut sum = ReuseDistanceHistogram::default();
    for histogram in histograms.expect("within the budget").values() {
        sum.merge(histogram);
    }
    let by_distance = sum.bins().map(|bin| match bin.lower {
        Distance::Finite(distance) => (Some(distance), bin.certain),
        Distance::Infinite => (None, bin.certain),
    });
    by_distance.collect()
}

/// Kernels in which no state recurs, or data decides what is executed: seconds only.
fn print_others() {
    println!("\nOther kernels at N = 500: seconds of the engine");
    println!("kernel             32K 8-way  48K 12-way  2M 16-way  histogram");
    for name in ["lu", "cholesky", "floyd-warshall", "nussinov"] {
        let kernel = read(name, &[("N", 500)]);
        let execution = execute(&kernel);
        let seconds = |run: &dyn Fn()| {
            let start = Instant::now();
            run();
            start.elapsed().as_secs_f64()
        };
        let level = |sets, ways| {
            seconds(&|| {
                let misses = execution.misses(&[geometry(sets, ways)], Hierarchy::Independent);
                black_box(misses.expect("within the budget"));
            })
        };
        let histogram = seconds(&|| {
            black_box(execution.histograms(LINE).expect("within the budget"));
        });
        println!(
            "{name:<18} {:>9.3}  {:>10.3}  {:>9.3}  {histogram:>9.3}",
            level(64, 8),
            level(64, 12),
            level(2048, 16)
        );
    }
}
