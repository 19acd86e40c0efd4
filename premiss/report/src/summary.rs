//! The misses of a function in each level, and its reuse distances.

use crate::human::{counted, human, percent, signed};
use crate::wrap::WIDTH;
use premiss_analyze::{FunctionAnalysis, LevelCounts, LineCounts, SEEDS, Traffic};
use premiss_histogram::{Bin, Counted, Distance, ReuseDistanceHistogram};
use premiss_machine::{Machine, format_bytes};
use std::fmt::Write as _;
use unicode_width::UnicodeWidthStr;

/// The columns of the table of levels, causes and the estimate last.
const LEVEL_HEADS: [&str; 9] = [
    "",
    "misses",
    "of all",
    "loads",
    "stores",
    "compulsory",
    "capacity",
    "conflict",
    "estimate",
];
/// How many of these are about causes.
const N_CAUSES: usize = 4;

/// Histograms with more bins than this are shown by powers of two.
const MOST_BINS: usize = 24;

/// Level by level: its misses, by kind and by cause. Where one table is too wide, causes have one of their own.
pub(crate) fn levels(function: &FunctionAnalysis, machine: &Machine) -> String {
    let caches = machine.caches().iter().map(ToString::to_string);
    let tlbs = machine.tlbs().iter().map(ToString::to_string);
    let whole: Vec<String> = caches.chain(tlbs).collect();
    let short: Vec<String> = whole.iter().map(|name| without_line_size(name)).collect();
    let of = |names: &[String]| {
        let mut rows = vec![LEVEL_HEADS.map(str::to_owned).to_vec()];
        for (name, level) in names.iter().zip(&function.levels) {
            rows.push(level_row(name.clone(), level, function.accesses));
        }
        rows
    };
    let fits = |text: &String| text.lines().all(|line| line.width() <= WIDTH);
    let tables = [&whole, &short].map(|names| table(&of(names)));
    if let Some(text) = tables.into_iter().find(fits) {
        return text;
    }
    let rows = of(&short);
    let part = |from: usize, to: usize| {
        let cells = |row: &Vec<String>| {
            let own = row[from..to].iter().cloned();
            row[..1].iter().cloned().chain(own).collect::<Vec<_>>()
        };
        table(&rows.iter().map(cells).collect::<Vec<_>>())
    };
    let (causes, end) = (LEVEL_HEADS.len() - N_CAUSES, LEVEL_HEADS.len());
    format!("{}\n{}", part(1, causes), part(causes, end))
}

/// `L1 48 KiB 12-way` of `L1 48 KiB 12-way, 64 B lines`.
fn without_line_size(name: &str) -> String {
    let parts = name.split(", ").enumerate();
    let kept: Vec<&str> = parts
        .filter_map(|(idx, part)| (idx != 1).then_some(part))
        .collect();
    kept.join(", ")
}

fn level_row(name: String, level: &LevelCounts, accesses: Counted) -> Vec<String> {
    let cause = |text: String| match level.has_causes {
        true => text,
        false => "–".to_owned(),
    };
    vec![
        name,
        counted(level.misses),
        percent(level.misses, accesses),
        counted(level.load_misses),
        counted(level.store_misses),
        cause(counted(level.three_c.compulsory)),
        cause(counted(level.three_c.capacity)),
        cause(signed(level.three_c.conflict)),
        cause(counted(level.estimate)),
    ]
}

/// One line for each cache: the traffic between it and the level below. Empty if no traffic is known.
pub(crate) fn traffic(function: &FunctionAnalysis, machine: &Machine) -> String {
    let heads = [
        "to and from the level below",
        "write-backs",
        "bytes read",
        "bytes written",
    ];
    let mut rows = vec![heads.map(str::to_owned).to_vec()];
    for (cache, level) in machine.caches().iter().zip(&function.levels) {
        if let Some(traffic) = level.traffic {
            let counts = [
                traffic.write_backs,
                traffic.bytes_read,
                traffic.bytes_written,
            ];
            let cells = counts.map(counted).into_iter();
            rows.push(
                std::iter::once(cache.name().to_owned())
                    .chain(cells)
                    .collect(),
            );
        }
    }
    let is_known = |level: &LevelCounts| {
        level
            .traffic
            .is_some_and(|traffic| traffic != Traffic::UNKNOWN)
    };
    match function.levels.iter().any(is_known) {
        true => table(&rows),
        false => String::new(),
    }
}

