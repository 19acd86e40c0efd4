//! Misses from samples against the oracle and the trace.

use premiss_cache::{CacheGeometry, Hierarchy};
use premiss_histogram::Counted;
use premiss_testdata::kernel::{Kernel, sizes_at};
use premiss_testdata::random::{Knowledge, config, shapeless, sweeps};
use premiss_testdata::sketch::Sketch;
use premiss_trace::{Execution, PerReference, Placement};
use proptest::prelude::*;
use std::collections::BTreeMap;

/// Steps for a level.
const STEPS: u64 = 2_000_000;

fn placement() -> Placement {
    Placement {
        alignment: 64,
        bases: BTreeMap::new(),
    }
}

/// Where all accesses of a nest are decided one by one, each reference misses as often as the oracle says.
fn check(sketch: &Sketch, geometry: CacheGeometry) {
    let tree = sketch.tree();
    let sizes = BTreeMap::new();
    let Ok(oracle) = premiss_oracle::Execution::new(&tree, &sizes, &placement(), 4000) else {
        return;
    };
    let Ok(execution) = Execution::new(&tree, &sizes, &placement(), 10_000_000) else {
        return;
    };
    let sampled = execution.sampled_misses(geometry, STEPS);
    let Ok(Some(sampled)) = sampled else { return };
    let expected = oracle.misses(&[geometry], Hierarchy::Independent);
    let is_exact = |count: &Counted| count.exact().is_some();
    if !sampled.misses.values().all(is_exact) {
        return;
    }
    assert_eq!(sampled.misses, expected[0], "{geometry:?} in {sketch:#?}");
    let total: Counted = expected[0].values().copied().sum();
    let total = total.exact().expect("nothing depends on data");
    assert_eq!(sampled.interval, (total, total));
}

fn geometries() -> impl Strategy<Value = CacheGeometry> {
    let lines = prop::sample::select(vec![8_u64, 16, 24, 64, 128]);
    let shapes = (lines, 1..40_u64, 1..9_u64);
    shapes.prop_map(|(line_size, sets, ways)| CacheGeometry {
        line_size,
        sets,
        ways,
    })
}

proptest! {
    #![proptest_config(config(1))]

    #[test]
    fn accesses_of_any_nest_are_decided_exactly(
        sketch in shapeless(Knowledge::Full),
        geometry in geometries(),
    ) {
        check(&sketch, geometry);
    }

    #[test]
    fn accesses_of_sweeps_are_decided_exactly(sketch in sweeps(), geometry in geometries()) {
        check(&sketch, geometry);
    }
}

/// The intervals and the misses of a kernel: of all references together, of their sum, and of each.
fn intervals(kernel: &str, scale: i64, geometry: CacheGeometry) -> Vec<((u64, u64), u64)> {
    let sizes = sizes_at(scale);
    let read = Kernel::read(&format!("kernels/c/{kernel}.c"), &sizes, &[]);
    let tree = read.unit.functions.last().expect("a function");
    let execution = Execution::new(tree, &BTreeMap::new(), &placement(), 1_000_000_000);
    let execution = execution.expect("its arrays fit");
    let sampled = execution.sampled_misses(geometry, STEPS);
    let sampled = sampled.expect("it is small").expect("iterators decide");
    let traced = execution.misses(&[geometry], Hierarchy::Independent);
    let traced: &PerReference<Counted> = &traced.expect("it is small")[0];
    let exact = |count: Counted| count.exact().expect("nothing depends on data");
    let interval = |count: Counted| count.interval().expect("it has one");
    let total: Counted = traced.values().copied().sum();
    let sum: Counted = sampled.misses.values().copied().sum();
    let of_all = [
        (sampled.interval, exact(total)),
        (interval(sum), exact(total)),
    ];
    let ids = tree.references.keys();
    let of_each = ids.map(|id| (interval(sampled.misses[id]), exact(traced[id])));
    of_all.into_iter().chain(of_each).collect()
}

/// Of the intervals of 95 %, about that many hold what the trace counts: of all references together, of their sum, and of single
/// ones.
#[test]
fn intervals_hold_the_misses() {
    let kernels = [
        "gemm",
        "trmm",
        "syrk",
        "atax",
        "mvt",
        "lu",
        "cholesky",
        "doitgen",
        "jacobi-2d",
        "seidel-2d",
        "covariance",
        "symm",
    ];
    let caches = [(64, 64, 8), (64, 8, 2), (32, 24, 3), (4096, 4, 2)];
    let mut missed = [const { Vec::new() }; 3];
    let mut n_intervals = [0; 3];
    for kernel in kernels {
        for (line_size, sets, ways) in caches {
            let geometry = CacheGeometry {
                line_size,
                sets,
                ways,
            };
            for scale in [45, 64] {
                let all = intervals(kernel, scale, geometry).into_iter();
                for (number, ((least, most), misses)) in all.enumerate() {
                    let kind = number.min(2);
                    n_intervals[kind] += 1;
                    if !(least..=most).contains(&misses) {
                        missed[kind].push(format!(
                            "{kernel} at {scale}, {geometry:?}: {misses}, {least} to {most}"
                        ));
                    }
                }
            }
        }
    }
    for (missed, n_intervals) in missed.iter().zip(n_intervals) {
        assert!(
            20 * missed.len() <= n_intervals,
            "of {n_intervals}: {missed:#?}"
        );
    }
}

/// A program in which data decide, or something opaque, is not sampled.
#[test]
fn what_data_decide_is_not_sampled() {
    let read = Kernel::read("kernels/c/floyd-warshall.c", &sizes_at(20), &[]);
    let tree = read.unit.functions.last().expect("a function");
    let execution = Execution::new(tree, &BTreeMap::new(), &placement(), 1_000_000_000);
    let geometry = CacheGeometry {
        line_size: 64,
        sets: 64,
        ways: 8,
    };
    let sampled = execution
        .expect("its arrays fit")
        .sampled_misses(geometry, STEPS);
    assert!(sampled.expect("it is small").is_none());
}
