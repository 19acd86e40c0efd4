//! Counting with a progress display.

use crate::host::Host;
use premiss_analyze::{Analysis, FunctionAnalysis, MeasureOptions, Program, measure_each};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Measures each function of a program with options that are those of each function
/// ([`MeasureOptions::shared_by`]), and shows how many are done.
#[must_use]
pub fn measure_visibly(program: Program, measuring: &MeasureOptions, host: &dyn Host) -> Analysis {
    let progress = host.progress("counting", "functions", program.functions.len());
    let n_counted = AtomicUsize::new(0);
    let is_done = |function: &FunctionAnalysis| {
        let n_counted = 1 + n_counted.fetch_add(1, Ordering::Relaxed);
        progress.advance(n_counted, "counting", &function.tree.function);
    };
    measure_each(program, measuring, &is_done)
}
