//! Misses over a range of sizes, as a table and as JSON.

use crate::human::{counted, duration};
use crate::number::Number;
use crate::summary::table;
use crate::time::{self, LeastJson, resource};
use crate::wrap::indented;
use crate::{Colour, SCHEMA_VERSION, style::Style};
use premiss_analyze::{
    Bound, FunctionSweep, Point, Provenance, Resource, SweepPoint, SweepThreshold,
};
use premiss_histogram::Counted;
use premiss_machine::Machine;
use premiss_source::SourceMap;
use premiss_tree::NestTree;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The misses of functions over sizes as tables, with a row for each of `points`, which are those of each sweep, in
/// order.
#[must_use]
pub fn sweep_text(
    sources: &SourceMap,
    functions: &[(&NestTree, FunctionSweep)],
    points: &[Point],
    machine: &Machine,
    colour: Colour,
) -> String {
    let mut text = String::new();
    for (tree, swept) in functions {
        let path = sources.file(tree.span.file).path();
        let line = sources.start(tree.span).line;
        let n = swept.derivations;
        let noun = if n == 1 { "derivation" } else { "derivations" };
        let head = format!("{path}:{line} {} · {n} {noun}", tree.function);
        text.push_str(&colour.paint(Style::Bold, &head));
        text.push_str("\n\n");
        let names: Vec<String> = points
            .first()
            .map_or_else(Vec::new, |x| x.keys().cloned().collect());
        let levels = machine.levels().map(|(name, _)| format!("{name} misses"));
        let has_times = swept.points.iter().any(|x| x.bound.is_some());
        let times = ["at least", "binds"].map(str::to_owned);
        let times = times.into_iter().take(if has_times { 2 } else { 0 });
        let columns = levels.chain(["flop".to_owned()]).chain(times);
        let mut rows = vec![
            names
                .iter()
                .cloned()
                .chain(columns)
                .collect::<Vec<String>>(),
        ];
        for (point, found) in points.iter().zip(&swept.points) {
            let sizes = point.values().map(ToString::to_string);
            let misses = found.levels.iter().map(|(misses, _)| counted(*misses));
            let flops = [counted(found.flops)];
            let least = found.bound.iter().flat_map(|x| least(found, x, machine));
            rows.push(sizes.chain(misses).chain(flops).chain(least).collect());
        }
        text.push_str(&table(&rows));
        text.push('\n');
        for change in changes(points, swept, machine) {
            let _ = writeln!(text, " {change}");
        }
        for threshold in &swept.thresholds {
            let _ = writeln!(text, " {}", sentence(tree, threshold, machine));
        }
        for reason in &swept.reasons {
            text.push_str(&indented(&format!("Note: {reason}.")));
        }
    }
    text
}

/// The least time of a point, and the binding resource: `?` for what is not known.
fn least(found: &SweepPoint, bound: &Bound, machine: &Machine) -> [String; 2] {
    let unknown = || "?".to_owned();
    match bound.binding() {
        Some(_) if has_estimated_cache(found, machine) => [unknown(), unknown()],
        Some(least) => [
            duration(least.seconds),
            binding(found, machine).map_or_else(unknown, |x| resource(x, machine)),
        ],
        None => [String::new(), String::new()],
    }
}

/// Whether the misses of some cache at a point are an estimate or not known: the bytes that they move are in no bound.
fn has_estimated_cache(found: &SweepPoint, machine: &Machine) -> bool {
    let mut caches = found.levels.iter().take(machine.caches().len());
    caches.any(|(_, answered)| {
        matches!(
            answered,
            Provenance::Sample | Provenance::Estimate | Provenance::Uncounted
        )
    })
}

/// The resource that binds at a point, where operations and the misses of all caches are exact.
fn binding(found: &SweepPoint, machine: &Machine) -> Option<Resource> {
    let mut misses = found.levels.iter().take(machine.caches().len());
    let is_exact = |count: Counted| count.exact().is_some();
    let is_known = is_exact(found.flops) && misses.all(|(misses, _)| is_exact(*misses));
    let least = found.bound.as_ref()?.binding()?;
    is_known.then_some(least.resource)
}

