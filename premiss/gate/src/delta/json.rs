//! A comparison for programs.

use super::{Delta, ForAllSizes, KernelDelta, Metric, Moved, Place};
use crate::matching::By;
use premiss_histogram::Counted;
use premiss_report::{Number, SCHEMA_VERSION};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

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
    /// `shape`, `name` or `likeness`: how base and head were found to belong together.
    #[serde(skip_serializing_if = "Option::is_none")]
    matched_by: Option<&'static str>,
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
    for_all_sizes: Option<AllSizes<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    worst: Option<Worst<'a>>,
}

/// Whether it grows for no size; else at which sizes it does for one.
#[derive(Serialize, JsonSchema)]
struct AllSizes<'a> {
    never_more: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    witness: Option<At<'a>>,
}

#[derive(Serialize, JsonSchema)]
struct At<'a> {
    sizes: BTreeMap<&'a str, i64>,
    before: Number,
    after: Number,
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
    let comparison = comparison(delta, base, head, machine);
    let mut text = serde_json::to_string_pretty(&comparison).expect("it has text keys alone");
    text.push('\n');
    text
}

/// The same without spaces, to stand in a page.
pub(super) fn compact(delta: &Delta, (base, head): (&str, &str), machine: &str) -> String {
    let comparison = comparison(delta, base, head, machine);
    serde_json::to_string(&comparison).expect("it has text keys alone")
}

fn comparison<'a>(
    delta: &'a Delta,
    base: &'a str,
    head: &'a str,
    machine: &'a str,
) -> Comparison<'a> {
    Comparison {
        schema_version: SCHEMA_VERSION,
        base,
        head,
        machine,
        verdict: delta.verdict().name(),
        unparsed: delta.unparsed.as_deref(),
        kernels: delta.kernels.iter().map(row).collect(),
    }
}

fn row(kernel: &KernelDelta) -> Row<'_> {
    Row {
        status: kernel.status(),
        matched_by: match kernel.by {
            By::Shape => Some("shape"),
            By::Name => Some("name"),
            By::Likeness => Some("likeness"),
            By::Nothing => None,
        },
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
        for_all_sizes: metric.for_all_sizes.as_ref().map(all_sizes),
        worst: metric.worst.as_ref().map(worst),
    }
}

fn all_sizes(found: &ForAllSizes) -> AllSizes<'_> {
    let witness = match found {
        ForAllSizes::NeverMore => None,
        ForAllSizes::MoreAt {
            sizes,
            before,
            after,
        } => Some(At {
            sizes: sizes
                .iter()
                .map(|(name, value)| (name.as_str(), *value))
                .collect(),
            before: Counted::Exact(*before).into(),
            after: Counted::Exact(*after).into(),
        }),
    };
    AllSizes {
        never_more: witness.is_none(),
        witness,
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
