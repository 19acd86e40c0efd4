//! The runs that a function needs, each by itself, so that they can go side by side.

use crate::count_error::CountError;
use crate::options::{MeasureOptions, MeasureScope};
use premiss_cache::{CacheGeometry, Hierarchy};
use premiss_histogram::{Counted, ReuseDistanceHistogram};
use premiss_machine::{CacheChain, chains, line_sizes};
use premiss_trace::{AddressedAccess, Execution, LevelRun, PerReference, TraceError, Traffic};
use premiss_tree::NestTree;
use std::collections::BTreeMap;
use std::ops::ControlFlow;

/// One run of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Task {
    /// How often each reference is executed.
    Accesses,
    /// Reuse distances for lines of so many bytes.
    Histograms(u64),
    /// What the levels of a chain miss.
    Misses(CacheChain),
    /// What passes below a level of the access model that sees every access.
    Traffic(CacheGeometry),
}

/// What a run counted, by reference.
#[derive(Debug)]
pub(crate) enum TaskOutcome {
    Accesses(PerReference<Counted>),
    Histograms(PerReference<ReuseDistanceHistogram>),
    Misses(Vec<LevelRun>),
    Traffic(Traffic),
}

/// The runs of one function with what came of them.
pub(crate) type Outcomes = Vec<(Task, Result<TaskOutcome, CountError>)>;

/// A tree with the sizes that it has and arrays placed as the options say.
fn execution<'tree>(
    tree: &'tree NestTree,
    options: &MeasureOptions,
) -> Result<Execution<'tree>, TraceError> {
    execution_within(tree, options, options.budget)
}

/// The same with a budget of its own.
pub(crate) fn execution_within<'tree>(
    tree: &'tree NestTree,
    options: &MeasureOptions,
    budget: u64,
) -> Result<Execution<'tree>, TraceError> {
    Execution::new(tree, &BTreeMap::new(), &options.placement(), budget)
}

/// Shows every access of a function in order until `visit` breaks.
///
/// # Errors
///
/// A size without a value; arrays that do not fit the address space; the budget ran out.
pub fn show_accesses(
    tree: &NestTree,
    options: &MeasureOptions,
    visit: &mut dyn FnMut(AddressedAccess) -> ControlFlow<()>,
) -> Result<(), TraceError> {
    execution(tree, options)?.for_each_access(visit)
}

/// The runs that what is wanted of a function needs.
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
        _ => options.budget,
    };
    let execution = execution_within(tree, options, budget)?;
    match task {
        Task::Accesses => execution.accesses().map(TaskOutcome::Accesses),
        Task::Histograms(line) => execution.histograms(*line).map(TaskOutcome::Histograms),
        Task::Misses(chain) => execution
            .simulate(&chain.levels, chain.hierarchy)
            .map(TaskOutcome::Misses),
        Task::Traffic(geometry) => execution.traffic(*geometry).map(TaskOutcome::Traffic),
    }
}

/// The most steps for what passes below a level whose misses need not know of it: following what is
/// dirty takes longer than counting misses.
pub(crate) fn traffic_budget(options: &MeasureOptions) -> u64 {
    (options.budget / 1000).max(1)
}
