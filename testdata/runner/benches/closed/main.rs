//! How long it takes to derive a closed form, kernel by kernel, and to evaluate it.
//!
//! `cargo bench -p premiss-testdata --bench closed -- gemm NI=1000 NJ=1100 NK=1200` for one kernel;
//! with `check`, its histograms are compared with the trace's.

#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]

use premiss_testdata::closed::{by_reference, closed_form};
use premiss_testdata::judge::execute;
use premiss_testdata::kernel::Kernel;
use std::collections::BTreeMap;
use std::time::Instant;

fn main() {
    let arguments: Vec<String> = std::env::args()
        .skip(1)
        .filter(|x| x != "--bench")
        .collect();
    let Some(name) = arguments.first() else {
        return;
    };
    let sizes: Vec<(&str, i64)> = arguments
        .iter()
        .filter_map(|argument| argument.split_once('='))
        .map(|(name, value)| (name, value.parse().expect("a number")))
        .collect();
    let path = format!("kernels/c/{name}.c");
    let kernel = Kernel::read(&path, &sizes, &sizes);
    let tree = kernel.unit.functions.last().expect("a function");
    match closed_form(tree, 64, &BTreeMap::new()) {
        Err(reason) => println!("{name}: {reason:?}"),
        Ok((form, times)) => {
            let entries: usize = form.references.iter().map(|x| x.entries.len()).sum();
            println!(
                "{name}: lower {:.3} analyze {:.3} derive {:.3} total {:.3} entries {entries}",
                times.lower.as_secs_f64(),
                times.analyze.as_secs_f64(),
                times.derive.as_secs_f64(),
                times.total().as_secs_f64()
            );
            let started = Instant::now();
            let sized = form.at(&[]).expect("fits");
            for capacity in [512, 16384] {
                let misses = sized
                    .references
                    .iter()
                    .map(|x| x.misses(capacity).expect("fits"));
                println!("  {capacity}: {}", misses.sum::<u64>());
            }
            println!("  evaluated in {:.6}", started.elapsed().as_secs_f64());
            if arguments.iter().any(|x| x == "check") {
                let found = by_reference(tree, &sized).expect("fits");
                let expected = execute(tree, 4096).histograms(64).expect("in budget");
                for (reference, row) in &tree.references {
                    let equal = found[reference] == expected[reference];
                    println!("  {} {:?} {equal}", row.text, row.kind);
                    if !equal {
                        println!("    {:?}\n    {:?}", found[reference], expected[reference]);
                    }
                }
            }
        }
    }
}
