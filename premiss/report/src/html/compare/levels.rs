//! A function before and after: accesses, misses by level, bytes, times.

use super::nests::{change, relative};
use crate::chart::escaped;
use crate::html::number::{count, seconds};
use crate::html::table::table;
use crate::time::sentence;
use premiss_analyze::{Bound, FunctionAnalysis};
use premiss_histogram::Counted;
use premiss_machine::Machine;
use std::fmt::Write as _;

/// The counts of a function in base and head as a table, and its times as sentences.
pub(super) fn totals(
    machine: &Machine,
    before: &FunctionAnalysis,
    after: &FunctionAnalysis,
) -> String {
    let mut rows = vec![
        row("Accesses", before.accesses, after.accesses),
        row("Loads", before.loads, after.loads),
        row("Stores", before.stores, after.stores),
    ];
    let levels = || before.levels.iter().zip(&after.levels);
    for (old, new) in levels() {
        rows.push(row(&format!("{} misses", new.name), old.misses, new.misses));
    }
    for (old, new) in levels() {
        let Some((was, is)) = old.traffic.zip(new.traffic) else {
            continue;
        };
        let parts = [
            ("bytes read", was.bytes_read, is.bytes_read),
            ("bytes written", was.bytes_written, is.bytes_written),
        ];
        for (what, was, is) in parts {
            if (was, is) != (Counted::Unknown, Counted::Unknown) {
                rows.push(row(&format!("{} {what}", new.name), was, is));
            }
        }
    }
    rows.extend(least_times(before, after));
    let heads = ["", "Base", "Head", "Change", "Relative"];
    let mut html = table("The whole function, base and head", &heads, &rows);
    for (name, function) in [("Base", before), ("Head", after)] {
        if function.times.function.bound.is_some() {
            let text = sentence(function, machine);
            let _ = writeln!(html, "<p>{name}: {}</p>", escaped(&text));
        }
    }
    html
}

fn row(name: &str, before: Counted, after: Counted) -> Vec<String> {
    vec![
        escaped(name),
        count(before, ""),
        count(after, ""),
        change(before, after),
        relative(before, after),
    ]
}

/// The times of the binding resources.
fn least_times(before: &FunctionAnalysis, after: &FunctionAnalysis) -> Option<Vec<String>> {
    let least = |function: &FunctionAnalysis| {
        let bound = function.times.function.bound.as_ref();
        Some(bound.and_then(Bound::binding)?.seconds)
    };
    let (before, after) = least(before).zip(least(after))?;
    let share = (0.0 < before).then(|| 100.0 * (after - before) / before);
    let share = share.map_or_else(String::new, |share| {
        let sign = if share < 0.0 { "−" } else { "+" };
        format!(
            "<data value=\"{share:.4}\">{sign}{:.1} %</data>",
            share.abs()
        )
    });
    Some(vec![
        "Least time".to_owned(),
        seconds(before, ""),
        seconds(after, ""),
        String::new(),
        share,
    ])
}
