//! The oracle against recorded truth, on trees written by hand.

use premiss_cache::{CacheGeometry, Hierarchy};
use premiss_histogram::{Counted, Distance};
use premiss_oracle::Execution;
use premiss_testdata::sketch::{Sketch, Step, affine, count_up, doubles, load, store, var};
use premiss_testdata::truth;
use premiss_trace::{PerReference, Placement};
use premiss_tree::{AccessKind, Expression, NestTree};
use std::collections::BTreeMap;

const BUDGET: u64 = 10_000_000;

/// Counts and misses in every row, and the histogram.
fn check(sketch: &Sketch, kernel: &str, dataset: &str) {
    let tree = sketch.tree();
    for alignment in [64, 4096] {
        let execution = execute(&tree, alignment);
        for row in truth::rows("polybench_truth.csv", kernel, dataset) {
            if row.alignment != alignment {
                continue;
            }
            let levels = [row.geometry];
            let independent = execution.misses(&levels, Hierarchy::Independent);
            let filtered = execution.misses(&levels, Hierarchy::Filtered);
            let by_kind = |counts: &PerReference<Counted>| {
                [AccessKind::Load, AccessKind::Store].map(|kind| sum(&tree, counts, kind))
            };
            let exact = |loads, stores| [Counted::Exact(loads), Counted::Exact(stores)];
            let misses = exact(row.load_misses, row.store_misses);
            let name = format!("{kernel} {dataset} {alignment} {}", row.cache);
            assert_eq!(by_kind(&independent[0]), misses, "{name} by distances");
            assert_eq!(by_kind(&filtered[0]), misses, "{name} by simulation");
            let accesses = exact(row.loads, row.stores);
            assert_eq!(by_kind(&execution.accesses()), accesses, "{name}");
        }
    }
    let mut counts = BTreeMap::new();
    for histogram in execute(&tree, 64).histograms(64).values() {
        for bin in histogram.bins() {
            let distance = match bin.lower {
                Distance::Finite(distance) => Some(distance),
                Distance::Infinite => None,
            };
            *counts.entry(distance).or_default() += bin.certain;
        }
    }
    assert_eq!(counts, truth::histogram(kernel, dataset));
}

fn execute(tree: &NestTree, alignment: u64) -> Execution<'_> {
    let placement = Placement {
        alignment,
        bases: BTreeMap::new(),
    };
    Execution::new(tree, &BTreeMap::new(), &placement, BUDGET).expect("the sketch has all sizes")
}

fn sum(tree: &NestTree, counts: &PerReference<Counted>, kind: AccessKind) -> Counted {
    let of_kind = tree.references.iter().filter(|(_, row)| row.kind == kind);
    of_kind.map(|(reference, _)| counts[reference]).sum()
}

fn sketch(variables: &[&str], arrays: &[(&str, i64)], body: Vec<Step>) -> Sketch {
    Sketch {
        parameters: Vec::new(),
        variables: variables.iter().map(|&name| name.to_owned()).collect(),
        arrays: arrays
            .iter()
            .map(|&(name, count)| doubles(name, count))
            .collect(),
        body,
    }
}

const I: usize = 0;
const J: usize = 1;
const K: usize = 2;

/// `A[row][column]` of an array with rows of `n` doubles.
fn at(n: i64, row: usize, column: usize) -> Expression {
    affine(0, &[(8 * n, row), (8, column)])
}

fn lu(n: i64) -> Sketch {
    let update = || {
        vec![
            load(0, at(n, I, J)),
            load(0, at(n, I, K)),
            load(0, at(n, K, J)),
            store(0, at(n, I, J)),
        ]
    };
    let scale = vec![
        load(0, at(n, I, J)),
        load(0, at(n, J, J)),
        store(0, at(n, I, J)),
    ];
    let lower = [vec![count_up(K, 0, var(J), update())], scale].concat();
    let upper = vec![count_up(K, 0, var(I), update())];
    let body = vec![count_up(J, 0, var(I), lower), count_up(J, var(I), n, upper)];
    sketch(
        &["i", "j", "k"],
        &[("A", n * n)],
        vec![count_up(I, 0, n, body)],
    )
}