/// `Between N = 64 and N = 128, L2 to L1 becomes slower than arithmetic.`
fn changes(points: &[Point], swept: &FunctionSweep, machine: &Machine) -> Vec<String> {
    let at = |point: &Point| {
        let sizes = point
            .iter()
            .map(|(name, value)| format!("{name} = {value}"));
        sizes.collect::<Vec<_>>().join(", ")
    };
    let all: Vec<_> = points.iter().zip(&swept.points).collect();
    let changes = all.windows(2).filter_map(|pair| {
        let (before, after) = (binding(pair[0].1, machine)?, binding(pair[1].1, machine)?);
        (before != after).then(|| {
            format!(
                "Between {} and {}, {} becomes slower than {}.",
                at(pair[0].0),
                at(pair[1].0),
                resource(after, machine),
                resource(before, machine)
            )
        })
    });
    changes.collect()
}

/// `from N = 464 on, L1 no longer holds what A[i][k] uses again (line 7)`
pub(crate) fn sentence(tree: &NestTree, threshold: &SweepThreshold, machine: &Machine) -> String {
    let level = machine.levels().nth(threshold.level);
    let (level, shape) = level.map_or(("?", None), |(name, geometry)| (name, Some(geometry)));
    let reference = &tree.references[threshold.reference].text;
    let (size, value) = (&threshold.size, threshold.value);
    let mut text =
        format!("From {size} = {value} on, {level} no longer holds what {reference} uses again");
    if shape.is_some_and(|shape| 1 < shape.sets) {
        text.push_str(" (as if fully associative)");
    }
    text.push('.');
    text
}

/// The misses of functions over sizes as one JSON object with a final line break.
///
/// # Panics
///
/// Never: the form has text for keys and finite numbers.
#[must_use]
pub fn sweep_json(
    sources: &SourceMap,
    functions: &[(&NestTree, FunctionSweep)],
    points: &[Point],
    machine: &Machine,
) -> String {
    let names: Vec<&str> = machine.levels().map(|(name, _)| name).collect();
    let of_one = |(tree, swept): &(&NestTree, FunctionSweep)| {
        let of_points = points.iter().zip(&swept.points).map(|(point, found)| {
            let levels = names.iter().zip(&found.levels);
            let level = |(name, (misses, answered)): (&&str, &(_, Provenance))| SweptLevelJson {
                name: (*name).to_owned(),
                misses: Number::from(*misses),
                engine: match answered {
                    Provenance::ClosedForm => Some("closed"),
                    Provenance::Trace => Some("trace"),
                    Provenance::Sample => Some("sample"),
                    Provenance::Estimate => Some("estimate"),
                    Provenance::Uncounted => None,
                },
            };
            PointJson {
                parameters: point.clone(),
                levels: levels.map(level).collect(),
                flops: found.flops.into(),
                least: found
                    .bound
                    .as_ref()
                    .map(|bound| time::least(bound, machine)),
            }
        });
        let threshold = |x: &SweepThreshold| ThresholdJson {
            size: x.size.clone(),
            value: x.value,
            level: names.get(x.level).map(|name| (*name).to_owned()),
            reference: tree.references[x.reference].text.clone(),
            line: sources.start(tree.references[x.reference].span).line,
        };
        SweptFunctionJson {
            name: tree.function.clone(),
            file: sources.file(tree.span.file).path().to_owned(),
            line: sources.start(tree.span).line,
            points: of_points.collect(),
            derivations: swept.derivations,
            thresholds: swept.thresholds.iter().map(threshold).collect(),
            engine_reason: Some(swept.reasons.join("; ")).filter(|text| !text.is_empty()),
        }
    };
    let report = Report {
        schema_version: SCHEMA_VERSION,
        functions: functions.iter().map(of_one).collect(),
    };
    let mut json =
        serde_json::to_string_pretty(&report).expect("a report has nothing that JSON cannot say");
    json.push('\n');
    json
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct Report {
    schema_version: &'static str,
    functions: Vec<SweptFunctionJson>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Function")]
struct SweptFunctionJson {
    name: String,
    file: String,
    line: u32,
    points: Vec<PointJson>,
    derivations: usize,
    thresholds: Vec<ThresholdJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    engine_reason: Option<String>,
}

#[derive(Serialize, JsonSchema)]
struct PointJson {
    parameters: BTreeMap<String, i64>,
    levels: Vec<SweptLevelJson>,
    /// Operations on real and complex numbers.
    flops: Number,
    /// No run on one core is faster.
    #[serde(skip_serializing_if = "Option::is_none")]
    least: Option<LeastJson>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Level")]
struct SweptLevelJson {
    name: String,
    misses: Number,
    engine: Option<&'static str>,
}

#[derive(Serialize, JsonSchema)]
struct ThresholdJson {
    size: String,
    value: i64,
    level: Option<String>,
    reference: String,
    line: u32,
}
