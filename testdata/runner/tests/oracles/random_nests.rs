//! The trace engine against the oracle on random nests.
//!
//! `PROPTEST_CASES=10000 cargo test -p premiss-testdata --test oracles random_nests::` tries longer.

use premiss_testdata::compare::{Depth, difference};
use premiss_testdata::random::config;
use premiss_testdata::random::{Knowledge, shapeless, sweeps};
use premiss_testdata::sketch::Sketch;
use proptest::prelude::*;

fn check(sketch: &Sketch, depth: Depth) {
    let tree = sketch.tree();
    for alignment in [64, 4096] {
        if let Some(difference) = difference(&tree, alignment, depth) {
            panic!("{difference}\nwith arrays at multiples of {alignment}, in {sketch:#?}");
        }
    }
}

proptest! {
    #![proptest_config(config(2))]

    #[test]
    fn any_shape(sketch in shapeless(Knowledge::Full)) {
        check(&sketch, Depth::Everything);
    }

    #[test]
    fn any_shape_that_data_decide(sketch in shapeless(Knowledge::Partial)) {
        check(&sketch, Depth::Bounds);
    }
}

proptest! {
    #![proptest_config(config(8))]

    #[test]
    fn long_sweeps(sketch in sweeps()) {
        check(&sketch, Depth::UsualLines);
    }
}
