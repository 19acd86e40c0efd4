//! The tasks of a function, independent of each other so that they can run in parallel.

use crate::count_error::CountError;
use crate::counts::Provenance;
use crate::options::{MeasureOptions, MeasureScope};
use premiss_cache::{CacheGeometry, Hierarchy};
use premiss_histogram::{Counted, Estimate, ReuseDistanceHistogram};
use premiss_machine::{CacheChain, chains, line_sizes};
use premiss_trace::{
    AddressedAccess, Execution, LevelRun, PerReference, SampledMisses, TraceError, Traffic,
};
use premiss_tree::NestTree;
use std::collections::BTreeMap;
use std::ops::ControlFlow;

/// One task of a function, done by a run of the trace or a closed form.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Task {
    /// How often each reference is executed.
    Accesses,
    /// Reuse distances for lines of this many bytes.
    Histograms(u64),
    /// The misses of the levels of a chain.
    Misses(CacheChain),
    /// The traffic below one LRU write-back level that sees every access.
    Traffic(CacheGeometry),
}

/// The result of a task.
#[derive(Debug)]
pub(crate) enum TaskOutcome {
    Accesses(PerReference<Counted>),
    Histograms(PerReference<ReuseDistanceHistogram>),
    /// Of each level of a chain.
    Misses(Vec<LevelOutcome>),
    Traffic(Traffic),
}

/// What was counted of one level, or why it was not: levels of one chain may have different engines.
pub(crate) type LevelOutcome = Result<CountedLevel, CountError>;

/// What was counted of one level.
#[derive(Debug)]
pub(crate) struct CountedLevel {
    pub(crate) run: LevelRun,
    pub(crate) provenance: Provenance,
    /// Of a sample, the interval that holds the misses with a probability of 95 %.
    pub(crate) interval: Option<(u64, u64)>,
    /// Of a sample, the misses of all references together: they are known better than the sum of all is.
    pub(crate) total: Option<Estimate>,
}

impl CountedLevel {
    /// The misses by a closed form.
    pub(crate) fn closed(misses: PerReference<Counted>) -> Self {
        Self {
            run: LevelRun {
                misses,
                traffic: None,
                total: None,
                spread: None,
            },
            provenance: Provenance::ClosedForm,
            interval: None,
            total: None,
        }
    }

    /// The misses from a sample, which is exact where it decided all accesses.
    pub(crate) fn sampled(sample: SampledMisses) -> Self {
        let (least, most) = sample.interval;
        let is_exact = least == most && sample.misses.values().all(|x| x.exact().is_some());
        Self {
            provenance: match is_exact {
                true => Provenance::Trace,
                false => Provenance::Sample,
            },
            interval: (!is_exact).then_some(sample.interval),
            total: (!is_exact).then_some(sample.total),
            ..Self::closed(sample.misses)
        }
    }

    fn traced(run: LevelRun) -> Self {
        Self {
            run,
            provenance: Provenance::Trace,
            interval: None,
            total: None,
        }
    }
}

/// The tasks of one function with their results.
pub(crate) type Outcomes = Vec<(Task, Result<TaskOutcome, CountError>)>;

/// Why a task, or a level of its chain, has no result.
pub(crate) fn errors(
    outcome: &Result<TaskOutcome, CountError>,
) -> impl Iterator<Item = &CountError> {
    let levels = match outcome {
        Ok(TaskOutcome::Misses(levels)) => &levels[..],
        _ => &[],
    };
    let of_levels = levels.iter().filter_map(|level| level.as_ref().err());
    outcome.as_ref().err().into_iter().chain(of_levels)
}

/// The execution of a tree at its sizes, with arrays placed as the options say.
fn execution<'tree>(
    tree: &'tree NestTree,
    options: &MeasureOptions,
) -> Result<Execution<'tree>, TraceError> {
    execution_within(tree, options, options.budget)
}

/// The same, with another budget.
pub(crate) fn execution_within<'tree>(
    tree: &'tree NestTree,
    options: &MeasureOptions,
    budget: u64,
) -> Result<Execution<'tree>, TraceError> {
    Execution::new(tree, &BTreeMap::new(), &options.placement(), budget)
}