#[test]
fn lu_is_as_recorded() {
    check(&lu(40), "lu", "MINI");
}

#[test]
fn gemm_is_as_recorded() {
    let (ni, nj, nk) = (20, 25, 30);
    let scale = vec![load(0, at(nj, I, J)), store(0, at(nj, I, J))];
    let update = vec![
        load(0, at(nj, I, J)),
        load(1, at(nk, I, K)),
        load(2, at(nj, K, J)),
        store(0, at(nj, I, J)),
    ];
    let body = vec![
        count_up(J, 0, nj, scale),
        count_up(K, 0, nk, vec![count_up(J, 0, nj, update)]),
    ];
    let arrays = [("C", ni * nj), ("A", ni * nk), ("B", nk * nj)];
    let gemm = sketch(&["i", "j", "k"], &arrays, vec![count_up(I, 0, ni, body)]);
    check(&gemm, "gemm", "MINI");
}

/// `lu` at 120 through 4 KiB, then 32 KiB: 66,817 misses where the second level sees only what the
/// first sends it, 66,722 where it sees everything.
#[test]
fn a_filtered_level_misses_as_recorded() {
    let tree = lu(120).tree();
    let execution = execute(&tree, 64);
    let levels = [64, 512].map(|ways| CacheGeometry {
        line_size: 64,
        sets: 1,
        ways,
    });
    let misses = |hierarchy| -> Vec<Counted> {
        let levels = execution.misses(&levels, hierarchy);
        levels
            .iter()
            .map(|counts| counts.values().copied().sum())
            .collect()
    };
    let first = Counted::Exact(382_798);
    assert_eq!(misses(Hierarchy::Filtered), [first, Counted::Exact(66_817)]);
    assert_eq!(
        misses(Hierarchy::Independent),
        [first, Counted::Exact(66_722)]
    );
}

/// Data decide between two arms, but whichever runs, fully associative caches of three lines and
/// more miss the same.
#[test]
fn floyd_warshall_is_bounded_tightly() {
    let n = 60;
    let element = |row, column| affine(0, &[(4 * n, row), (4, column)]);
    let access = |kind, offset| Step::Access {
        kind,
        array: 0,
        offset,
        size: 4,
    };
    let load = |row, column| access(AccessKind::Load, element(row, column));
    let body = vec![
        load(I, J),
        load(I, K),
        load(K, J),
        Step::Branch {
            condition: Expression::Data,
            then: vec![load(I, J)],
            otherwise: vec![load(I, K), load(K, J)],
        },
        access(AccessKind::Store, element(I, J)),
    ];
    let nest = count_up(
        K,
        0,
        n,
        vec![count_up(I, 0, n, vec![count_up(J, 0, n, body)])],
    );
    let tree = sketch(&["i", "j", "k"], &[("path", n * n / 2)], vec![nest]).tree();
    let execution = execute(&tree, 64);
    let loads = sum(&tree, &execution.accesses(), AccessKind::Load);
    assert_eq!(loads, Counted::between(648_000, 1_296_000));
    let chosen = ["FA-512B", "DM-4KiB"];
    let rows = truth::rows("polybench_truth.csv", "floyd-warshall", "MINI");
    let packed = rows.iter().filter(|row| row.alignment == 64);
    for row in packed.filter(|row| chosen.contains(&row.cache.as_str())) {
        let misses = execution.misses(&[row.geometry], Hierarchy::Independent);
        let misses: Counted = misses[0].values().copied().sum();
        let (lower, upper) = misses.bounds().expect("bounds");
        assert!(lower <= row.misses && row.misses <= upper, "{}", row.cache);
        assert_eq!(lower == upper, row.geometry.sets == 1, "{}", row.cache);
    }
}
