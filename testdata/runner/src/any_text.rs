//! Texts of which nothing is expected but that reading and running them ends.

use crate::kernel::Kernel;
use premiss_cache::{CacheGeometry, Hierarchy};
use premiss_trace::{Execution, Placement};
use std::collections::BTreeMap;

/// Steps of each run.
const STEPS: u64 = 20_000;

/// Reads any bytes as a file of that name, and runs each of its functions in every way that the engine
/// has.
pub fn read_and_run(name: &str, bytes: Vec<u8>) {
    let kernel = Kernel::from_bytes(name, bytes, &[], &[("n", 9), ("m", 5)]);
    for tree in &kernel.unit.functions {
        let placement = Placement {
            alignment: 64,
            bases: BTreeMap::new(),
        };
        let Ok(execution) = Execution::new(tree, &BTreeMap::new(), &placement, STEPS) else {
            continue;
        };
        // A budget that runs out is an answer.
        let level = CacheGeometry {
            line_size: 64,
            sets: 3,
            ways: 2,
        };
        let _ = execution.accesses();
        let _ = execution.histograms(64);
        let _ = execution.misses(&[level, level], Hierarchy::Filtered);
    }
}
