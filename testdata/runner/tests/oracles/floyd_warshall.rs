//! A kernel in which data decide which arm runs: bounds that hold, and are tight where they can be.

use premiss_histogram::Counted;
use premiss_testdata::judge::{execute, judge, total_histogram};
use premiss_testdata::kernel::Kernel;
use premiss_testdata::memo::compare_once;
use premiss_testdata::truth::{self, Row};
use premiss_tree::{AccessKind, NestTree};

const TABLE: &str = "polybench_truth.csv";
const BOTH_ARMS: &str = "floyd-warshall@botharms";

#[test]
fn floyd_warshall_mini() {
    check("MINI", &[]);
}

#[test]
fn floyd_warshall_small() {
    check("SMALL", &[("N", 180)]);
}

fn check(dataset: &str, macros: &[(&str, i64)]) {
    let read = Kernel::read("kernels/c/floyd-warshall.c", macros, &[]);
    let tree = read.only_tree();
    compare_once(tree, dataset, || compare(tree, dataset));
}

fn compare(tree: &NestTree, dataset: &str) {
    let executed = truth::rows(TABLE, "floyd-warshall", dataset);
    let all = truth::rows(TABLE, BOTH_ARMS, dataset);
    for found in judge(tree, &executed) {
        let row = &found.row;
        let both_arms = all
            .iter()
            .find(|other| other.cache == row.cache && other.alignment == row.alignment)
            .expect("the same rows for both");
        let what = format!("{dataset} {} {}", row.cache, row.alignment);
        check_counts(found.accesses, row, both_arms, &what);
        check_misses(found.misses, row, both_arms, &what);
        assert_eq!(found.cold, Counted::Exact(row.cold), "{what}");
    }
    check_histogram(tree, dataset);
    check_references(tree, dataset);
}

/// Loads are bounded by those of both arms, stores known.
fn check_counts(accesses: [Counted; 2], row: &Row, both_arms: &Row, what: &str) {
    let Counted::Bounded { lower, upper } = accesses[0] else {
        panic!("loads must be bounded, {what}: {accesses:?}");
    };
    assert_eq!(upper, both_arms.loads, "{what}");
    assert!(lower <= row.loads && row.loads <= upper, "{what}");
    assert_eq!(accesses[1], Counted::Exact(row.stores), "{what}");
}

/// Executed misses lie within the bounds, which meet in fully associative caches and TLBs.
fn check_misses(misses: [Counted; 2], row: &Row, both_arms: &Row, what: &str) {
    let executed = [row.load_misses, row.store_misses];
    let all = [both_arms.load_misses, both_arms.store_misses];
    let is_tight = row.geometry.sets == 1 || row.cache.starts_with("TLB");
    for ((misses, executed), all) in misses.into_iter().zip(executed).zip(all) {
        let (lower, upper) = misses.bounds().expect("bounds");
        assert!(
            lower <= executed && executed <= upper,
            "{what}: {executed} in {misses:?}"
        );
        assert!(all <= upper, "{what}: {all} in {misses:?}");
        if is_tight {
            assert_eq!(misses, Counted::Exact(executed), "{what}");
        }
    }
}

/// Whatever the arms, misses lie within the bounds.
fn check_histogram(tree: &NestTree, dataset: &str) {
    let executed = truth::histogram("floyd-warshall", dataset);
    let tail = |capacity: u64| -> u64 {
        let beyond = |distance: &Option<u64>| distance.is_none_or(|distance| capacity <= distance);
        executed
            .iter()
            .filter(|(distance, _)| beyond(distance))
            .map(|(_, count)| count)
            .sum()
    };
    let histograms = execute(tree, 64).histograms(64).expect("within budget");
    let histogram = total_histogram(tree, &histograms);
    let farthest = executed.keys().flatten().max().copied().unwrap_or(0);
    for capacity in 0..=farthest + 1 {
        let (lower, upper) = histogram.misses(capacity).bounds().expect("bounds");
        let known = tail(capacity);
        assert!(lower <= known && known <= upper, "capacity {capacity}");
    }
}

/// The arms' references are possible, the others certain.
fn check_references(tree: &NestTree, dataset: &str) {
    let accesses = execute(tree, 64).accesses().expect("within budget");
    let expected = truth::references("floyd-warshall", dataset);
    assert_eq!(tree.references.len(), expected.len());
    for ((id, reference), row) in tree.references.iter().zip(&expected) {
        assert_eq!(reference.text, row.text);
        assert_eq!(reference.kind == AccessKind::Store, row.is_store);
        let all = expected[0].accesses;
        let count = match id.to_string().as_str() {
            "R3" | "R4" | "R5" => Counted::between(0, all),
            _ => Counted::Exact(all),
        };
        assert_eq!(accesses[id], count, "{id}");
    }
}
