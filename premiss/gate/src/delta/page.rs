//! A comparison as a page: the sentences are decided here, the page is written by `premiss-report`.

mod function;
mod selection;
mod undecided_reason;

pub use selection::{FunctionPair, functions_of_page};

use super::json;
use super::kernel_delta::{Delta, ForAllSizes, KernelDelta, Metric};
use super::program::ComparedProgram;
use super::text::for_all_sizes;
use crate::matching::{KernelPlace, MatchKind, Pair};
use crate::verdict::Verdict;
use function::compared_function;
use premiss_report::{
    Compared, ComparedMetric, ComparedNest, Comparison, Witnessed, comparison_html,
};
use undecided_reason::undecided_reason;

/// The inputs of a page besides the comparison.
pub struct Page<'a> {
    /// The base and the head; the functions that are shown have their times.
    pub programs: (Compared<'a>, Compared<'a>),
    /// The functions that are shown, in this order.
    pub functions: &'a [FunctionPair],
    /// The name of the machine.
    pub machine: &'a str,
    /// The coverage and the machine, as a line.
    pub coverage: String,
}

/// The comparison as one self-contained HTML document.
#[must_use]
pub fn delta_html(
    delta: &Delta,
    pairs: &[Pair],
    (base, head): (ComparedProgram<'_>, ComparedProgram<'_>),
    page: Page<'_>,
) -> String {
    let (before, after) = page.programs;
    let of_nest = |(kernel, pair): (&KernelDelta, &Pair)| {
        let function = pair.head.first().map(|idx| head.kernels[*idx].function);
        let is_shown = |function: &usize| page.functions.iter().any(|x| x.head == *function);
        ComparedNest {
            function: function.filter(is_shown),
            ..nest(kernel, &|metric| {
                undecided_reason(metric, pair, (base, head))
            })
        }
    };
    let shown = page.functions.iter();
    let functions = shown.map(|shown| compared_function((delta, pairs), (base, head), *shown));
    let n_changed = selection::n_changed(delta, pairs, (base, head));
    comparison_html(&Comparison {
        functions: functions.collect(),
        nests: delta.kernels.iter().zip(pairs).map(of_nest).collect(),
        verdict: delta.verdict().name(),
        sentences: verdict_sentences(delta, base, (page.functions.len(), n_changed)),
        coverage: page.coverage,
        json: json::compact(delta, (before.name, after.name), page.machine),
        base: before,
        head: after,
    })
}

/// The verdict in sentences: what it means, also for the exit code, and what it is based on.
fn verdict_sentences(
    delta: &Delta,
    base: ComparedProgram<'_>,
    (n_shown, n_changed): (usize, usize),
) -> Vec<String> {
    let metrics = || delta.kernels.iter().flat_map(|kernel| &kernel.metrics);
    let n_of = |verdict: Verdict| metrics().filter(|x| x.verdict == verdict).count();
    let n = n_of(delta.verdict());
    let all = metrics().count();
    let mut sentences = match delta.verdict() {
        Verdict::Exceeds => vec![
            format!(
                "Limits exceeded: {n} of {all} counts are certain to have grown beyond their limits."
            ),
            "Exit code 1: a regression past its limit (0 with --exit-zero).".to_owned(),
        ],
        Verdict::Undecided => vec![
            format!("Undecided: {n} of {all} counts may have grown beyond their limits."),
            format!("Exit code 3: what is known leaves it open, and a gate does not fail open."),
        ],
        Verdict::Within => vec![
            format!("Within limits: none of {all} counts grew beyond its limit."),
            "Exit code 0: nothing to report.".to_owned(),
        ],
    };
    if delta.verdict() == Verdict::Exceeds && 0 < n_of(Verdict::Undecided) {
        sentences.push(format!("{} more are undecided.", n_of(Verdict::Undecided)));
    }
    if let Some(path) = &delta.unparsed {
        sentences.push(format!(
            "Undecided: {path} has places that could be parsed on one side alone; what is in them is not compared."
        ));
    }
    if metrics().any(|metric| metric.for_all_sizes.is_some()) {
        sentences.push(
            "Sizes have no values: closed forms were compared for all of them, for which levels are fully associative."
                .to_owned(),
        );
    }
    if base.saved.is_some() {
        sentences.push(
            "The base was saved in a file, which has counts and no text: pictures show the head alone.".to_owned(),
        );
    }
    let statuses = ["changed", "unchanged", "added", "removed"].map(|status| {
        let of_status = delta.kernels.iter().filter(|x| x.status() == status);
        format!("{} {status}", of_status.count())
    });
    sentences.push(format!("Nests: {}.", statuses.join(", ")));
    if n_shown < n_changed {
        sentences.push(format!(
            "Sources and pictures are of {n_shown} of {n_changed} functions that changed, those that matter most."
        ));
    }
    sentences
}

fn nest(kernel: &KernelDelta, why: &dyn Fn(&Metric) -> Option<String>) -> ComparedNest {
    let all = |places: &[KernelPlace]| places.iter().map(place_text).collect::<Vec<_>>().join(", ");
    let names = |places: &[KernelPlace]| -> Vec<(String, String)> {
        let of_one = |x: &KernelPlace| (x.path.clone(), x.function.clone());
        places.iter().map(of_one).collect()
    };
    let is_moved = !kernel.base.is_empty() && names(&kernel.base) != names(&kernel.head);
    let place = match kernel.head.is_empty() {
        true => all(&kernel.base),
        false => all(&kernel.head),
    };
    ComparedNest {
        place,
        moved_from: (is_moved && !kernel.head.is_empty()).then(|| all(&kernel.base)),
        status: kernel.status(),
        found_by: match kernel.match_kind {
            MatchKind::Shape if is_moved => Some("does the same"),
            MatchKind::Name if is_moved => Some("matched by name"),
            MatchKind::Likeness => Some("matched by likeness"),
            MatchKind::Shape | MatchKind::Name | MatchKind::Nothing => None,
        },
        function: None,
        verdict: kernel.verdict().name(),
        metrics: kernel.metrics.iter().map(|x| metric(x, why(x))).collect(),
    }
}

/// `f src/mm.c:4`
fn place_text(place: &KernelPlace) -> String {
    format!("{} {}:{}", place.function, place.path, place.line)
}

fn metric(metric: &Metric, why: Option<String>) -> ComparedMetric {
    let witness = match &metric.for_all_sizes {
        Some(ForAllSizes::MoreAt {
            sizes,
            before,
            after,
        }) => {
            let sizes = sizes
                .iter()
                .map(|(name, value)| format!("{name} = {value}"));
            Some(Witnessed {
                sizes: sizes.collect::<Vec<_>>().join(", "),
                before: *before,
                after: *after,
            })
        }
        _ => None,
    };
    let is_proved = metric.for_all_sizes == Some(ForAllSizes::NeverMore);
    ComparedMetric {
        name: metric.name.clone(),
        before: metric.before,
        after: metric.after,
        limit: metric.limit.to_string(),
        verdict: metric.verdict.name(),
        remark: match is_proved {
            true => Some(for_all_sizes(metric)),
            false => why,
        },
        witness,
        worst: metric.worst.as_ref().map(|worst| {
            let place = format!(
                "{}:{}:{} {}",
                worst.path, worst.line, worst.column, worst.text
            );
            (place, worst.before, worst.after)
        }),
    }
}
