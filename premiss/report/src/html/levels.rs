//! What a function does to each level: misses, traffic between levels, and times.

use super::context::{Context, Subject};
use super::number::{count, difference, seconds};
use super::table::table;
use crate::chart::escaped;
use crate::human::{bytes, percent};
use crate::time::{intensity, resource, sentence};
use premiss_analyze::{Analysis, Bound, FunctionAnalysis, LevelCounts, Resource, SEEDS, Traffic};
use premiss_histogram::Counted;
use std::fmt::Write as _;

/// The choice of the level for the heat.
pub(super) fn choice(analysis: &Analysis) -> String {
    let mut html = "<fieldset><legend>Heat by misses in</legend>".to_owned();
    for (idx, (name, _)) in analysis.machine.levels().enumerate() {
        let checked = if idx == 0 { " checked" } else { "" };
        let _ = write!(
            html,
            "<label><input type=\"radio\" name=\"level\" value=\"{idx}\"{checked}> {}</label>",
            escaped(name)
        );
    }
    html.push_str("</fieldset>");
    html
}

/// The tables of a function: misses, bytes, times.
pub(super) fn tables(context: &Context<'_>, subject: Subject<'_>) -> String {
    let mut html = misses(context, subject);
    html.push_str(&spreads(subject));
    html.push_str(&traffic(context, subject));
    html.push_str(&times(context, subject));
    html
}

fn misses(context: &Context<'_>, subject: Subject<'_>) -> String {
    let function = subject.function;
    let machine = &context.analysis.machine;
    let caches = machine.caches().iter().map(ToString::to_string);
    let tlbs = machine.tlbs().iter().map(ToString::to_string);
    let mut rows = Vec::new();
    for (place, (name, level)) in caches.chain(tlbs).zip(&function.levels).enumerate() {
        let at = |what: &str| context.pointer(subject, &format!("levels/{place}/{what}"));
        let cause = |cell: String| match level.has_causes {
            true => cell,
            false => "–".to_owned(),
        };
        let [compulsory, capacity] = [
            (level.three_c.compulsory, "compulsory"),
            (level.three_c.capacity, "capacity"),
        ]
        .map(|(number, what)| cause(count(number, &at(what))));
        rows.push(vec![
            escaped(&name),
            count(level.misses, &at("misses")),
            escaped(&percent(level.misses, function.accesses)),
            count(level.load_misses, &at("load_misses")),
            count(level.store_misses, &at("store_misses")),
            compulsory,
            capacity,
            cause(difference(level.three_c.conflict, &at("conflict"))),
            cause(count(level.estimate, &at("estimate"))),
        ]);
    }
    let heads = [
        "Level",
        "Misses",
        "Of all",
        "Loads",
        "Stores",
        "Compulsory",
        "Capacity",
        "Conflict",
        "Estimate",
    ];
    table("Misses by level, kind and cause", &heads, &rows)
}

/// A sentence for each level with random replacement, or from a sample.
fn spreads(Subject { function, .. }: Subject<'_>) -> String {
    let mut html = String::new();
    for level in &function.levels {
        if let Some(spread) = level.spread {
            let (least, largest) = spread.misses;
            let _ = writeln!(
                html,
                "<p>{}: mean of {} seeds; between {least} and {largest} misses.</p>",
                escaped(&level.name),
                SEEDS.count()
            );
        }
        if let Some((least, most)) = level.interval {
            let _ = writeln!(
                html,
                "<p>{}: from a sample; with a probability of 95 % between {least} and {most} misses.</p>",
                escaped(&level.name),
            );
        }
    }
    html
}

fn traffic(context: &Context<'_>, subject: Subject<'_>) -> String {
    let function = subject.function;
    let is_known = |level: &LevelCounts| level.traffic.is_some_and(|x| x != Traffic::UNKNOWN);
    if !function.levels.iter().any(is_known) {
        return String::new();
    }
    let mut rows = Vec::new();
    let caches = context.analysis.machine.caches().iter();
    for (place, (cache, level)) in caches.zip(&function.levels).enumerate() {
        if let Some(traffic) = level.traffic {
            let cell = |number: Counted, what: &str| {
                count(
                    number,
                    &context.pointer(subject, &format!("levels/{place}/{what}")),
                )
            };
            rows.push(vec![
                escaped(cache.name()),
                cell(traffic.write_backs, "write_backs"),
                cell(traffic.bytes_read, "bytes_read"),
                cell(traffic.bytes_written, "bytes_written"),
            ]);
        }
    }
    let heads = ["Level", "Write-backs", "Bytes read", "Bytes written"];
    table("To and from the level below", &heads, &rows)
}

fn times(context: &Context<'_>, subject: Subject<'_>) -> String {
    let function = subject.function;
    let machine = &context.analysis.machine;
    let time = &function.times.function;
    let Some(bound) = &time.bound else {
        return String::new();
    };
    let at =
        |place: usize| context.pointer(subject, &format!("time/least/ceilings/{place}/seconds"));
    let row = |(place, ceiling): (usize, &premiss_analyze::Ceiling)| {
        let mut cells = vec![
            escaped(&resource(ceiling.resource, machine)),
            seconds(ceiling.seconds, &at(place)),
        ];
        cells.extend(traffic_cells(function, bound, ceiling.resource));
        cells
    };
    let rows: Vec<_> = bound.ceilings.iter().enumerate().map(row).collect();
    let heads = ["Resource", "At least", "Read", "Written", "flop/B"];
    let mut html = match rows.is_empty() {
        true => String::new(),
        false => table("Least time of each resource, on one core", &heads, &rows),
    };
    let _ = writeln!(html, "<p>{}</p>", escaped(&sentence(function, machine)));
    html
}

fn traffic_cells(function: &FunctionAnalysis, bound: &Bound, resource: Resource) -> [String; 3] {
    let Resource::Below(cache) = resource else {
        return [String::new(), String::new(), String::new()];
    };
    let moved = bound.traffic.get(cache).copied().unwrap_or_default();
    [
        bytes(moved.bytes_in),
        bytes(moved.bytes_out),
        intensity(function, bound, cache),
    ]
}
