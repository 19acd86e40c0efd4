//! The times of functions and loops, in text and in JSON.

use crate::human::{bytes, duration};
use crate::summary::table;
use crate::wrap::indented;
use premiss_analyze::{
    Bound, Ceiling, Cost, FunctionAnalysis, LevelTraffic, PatternMisses, Resource, Scope, Time,
};
use premiss_machine::Machine;
use premiss_source::SourceMap;
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt::Write as _;

/// The least time of each resource, then the maximum and the estimate. Empty if the machine does not describe its core.
pub(crate) fn summary(function: &FunctionAnalysis, machine: &Machine) -> String {
    let time = &function.times.function;
    let Some(bound) = &time.bound else {
        return String::new();
    };
    let heads = ["at least, on one core", "time", "read", "written", "flop/B"];
    let mut rows = vec![heads.map(str::to_owned).to_vec()];
    rows.extend(
        bound
            .ceilings
            .iter()
            .map(|x| row(function, bound, *x, machine)),
    );
    let mut text = match bound.ceilings.is_empty() {
        true => String::new(),
        false => format!("\n{}", table(&rows)),
    };
    text.push_str(&indented(&sentence(function, machine)));
    text
}

fn row(
    function: &FunctionAnalysis,
    bound: &Bound,
    ceiling: Ceiling,
    machine: &Machine,
) -> Vec<String> {
    let mut cells = vec![
        resource(ceiling.resource, machine),
        duration(ceiling.seconds),
    ];
    match ceiling.resource {
        Resource::Arithmetic => cells.extend([String::new(), String::new(), String::new()]),
        Resource::Below(cache) => {
            let moved = bound.traffic.get(cache).copied().unwrap_or_default();
            cells.push(bytes(moved.bytes_in));
            cells.push(bytes(moved.bytes_out));
            cells.push(intensity(function, bound, cache));
        }
    }
    cells
}

/// Operations for each byte that crosses below a cache: `0.250` where both are exact, else what their bounds allow,
/// `0.125..0.250` or `≤0.250`; `?` where they allow everything, and nothing where no byte moves.
pub(crate) fn intensity(function: &FunctionAnalysis, bound: &Bound, cache: usize) -> String {
    let moved = bound.traffic.get(cache).copied().unwrap_or_default();
    let fewest = moved.bytes_in + moved.bytes_out;
    let most = most_bytes(function, cache);
    let Some(exact) = bound.intensity(cache) else {
        let is_still = most.is_some_and(|most| most <= 0.0);
        return if is_still {
            String::new()
        } else {
            "?".to_owned()
        };
    };
    let flops = function.operations.of(Scope::Function).flops().bounds();
    match (flops, most) {
        (Some((a, b)), Some(most)) if a == b && most <= fewest => format!("{exact:.3}"),
        (Some((a, b)), Some(most)) => {
            format!("{:.3}..{:.3}", float(a) / most, float(b) / fewest)
        }
        (Some((_, b)), None) => format!("≤{:.3}", float(b) / fewest),
        (None, _) => "?".to_owned(),
    }
}

/// The most bytes that cross below a cache; `None` where nothing bounds them.
fn most_bytes(function: &FunctionAnalysis, cache: usize) -> Option<f64> {
    let traffic = function.levels.get(cache)?.traffic?;
    let (_, read) = traffic.bytes_read.bounds()?;
    let (_, written) = traffic.bytes_written.bounds()?;
    Some(float(read) + float(written))
}

fn float(number: u64) -> f64 {
    number as f64
}

/// `At least 41.0 µs: L2 to L1 binds. About ~80.3 µs: accesses 64.0 µs, …`
pub(crate) fn sentence(function: &FunctionAnalysis, machine: &Machine) -> String {
    let time = &function.times.function;
    let least = time.bound.as_ref().and_then(Bound::binding);
    let mut text = match least {
        Some(least) => {
            let (seconds, name) = (duration(least.seconds), resource(least.resource, machine));
            match has_exact_bytes(function) {
                true => format!("At least {seconds}: {name} binds."),
                false => format!(
                    "At least {seconds}, for {name} alone; which resource binds is not known, as not all counts are \
                     exact."
                ),
            }
        }
        None => "No least time: the machine description has no speeds.".to_owned(),
    };
    let Some(estimate) = time.estimate() else {
        if let Err(why) = &time.cost {
            let _ = write!(text, " No estimate: {why}.");
        }
        return text;
    };
    let _ = write!(text, " About ~{}", duration(estimate));
    if let Ok(cost) = &time.cost {
        let _ = write!(
            text,
            ": accesses {}, misses {}, TLB misses {}, less {} that overlap",
            duration(cost.accesses),
            duration(cost.caches.iter().sum()),
            duration(cost.tlbs),
            duration(cost.overlap)
        );
    }
    text.push('.');
    text
}

/// Whether the operations and the misses of all caches are exact, so that the largest least time is that of the resource
/// that binds.
pub(crate) fn has_exact_bytes(function: &FunctionAnalysis) -> bool {
    let flops = function.operations.of(Scope::Function).flops();
    let mut caches = function.levels.iter().filter(|x| x.traffic.is_some());
    flops.exact().is_some() && caches.all(|level| level.misses.exact().is_some())
}

/// `arithmetic`, `L2 to L1`, `memory to L3`.
pub(crate) fn resource(resource: Resource, machine: &Machine) -> String {
    let name = |idx: usize| machine.caches().get(idx).map_or("memory", |x| x.name());
    match resource {
        Resource::Arithmetic => "arithmetic".to_owned(),
        Resource::Below(cache) => format!("{} to {}", name(cache + 1), name(cache)),
    }
}

