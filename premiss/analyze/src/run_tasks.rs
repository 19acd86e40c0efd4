//! Runs the tasks of all functions in parallel.

use crate::count_error::CountError;
use crate::engine_choice::{
    EngineChoices, answer, choose_engine, closed_level, decided_level, missing_sizes,
};
use crate::options::MeasureOptions;
use crate::task::{CountedLevel, Outcomes, Task, TaskOutcome, tasks, trace};
use premiss_cache::Hierarchy;
use premiss_machine::{CacheChain, line_sizes};
use premiss_parallel as parallel;
use premiss_trace::TraceError;
use premiss_tree::NestTree;

/// Chooses an engine for each function and line size, deriving closed forms where needed, on all processors.
pub(crate) fn choose_engines(
    functions: &[NestTree],
    options: &MeasureOptions,
) -> Vec<EngineChoices> {
    let lines = line_sizes(&options.machine);
    let work: Vec<(&NestTree, u64)> = functions
        .iter()
        .flat_map(|tree| lines.iter().map(move |line| (tree, *line)))
        .collect();
    let mut results =
        parallel::map(&work, |(tree, line)| choose_engine(tree, *line, options)).into_iter();
    let of_one = |_| lines.iter().copied().zip(results.by_ref()).collect();
    functions.iter().map(of_one).collect()
}

/// Runs the remaining tasks of the functions, on all processors.
pub(crate) fn run_all(
    functions: &[NestTree],
    choices: &[EngineChoices],
    options: &MeasureOptions,
) -> Vec<Outcomes> {
    let needed = tasks(options);
    let missing: Vec<Vec<String>> = functions.iter().map(missing_sizes).collect();
    let work: Vec<(&NestTree, &EngineChoices, &Task)> = functions
        .iter()
        .zip(choices)
        .zip(&missing)
        .filter(|(_, missing)| missing.is_empty())
        .flat_map(|((tree, choices), _)| needed.iter().map(move |task| (tree, choices, task)))
        .collect();
    let results = parallel::map(&work, |(tree, choices, task)| {
        run(task, tree, choices, options)
    });
    let mut results = results.into_iter();
    let of_one = |missing: &Vec<String>| {
        let answer = |task: &Task| match missing.is_empty() {
            true => results.next().map(|result| (task.clone(), result)),
            false => {
                let error = TraceError::MissingSizes(missing.clone());
                Some((task.clone(), Err(CountError::Trace(error))))
            }
        };
        needed.iter().filter_map(answer).collect()
    };
    missing.iter().map(of_one).collect()
}

/// Runs one task of a function whose sizes all have values: from earlier results, or by running the loops.
pub(crate) fn run(
    task: &Task,
    tree: &NestTree,
    choices: &EngineChoices,
    options: &MeasureOptions,
) -> Result<TaskOutcome, CountError> {
    match (answer(task, choices, options), task) {
        (Some(answer), _) => answer,
        (None, Task::Misses(chain)) if chain.hierarchy == Hierarchy::Independent => {
            open_levels(chain, tree, choices, options).map_err(CountError::Trace)
        }
        (None, _) => trace(task, tree, options).map_err(CountError::Trace),
    }
}

/// The misses of independent levels: by closed forms where they are known, the others traced, or, where that is not possible,
/// decided with more effort.
fn open_levels(
    chain: &CacheChain,
    tree: &NestTree,
    choices: &EngineChoices,
    options: &MeasureOptions,
) -> Result<TaskOutcome, TraceError> {
    let levels = 0..chain.levels.len();
    let closed: Vec<_> = levels
        .map(|idx| closed_level(chain, idx, choices))
        .collect();
    let is_open = |idx: &usize| closed[*idx].is_none();
    let open: Vec<usize> = (0..chain.levels.len()).filter(is_open).collect();
    let rest = CacheChain {
        levels: open.iter().map(|idx| chain.levels[*idx]).collect(),
        ..chain.clone()
    };
    let mut others = match trace(&Task::Misses(rest), tree, options) {
        Ok(TaskOutcome::Misses(traced)) => traced,
        Ok(outcome) => return Ok(outcome),
        Err(error) => {
            let decided = open.iter().map(|idx| {
                let misses = decided_level(chain, *idx, choices, options)?;
                Some(CountedLevel::closed(misses))
            });
            decided.collect::<Option<Vec<_>>>().ok_or(error)?
        }
    }
    .into_iter();
    let all = closed.into_iter().filter_map(|closed| match closed {
        Some(misses) => Some(CountedLevel::closed(misses)),
        None => others.next(),
    });
    Ok(TaskOutcome::Misses(all.collect()))
}
