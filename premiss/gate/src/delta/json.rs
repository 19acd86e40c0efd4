//! A comparison for programs.

use super::{Delta, KernelDelta, Metric, Moved, Place};
use premiss_report::{Number, SCHEMA_VERSION};
use schemars::JsonSchema;
use serde::Serialize;

#[derive(Serialize, JsonSchema)]
pub(crate) struct Comparison<'a> {
    schema_version: &'static str,
    base: &'a str,
    head: &'a str,
    machine: &'a str,
    verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    unparsed: Option<&'a str>,
    kernels: Vec<Row<'a>>,
}

#[derive(Serialize, JsonSchema)]
struct Row<'a> {
    status: &'static str,
    verdict: &'static str,
    base: Vec<Spot<'a>>,
    head: Vec<Spot<'a>>,
    metrics: Vec<Count<'a>>,
}

#[derive(Serialize, JsonSchema)]
struct Spot<'a> {
    function: &'a str,
    path: &'a str,
    line: u32,
}

#[derive(Serialize, JsonSchema)]
struct Count<'a> {
    name: &'a str,
    before: Number,
    after: Number,
    limit: String,
    verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    worst: Option<Worst<'a>>,
}

#[derive(Serialize, JsonSchema)]
struct Worst<'a> {
    path: &'a str,
    line: u32,
    column: u32,
    text: &'a str,
    before: Number,
    after: Number,
}

/// The whole comparison, nests that did not change included.
///
/// # Panics
///
/// Never: nothing in it can fail to be written.
#[must_use]
pub fn delta_json(delta: &Delta, base: &str, head: &str, machine: &str) -> String {
    let comparison = Comparison {
        schema_version: SCHEMA_VERSION,
        base,
        head,
        machine,
        verdict: delta.verdict().name(),
        unparsed: delta.unparsed.as_deref(),
        kernels: delta.kernels.iter().map(row).collect(),
    };
    let mut text = serde_json::to_string_pretty(&comparison).expect("it has text keys alone");
    text.push('\n');
    text
}

fn row(kernel: &KernelDelta) -> Row<'_> {
    Row {
        status: kernel.status(),
        verdict: kernel.verdict().name(),
        base: kernel.base.iter().map(spot).collect(),
        head: kernel.head.iter().map(spot).collect(),
        metrics: kernel.metrics.iter().map(count).collect(),
    }
}

fn spot(place: &Place) -> Spot<'_> {
    Spot {
        function: &place.function,
        path: &place.path,
        line: place.line,
    }
}

fn count(metric: &Metric) -> Count<'_> {
    Count {
        name: &metric.name,
        before: metric.before.into(),
        after: metric.after.into(),
        limit: metric.limit.to_string(),
        verdict: metric.verdict.name(),
        worst: metric.worst.as_ref().map(worst),
    }
}

fn worst(moved: &Moved) -> Worst<'_> {
    Worst {
        path: &moved.path,
        line: moved.line,
        column: moved.column,
        text: &moved.text,
        before: moved.before.into(),
        after: moved.after.into(),
    }
}
