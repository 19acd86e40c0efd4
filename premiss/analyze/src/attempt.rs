//! Which engine answers for the lines of one size of a function, and its answer.
//!
//! `auto` traces for as many steps as deriving a closed form is expected to cost. Where the trace has
//! not ended by then it derives, and only where that fails the trace runs to its end or its budget:
//! the answer takes at most twice the work of the better engine, and the choice depends on steps,
//! which are the same everywhere, and not on time.

use crate::closed::{ClosedCounts, Effort, NoForm, Stage, closed_form, counts, question};
use crate::task::{Chain, Outcome, Task, execution_within};
use crate::{Engine, MeasureOptions};
use premiss_cache::CacheGeometry;
use premiss_histogram::{Counted, ReuseDistanceHistogram};
use premiss_machine::Machine;
use premiss_trace::{LevelRun, PerReference, TraceError};
use premiss_tree::NestTree;
use std::collections::{BTreeMap, BTreeSet};

/// Steps of the trace that deriving is expected to cost, by pair of references: references touch
/// lines that others touched last.
const STEPS_PER_PAIR: u64 = 20_000;

/// Why something could not be counted.
#[derive(Clone, PartialEq, Debug)]
pub enum CountError {
    /// The trace could not run, or not to its end.
    Trace(TraceError),
    /// There is no closed form, and the trace was not to be run.
    Closed(NoForm),
    /// The misses of caches of several sets, or that are not LRU, have no closed form, and the trace was not to be run.
    Sets,
}

/// What is known of the lines of one size before the trace is run to its end.
#[derive(Debug)]
pub(crate) enum Attempt {
    /// The closed form's numbers.
    Closed(ClosedCounts),
    /// The trace had ended before deriving began.
    Traced(PerReference<ReuseDistanceHistogram>),
    /// There is no closed form.
    Failed(NoForm),
    /// Nothing was tried.
    Skipped,
}

/// The attempts of one function, by line size.
pub(crate) type Attempts = BTreeMap<u64, Attempt>;

/// Tries what comes before a whole trace.
pub(crate) fn attempt(tree: &NestTree, line_size: u64, options: &MeasureOptions) -> Attempt {
    if options.engine == Engine::Trace || !missing_sizes(tree).is_empty() {
        return Attempt::Skipped;
    }
    if options.engine == Engine::Auto
        && let Some(histograms) = cheap_trace(tree, line_size, options)
    {
        return Attempt::Traced(histograms);
    }
    match derived(tree, line_size, options) {
        Ok(counts) => Attempt::Closed(counts),
        Err(why) => Attempt::Failed(why),
    }
}

/// The sizes without a value that something depends on.
pub(crate) fn missing_sizes(tree: &NestTree) -> Vec<String> {
    let used = tree.used_parameters().into_iter();
    let missing = used.filter(|id| tree.parameters[*id].value.is_none());
    missing.map(|id| tree.parameters[id].name.clone()).collect()
}

fn cheap_trace(
    tree: &NestTree,
    line_size: u64,
    options: &MeasureOptions,
) -> Option<PerReference<ReuseDistanceHistogram>> {
    let n_references = u64::try_from(tree.references.len()).unwrap_or(u64::MAX);
    let pairs = n_references.saturating_mul(n_references);
    let expected = pairs.saturating_mul(STEPS_PER_PAIR).min(options.budget);
    let execution = execution_within(tree, options, expected).ok()?;
    execution.histograms(line_size).ok()
}

fn derived(
    tree: &NestTree,
    line_size: u64,
    options: &MeasureOptions,
) -> Result<ClosedCounts, NoForm> {
    let question = question(line_size, options.alignment(), BTreeMap::new())?;
    let form = closed_form(tree, &question, options.effort, options.store())?;
    let capacities = capacities(&options.machine, line_size);
    let counts = counts(tree, &form.histogram.ready(), &[], &capacities);
    counts.map_err(|refusal| NoForm::Refused {
        stage: Stage::Evaluation,
        refusal,
        effort: options.effort,
    })
}

/// The capacities in lines of the levels with lines of so many bytes.
fn capacities(machine: &Machine, line_size: u64) -> Vec<u64> {
    let levels = machine.levels().map(|(_, geometry)| geometry);
    let fitting = levels.filter(|geometry| geometry.line_size == line_size);
    let capacities = fitting.map(CacheGeometry::lines);
    capacities.collect::<BTreeSet<_>>().into_iter().collect()
}

