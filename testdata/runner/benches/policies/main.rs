//! What it costs to count the misses of caches that are not LRU.
//!
//! `cargo bench --profile dev -p premiss-testdata --bench policies -- large` prints a row for each kernel with its LARGE data
//! set, in an L1 of 32 KiB in 8 ways with FIFO and with tree-PLRU: misses, by how much they differ from those published
//! for a simulator with warping, and seconds of the processor. `… -- extralarge` does so for the next larger data sets,
//! `… -- gemm NI=1000 NJ=1100 NK=1200` prints one row; further words choose policies (`fifo`, `plru`, `nru`, `lru`).

#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]

#[path = "../closed/kernels.rs"]
mod kernels;
mod published;

use kernels::{EXTRALARGE, LARGE, sizes_of};
use premiss_cache::{CacheGeometry, CacheModel, Hierarchy, ReplacementPolicy};
use premiss_histogram::Counted;
use premiss_testdata::kernel::Kernel;
use premiss_testdata::usage::{peak_kib, processor_seconds};
use premiss_trace::{Execution, Placement};
use published::PUBLISHED;
use std::collections::BTreeMap;

/// The steps that a run may take.
const STEPS: u64 = 20_000_000_000;

/// 32 KiB.
const L1: CacheGeometry = CacheGeometry {
    line_size: 64,
    sets: 64,
    ways: 8,
};

/// Policies by the words that choose them.
const POLICIES: [(&str, ReplacementPolicy); 4] = [
    ("fifo", ReplacementPolicy::Fifo),
    ("plru", ReplacementPolicy::TreePlru),
    ("nru", ReplacementPolicy::Nru),
    ("lru", ReplacementPolicy::Lru),
];

fn main() {
    let arguments: Vec<String> = std::env::args()
        .skip(1)
        .filter(|x| x != "--bench")
        .collect();
    let is_chosen = |word: &str| arguments.iter().any(|x| x == word);
    let mut policies = POLICIES.to_vec();
    policies.retain(|(word, _)| is_chosen(word));
    if policies.is_empty() {
        policies.extend(&POLICIES[..2]);
    }
    let mut seconds = 0.0;
    match arguments.first().map(String::as_str) {
        None => return,
        Some("large") => {
            for (name, sizes) in &LARGE {
                seconds += row(name, sizes, &policies);
            }
        }
        Some("extralarge") => {
            for (name, sizes) in &EXTRALARGE {
                seconds += row(name, sizes, &policies);
            }
        }
        Some(name) => seconds = row(name, &sizes_of(name, &arguments), &policies),
    }
    let mib = peak_kib().unwrap_or(0) >> 10;
    println!("{seconds:.1} s in all, at most {mib} MiB");
}

/// Prints what one kernel costs; returns the seconds.
fn row(name: &str, sizes: &[(&str, i64)], policies: &[(&str, ReplacementPolicy)]) -> f64 {
    let start = processor_seconds();
    let kernel = Kernel::read(&format!("kernels/c/{name}.c"), sizes, sizes);
    let tree = kernel.unit.functions.last().expect("a function");
    let placement = Placement {
        alignment: 4096,
        bases: BTreeMap::new(),
    };
    let execution = Execution::new(tree, &BTreeMap::new(), &placement, STEPS);
    let execution = execution.expect("its arrays fit");
    let mut text = format!("{name:15}");
    for (word, replacement) in policies {
        let before = processor_seconds();
        let level = CacheModel {
            replacement: *replacement,
            ..CacheModel::lru_write_back(L1)
        };
        let runs = execution.simulate(&[level], Hierarchy::Independent);
        let misses = runs.map(|runs| runs[0].misses.values().copied().sum::<Counted>());
        let seconds = processor_seconds() - before;
        text += &format!(" | {word}");
        text += &match misses {
            Ok(Counted::Exact(misses)) => {
                format!(" {misses:>12} {:>9}", difference(name, sizes, word, misses))
            }
            Ok(bounds) => match bounds.bounds() {
                Some((least, most)) => format!(" {least} to {most}"),
                None => " unknown".to_owned(),
            },
            Err(why) => format!(" {why}"),
        };
        text += &format!(" {seconds:7.2} s");
    }
    println!("{text}");
    processor_seconds() - start
}

/// By how much misses differ from the published ones, which are for the LARGE data sets.
#[expect(clippy::cast_precision_loss, reason = "a share is floating point")]
fn difference(name: &str, sizes: &[(&str, i64)], word: &str, misses: u64) -> String {
    let is_large = LARGE.contains(&(name, sizes));
    let row = PUBLISHED.iter().find(|row| is_large && row.0 == name);
    let published = row.and_then(|row| match word {
        "fifo" => Some(row.1),
        "plru" => Some(row.2),
        _ => None,
    });
    match published {
        Some(published) if published == misses => "same".to_owned(),
        Some(published) => {
            let share = (misses as f64 - published as f64) / published as f64;
            format!("{:+.3} %", 100.0 * share)
        }
        None => String::new(),
    }
}
