//! A comparison as JSON.

use super::kernel_delta::{Delta, ForAllSizes, KernelDelta, Metric, ReferenceDelta};
use crate::matching::{KernelPlace, MatchKind};
use premiss_histogram::Counted;
use premiss_report::{Number, SCHEMA_VERSION};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Comparison")]
pub(crate) struct DeltaJson<'a> {
    schema_version: &'static str,
    base: &'a str,
    head: &'a str,
    machine: &'a str,
    verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    unparsed: Option<&'a str>,
    /// The settings that the head changes: those of the base apply.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    policy_changes: &'a [String],
    kernels: Vec<KernelJson<'a>>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Row")]
struct KernelJson<'a> {
    status: &'static str,
    /// `shape`, `name` or `likeness`: how base and head were found to belong together.
    #[serde(skip_serializing_if = "Option::is_none")]
    matched_by: Option<&'static str>,
    verdict: &'static str,
    base: Vec<PlaceJson<'a>>,
    head: Vec<PlaceJson<'a>>,
    metrics: Vec<MetricJson<'a>>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Spot")]
struct PlaceJson<'a> {
    function: &'a str,
    path: &'a str,
    line: u32,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Count")]
struct MetricJson<'a> {
    name: &'a str,
    before: Number,
    after: Number,
    limit: String,
    verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    for_all_sizes: Option<ForAllSizesJson<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    worst: Option<ReferenceJson<'a>>,
}

/// Whether it grows for no size; else at which sizes it does for one.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "AllSizes")]
struct ForAllSizesJson<'a> {
    never_more: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    witness: Option<WitnessJson<'a>>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "At")]
struct WitnessJson<'a> {
    sizes: BTreeMap<&'a str, i64>,
    before: Number,
    after: Number,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Worst")]
struct ReferenceJson<'a> {
    path: &'a str,
    line: u32,
    column: u32,
    text: &'a str,
    before: Number,
    after: Number,
}

/// The whole comparison as JSON, unchanged nests included. `base` and `head` name the programs.
///
/// # Panics
///
/// Never: serialisation cannot fail.
#[must_use]
pub fn delta_json(delta: &Delta, base: &str, head: &str, machine: &str) -> String {
    let comparison = comparison(delta, base, head, machine);
    let mut text = serde_json::to_string_pretty(&comparison).expect("it has text keys alone");
    text.push('\n');
    text
}

/// The same without white space, to be embedded in a page.
pub(super) fn compact(delta: &Delta, (base, head): (&str, &str), machine: &str) -> String {
    let comparison = comparison(delta, base, head, machine);
    serde_json::to_string(&comparison).expect("it has text keys alone")
}

fn comparison<'a>(
    delta: &'a Delta,
    base: &'a str,
    head: &'a str,
    machine: &'a str,
) -> DeltaJson<'a> {
    DeltaJson {
        schema_version: SCHEMA_VERSION,
        base,
        head,
        machine,
        verdict: delta.verdict().name(),
        unparsed: delta.unparsed.as_deref(),
        policy_changes: &delta.policy_changes,
        kernels: delta.kernels.iter().map(row).collect(),
    }
}

fn row(kernel: &KernelDelta) -> KernelJson<'_> {
    KernelJson {
        status: kernel.status(),
        matched_by: match kernel.match_kind {
            MatchKind::Shape => Some("shape"),
            MatchKind::Name => Some("name"),
            MatchKind::Likeness => Some("likeness"),
            MatchKind::Nothing => None,
        },
        verdict: kernel.verdict().name(),
        base: kernel.base.iter().map(spot).collect(),
        head: kernel.head.iter().map(spot).collect(),
        metrics: kernel.metrics.iter().map(count).collect(),
    }
}

fn spot(place: &KernelPlace) -> PlaceJson<'_> {
    PlaceJson {
        function: &place.function,
        path: &place.path,
        line: place.line,
    }
}

fn count(metric: &Metric) -> MetricJson<'_> {
    MetricJson {
        name: &metric.name,
        before: metric.before.into(),
        after: metric.after.into(),
        limit: metric.limit.to_string(),
        verdict: metric.verdict.name(),
        for_all_sizes: metric.for_all_sizes.as_ref().map(all_sizes),
        worst: metric.worst.as_ref().map(worst),
    }
}

fn all_sizes(found: &ForAllSizes) -> ForAllSizesJson<'_> {
    let witness = match found {
        ForAllSizes::NeverMore => None,
        ForAllSizes::MoreAt {
            sizes,
            before,
            after,
        } => Some(WitnessJson {
            sizes: sizes
                .iter()
                .map(|(name, value)| (name.as_str(), *value))
                .collect(),
            before: Counted::Exact(*before).into(),
            after: Counted::Exact(*after).into(),
        }),
    };
    ForAllSizesJson {
        never_more: witness.is_none(),
        witness,
    }
}

fn worst(moved: &ReferenceDelta) -> ReferenceJson<'_> {
    ReferenceJson {
        path: &moved.path,
        line: moved.line,
        column: moved.column,
        text: &moved.text,
        before: moved.before.into(),
        after: moved.after.into(),
    }
}
