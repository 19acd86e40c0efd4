//! What this process has used so far, as Linux counts it.

use std::fs;

/// The most memory that this process has held at a time, in KiB, where the system says so.
#[must_use]
pub fn peak_kib() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse().ok()
}

/// The seconds that this process took on all processors together, or 0 where the system does not say so.
#[must_use]
pub fn processor_seconds() -> f64 {
    let text = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = text.rsplit_once(')').map_or("", |x| x.1).split_whitespace();
    let ticks = fields
        .skip(11)
        .take(2)
        .filter_map(|x| x.parse::<f64>().ok());
    ticks.sum::<f64>() / 100.0
}
