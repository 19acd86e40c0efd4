//! How much memory a run took at most.

use std::fs;

/// Prints the largest amount of memory that this process has held so far, as Linux counts it.
pub(crate) fn print_peak() {
    match peak() {
        Some(kib) => println!("peak memory of the whole table: {} MiB", kib.div_ceil(1024)),
        None => println!("peak memory of the whole table: unknown"),
    }
}

/// In KiB, where the system tells.
fn peak() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse().ok()
}
