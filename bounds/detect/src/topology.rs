//! How many cores there are, how many threads each has, and how fast their clock is, as Linux reports in sysfs and
//! procfs. A file that is missing or unreadable leaves its figure open.

use std::collections::BTreeSet;
use std::fs;

const CPUS: &str = "/sys/devices/system/cpu";

/// What Linux reports of the processor at hand; `None` where it reports nothing.
#[derive(Clone, Debug, Default)]
pub(crate) struct Topology {
    /// Cores in the package of the first processor.
    pub(crate) cores: Option<usize>,
    /// Threads that its core runs.
    pub(crate) threads: Option<usize>,
    /// Its clock in kHz, and the file that says so.
    pub(crate) clock: Option<(u64, &'static str)>,
    /// Bytes of memory that may be taken.
    pub(crate) available: Option<u64>,
}

pub(crate) fn read() -> Topology {
    Topology {
        cores: cores(),
        threads: text("cpu0/topology/thread_siblings_list").and_then(|list| count(&list)),
        clock: clock(),
        available: available(),
    }
}

/// How many processors a list such as `0-3,8` names.
pub(crate) fn count(list: &str) -> Option<usize> {
    let ranges = list.trim().split(',').map(|range| {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        let (first, last): (usize, usize) = (first.parse().ok()?, last.parse().ok()?);
        last.checked_sub(first)?.checked_add(1)
    });
    ranges.sum()
}

fn cores() -> Option<usize> {
    let package = text("cpu0/topology/physical_package_id")?;
    let mut cores = BTreeSet::new();
    for entry in fs::read_dir(CPUS).ok()?.flatten() {
        let name = entry.file_name();
        let name = name.to_str().unwrap_or("");
        let number = name.strip_prefix("cpu").unwrap_or("");
        let is_processor = !number.is_empty() && number.bytes().all(|c| c.is_ascii_digit());
        let says = |file: &str| text(&format!("{name}/topology/{file}"));
        if is_processor && says("physical_package_id").as_ref() == Some(&package) {
            cores.extend(says("core_id"));
        }
    }
    Some(cores.len()).filter(|n_cores| 0 < *n_cores)
}

/// The clock without turbo, or else the one that it has now.
fn clock() -> Option<(u64, &'static str)> {
    let base = text("cpu0/cpufreq/base_frequency").and_then(|text| text.parse().ok());
    let base = base.map(|kilohertz| (kilohertz, "sysfs: base_frequency"));
    let current = || {
        let info = fs::read_to_string("/proc/cpuinfo").ok()?;
        Some((
            current_clock(&info)?,
            "/proc/cpuinfo: as it was when this was written",
        ))
    };
    base.or_else(current)
}

/// `cpu MHz : 2400.000`, in kHz.
fn current_clock(info: &str) -> Option<u64> {
    let line = info.lines().find(|line| line.starts_with("cpu MHz"))?;
    let (whole, fraction) = line.split_once(':')?.1.trim().split_once('.')?;
    let thousandths: String = fraction.chars().chain("000".chars()).take(3).collect();
    format!("{whole}{thousandths}").parse().ok()
}

/// `MemAvailable: 12345 kB`
fn available() -> Option<u64> {
    let info = fs::read_to_string("/proc/meminfo").ok()?;
    let line = info
        .lines()
        .find(|line| line.starts_with("MemAvailable:"))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    kilobytes.checked_mul(1024)
}

fn text(file: &str) -> Option<String> {
    let text = fs::read_to_string(format!("{CPUS}/{file}")).ok()?;
    Some(text.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_counted() {
        assert_eq!(count("0-3,8\n"), Some(5));
        assert_eq!(count("7"), Some(1));
        for list in ["", "a", "3-0", "0-", "1,,2"] {
            assert_eq!(count(list), None, "{list}");
        }
    }

    #[test]
    fn the_clock_is_read_in_kilohertz() {
        assert_eq!(
            current_clock("model\t: 1\ncpu MHz\t\t: 2400.05\n"),
            Some(2_400_050)
        );
        assert_eq!(current_clock("cpu MHz : fast"), None);
        assert_eq!(current_clock(""), None);
    }
}
