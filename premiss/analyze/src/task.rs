//! The runs that a function needs, each by itself, so that they can go side by side.

use crate::MeasureOptions;
use crate::attempt::{Attempts, CountError, answer};
use premiss_histogram::{Counted, ReuseDistanceHistogram};
use premiss_machine::{CacheLevel, Machine, TlbLevel};
use premiss_trace::{
    AddressedAccess, CacheGeometry, Execution, Hierarchy, PerReference, TraceError,
};
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
    /// The misses of a chain of levels, nearest first.
    Misses(Vec<CacheGeometry>),
}

/// What a run counted, by reference.
#[derive(Debug)]
pub(crate) enum Outcome {
    Accesses(PerReference<Counted>),
    Histograms(PerReference<ReuseDistanceHistogram>),
    Misses(Vec<PerReference<Counted>>),
}

/// The runs of one function with what came of them.
pub(crate) type Outcomes = Vec<(Task, Result<Outcome, CountError>)>;

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

/// The runs that a report on a machine needs.
pub(crate) fn tasks(machine: &Machine, hierarchy: Hierarchy) -> Vec<Task> {
    let mut tasks = vec![Task::Accesses];
    for chain in chains(machine) {
        tasks.push(Task::Misses(chain.clone()));
        if hierarchy == Hierarchy::Filtered {
            let below = (1..chain.len()).map(|idx| Task::Misses(as_if_full(&chain[..=idx])));
            tasks.extend(below);
        }
    }
    tasks.extend(line_sizes(machine).into_iter().map(Task::Histograms));
    tasks
}

/// Caches and TLBs, each as a chain of its own; chains without levels are left out.
pub(crate) fn chains(machine: &Machine) -> Vec<Vec<CacheGeometry>> {
    let caches: Vec<_> = machine.caches().iter().map(CacheLevel::geometry).collect();
    let tlbs: Vec<_> = machine.tlbs().iter().map(TlbLevel::geometry).collect();
    let chains = [caches, tlbs].into_iter();
    chains.filter(|chain| !chain.is_empty()).collect()
}

/// The chain with its last level fully associative, of the same size.
pub(crate) fn as_if_full(chain: &[CacheGeometry]) -> Vec<CacheGeometry> {
    let mut chain = chain.to_vec();
    if let Some(last) = chain.last_mut() {
        last.ways = last.ways.saturating_mul(last.sets);
        last.sets = 1;
    }
    chain
}

/// The distinct line and page sizes of a machine, in the order of its levels.
pub(crate) fn line_sizes(machine: &Machine) -> Vec<u64> {
    let mut sizes = Vec::new();
    for (_, geometry) in machine.levels() {
        if !sizes.contains(&geometry.line_size) {
            sizes.push(geometry.line_size);
        }
    }
    sizes
}

/// Does one task: by what was found before, or by running the loops.
pub(crate) fn run(
    task: &Task,
    tree: &NestTree,
    attempts: &Attempts,
    options: &MeasureOptions,
) -> Result<Outcome, CountError> {
    let missing = crate::attempt::missing_sizes(tree);
    if !missing.is_empty() {
        return Err(CountError::Trace(TraceError::MissingSizes(missing)));
    }
    match answer(task, attempts, options) {
        Some(answer) => answer,
        None => trace(task, tree, options).map_err(CountError::Trace),
    }
}

/// Runs one task.
pub(crate) fn trace(
    task: &Task,
    tree: &NestTree,
    options: &MeasureOptions,
) -> Result<Outcome, TraceError> {
    let execution = execution(tree, options)?;
    match task {
        Task::Accesses => execution.accesses().map(Outcome::Accesses),
        Task::Histograms(line) => execution.histograms(*line).map(Outcome::Histograms),
        Task::Misses(levels) => execution
            .misses(levels, options.hierarchy)
            .map(Outcome::Misses),
    }
}
