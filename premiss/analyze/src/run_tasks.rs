//! Runs the tasks of a function in parallel.

use crate::count_error::CountError;
use crate::engine_choice::{
    EngineChoices, answer, are_decided, choose_engine, closed_level, decided_level, derived_late,
    missing_sizes,
};
use crate::joint_counts::add_total;
use crate::options::{Engine, MeasureOptions};
use crate::task::{
    CountedLevel, LevelOutcome, Outcomes, Task, TaskOutcome, distance_budget, execution_within,
    sample_steps, steps_per_run, tasks, trace, trace_within,
};
use premiss_cache::Hierarchy;
use premiss_histogram::Counted;
use premiss_machine::{CacheChain, line_sizes};
use premiss_parallel as parallel;
use premiss_trace::{PerReference, TraceError};
use premiss_tree::NestTree;
use std::collections::BTreeMap;

/// Chooses an engine for each line size, deriving closed forms where needed, on all processors.
pub(crate) fn choose_engines(tree: &NestTree, options: &MeasureOptions) -> EngineChoices {
    let lines = line_sizes(&options.machine);
    let choices = parallel::map(&lines, |line| choose_engine(tree, *line, options));
    lines.iter().copied().zip(choices).collect()
}

/// Runs the remaining tasks of a function, on all processors.
pub(crate) fn run_all(
    tree: &NestTree,
    choices: &EngineChoices,
    options: &MeasureOptions,
) -> Outcomes {
    let missing = missing_sizes(tree);
    parallel::map(tasks(options), |task| {
        let outcome = match missing.is_empty() {
            true => run(&task, tree, choices, options),
            false => {
                let error = TraceError::MissingSizes(missing.clone());
                Err(CountError::Trace(error))
            }
        };
        (task, outcome)
    })
}

/// Runs one task of a function whose sizes all have values: from earlier results, or by running the loops.
pub(crate) fn run(
    task: &Task,
    tree: &NestTree,
    choices: &EngineChoices,
    options: &MeasureOptions,
) -> Result<TaskOutcome, CountError> {
    match (answer(task, choices, options), task) {
        (Some(mut answer), Task::Misses(chain)) => {
            if let Ok(TaskOutcome::Misses(levels)) = &mut answer {
                add_totals(levels, chain, tree, options);
            }
            answer
        }
        (Some(answer), _) => answer,
        (None, Task::Misses(chain)) => {
            let mut levels = levels(chain, tree, choices, options);
            add_totals(&mut levels, chain, tree, options);
            Ok(TaskOutcome::Misses(levels))
        }
        (None, Task::Histograms(line)) if are_decided(*line, choices, options) => {
            let budget = distance_budget(options);
            trace_within(task, tree, options, budget).map_err(CountError::Trace)
        }
        (None, _) => trace(task, tree, options).map_err(CountError::Trace),
    }
}

/// Adds the misses of all references together to levels that see every access, where those of each have bounds.
fn add_totals(
    levels: &mut [LevelOutcome],
    chain: &CacheChain,
    tree: &NestTree,
    options: &MeasureOptions,
) {
    for (idx, level) in levels.iter_mut().enumerate() {
        if let Ok(level) = level
            && chain.heeds_distance(idx)
        {
            add_total(level, chain.levels[idx].geometry, tree, options);
        }
    }
}

/// The misses of one level of a chain from a sample, where it is LRU and sees every access.
fn sampled_level(
    chain: &CacheChain,
    idx: usize,
    tree: &NestTree,
    options: &MeasureOptions,
) -> Option<CountedLevel> {
    if options.engine != Engine::Auto || !chain.heeds_distance(idx) {
        return None;
    }
    let execution = execution_within(tree, options, steps_per_run(options)).ok()?;
    let geometry = chain.levels[idx].geometry;
    let sample = execution.sampled_misses(geometry, sample_steps(options));
    sample.ok().flatten().map(CountedLevel::sampled)
}

/// The misses of each level: by closed forms where they are known, the others traced, or, where that is not possible,
/// decided after all, or with more effort, or estimated from a sample. Levels that see what others let through are traced together with
/// them.
fn levels(
    chain: &CacheChain,
    tree: &NestTree,
    choices: &EngineChoices,
    options: &MeasureOptions,
) -> Vec<LevelOutcome> {
    let all = 0..chain.levels.len();
    let closed: Vec<_> = all.map(|idx| closed_level(chain, idx, choices)).collect();
    let is_alone = chain.hierarchy == Hierarchy::Independent;
    let is_traced = |idx: &usize| !is_alone || closed[*idx].is_none();
    let rest: Vec<usize> = (0..chain.levels.len()).filter(is_traced).collect();
    let task = Task::Misses(CacheChain {
        levels: rest.iter().map(|idx| chain.levels[*idx]).collect(),
        ..chain.clone()
    });
    let mut traced = match trace(&task, tree, options) {
        Ok(TaskOutcome::Misses(levels)) => rest.into_iter().zip(levels).collect(),
        Ok(_) => BTreeMap::new(),
        Err(error) => {
            let geometries = rest.iter().map(|idx| chain.levels[*idx].geometry);
            let late = derived_late(tree, geometries, choices, options);
            let decided = |idx: usize| {
                let misses = closed[idx].clone();
                let misses = misses.or_else(|| closed_level(chain, idx, &late));
                let misses = misses.or_else(|| decided_level(chain, idx, choices, options));
                let level = misses.map(CountedLevel::closed);
                let level = level.or_else(|| sampled_level(chain, idx, tree, options));
                (idx, level.ok_or(CountError::Trace(error.clone())))
            };
            rest.into_iter().map(decided).collect()
        }
    };
    let level = |(idx, closed): (usize, Option<PerReference<Counted>>)| {
        let closed = closed.map(CountedLevel::closed).map(Ok);
        traced.remove(&idx).or(closed)
    };
    closed.into_iter().enumerate().filter_map(level).collect()
}
