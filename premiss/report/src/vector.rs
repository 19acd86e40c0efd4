//! Which loops can be vectorised, in text and in JSON.

use crate::number::Number;
use crate::wrap::indented;
use premiss_analyze::{
    Carried, DependenceKind, FunctionAnalysis, Hindrance, Scope, Time, Vectorisable, Verdict,
};
use premiss_histogram::Counted;
use premiss_source::SourceMap;
use premiss_tree::{LoopId, NestTree, Role};
use schemars::JsonSchema;
use serde::Serialize;

/// Whether the iterations of an innermost loop may run side by side.
#[derive(Serialize, JsonSchema)]
pub(crate) struct VectorJson {
    /// `yes`; `reduction`: yes, if sums and their like may be done in any order; `no`.
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
    /// The most iterations side by side, where there is a limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    lanes: Option<i64>,
    /// Whether data decide what each iteration executes.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    masked: bool,
}

/// Whether an innermost loop can be vectorised.
pub(crate) fn vectorisable(function: &FunctionAnalysis, id: LoopId) -> Option<VectorJson> {
    let found = function.vectors.get(&id)?;
    let kind = match found.verdict {
        Verdict::Yes => "yes",
        Verdict::Reduction(_) => "reduction",
        Verdict::No(_) => "no",
    };
    Some(VectorJson {
        kind,
        why: hindrances(&function.tree, found),
        lanes: found.most.map(|most| most.distance),
        masked: found.is_masked,
    })
}

/// The estimated number of instructions for the arithmetic of a loop on a machine.
pub(crate) fn instructions(time: &Time) -> Option<Number> {
    let lanes = time.lanes?;
    Some(Counted::estimate(lanes.instructions).into())
}

/// ` line 12: not vectorisable: x[i] is needed one iteration later (x[i - 1])` for each innermost loop that computes
/// something and cannot be vectorised; loops with the same reason share a line.
pub(crate) fn hindered(sources: &SourceMap, function: &FunctionAnalysis) -> String {
    let tree = &function.tree;
    let mut reasons: Vec<(String, Vec<String>)> = Vec::new();
    for (id, found) in &function.vectors {
        let (Verdict::No(_), Some(why)) = (&found.verdict, hindrances(tree, found)) else {
            continue;
        };
        let counts = function.operations.of(Scope::Loop(*id));
        if counts.operations(|x| x.role == Role::Data) == Counted::ZERO {
            continue;
        }
        let verdict = match found.verdict {
            Verdict::No(Hindrance::Unknown(_)) => "vectorisation unknown",
            _ => "not vectorisable",
        };
        let (reason, place) = (format!("{verdict}: {why}"), place(sources, tree, *id));
        match reasons.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, places)) if places.contains(&place) => {}
            Some((_, places)) => places.push(place),
            None => reasons.push((reason, vec![place])),
        }
    }
    let line = |(reason, places): (String, Vec<String>)| match &places[..] {
        [place] => indented(&format!("line {place}: {reason}")),
        _ => indented(&format!("lines {}: {reason}", places.join(", "))),
    };
    reasons.into_iter().map(line).collect()
}

/// The line of a loop, with its file if that is another one than that of its function.
fn place(sources: &SourceMap, tree: &NestTree, id: LoopId) -> String {
    let span = tree.loops[id].span;
    let line = sources.start(span).line;
    match span.file == tree.span.file {
        true => line.to_string(),
        false => format!("{line} of {}", sources.file(span.file).path()),
    }
}

fn hindrances(tree: &NestTree, found: &Vectorisable) -> Option<String> {
    match (&found.verdict, &found.most) {
        (Verdict::No(why), _) => Some(hindrance(tree, why)),
        (_, Some(most)) => Some(carried(tree, most)),
        (Verdict::Reduction(reduced), None) => Some(format!(
            "{} may be combined in any order",
            reduced.join(", ")
        )),
        (Verdict::Yes, None) => None,
    }
}

fn hindrance(tree: &NestTree, why: &Hindrance) -> String {
    let text = |id: &premiss_tree::ReferenceId| &tree.references[*id].text;
    match why {
        Hindrance::Carried(dependence) => carried(tree, dependence),
        Hindrance::Scatter(id) => format!(
            "only data tell which element {} is, so that iterations may store to the same one",
            text(id)
        ),
        Hindrance::Gather(id) => format!(
            "only data tell which element {} is, and the loop stores to that array",
            text(id)
        ),
        Hindrance::Scalar(name) => format!("the next iteration needs {name}"),
        Hindrance::Call(name) => format!("{name} is called"),
        Hindrance::EndsByData => "data decide when it ends".to_owned(),
        Hindrance::Unknown(why) => (*why).to_owned(),
    }
}

/// `x[i] is needed one iteration later (x[i - 1])`
fn carried(tree: &NestTree, dependence: &Carried) -> String {
    let source = &tree.references[dependence.source].text;
    let sink = &tree.references[dependence.sink].text;
    let what = match dependence.kind {
        DependenceKind::Flow | DependenceKind::Input => "needed",
        DependenceKind::Anti => "overwritten",
        DependenceKind::Output => "stored again",
    };
    let later = match dependence.distance {
        1 => "one iteration later".to_owned(),
        distance => format!("{distance} iterations later"),
    };
    match source == sink {
        true => format!("{source} is {what} {later}"),
        false => format!("{source} is {what} {later} ({sink})"),
    }
}
