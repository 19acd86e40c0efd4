//! Whether larger sizes cost more: the EXTRALARGE data sets beside the LARGE ones.

use crate::kernels::{EXTRALARGE, LARGE};
use crate::{Row, memory, read, timed};

/// The table of all kernels, or of those named.
pub(crate) fn table(names: &[String]) {
    println!(
        "kernel            LARGE: s   evaluate µs   EXTRALARGE: s   evaluate µs   ratio of both together"
    );
    let (mut totals, mut logarithms) = ([0.0; 2], Vec::new());
    let is_wanted = |name: &str| names.is_empty() || names.iter().any(|x| x == name);
    for ((name, large), (_, extralarge)) in LARGE.iter().zip(&EXTRALARGE) {
        if !is_wanted(name) {
            continue;
        }
        let mut rows = Vec::new();
        for sizes in [large, extralarge] {
            let kernel = read(name, sizes);
            let tree = kernel.unit.functions.last().expect("a function");
            rows.extend(timed(name, tree).map(|(_, row)| row));
        }
        let [before, after] = &rows[..] else { continue };
        let seconds = [before, after].map(derive_and_evaluate);
        println!(
            "{name:15} {:10.3} {:13.1} {:15.3} {:13.1} {:24.2}",
            before.times.total().as_secs_f64(),
            evaluation(before),
            after.times.total().as_secs_f64(),
            evaluation(after),
            seconds[1] / seconds[0],
        );
        totals[0] += seconds[0];
        totals[1] += seconds[1];
        logarithms.push((seconds[1] / seconds[0]).ln());
    }
    let count: f64 = logarithms.iter().map(|_| 1.0).sum();
    if 0.0 < count {
        let mean = (logarithms.iter().sum::<f64>() / count).exp();
        println!(
            "{count} kernels: {:.3} s at LARGE, {:.3} s at EXTRALARGE, ratio {:.2}; geometric mean of the ratios {mean:.2}",
            totals[0],
            totals[1],
            totals[1] / totals[0],
        );
    }
    memory::print_peak();
}

/// Microseconds to evaluate at all capacities of the table.
fn evaluation(row: &Row) -> f64 {
    row.evaluations.iter().map(|(time, _)| time).sum()
}

/// Seconds from the tree to the misses.
fn derive_and_evaluate(row: &Row) -> f64 {
    row.times.total().as_secs_f64() + evaluation(row) / 1e6
}
