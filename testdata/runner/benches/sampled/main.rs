//! Whether the intervals of samples hold the misses that the trace counts, how wide they are, and what they cost.
//!
//! `cargo bench -p premiss-testdata --bench sampled -- medium` prints a table of all kernels with the MEDIUM data sets of
//! PolyBench for six caches, `… -- gemm NI=200 NJ=220 NK=240` the lines of one. Seconds are those of the processor.

#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]

mod kernels;

use kernels::MEDIUM;
use premiss_cache::{CacheGeometry, Hierarchy};
use premiss_histogram::Counted;
use premiss_testdata::kernel::Kernel;
use premiss_testdata::usage::processor_seconds;
use premiss_trace::{Execution, Placement};
use std::collections::BTreeMap;

/// As many steps as a level may take by default.
const STEPS: u64 = 24_000_000;

/// Three data caches and three TLBs.
const CACHES: [(u64, u64, u64); 6] = [
    (64, 64, 8),
    (64, 64, 12),
    (64, 1024, 8),
    (64, 2048, 16),
    (4096, 16, 4),
    (4096, 128, 12),
];

/// What was found of some levels.
#[derive(Default)]
struct Tally {
    levels: u32,
    refused: u32,
    held: u32,
    widths: Vec<f64>,
    slowest: f64,
}

fn main() {
    let arguments: Vec<String> = std::env::args()
        .skip(1)
        .filter(|x| x != "--bench")
        .collect();
    let mut tally = Tally::default();
    match arguments.first().map(String::as_str) {
        None => return,
        Some("medium") => {
            for (name, sizes) in &MEDIUM {
                lines(name, sizes, &mut tally);
            }
        }
        Some(name) => {
            let sizes: Vec<(&str, i64)> = arguments[1..]
                .iter()
                .filter_map(|text| text.split_once('='))
                .map(|(name, value)| (name, value.parse().expect("a number")))
                .collect();
            lines(name, &sizes, &mut tally);
        }
    }
    tally.widths.sort_by(f64::total_cmp);
    let median = tally.widths.get(tally.widths.len() / 2).copied();
    println!(
        "{} of {} intervals hold the misses; median half-width {:.3} %; {} levels are not of the kind; at most {:.2} s",
        tally.held,
        tally.levels - tally.refused,
        100.0 * median.unwrap_or(0.0),
        tally.refused,
        tally.slowest
    );
}

/// Prints a line for each cache.
#[expect(clippy::cast_precision_loss, reason = "shares are floating point")]
fn lines(name: &str, sizes: &[(&str, i64)], tally: &mut Tally) {
    let kernel = Kernel::read(&format!("kernels/c/{name}.c"), sizes, sizes);
    let tree = kernel.unit.functions.last().expect("a function");
    let placement = Placement {
        alignment: 4096,
        bases: BTreeMap::new(),
    };
    let execution = Execution::new(tree, &BTreeMap::new(), &placement, 20_000_000_000);
    let execution = execution.expect("its arrays fit");
    for (line_size, sets, ways) in CACHES {
        let geometry = CacheGeometry {
            line_size,
            sets,
            ways,
        };
        tally.levels += 1;
        let start = processor_seconds();
        let sampled = execution.sampled_misses(geometry, STEPS);
        let seconds = processor_seconds() - start;
        tally.slowest = tally.slowest.max(seconds);
        let cache = format!("{name:15} {line_size:4} B x {sets:4} x {ways:2}");
        let Some(sampled) = sampled.expect("it is small") else {
            tally.refused += 1;
            println!("{cache} | not of the kind, {seconds:.2} s");
            continue;
        };
        let start = processor_seconds();
        let traced = execution.misses(&[geometry], Hierarchy::Independent);
        let traced = traced.expect("it is small");
        let total: Counted = traced[0].values().copied().sum();
        let (least, most) = sampled.interval;
        let misses = total.exact().expect("nothing depends on data");
        let holds = (least..=most).contains(&misses);
        let width = (most - least) as f64 / 2.0 / misses.max(1) as f64;
        tally.held += u32::from(holds);
        tally.widths.push(width);
        println!(
            "{cache} | {misses:12} {} {least} to {most}, {:.3} %, {} draws, {seconds:.2} s; trace {:.2} s",
            if holds { "in" } else { "NOT IN" },
            100.0 * width,
            sampled.draws,
            processor_seconds() - start
        );
    }
}
