//! Any bytes as a C file: reading and running them ends without a panic.

#![no_main]

use libfuzzer_sys::fuzz_target;
use premiss_testdata::kernel::Kernel;
use premiss_trace::{CacheGeometry, Execution, Hierarchy, Placement};
use std::collections::BTreeMap;

fuzz_target!(|bytes: &[u8]| {
    let kernel = Kernel::from_bytes("fuzz.c", bytes.to_vec(), &[], &[("n", 9), ("m", 5)]);
    for tree in &kernel.unit.functions {
        let placement = Placement {
            alignment: 64,
            bases: BTreeMap::new(),
        };
        let Ok(execution) = Execution::new(tree, &BTreeMap::new(), &placement, 20_000) else {
            continue;
        };
        let level = CacheGeometry {
            line_size: 64,
            sets: 3,
            ways: 2,
        };
        let _ = execution.accesses();
        let _ = execution.histograms(64);
        let _ = execution.misses(&[level, level], Hierarchy::Filtered);
    }
});