/// Calls `visit` with every access of a function, in order, until it breaks.
///
/// # Errors
///
/// A size has no value, arrays do not fit into the address space, or the budget ran out.
pub fn show_accesses(
    tree: &NestTree,
    options: &MeasureOptions,
    visit: &mut dyn FnMut(AddressedAccess) -> ControlFlow<()>,
) -> Result<(), TraceError> {
    execution(tree, options)?.for_each_access(visit)
}

/// The tasks that the options need.
pub(crate) fn tasks(options: &MeasureOptions) -> Vec<Task> {
    let machine = &options.machine;
    let has_traffic = options.scope != MeasureScope::Findings;
    let mut tasks = vec![Task::Accesses];
    for chain in chains(machine, options.hierarchy) {
        if chain.is_filtered_lru() {
            let below =
                (1..chain.levels.len()).map(|idx| Task::Misses(chain.fully_associative_at(idx)));
            tasks.extend(below);
        }
        if has_traffic && chain.has_data && chain.hierarchy == Hierarchy::Independent {
            let usual = chain
                .levels
                .iter()
                .filter(|level| level.is_lru_write_back());
            tasks.extend(usual.map(|level| Task::Traffic(level.geometry)));
        }
        tasks.push(Task::Misses(chain));
    }
    tasks.extend(line_sizes(machine).into_iter().map(Task::Histograms));
    tasks
}

/// Runs one task.
pub(crate) fn trace(
    task: &Task,
    tree: &NestTree,
    options: &MeasureOptions,
) -> Result<TaskOutcome, TraceError> {
    let budget = match task {
        Task::Traffic(_) => traffic_budget(options),
        _ => steps_per_run(options),
    };
    trace_within(task, tree, options, budget)
}

/// The same, with another budget.
pub(crate) fn trace_within(
    task: &Task,
    tree: &NestTree,
    options: &MeasureOptions,
    budget: u64,
) -> Result<TaskOutcome, TraceError> {
    let execution = execution_within(tree, options, budget)?;
    match task {
        Task::Accesses => execution.accesses().map(TaskOutcome::Accesses),
        Task::Histograms(line) => execution.histograms(*line).map(TaskOutcome::Histograms),
        Task::Misses(chain) => execution
            .simulate(&chain.levels, chain.hierarchy)
            .map(|runs| {
                let levels = runs.into_iter().map(CountedLevel::traced);
                TaskOutcome::Misses(levels.map(Ok).collect())
            }),
        Task::Traffic(geometry) => execution.traffic(*geometry).map(TaskOutcome::Traffic),
    }
}

/// The most steps of one run over a function: an equal share of the budget for each task that the options need.
pub(crate) fn steps_per_run(options: &MeasureOptions) -> u64 {
    let is_full_run = |task: &Task| !matches!(task, Task::Traffic(_));
    let n_runs = tasks(options).into_iter().filter(is_full_run).count();
    (options.budget / n_runs as u64).max(1)
}

/// The most steps of a sample.
const SAMPLE_STEPS: u64 = 24_000_000;

/// The steps that a sample of one level may take: a small budget gives smaller samples. Where a function has but a share of the
/// budget of a run, all its levels together take no more than that.
pub(crate) fn sample_steps(options: &MeasureOptions) -> u64 {
    let most = match options.scope {
        MeasureScope::Everything => options.budget,
        MeasureScope::Misses | MeasureScope::Findings => steps_per_run(options),
    };
    SAMPLE_STEPS.min(most)
}

/// Steps for the traffic of a level, of a budget that has so many.
const TRAFFIC_STEPS: u64 = 1_000_000;

/// The most steps for tracing the traffic of a level whose misses do not need it: tracking dirty lines takes longer
/// than counting misses.
pub(crate) fn traffic_budget(options: &MeasureOptions) -> u64 {
    (options.budget / 1000).max(TRAFFIC_STEPS.min(options.budget))
}

/// Steps for the distances of lines whose misses are known without them, of a run that has so many.
const DISTANCE_STEPS: u64 = 2_000_000;

/// The most steps for tracing the distances of lines whose levels all have their misses: they only tell capacity misses from
/// conflicts.
pub(crate) fn distance_budget(options: &MeasureOptions) -> u64 {
    let steps = steps_per_run(options);
    (steps / 100).max(DISTANCE_STEPS.min(steps))
}