/// What an attempt says of a task, if anything: `None` where the trace has to run.
pub(crate) fn answer(
    task: &Task,
    attempts: &Attempts,
    options: &MeasureOptions,
) -> Option<Result<Outcome, CountError>> {
    let found = match task {
        Task::Accesses => attempts.values().find_map(|attempt| match attempt {
            Attempt::Closed(counts) => Some(Outcome::Accesses(counts.accesses.clone())),
            _ => None,
        }),
        Task::Histograms(line) => match attempts.get(line) {
            Some(Attempt::Closed(counts)) => counts.histograms.clone().map(Outcome::Histograms),
            Some(Attempt::Traced(histograms)) => Some(Outcome::Histograms(histograms.clone())),
            _ => None,
        },
        Task::Misses(chain) => closed_misses(chain, attempts),
        Task::Traffic(_) => None,
    };
    match found {
        Some(outcome) => Some(Ok(outcome)),
        None if options.engine == Engine::Closed => Some(Err(why_not(task, attempts, options))),
        None => None,
    }
}

/// The misses of a chain in which every level is fully associative, LRU, and sees every access.
pub(crate) fn closed_misses(chain: &Chain, attempts: &Attempts) -> Option<Outcome> {
    let all = 0..chain.levels.len();
    let misses: Option<Vec<_>> = all.map(|idx| closed_level(chain, idx, attempts)).collect();
    let run = |misses| LevelRun {
        misses,
        traffic: None,
        spread: None,
    };
    Some(Outcome::Misses(misses?.into_iter().map(run).collect()))
}

/// The misses of one level of a chain, where it is fully associative, LRU, and sees every access.
pub(crate) fn closed_level(
    chain: &Chain,
    idx: usize,
    attempts: &Attempts,
) -> Option<PerReference<Counted>> {
    let geometry = chain.levels[idx].geometry;
    if !chain.heeds_distance(idx) {
        return None;
    }
    match attempts.get(&geometry.line_size) {
        Some(Attempt::Closed(counts)) if geometry.sets == 1 => {
            counts.misses.get(&geometry.ways).cloned()
        }
        _ => None,
    }
}

fn why_not(task: &Task, attempts: &Attempts, options: &MeasureOptions) -> CountError {
    let failed = attempts.values().find_map(|attempt| match attempt {
        Attempt::Failed(why) => Some(why.clone()),
        _ => None,
    });
    match (task, failed) {
        (Task::Misses(_) | Task::Traffic(_), None) => CountError::Sets,
        (_, Some(why)) => CountError::Closed(why),
        (_, None) => CountError::Closed(NoForm::Refused {
            stage: Stage::Evaluation,
            refusal: premiss_presburger::Refusal::Budget,
            effort: options.effort,
        }),
    }
}

/// Which engine's numbers a function's histograms are, and why those of a better one are not there.
pub(crate) fn summary(
    tree: &NestTree,
    attempts: &Attempts,
    options: &MeasureOptions,
) -> (Engine, Vec<String>) {
    let is_closed = |attempt: &Attempt| matches!(attempt, Attempt::Closed(_));
    let engine = match options.engine {
        Engine::Closed => Engine::Closed,
        _ if attempts.values().next().is_some_and(is_closed) => Engine::Closed,
        _ if attempts.values().any(is_closed) => Engine::Closed,
        _ => Engine::Trace,
    };
    let mut reasons: Vec<String> = Vec::new();
    for (line_size, attempt) in attempts {
        let reason = match attempt {
            Attempt::Closed(_) | Attempt::Skipped => continue,
            Attempt::Traced(_) => {
                "tracing takes fewer steps than deriving is expected to".to_owned()
            }
            Attempt::Failed(why) => format!("no closed form: {}", why.message(tree)),
        };
        let has_others = attempts.values().any(is_closed);
        let reason = match has_others {
            true => format!("lines of {line_size} bytes: {reason}"),
            false => reason,
        };
        if !reasons.contains(&reason) {
            reasons.push(reason);
        }
    }
    (engine, reasons)
}

impl std::fmt::Display for CountError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Trace(error) => error.fmt(f),
            Self::Closed(_) => f.write_str("there is no closed form"),
            Self::Sets => f.write_str("caches of several sets, or not LRU, have no closed form"),
        }
    }
}

impl Effort {
    /// What suffices for most programs, and takes two minutes or so at most.
    pub const DEFAULT: Self = Self { steps: 4_000_000 };
}
