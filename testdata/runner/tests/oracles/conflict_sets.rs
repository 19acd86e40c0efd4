//! Misses of set-associative caches without a run, against the trace, reference by reference.

use premiss_cache::{CacheGeometry, Hierarchy};
use premiss_dataflow::analyze;
use premiss_distance::conflict_sets;
use premiss_isl::with_budget;
use premiss_presburger::Budget;
use premiss_scop::{ArrayLayout, ScopOptions, lower};
use premiss_testdata::kernel::{Kernel, sizes_at};
use premiss_testdata::random::kernels;
use premiss_trace::{Execution, Placement};
use premiss_tree::NestTree;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// Sets and ways: powers of two and others, one set, one way.
const SHAPES: [(u64, u64); 7] = [(1, 7), (4, 1), (8, 2), (3, 2), (16, 4), (5, 9), (64, 8)];

/// What became of the comparisons.
#[derive(Default, Debug)]
struct Outcomes(RefCell<BTreeMap<String, u32>>);

impl Outcomes {
    fn note(&self, outcome: String) {
        *self.0.borrow_mut().entry(outcome).or_default() += 1;
    }
}

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
    let placement = Placement {
        alignment,
        bases: BTreeMap::new(),
    };
    let execution = Execution::new(tree, &BTreeMap::new(), &placement, 100_000_000);
    let Ok(execution) = execution else {
        outcomes.note("not placed".to_owned());
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
    for (sets, ways) in shapes {
        let geometry = CacheGeometry {
            line_size,
            sets: *sets,
            ways: *ways,
        };
        let misses = match found.misses(geometry, &mut Budget::new(10 * operations)) {
            Ok(misses) => misses,
            Err(refusal) => {
                outcomes.note(format!("decided: {refusal:?}"));
                continue;
            }
        };
        let Ok(traced) = execution.misses(&[geometry], Hierarchy::Independent) else {
            outcomes.note("not traced".to_owned());
            continue;
        };
        for (reference, number) in misses {
            let row = &tree.references[reference];
            let expected = traced[0][reference].exact();
            if expected != Some(number) {
                return Err(format!(
                    "{} {:?} in {sets} sets of {ways} lines of {line_size}, arrays at {alignment}: \
                     {number} misses, not {:?}",
                    row.text, row.kind, traced[0][reference]
                ));
            }
        }
        outcomes.note("equal".to_owned());
    }
    Ok(())
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

macro_rules! kernels {
    ($($test:ident $file:literal $scales:expr,)*) => {
        $(#[test]
        fn $test() {
            check($file, &$scales);
        })*
    };
}

kernels! {
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
#[expect(
    clippy::print_stdout,
    reason = "what was refused is told to whoever asks"
)]
fn random() {
    let wanted = std::env::var("PREMISS_CASES").ok();
    let config = Config {
        cases: wanted.and_then(|text| text.parse().ok()).unwrap_or(60),
        failure_persistence: None,
        max_shrink_iters: 2000,
        ..Config::default()
    };
    let lines = prop_oneof![
        3 => Just((64_u64, 64_u64)),
        2 => Just((64, 4096)),
        1 => Just((32, 64)),
        1 => Just((128, 4096)),
    ];
    let shapes = proptest::collection::vec((1..40_u64, 1..9_u64), 4);
    let outcomes = Outcomes::default();
    let strategy = (kernels(), (0..40_i64, 0..40_i64), lines, shapes);
    let result = TestRunner::new(config).run(&strategy, |(text, (n, m), lines, shapes)| {
        let read = Kernel::from_bytes("f.c", text.clone().into(), &[], &[("n", n), ("m", m)]);
        compare(read.only_tree(), lines, &shapes, OPERATIONS, &outcomes)
            .map_err(|what| TestCaseError::fail(format!("n = {n}, m = {m}: {what}\n{text}")))
    });
    println!("{:?}", outcomes.0.borrow());
    if let Err(error) = result {
        panic!("{error}");
    }
    let equal = outcomes.0.borrow().get("equal").copied().unwrap_or(0);
    assert!(60 < equal, "{equal} caches were compared");
}
