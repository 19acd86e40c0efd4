//! Any genes as a nest: the trace engine answers as the oracle does.

#![no_main]

use libfuzzer_sys::fuzz_target;
use premiss_testdata::compare::{Depth, difference};
use premiss_testdata::random::{Knowledge, grow_shapeless, grow_sweeps};

fuzz_target!(|input: (u8, Vec<u16>)| {
    let (kind, genes) = input;
    let (sketch, depth) = match kind % 3 {
        0 => (grow_shapeless(&genes, Knowledge::Full), Depth::Everything),
        1 => (grow_shapeless(&genes, Knowledge::Partial), Depth::Bounds),
        _ => (grow_sweeps(&genes), Depth::UsualLines),
    };
    let tree = sketch.tree();
    for alignment in [64, 4096] {
        if let Some(difference) = difference(&tree, alignment, depth) {
            panic!("{difference}\n{sketch:#?}");
        }
    }
});
