//! The runs that a function needs, each by itself, so that they can go side by side.

use crate::attempt::{Attempts, CountError, answer};
use crate::{MeasureOptions, Wanted};
use premiss_cache::{CacheGeometry, CacheModel, Hierarchy};
use premiss_histogram::{Counted, ReuseDistanceHistogram};
use premiss_machine::{CacheLevel, Machine, TlbLevel};
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
    Misses(Chain),
    /// What passes below a level of the access model that sees every access.
    Traffic(CacheGeometry),
}

/// Levels, nearest first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Chain {
    pub(crate) levels: Vec<CacheModel>,
    /// What they have to do with each other; a level by itself is independent.
    pub(crate) hierarchy: Hierarchy,
    /// Whether they are caches, and not TLBs.
    pub(crate) has_data: bool,
}

impl Chain {
    fn new(levels: Vec<CacheModel>, hierarchy: Hierarchy, has_data: bool) -> Self {
        let hierarchy = match levels.len() {
            1 => Hierarchy::Independent,
            _ => hierarchy,
        };
        Self {
            levels,
            hierarchy,
            has_data,
        }
    }

    /// Whether a level sees every access and nothing else has to do with its lines.
    pub(crate) fn sees_all(&self, idx: usize) -> bool {
        match self.hierarchy {
            Hierarchy::Independent => true,
            Hierarchy::Filtered | Hierarchy::Exclusive => idx == 0,
            Hierarchy::Inclusive => false,
        }
    }

    /// Whether a level has lines of so many bytes.
    pub(crate) fn has_lines(&self, line_size: u64) -> bool {
        let mut levels = self.levels.iter();
        levels.any(|level| level.geometry.line_size == line_size)
    }

    /// Whether a level's misses are a matter of reuse distances.
    pub(crate) fn heeds_distance(&self, idx: usize) -> bool {
        self.sees_all(idx) && self.levels[idx].follows_reuse_distance()
    }

    /// Whether it is a filtered chain of levels of the access model.
    pub(crate) fn is_usual_filter(&self) -> bool {
        self.hierarchy == Hierarchy::Filtered
            && self.levels.iter().all(CacheModel::is_lru_write_back)
    }

    /// The chain up to a level that is fully associative, of the same size, in its place.
    pub(crate) fn as_if_full(&self, idx: usize) -> Self {
        let mut levels = self.levels[..=idx].to_vec();
        if let Some(last) = levels.last_mut() {
            last.geometry.ways = last.geometry.ways.saturating_mul(last.geometry.sets);
            last.geometry.sets = 1;
        }
        Self {
            levels,
            ..self.clone()
        }
    }
}

/// What a run counted, by reference.
#[derive(Debug)]
pub(crate) enum Outcome {
    Accesses(PerReference<Counted>),
    Histograms(PerReference<ReuseDistanceHistogram>),
    Misses(Vec<LevelRun>),
    Traffic(Traffic),
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

/// The runs that what is wanted of a function needs.
pub(crate) fn tasks(options: &MeasureOptions) -> Vec<Task> {
    let machine = &options.machine;
    let has_traffic = options.wanted != Wanted::Findings;
    let mut tasks = vec![Task::Accesses];
    for chain in chains(machine, options.hierarchy) {
        if chain.is_usual_filter() {
            let below = (1..chain.levels.len()).map(|idx| Task::Misses(chain.as_if_full(idx)));
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

/// Caches and TLBs, each as a chain of its own; chains without levels are left out. TLBs know nothing
/// of inclusion: there, each sees the misses of the one before.
pub(crate) fn chains(machine: &Machine, hierarchy: Hierarchy) -> Vec<Chain> {
    let caches: Vec<_> = machine.caches().iter().map(CacheLevel::model).collect();
    let tlbs: Vec<_> = machine.tlbs().iter().map(TlbLevel::model).collect();
    let of_tlbs = match hierarchy {
        Hierarchy::Independent => Hierarchy::Independent,
        _ => Hierarchy::Filtered,
    };
    let chains = [
        Chain::new(caches, hierarchy, true),
        Chain::new(tlbs, of_tlbs, false),
    ];
    let chains = chains.into_iter();
    chains.filter(|chain| !chain.levels.is_empty()).collect()
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

/// Does one task of a function that has all sizes: by what was found before, or by running the loops.
pub(crate) fn run(
    task: &Task,
    tree: &NestTree,
    attempts: &Attempts,
    options: &MeasureOptions,
) -> Result<Outcome, CountError> {
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
    let budget = match task {
        Task::Traffic(_) => traffic_budget(options),
        _ => options.budget,
    };
    let execution = execution_within(tree, options, budget)?;
    match task {
        Task::Accesses => execution.accesses().map(Outcome::Accesses),
        Task::Histograms(line) => execution.histograms(*line).map(Outcome::Histograms),
        Task::Misses(chain) => execution
            .simulate(&chain.levels, chain.hierarchy)
            .map(Outcome::Misses),
        Task::Traffic(geometry) => execution.traffic(*geometry).map(Outcome::Traffic),
    }
}

/// The most steps for what passes below a level whose misses need not know of it: following what is
/// dirty takes longer than counting misses.
pub(crate) fn traffic_budget(options: &MeasureOptions) -> u64 {
    (options.budget / 1000).max(1)
}
