//! How much memory a run took at most.

use premiss_testdata::usage::peak_kib;

/// Prints the largest amount of memory that this process has held so far, as Linux counts it.
pub(crate) fn print_peak() {
    match peak_kib() {
        Some(kib) => println!("peak memory of the whole table: {} MiB", kib.div_ceil(1024)),
        None => println!("peak memory of the whole table: unknown"),
    }
}
