//! Misses of pages that rows are no multiple of, against the trace, reference by reference.

use premiss_cache::{CacheGeometry, Hierarchy};
use premiss_presburger::Budget;
use premiss_testdata::kernel::{Kernel, sizes_at};
use premiss_testdata::pages::pages_of;
use premiss_testdata::random::kernels;
use premiss_trace::{Execution, Placement};
use premiss_tree::NestTree;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// Sets and ways: powers of two and others, one set, one way.
const SHAPES: [(u64, u64); 7] = [(1, 3), (1, 9), (4, 1), (8, 2), (3, 2), (16, 4), (2, 5)];

/// What became of the comparisons.
#[derive(Default, Debug)]
struct Outcomes(RefCell<BTreeMap<String, u32>>);

impl Outcomes {
    fn note(&self, outcome: String) {
        *self.0.borrow_mut().entry(outcome).or_default() += 1;
    }
}

/// Compares the misses of a tree whose sizes have values, in caches of these shapes with pages of so many bytes.
fn compare(
    tree: &NestTree,
    page_size: u64,
    shapes: &[(u64, u64)],
    steps: u64,
    outcomes: &Outcomes,
) -> Result<(), String> {
    let placement = Placement {
        alignment: page_size,
        bases: BTreeMap::new(),
    };
    let execution = Execution::new(tree, &BTreeMap::new(), &placement, 100_000_000);
    let Ok(execution) = execution else {
        outcomes.note("not placed".to_owned());
        return Ok(());
    };
    let arrays = match pages_of(tree, page_size, &execution, steps) {
        Ok(arrays) => arrays,
        Err(why) => {
            outcomes.note(why);
            return Ok(());
        }
    };
    for (sets, ways) in shapes {
        let geometry = CacheGeometry {
            line_size: page_size,
            sets: *sets,
            ways: *ways,
        };
        let mut budget = Budget::new(steps);
        let misses = arrays
            .iter()
            .map(|array| array.misses(geometry, &mut budget));
        let misses = match misses.collect::<Result<Vec<_>, _>>() {
            Ok(misses) => misses,
            Err(refusal) => {
                outcomes.note(format!("decided: {refusal}"));
                continue;
            }
        };
        let Ok(traced) = execution.misses(&[geometry], Hierarchy::Independent) else {
            outcomes.note("not traced".to_owned());
            continue;
        };
        for (reference, number) in misses.into_iter().flatten() {
            let row = &tree.references[reference];
            let expected = traced[0][reference].exact();
            if expected != Some(number) {
                return Err(format!(
                    "{} {:?} in {sets} sets of {ways} pages of {page_size}: {number} misses, not {:?}",
                    row.text, row.kind, traced[0][reference]
                ));
            }
        }
        outcomes.note("equal".to_owned());
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
    let pages = prop_oneof![Just(64_u64), Just(128), Just(256), Just(80), Just(4096)];
    let shapes = proptest::collection::vec((1..12_u64, 1..7_u64), 4);
    let outcomes = Outcomes::default();
    let strategy = (kernels(), (0..40_i64, 0..40_i64), pages, shapes);
    let result = TestRunner::new(config).run(&strategy, |(text, (n, m), page, shapes)| {
        let read = Kernel::from_bytes("f.c", text.clone().into(), &[], &[("n", n), ("m", m)]);
        compare(read.only_tree(), page, &shapes, STEPS, &outcomes)
            .map_err(|what| TestCaseError::fail(format!("n = {n}, m = {m}: {what}\n{text}")))
    });
    println!("{:?}", outcomes.0.borrow());
    if let Err(error) = result {
        panic!("{error}");
    }
    let equal = outcomes.0.borrow().get("equal").copied().unwrap_or(0);
    assert!(40 < equal, "{equal} caches were compared");
}