/// A sentence for each level with random replacement, or from a sample: the range of its misses.
pub(crate) fn spreads(function: &FunctionAnalysis) -> String {
    let mut text = String::new();
    for level in &function.levels {
        if let Some(spread) = level.spread {
            let (least, largest) = spread.misses;
            let _ = writeln!(
                text,
                " {}: mean of {} seeds; between {least} and {largest} misses",
                level.name,
                SEEDS.count()
            );
        }
        if let Some((least, most)) = level.interval {
            let _ = writeln!(
                text,
                " {}: from a sample; with a probability of 95 % between {least} and {most} misses",
                level.name
            );
        }
    }
    text
}

/// The reuse distances of a function for each line size.
pub(crate) fn histograms(function: &FunctionAnalysis) -> String {
    let mut text = String::new();
    for line in &function.lines {
        text.push('\n');
        text.push_str(&histogram_table(line));
    }
    text
}

fn histogram_table(line: &LineCounts) -> String {
    let size = format_bytes(line.line_size);
    let Some(histogram) = &line.histogram else {
        return format!(" Reuse distances in lines of {size} are not known.\n");
    };
    let all = histogram.accesses();
    let row = |name: String, count: Counted| vec![name, counted(count), percent(count, all)];
    let title = format!("distance in lines of {size}");
    let mut rows = vec![vec![title, "accesses".to_owned(), "of all".to_owned()]];
    let ranges = ranges(histogram);
    rows.extend(ranges.into_iter().map(|(name, count)| row(name, count)));
    rows.push(row("first access".to_owned(), histogram.cold()));
    table(&rows)
}

/// Finite distances with their counts: individually if they are few, else by powers of two.
fn ranges(histogram: &ReuseDistanceHistogram) -> Vec<(String, Counted)> {
    let is_finite = |bin: &Bin| bin.lower < Distance::Infinite;
    let bins: Vec<Bin> = histogram.bins().filter(is_finite).collect();
    let few = bins.len() <= MOST_BINS;
    let mut ranges: Vec<(String, Counted)> = Vec::new();
    for bin in bins {
        let name = name(bin.lower, bin.upper, few);
        let count = Counted::between(bin.certain, bin.certain.saturating_add(bin.possible));
        match ranges.iter_mut().find(|(known, _)| *known == name) {
            Some((_, sum)) => *sum += count,
            None => ranges.push((name, count)),
        }
    }
    ranges
}

/// A distance or its bounds; by powers of two unless there are few.
fn name(lower: Distance, upper: Distance, alone: bool) -> String {
    let (Distance::Finite(low), Distance::Finite(high)) = (lower, upper) else {
        return match lower {
            Distance::Finite(low) => format!("{} or more", human(low)),
            Distance::Infinite => "first access".to_owned(),
        };
    };
    let (low, high) = if alone {
        (low, high)
    } else {
        (floor_power(low), ceil_power(high))
    };
    if low == high {
        human(low)
    } else {
        format!("{}..{}", human(low), human(high))
    }
}

/// The greatest of 0, 1, 2, 4, 8 … up to `x`.
fn floor_power(x: u64) -> u64 {
    x.checked_ilog2().map_or(0, |log| 1 << log)
}

/// The greatest number with the same [`floor_power`] as `x`.
fn ceil_power(x: u64) -> u64 {
    let floor = floor_power(x);
    floor + floor.saturating_sub(1)
}

/// Rows as aligned columns: the first to the left, the others to the right.
///
/// # Panics
///
/// A row has fewer cells than the first.
#[must_use]
pub fn table(rows: &[Vec<String>]) -> String {
    let n_cells = rows.first().map_or(0, Vec::len);
    let width = |idx: usize| rows.iter().map(|row| row[idx].width()).max().unwrap_or(0);
    let widths: Vec<_> = (0..n_cells).map(width).collect();
    let mut text = String::new();
    for row in rows {
        let mut line = String::new();
        for (idx, (cell, width)) in row.iter().zip(&widths).enumerate() {
            let space = " ".repeat(width - cell.width());
            let _ = match idx {
                0 => write!(line, " {cell}{space}"),
                _ => write!(line, "  {space}{cell}"),
            };
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_of_two_hold_their_numbers() {
        let range = |x| (floor_power(x), ceil_power(x));
        assert_eq!(range(0), (0, 0));
        assert_eq!(range(1), (1, 1));
        assert_eq!(range(5), (4, 7));
        assert_eq!(range(u64::MAX), (1 << 63, u64::MAX));
    }
}
