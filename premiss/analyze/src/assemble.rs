//! Combines the results of a function's tasks into its [`FunctionAnalysis`].

use crate::averages::AverageEstimates;
use crate::count_error::CountError;
use crate::counts::{LevelCounts, Provenance};
use crate::coverage::coverage;
use crate::engine_choice::{EngineChoices, summary};
use crate::function_analysis::FunctionAnalysis;
use crate::joint_counts::narrow_accesses;
use crate::operations::FunctionArithmetic;
use crate::options::{Engine, MeasureOptions, MeasureScope};
use crate::task::{Outcomes, Task, errors, steps_per_run};
use crate::task_results::TaskResults;
use crate::times::{CountedFunction, GuaranteedTraffic, Times, times};
use premiss_histogram::Counted;
use premiss_machine::chains;
use premiss_operations::Scope;
use premiss_tree::NestTree;
use std::collections::BTreeMap;

/// Combines the task results of one function. `given` has the sizes of macros and constants.
pub(crate) fn assemble(
    tree: NestTree,
    given: &BTreeMap<String, i64>,
    choices: &EngineChoices,
    outcomes: &Outcomes,
    arithmetic: FunctionArithmetic,
    options: &MeasureOptions,
) -> FunctionAnalysis {
    let FunctionArithmetic {
        operations,
        vectors,
    } = arithmetic;
    let (engine, mut reasons) = summary(&tree, choices, options);
    let results = TaskResults::new(&tree, outcomes, options);
    let mut references = results.references();
    let accesses = references.iter().map(|x| (x.id, x.accesses));
    let totals = narrow_accesses(results.totals(accesses), &tree, options);
    let [mut accesses, mut loads, mut stores] = totals;
    let lines = results.lines(accesses);
    let mut levels = results.levels(&references, &lines);
    let mut loops = results.loops(&references);
    let least = GuaranteedTraffic::of(&levels, &loops);
    let chains = chains(&options.machine, options.hierarchy);
    if let Some(averages) = AverageEstimates::of(&tree, &operations, &chains, options) {
        averages.replace_accesses([&mut accesses, &mut loads, &mut stores], Scope::Function);
        averages.replace_misses(&mut references, &mut loops, &mut levels);
        averages.replace_in_parts(&mut references, &mut loops);
    }
    reasons.extend(about_levels(engine, &levels, options));
    reasons.extend(about_kinds(&levels, options));
    let known = CountedFunction {
        tree: &tree,
        operations: &operations,
        accesses,
        least,
        loops: &loops,
        references: &references,
        vectors: &vectors,
    };
    let times = match options.scope {
        MeasureScope::Everything => times(&known, options),
        MeasureScope::Misses | MeasureScope::Findings => Times::unknown(loops.len()),
    };
    FunctionAnalysis {
        parameters: parameters(&tree, given),
        nests: coverage(&tree),
        engine,
        engine_reason: Some(reasons.join("; ")).filter(|text| !text.is_empty()),
        failure: failure(outcomes, options.engine),
        accesses,
        loads,
        stores,
        levels,
        loops,
        lines,
        references,
        operations,
        vectors,
        times,
        tree,
    }
}

fn parameters(tree: &NestTree, given: &BTreeMap<String, i64>) -> Vec<(String, Option<i64>)> {
    let own = tree.parameters.values().map(|x| (x.name.clone(), x.value));
    let mut parameters: Vec<_> = own.collect();
    for (name, value) in given {
        if parameters.iter().all(|(known, _)| known != name) {
            parameters.push((name.clone(), Some(*value)));
        }
    }
    parameters
}

/// The first error that keeps a function from being counted. With closed forms, misses and histograms may be missing
/// while accesses are known, which is no failure.
fn failure(outcomes: &Outcomes, engine: Engine) -> Option<CountError> {
    let counts = |task: &Task| match task {
        Task::Accesses => true,
        Task::Traffic(_) => false,
        Task::Histograms(_) | Task::Misses(_) => engine == Engine::Trace,
    };
    let of_interest = outcomes.iter().filter(|(task, _)| counts(task));
    of_interest
        .flat_map(|(_, outcome)| errors(outcome))
        .next()
        .cloned()
}

/// The note on which engine counted the levels that have no closed form.
fn about_levels(
    engine: Engine,
    levels: &[LevelCounts],
    options: &MeasureOptions,
) -> Option<String> {
    if engine != Engine::Closed || options.engine == Engine::Closed {
        return None;
    }
    let names_of = |provenance| {
        let levels = levels.iter().filter(|x| x.provenance == provenance);
        let names: Vec<&str> = levels.map(|x| x.name.as_str()).collect();
        (!names.is_empty()).then(|| names.join(", "))
    };
    let estimated = names_of(Provenance::Estimate).map(|names| {
        format!(
            "estimated: {names}; tracing these levels takes more than {} steps, their share of the budget",
            steps_per_run(options)
        )
    });
    let sampled = names_of(Provenance::Sample)
        .map(|names| format!("estimated from samples: {names}; --exact counts on"));
    estimated
        .or(sampled)
        .or_else(|| names_of(Provenance::Trace).map(|names| format!("traced: {names}")))
}

/// Why the misses of levels are unknown or bounded that reuse distances do not determine.
fn about_kinds(levels: &[LevelCounts], options: &MeasureOptions) -> Option<String> {
    let is_open = |level: &&LevelCounts| {
        let is_exact = matches!(level.misses, Counted::Exact(_) | Counted::Estimate(_));
        !level.has_causes && !is_exact && level.provenance == Provenance::Trace
    };
    let open: Vec<&str> = levels
        .iter()
        .filter(is_open)
        .map(|x| x.name.as_str())
        .collect();
    let uncounted =
        |level: &&LevelCounts| !level.has_causes && level.provenance == Provenance::Uncounted;
    let lost: Vec<&str> = levels
        .iter()
        .filter(uncounted)
        .map(|x| x.name.as_str())
        .collect();
    if !lost.is_empty() {
        let why = match options.engine {
            Engine::Closed => "only LRU levels that see every access have closed forms",
            Engine::Auto | Engine::Trace => "it can only be traced, which did not come to its end",
        };
        return Some(format!("{} is not counted: {why}", lost.join(", ")));
    }
    if open.is_empty() {
        return None;
    }
    Some(format!(
        "data decides what is executed: what {} replaces is then not followed, and at most bounded \
         by first accesses and all accesses",
        open.join(", ")
    ))
}
