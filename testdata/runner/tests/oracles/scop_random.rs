//! Scops of random nests against the trace engine.
//!
//! `PROPTEST_CASES=10000 cargo test -p premiss-testdata --test oracles scop_random::` tries longer.

use premiss_scop::{ArrayLayout, ScopOptions, lower};
use premiss_testdata::random::config;
use premiss_testdata::random::{Knowledge, shapeless, sweeps};
use premiss_testdata::scop_walk::Comparison;
use premiss_testdata::sketch::Sketch;
use premiss_trace::{Execution, Placement};
use proptest::prelude::*;
use std::collections::BTreeMap;

/// Compares where the tree can be lowered; what the engine refuses need only end.
fn check(sketch: &Sketch) {
    let tree = sketch.tree();
    for (alignment, line_size) in [(64, 64), (4096, 32), (64, 24), (4096, 4096)] {
        let placement = Placement {
            alignment,
            bases: BTreeMap::new(),
        };
        let sizes = BTreeMap::new();
        let Ok(execution) = Execution::new(&tree, &sizes, &placement, 1_000_000) else {
            continue;
        };
        let question = ScopOptions {
            line_size,
            layout: ArrayLayout::Bases(execution.bases().clone()),
            sizes: BTreeMap::new(),
        };
        let Ok(scop) = lower(&tree, &question) else {
            continue;
        };
        let comparison = Comparison {
            tree: &tree,
            execution: &execution,
            sizes: &sizes,
            scop: &scop,
        };
        if let Some(difference) = comparison.difference() {
            panic!(
                "{difference}\nin lines of {line_size}, arrays at multiples of {alignment}, in {sketch:#?}"
            );
        }
    }
}

proptest! {
    #![proptest_config(config(8))]

    #[test]
    fn any_shape(sketch in shapeless(Knowledge::Full)) {
        check(&sketch);
    }
}

proptest! {
    #![proptest_config(config(8))]

    #[test]
    fn long_sweeps(sketch in sweeps()) {
        check(&sketch);
    }
}
