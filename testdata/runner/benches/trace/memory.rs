//! Memory grows with the lines touched, not with the accesses: the peak of a process that runs
//! jacobi-2d for a few time steps, and of one that runs it for many.

use crate::{Workload, distances_by_engine, misses_by_engine};
use premiss_testdata::usage::peak_kib;
use std::env;
use std::process::Command;

/// The argument that makes a child of this program, with the number of time steps and the size.
const CHILD: &str = "--memory-of";

/// Does a child's work, where this process is one.
pub(crate) fn is_child() -> bool {
    let arguments: Vec<String> = env::args().collect();
    let Some(position) = arguments.iter().position(|argument| argument == CHILD) else {
        return false;
    };
    let number = |offset: usize| arguments.get(position + offset)?.parse().ok();
    let (Some(n), Some(steps)) = (number(1), number(2)) else {
        return false;
    };
    let workload = Workload::Jacobi2d { n, steps };
    misses_by_engine(&workload);
    distances_by_engine(&workload);
    match peak_kib() {
        Some(peak) => println!("{peak} kB"),
        None => println!("not known on this system"),
    }
    true
}

/// Prints the peaks of several processes.
pub(crate) fn print_growth() {
    println!("\nPeak memory of a process that counts misses and distances of jacobi-2d");
    println!("kernel                       accesses  distinct lines       peak");
    for (n, steps) in [(500, 10), (500, 100), (500, 1000), (1000, 10)] {
        let workload = Workload::Jacobi2d { n, steps };
        let child = env::current_exe().and_then(|program| {
            Command::new(program)
                .args([CHILD, &n.to_string(), &steps.to_string()])
                .output()
        });
        let output = child.expect("this program can be started again").stdout;
        println!(
            "{:<26} {:>10}  {:>14}  {:>9}",
            workload.name(),
            workload.accesses(),
            2 * (n * n * 8).div_ceil(64),
            String::from_utf8_lossy(&output).trim()
        );
    }
}
