//! Misses of pages that rows are no multiple of, against the trace, reference by reference.

use crate::decided_misses::{Outcomes, compare_levels, compare_random, kernel_tests, placed};
use premiss_cache::{CacheGeometry, Hierarchy};
use premiss_dataflow::DistanceBound;
use premiss_distance::PageConflicts;
use premiss_histogram::Counted;
use premiss_presburger::Budget;
use premiss_testdata::kernel::{Kernel, sizes_at};
use premiss_testdata::pages::pages_of;
use premiss_trace::PerReference;
use premiss_tree::NestTree;
use proptest::prelude::*;

/// Sets and ways: powers of two and others, one set, one way.
const SHAPES: [(u64, u64); 7] = [(1, 3), (1, 9), (4, 1), (8, 2), (3, 2), (16, 4), (2, 5)];

/// Compares the misses of a tree whose sizes have values, in caches of these shapes with pages of so many bytes.
fn compare(
    tree: &NestTree,
    page_size: u64,
    shapes: &[(u64, u64)],
    steps: u64,
    outcomes: &Outcomes,
) -> Result<(), String> {
    let Some(execution) = placed(tree, page_size, outcomes) else {
        return Ok(());
    };
    let arrays = match pages_of(tree, page_size, &execution, steps) {
        Ok(arrays) => arrays,
        Err(why) => {
            outcomes.note(why);
            return Ok(());
        }
    };
    let decide = |geometry| {
        let mut budget = Budget::new(steps);
        let misses = arrays
            .iter()
            .map(|array| array.misses(geometry, &mut budget));
        Ok(misses.collect::<Result<Vec<_>, _>>()?.concat())
    };
    compare_levels((tree, &execution), page_size, shapes, decide, outcomes)?;
    for (sets, ways) in shapes {
        let geometry = CacheGeometry {
            line_size: page_size,
            sets: *sets,
            ways: *ways,
        };
        if let Ok(traced) = execution.misses(&[geometry], Hierarchy::Independent) {
            bounds_hold(tree, &arrays, geometry, &traced[0])?;
        }
    }
    Ok(())
}

/// Compares bounds of few steps with the misses of a cache.
fn bounds_hold(
    tree: &NestTree,
    arrays: &[PageConflicts],
    geometry: CacheGeometry,
    traced: &PerReference<Counted>,
) -> Result<(), String> {
    for steps in [0, 2000] {
        for array in arrays {
            let bound = |bound| array.bound(geometry, bound, steps);
            let (Ok(lower), Ok(upper)) = (bound(DistanceBound::Lower), bound(DistanceBound::Upper))
            else {
                continue;
            };
            for ((reference, least), (_, most)) in lower.into_iter().zip(upper) {
                let Some(misses) = traced[reference].exact() else {
                    continue;
                };
                if misses < least || most < misses {
                    let text = &tree.references[reference].text;
                    return Err(format!(
                        "{text} in {geometry:?}, {steps} steps: {misses} misses, not {least}..{most}"
                    ));
                }
            }
        }
    }
    Ok(())
}

/// Pages of 8, 16 and 24 elements, as many as some rows have at these sizes and as many as none has.
fn check(kernel: &str, scales: &[i64]) {
    let outcomes = Outcomes::default();
    for scale in scales {
        let sizes = sizes_at(*scale);
        let read = Kernel::read(&format!("kernels/c/{kernel}.c"), &sizes, &[]);
        let tree = read.unit.functions.last().expect("a function");
        for page_size in [64, 128, 192] {
            let result = compare(tree, page_size, &SHAPES, 20_000_000, &outcomes);
            result.unwrap_or_else(|what| panic!("{kernel} at {scale}: {what}"));
        }
    }
    let outcomes = outcomes.0.into_inner();
    assert!(outcomes.contains_key("equal"), "{outcomes:?}");
    assert!(
        !outcomes.keys().any(|x| x.starts_with("rejected")),
        "{outcomes:?}"
    );
}

kernel_tests! {
    adi "adi" [3, 8, 13],
    atax "atax" [1, 2, 8, 13, 20],
    cholesky "cholesky" [3, 8, 13, 17],
    covariance "covariance" [3, 8, 13],
    doitgen "doitgen" [8, 13],
    durbin "durbin" [3, 8, 13, 40],
    fdtd_2d "fdtd-2d" [3, 8, 13],
    gemm "gemm" [1, 2, 8, 13, 20],
    gemver "gemver" [3, 8, 13],
    gramschmidt "gramschmidt" [3, 8, 13],
    heat_3d "heat-3d" [8],
    jacobi_2d "jacobi-2d" [3, 8, 13, 20],
    lu "lu" [3, 8, 13, 20],
    mvt "mvt" [3, 8, 13, 20],
    seidel_2d "seidel-2d" [3, 8, 13],
    symm "symm" [3, 8, 13],
    syrk "syrk" [3, 8, 13],
    trisolv "trisolv" [3, 8, 13, 20],
    trmm "trmm" [3, 8, 13, 20],
    two_mm "2mm" [3, 8, 13],
}

/// What one random nest may take.
const STEPS: u64 = 300_000;

/// `PREMISS_CASES=10000 cargo test -p premiss-testdata --test oracles pages::random -- --nocapture` tries longer.
#[test]
fn random() {
    let pages = prop_oneof![Just(64_u64), Just(128), Just(256), Just(80), Just(4096)];
    let equal = compare_random(
        pages,
        (1..12_u64, 1..7_u64),
        |tree, page, shapes, outcomes| compare(tree, page, shapes, STEPS, outcomes),
    );
    assert!(40 < equal, "{equal} caches were compared");
}
