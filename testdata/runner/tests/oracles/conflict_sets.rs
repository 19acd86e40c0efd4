//! Misses of set-associative caches without a run, against the trace, reference by reference.

use crate::decided_misses::{Outcomes, compare_levels, compare_random, kernel_tests, placed};
use premiss_dataflow::analyze;
use premiss_distance::conflict_sets;
use premiss_isl::with_budget;
use premiss_presburger::Budget;
use premiss_scop::{ArrayLayout, ScopOptions, lower};
use premiss_testdata::kernel::{Kernel, sizes_at};
use premiss_tree::NestTree;
use proptest::prelude::*;
use std::collections::BTreeMap;

/// Sets and ways: powers of two and others, one set, one way.
const SHAPES: [(u64, u64); 7] = [(1, 7), (4, 1), (8, 2), (3, 2), (16, 4), (5, 9), (64, 8)];

/// Compares the misses of a tree whose sizes have values in caches of these shapes.
fn compare(
    tree: &NestTree,
    (line_size, alignment): (u64, u64),
    shapes: &[(u64, u64)],
    operations: u64,
    outcomes: &Outcomes,
) -> Result<(), String> {
    let options = ScopOptions {
        line_size,
        layout: ArrayLayout::Aligned,
        sizes: BTreeMap::new(),
    };
    let scop = match lower(tree, &options) {
        Ok(scop) => scop,
        Err(reject) => {
            outcomes.note(format!("lowered: {}", reject.code()));
            return Ok(());
        }
    };
    let relation = match with_budget(operations, || analyze(&scop)) {
        Ok(relation) => relation,
        Err(refusal) => {
            outcomes.note(format!("analyzed: {refusal:?}"));
            return Ok(());
        }
    };
    let Some(execution) = placed(tree, alignment, outcomes) else {
        return Ok(());
    };
    let first_line = |space| {
        let base = execution.bases()[scop.spaces[space].array];
        i64::try_from(base / line_size).expect("it is small")
    };
    let found = conflict_sets(&scop, &relation, &first_line, &mut Budget::new(operations));
    let found = match found {
        Ok(found) => found,
        Err(refusal) => {
            outcomes.note(format!("derived: {refusal:?}"));
            return Ok(());
        }
    };
    let decide = |geometry| found.misses(geometry, &mut Budget::new(10 * operations));
    compare_levels((tree, &execution), line_size, shapes, decide, outcomes)
        .map_err(|what| format!("{what}, arrays at {alignment}"))
}

fn check(kernel: &str, scales: &[i64]) {
    let outcomes = Outcomes::default();
    for scale in scales {
        let sizes = sizes_at(*scale);
        let read = Kernel::read(&format!("kernels/c/{kernel}.c"), &sizes, &[]);
        let tree = read.unit.functions.last().expect("a function");
        for alignment in [64, 4096] {
            let result = compare(tree, (64, alignment), &SHAPES, 100_000_000, &outcomes);
            result.unwrap_or_else(|what| panic!("{kernel} at {scale}: {what}"));
        }
    }
    assert_eq!(outcomes.0.borrow().len(), 1, "{outcomes:?}");
}

kernel_tests! {
    adi "adi" [3, 8, 13],
    atax "atax" [1, 8, 13, 20],
    bicg "bicg" [2, 8, 13, 20],
    cholesky "cholesky" [3, 8, 13, 20],
    covariance "covariance" [3, 8, 13],
    deriche "deriche" [3, 8, 13],
    doitgen "doitgen" [3, 8, 13],
    durbin "durbin" [3, 8, 13, 40],
    fdtd_2d "fdtd-2d" [3, 8, 13],
    gemm "gemm" [1, 8, 13, 20],
    gemver "gemver" [3, 8, 13],
    gesummv "gesummv" [3, 8, 13, 20],
    gramschmidt "gramschmidt" [3, 8, 13],
    heat_3d "heat-3d" [3, 8],
    jacobi_1d "jacobi-1d" [3, 8, 13, 60],
    jacobi_2d "jacobi-2d" [3, 8, 13, 20],
    lu "lu" [3, 8, 13, 20],
    ludcmp "ludcmp" [3, 8, 13],
    mvt "mvt" [3, 8, 13, 20],
    seidel_2d "seidel-2d" [3, 8, 13, 20],
    symm "symm" [3, 8, 13],
    syr2k "syr2k" [3, 8, 13],
    syrk "syrk" [3, 8, 13],
    three_mm "3mm" [3, 8, 13],
    trisolv "trisolv" [3, 8, 13, 20],
    trmm "trmm" [3, 8, 13, 20],
    two_mm "2mm" [3, 8, 13],
}

/// What one random nest may take.
const OPERATIONS: u64 = 500_000;

/// `PREMISS_CASES=10000 cargo test -p premiss-testdata --test oracles conflict_sets::random -- --nocapture` tries longer.
#[test]
fn random() {
    let lines = prop_oneof![
        3 => Just((64_u64, 64_u64)),
        2 => Just((64, 4096)),
        1 => Just((32, 64)),
        1 => Just((128, 4096)),
    ];
    let equal = compare_random(
        lines,
        (1..40_u64, 1..9_u64),
        |tree, lines, shapes, outcomes| compare(tree, lines, shapes, OPERATIONS, outcomes),
    );
    assert!(60 < equal, "{equal} caches were compared");
}