/// Times, in seconds.
#[derive(Serialize, JsonSchema)]
pub(crate) struct TimeJson {
    #[serde(skip_serializing_if = "Option::is_none")]
    least: Option<LeastJson>,
    estimate: EstimateJson,
}

/// No run on one core is faster.
#[derive(Serialize, JsonSchema)]
pub(crate) struct LeastJson {
    /// Null where the machine tells how fast nothing is.
    seconds: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bound_by: Option<String>,
    ceilings: Vec<CeilingJson>,
    /// Operations on real numbers, at least.
    flops: f64,
}

#[derive(Serialize, JsonSchema)]
struct CeilingJson {
    resource: String,
    seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes_read: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes_written: Option<f64>,
    /// Operations for each byte.
    #[serde(skip_serializing_if = "Option::is_none")]
    intensity: Option<f64>,
}

/// About how long it takes.
#[derive(Serialize, JsonSchema)]
struct EstimateJson {
    value: Option<f64>,
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cost: Option<CostJson>,
}

/// What accesses cost, in parts.
#[derive(Serialize, JsonSchema)]
struct CostJson {
    accesses: f64,
    /// Misses in each cache.
    caches: Vec<f64>,
    tlbs: f64,
    /// To be taken from the sum of all others.
    overlap: f64,
}

/// The times of a part of a function.
pub(crate) fn time(time: &Time, machine: &Machine) -> TimeJson {
    TimeJson {
        least: time.bound.as_ref().map(|bound| least(bound, machine)),
        estimate: EstimateJson {
            value: time.estimate().map(rounded),
            kind: match time.cost {
                Ok(_) => "estimate",
                Err(_) => "unknown",
            },
            reason: time.cost.as_ref().err().map(ToString::to_string),
            cost: time.cost.as_ref().ok().map(cost),
        },
    }
}

/// The least time of a part of a program.
pub(crate) fn least(bound: &Bound, machine: &Machine) -> LeastJson {
    let binding = bound.binding();
    let ceiling = |ceiling: &Ceiling| {
        let moved = match ceiling.resource {
            Resource::Arithmetic => None,
            Resource::Below(cache) => bound.traffic.get(cache).copied(),
        };
        let intensity = match ceiling.resource {
            Resource::Arithmetic => None,
            Resource::Below(cache) => bound.intensity(cache),
        };
        CeilingJson {
            resource: resource(ceiling.resource, machine),
            seconds: rounded(ceiling.seconds),
            bytes_read: moved.map(|moved: LevelTraffic| moved.bytes_in),
            bytes_written: moved.map(|moved| moved.bytes_out),
            intensity: intensity.map(rounded),
        }
    };
    LeastJson {
        seconds: binding.map(|x| rounded(x.seconds)),
        bound_by: binding.map(|x| resource(x.resource, machine)),
        ceilings: bound.ceilings.iter().map(ceiling).collect(),
        flops: bound.work.operations(),
    }
}

fn cost(cost: &Cost) -> CostJson {
    CostJson {
        accesses: rounded(cost.accesses),
        caches: cost.caches.iter().map(|x| rounded(*x)).collect(),
        tlbs: rounded(cost.tlbs),
        overlap: rounded(cost.overlap),
    }
}

/// How references move, with what that promises.
#[derive(Serialize, JsonSchema)]
pub(crate) struct PatternJson<'a> {
    /// The class of Byna, Sun, Gropp and Thakur (2004).
    class: &'static str,
    references: Vec<PlaceJson<'a>>,
    /// How many contiguous blocks they go through.
    blocks: f64,
    block_bytes: f64,
    /// From one block to the next; null where nobody knows.
    stride: Option<f64>,
    /// Misses by the formulas of that paper, estimates all.
    levels: Vec<MissesJson<'a>>,
}

#[derive(Serialize, JsonSchema)]
struct PlaceJson<'a> {
    line: u32,
    column: u32,
    text: &'a str,
}

#[derive(Serialize, JsonSchema)]
struct MissesJson<'a> {
    name: &'a str,
    misses: f64,
}

pub(crate) fn patterns<'a>(
    sources: &SourceMap,
    function: &'a FunctionAnalysis,
) -> Vec<PatternJson<'a>> {
    let place = |id: &premiss_tree::ReferenceId| {
        let reference = &function.tree.references[*id];
        let at = sources.start(reference.span);
        PlaceJson {
            line: at.line,
            column: at.column,
            text: &reference.text,
        }
    };
    let of_one = |walk: &PatternMisses| {
        let pattern = &walk.walk.pattern;
        let names = function.levels.iter().map(|level| level.name.as_str());
        let misses = names.zip(&walk.misses);
        let first = pattern.blocks.first();
        PatternJson {
            class: pattern.class.name(),
            references: walk.walk.references.iter().map(place).collect(),
            blocks: pattern.blocks.iter().map(|x| rounded(x.number)).sum(),
            block_bytes: first.map_or(0.0, |x| rounded(x.bytes)),
            stride: first.map(|x| x.stride).filter(|x| x.is_finite()),
            levels: misses
                .map(|(name, misses)| MissesJson {
                    name,
                    misses: rounded(*misses),
                })
                .collect(),
        }
    };
    function.times.walks.iter().map(of_one).collect()
}

/// Rounded to six digits, because more would suggest a precision that is not there.
pub(crate) fn rounded(value: f64) -> f64 {
    format!("{value:.5e}").parse().unwrap_or(value)
}
