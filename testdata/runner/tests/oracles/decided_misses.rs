//! Misses that were decided without a run, against the trace, reference by reference.

use premiss_cache::{CacheGeometry, Hierarchy};
use premiss_presburger::Refusal;
use premiss_testdata::kernel::Kernel;
use premiss_testdata::random::kernels;
use premiss_trace::{Execution, Placement};
use premiss_tree::{NestTree, ReferenceId};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::Debug;

/// What became of the comparisons.
#[derive(Default, Debug)]
pub(crate) struct Outcomes(pub(crate) RefCell<BTreeMap<String, u32>>);

impl Outcomes {
    pub(crate) fn note(&self, outcome: String) {
        *self.0.borrow_mut().entry(outcome).or_default() += 1;
    }
}

/// An execution of a tree whose sizes have values, with arrays at multiples of so many bytes.
pub(crate) fn placed<'t>(
    tree: &'t NestTree,
    alignment: u64,
    outcomes: &Outcomes,
) -> Option<Execution<'t>> {
    let placement = Placement {
        alignment,
        bases: BTreeMap::new(),
    };
    let execution = Execution::new(tree, &BTreeMap::new(), &placement, 100_000_000);
    if execution.is_err() {
        outcomes.note("not placed".to_owned());
    }
    execution.ok()
}

/// Compares the misses of an execution in caches of some sets and ways, with lines of so many bytes.
pub(crate) fn compare_levels(
    (tree, execution): (&NestTree, &Execution<'_>),
    line_size: u64,
    shapes: &[(u64, u64)],
    decide: impl Fn(CacheGeometry) -> Result<Vec<(ReferenceId, u64)>, Refusal>,
    outcomes: &Outcomes,
) -> Result<(), String> {
    for (sets, ways) in shapes {
        let geometry = CacheGeometry {
            line_size,
            sets: *sets,
            ways: *ways,
        };
        let misses = match decide(geometry) {
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
                    "{} {:?} in {sets} sets of {ways} lines of {line_size}: {number} misses, not {:?}",
                    row.text, row.kind, traced[0][reference]
                ));
            }
        }
        outcomes.note("equal".to_owned());
    }
    Ok(())
}

/// As many cases as `PREMISS_CASES` says, or 60.
pub(crate) fn random_config() -> Config {
    let cases = std::env::var("PREMISS_CASES").ok();
    Config {
        cases: cases.and_then(|text| text.parse().ok()).unwrap_or(60),
        failure_persistence: None,
        max_shrink_iters: 2000,
        ..Config::default()
    }
}

/// Compares random nests of two random sizes with random lines, in four caches of random shapes; returns how many caches
/// were equal. `PREMISS_CASES` has the number of nests.
#[expect(
    clippy::print_stdout,
    reason = "what was refused is told to whoever asks"
)]
pub(crate) fn compare_random<T: Debug>(
    lines: impl Strategy<Value = T>,
    shape: impl Strategy<Value = (u64, u64)>,
    compare: impl Fn(&NestTree, T, &[(u64, u64)], &Outcomes) -> Result<(), String>,
) -> u32 {
    let config = random_config();
    let shapes = proptest::collection::vec(shape, 4);
    let outcomes = Outcomes::default();
    let strategy = (kernels(), (0..40_i64, 0..40_i64), lines, shapes);
    let result = TestRunner::new(config).run(&strategy, |(text, (n, m), lines, shapes)| {
        let read = Kernel::from_bytes("f.c", text.clone().into(), &[], &[("n", n), ("m", m)]);
        compare(read.only_tree(), lines, &shapes, &outcomes)
            .map_err(|what| TestCaseError::fail(format!("n = {n}, m = {m}: {what}\n{text}")))
    });
    println!("{:?}", outcomes.0.borrow());
    if let Err(error) = result {
        panic!("{error}");
    }
    let outcomes = outcomes.0.borrow();
    outcomes.get("equal").copied().unwrap_or(0)
}

/// A test for each kernel: `check(file, &scales)`.
macro_rules! kernel_tests {
    ($($test:ident $file:literal $scales:expr,)*) => {
        $(#[test]
        fn $test() {
            check($file, &$scales);
        })*
    };
}
pub(crate) use kernel_tests;
