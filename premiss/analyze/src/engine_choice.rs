//! Which engine counts the lines of one size of a function, and its result.
//!
//! `auto` traces for as many steps as deriving a closed form is expected to cost. If the trace has not ended by then,
//! the closed form is derived with part of the effort; then a trace of a million steps is tried, and then the whole
//! effort. Only if that fails does the trace run to its end or its budget. So the work is a small multiple of that of the
//! better engine. The choice depends on steps, which are the same on every machine, and not on time.

use crate::closed_counts::{ClosedCounts, Sets, counts};
use crate::count_error::CountError;
use crate::options::{Engine, MeasureOptions};
use crate::page_counts::Pages;
use crate::task::{CountedLevel, LevelOutcome, Task, TaskOutcome, execution_within, steps_per_run};
use premiss_cache::CacheGeometry;
use premiss_dataflow::DistanceBound;
use premiss_formulas::{
    DerivationStage, Effort, NoClosedForm, closed_form, pieces_of_accesses, scop_options,
};
use premiss_histogram::{Counted, ReuseDistanceHistogram};
use premiss_machine::{CacheChain, Machine, chains};
use premiss_presburger::Refusal;
use premiss_trace::PerReference;
use premiss_tree::NestTree;
use std::collections::{BTreeMap, BTreeSet};

/// Trace steps that a derivation is expected to cost for each pair of references, one of which may touch a line that
/// the other touched last.
pub(crate) const STEPS_PER_PAIR: u64 = 20_000;

/// The part of the effort with which a closed form is tried before a longer trace.
const FIRST_EFFORT: u64 = 32;

/// The steps of that trace: it takes some hundredths of a second.
const SECOND_TRACE: u64 = 1 << 20;

/// After so many quarters of the effort a level is traced rather than decided, as far as the budget goes: triangular loops over
/// thousands of rows take one effort and a half.
const FIRST_ATTEMPT: u64 = 6;

/// The same where pages are decided, whose steps are longer.
const FIRST_PAGE_ATTEMPT: u64 = 4;

/// Lines of accesses that consist of more pieces than this are counted as pages are, where data decide what executes: pieces are
/// compared in pairs.
const MOST_PIECES: usize = 512;

/// How many times the effort a level may take that cannot be traced: its steps are shorter than those of derivations.
const LAST_ATTEMPT: u64 = 4;

/// A step of deciding a level takes about as long as so many of the trace, within whose budget it has to stay.
const TRACE_STEPS: u64 = 100;

/// The engine chosen for one line size, with its result unless the trace has to run in full.
#[derive(Debug)]
pub(crate) enum EngineChoice {
    /// The counts of the closed form.
    Closed(ClosedCounts),
    /// The trace ended before a derivation was tried.
    Traced(PerReference<ReuseDistanceHistogram>),
    /// There is no closed form, but perhaps the misses of some levels.
    Failed(NoClosedForm, LevelMisses),
    /// Neither was tried: the options ask for the trace, or sizes have no value.
    Skipped,
}

/// Misses that were decided without a histogram.
#[derive(Debug, Default)]
pub(crate) struct LevelMisses {
    /// By sets and ways.
    misses: BTreeMap<(u64, u64), PerReference<Counted>>,
    /// How often each reference is executed, if that is known.
    accesses: Option<PerReference<Counted>>,
    /// What decides misses, if it could be derived.
    pages: Option<Pages>,
}

/// The engines chosen for one function, by line size in bytes.
pub(crate) type EngineChoices = BTreeMap<u64, EngineChoice>;

/// Chooses by a short trace and then a derivation, before any full trace.
pub(crate) fn choose_engine(
    tree: &NestTree,
    line_size: u64,
    options: &MeasureOptions,
) -> EngineChoice {
    if options.engine == Engine::Trace || !missing_sizes(tree).is_empty() {
        return EngineChoice::Skipped;
    }
    let early = match options.engine {
        Engine::Auto => early_choice(tree, line_size, options),
        Engine::Closed | Engine::Trace => None,
    };
    early.unwrap_or_else(|| derived_choice(tree, line_size, options))
}

/// The cheapest choices: a short trace, a derivation with part of the effort, and, where that fails, a longer trace; `None`
/// if only more effort may help. `s += a[(i * 1021) % 8192]` makes few accesses, and yet its closed form would take half a
/// minute.
fn early_choice(tree: &NestTree, line_size: u64, options: &MeasureOptions) -> Option<EngineChoice> {
    let short = traced_within(tree, line_size, expected_derivation(tree), options);
    if let Some(histograms) = short {
        return Some(EngineChoice::Traced(histograms));
    }
    let effort = Effort {
        steps: options.effort.steps / FIRST_EFFORT,
    };
    match derived_for(tree, line_size, None, effort, options) {
        Ok(counts) => Some(EngineChoice::Closed(decided(counts, line_size, options))),
        // Where data decide, bounds come first.
        Err(why) if why.is_condition() => Some(choice_without_form(tree, line_size, why, options)),
        Err(why) => {
            let longer = traced_within(tree, line_size, SECOND_TRACE, options);
            let is_for_want_of_effort = matches!(
                why,
                NoClosedForm::Refused {
                    refusal: Refusal::Budget,
                    ..
                }
            );
            match longer {
                Some(histograms) => Some(EngineChoice::Traced(histograms)),
                None if is_for_want_of_effort => None,
                None => Some(choice_without_form(tree, line_size, why, options)),
            }
        }
    }
}

/// What deriving yields for one line size.
fn derived_choice(tree: &NestTree, line_size: u64, options: &MeasureOptions) -> EngineChoice {
    match derived_for(tree, line_size, None, options.effort, options) {
        Ok(counts) => EngineChoice::Closed(decided(counts, line_size, options)),
        Err(why) => choice_without_form(tree, line_size, why, options),
    }
}

/// What is known for one line size without a closed form, which there is not for this reason: bounds, or the misses of
/// levels.
fn choice_without_form(
    tree: &NestTree,
    line_size: u64,
    why: NoClosedForm,
    options: &MeasureOptions,
) -> EngineChoice {
    let mut levels = None;
    let do_data_decide = why.is_condition();
    if do_data_decide {
        if has_many_pieces(tree, line_size, options) {
            let pages = decided_levels(tree, line_size, true, options);
            if pages.pages.is_some() {
                return EngineChoice::Failed(NoClosedForm::ManyPieces(line_size), pages);
            }
            levels = Some(pages);
        }
        if let Ok(counts) = derived_bounds(tree, line_size, options) {
            return EngineChoice::Closed(decided(counts, line_size, options));
        }
    }
    let levels = levels.unwrap_or_else(|| decided_levels(tree, line_size, do_data_decide, options));
    EngineChoice::Failed(why, levels)
}

/// Whether accesses consist of so many pieces that bounds are sooner found page by page.
fn has_many_pieces(tree: &NestTree, line_size: u64, options: &MeasureOptions) -> bool {
    let scop_options = scop_options(line_size, options.alignment(), BTreeMap::new());
    let pieces = scop_options.and_then(|x| pieces_of_accesses(tree, &x));
    pieces.is_ok_and(|pieces| MOST_PIECES < pieces)
}

/// What deriving yields for the line sizes of some levels whose histograms were traced, as their sets could not be.
pub(crate) fn derived_late(
    tree: &NestTree,
    geometries: impl Iterator<Item = CacheGeometry>,
    choices: &EngineChoices,
    options: &MeasureOptions,
) -> EngineChoices {
    let lines: BTreeSet<u64> = geometries.map(|geometry| geometry.line_size).collect();
    let is_traced = |line: &u64| matches!(choices.get(line), Some(EngineChoice::Traced(_)));
    let lines = lines.into_iter().filter(is_traced);
    let choices = lines.map(|line| (line, derived_choice(tree, line, options)));
    choices.collect()
}

/// The misses of levels with lines of `line_size` bytes that can be decided without a histogram.
fn decided_levels(
    tree: &NestTree,
    line_size: u64,
    do_data_decide: bool,
    options: &MeasureOptions,
) -> LevelMisses {
    let mut levels = LevelMisses::default();
    let geometries = heeding_distance(options, line_size);
    // No step is taken: this only places the arrays.
    if let (false, Ok(execution)) = (geometries.is_empty(), execution_within(tree, options, 1)) {
        levels.pages = Pages::of(tree, line_size, do_data_decide, &execution, options);
    }
    if let Some(pages) = &levels.pages {
        levels.accesses = pages.accesses();
        for geometry in geometries {
            if let Some(misses) = pages.decided(geometry, attempt(options, FIRST_PAGE_ATTEMPT)) {
                levels.misses.insert((geometry.sets, geometry.ways), misses);
            }
        }
    }
    levels
}

/// The names of sizes that the function uses and that have no value.
pub(crate) fn missing_sizes(tree: &NestTree) -> Vec<String> {
    let used = tree.used_parameters().into_iter();
    let missing = used.filter(|id| tree.parameters[*id].value.is_none());
    missing.map(|id| tree.parameters[id].name.clone()).collect()
}

/// The trace steps that a derivation is expected to cost.
pub(crate) fn expected_derivation(tree: &NestTree) -> u64 {
    let n_references = u64::try_from(tree.references.len()).unwrap_or(u64::MAX);
    let pairs = n_references.saturating_mul(n_references);
    pairs.saturating_mul(STEPS_PER_PAIR)
}

/// The reuse distances, if a trace of so many steps at most has them.
fn traced_within(
    tree: &NestTree,
    line_size: u64,
    steps: u64,
    options: &MeasureOptions,
) -> Option<PerReference<ReuseDistanceHistogram>> {
    let steps = steps.min(steps_per_run(options));
    let execution = execution_within(tree, options, steps).ok()?;
    execution.histograms(line_size).ok()
}

/// Bounds, where data decide what executes.
fn derived_bounds(
    tree: &NestTree,
    line_size: u64,
    options: &MeasureOptions,
) -> Result<ClosedCounts, NoClosedForm> {
    let bound = |bound| derived_for(tree, line_size, Some(bound), options.effort, options);
    let lower = bound(DistanceBound::Lower)?;
    let upper = bound(DistanceBound::Upper)?;
    Ok(ClosedCounts::between(lower, upper))
}

/// Counts with the misses of levels of several sets, as far as the first attempt tells.
fn decided(mut counts: ClosedCounts, line_size: u64, options: &MeasureOptions) -> ClosedCounts {
    counts.decide(
        &of_sets(options, line_size),
        attempt(options, FIRST_ATTEMPT),
    );
    counts
}

/// The LRU levels with lines of `line_size` bytes in several sets that see every access.
fn of_sets(options: &MeasureOptions, line_size: u64) -> Vec<CacheGeometry> {
    let mut geometries = heeding_distance(options, line_size);
    geometries.retain(|geometry| 1 < geometry.sets);
    geometries
}

/// The counts of one closed form; of caches of several sets, what decides them.
fn derived_for(
    tree: &NestTree,
    line_size: u64,
    bound: Option<DistanceBound>,
    effort: Effort,
    options: &MeasureOptions,
) -> Result<ClosedCounts, NoClosedForm> {
    let scop_options = scop_options(line_size, options.alignment(), BTreeMap::new())?;
    let form = closed_form(tree, &scop_options, bound, effort, options.store())?;
    let capacities = capacities(&options.machine, line_size);
    let counts = counts(tree, &form.histogram.prepared(), &[], &capacities);
    let mut counts = counts.map_err(|refusal| NoClosedForm::Refused {
        stage: DerivationStage::Evaluation,
        refusal,
        effort,
    })?;
    let geometries = of_sets(options, line_size);
    // No step is taken: this only places the arrays.
    if !geometries.is_empty()
        && let Ok(execution) = execution_within(tree, options, 1)
    {
        counts.ranges = execution.line_ranges(line_size);
        if !geometries.iter().all(|geometry| counts.fits(*geometry)) {
            counts.sets = Sets::of(tree, &form, &execution, options).ok();
        }
    }
    Ok(counts)
}

/// The most steps for a level, the first time, for so many quarters of the effort.
fn attempt(options: &MeasureOptions, quarters: u64) -> u64 {
    match options.engine {
        Engine::Closed => last_attempt(options),
        // What is not decided is traced.
        Engine::Auto | Engine::Trace => (options.effort.steps / 4).saturating_mul(quarters),
    }
}

/// The LRU levels with lines of `line_size` bytes that see every access.
pub(crate) fn heeding_distance(options: &MeasureOptions, line_size: u64) -> Vec<CacheGeometry> {
    let mut geometries = Vec::new();
    for chain in chains(&options.machine, options.hierarchy) {
        for (idx, level) in chain.levels.iter().enumerate() {
            let geometry = level.geometry;
            let is_one = geometry.line_size == line_size;
            if is_one && chain.heeds_distance(idx) && !geometries.contains(&geometry) {
                geometries.push(geometry);
            }
        }
    }
    geometries
}

/// The capacities, in lines, of the levels with lines of `line_size` bytes.
fn capacities(machine: &Machine, line_size: u64) -> Vec<u64> {
    let levels = machine.levels().map(|(_, geometry)| geometry);
    let fitting = levels.filter(|geometry| geometry.line_size == line_size);
    let capacities = fitting.map(CacheGeometry::lines);
    capacities.collect::<BTreeSet<_>>().into_iter().collect()
}

/// The result of a task as far as the choices determine it; `None` where the trace has to run.
pub(crate) fn answer(
    task: &Task,
    choices: &EngineChoices,
    options: &MeasureOptions,
) -> Option<Result<TaskOutcome, CountError>> {
    let found = match task {
        Task::Accesses => choices.values().find_map(|choice| match choice {
            EngineChoice::Closed(counts) => Some(TaskOutcome::Accesses(counts.accesses.clone())),
            EngineChoice::Failed(_, levels) => levels.accesses.clone().map(TaskOutcome::Accesses),
            EngineChoice::Traced(_) | EngineChoice::Skipped => None,
        }),
        Task::Histograms(line) => match choices.get(line) {
            Some(EngineChoice::Closed(counts)) => {
                counts.histograms.clone().map(TaskOutcome::Histograms)
            }
            Some(EngineChoice::Traced(histograms)) => {
                Some(TaskOutcome::Histograms(histograms.clone()))
            }
            _ => None,
        },
        Task::Misses(chain) => closed_levels(task, chain, choices, options),
        Task::Traffic(_) => None,
    };
    match found {
        Some(outcome) => Some(Ok(outcome)),
        None if options.engine == Engine::Closed => Some(Err(why_not(task, choices, options))),
        None => None,
    }
}

/// The misses of a chain of which every level was decided by closed forms, or need not be, as nothing else is allowed.
fn closed_levels(
    task: &Task,
    chain: &CacheChain,
    choices: &EngineChoices,
    options: &MeasureOptions,
) -> Option<TaskOutcome> {
    let level = |idx: usize| {
        let misses = closed_level(chain, idx, choices).map(CountedLevel::closed);
        misses.ok_or_else(|| why_not(task, choices, options))
    };
    let levels: Vec<LevelOutcome> = (0..chain.levels.len()).map(level).collect();
    let is_final = options.engine == Engine::Closed || levels.iter().all(Result::is_ok);
    is_final.then_some(TaskOutcome::Misses(levels))
}

/// The misses of one level of a chain, where it is LRU, sees every access, and was decided by closed forms.
pub(crate) fn closed_level(
    chain: &CacheChain,
    idx: usize,
    choices: &EngineChoices,
) -> Option<PerReference<Counted>> {
    let geometry = chain.levels[idx].geometry;
    let misses = match choices.get(&geometry.line_size)? {
        EngineChoice::Closed(counts) => &counts.misses,
        EngineChoice::Failed(_, levels) => &levels.misses,
        EngineChoice::Traced(_) | EngineChoice::Skipped => return None,
    };
    let misses = misses.get(&(geometry.sets, geometry.ways)).cloned();
    misses.filter(|_| chain.heeds_distance(idx))
}

/// Whether all levels with lines of `line_size` bytes were decided by closed forms.
pub(crate) fn are_decided(
    line_size: u64,
    choices: &EngineChoices,
    options: &MeasureOptions,
) -> bool {
    chains(&options.machine, options.hierarchy)
        .iter()
        .all(|chain| {
            let is_decided = |idx: usize| {
                chain.levels[idx].geometry.line_size != line_size
                    || closed_level(chain, idx, choices).is_some()
            };
            (0..chain.levels.len()).all(is_decided)
        })
}

/// The misses of such a level that could not be traced, with the whole effort and more.
pub(crate) fn decided_level(
    chain: &CacheChain,
    idx: usize,
    choices: &EngineChoices,
    options: &MeasureOptions,
) -> Option<PerReference<Counted>> {
    let geometry = chain.levels[idx].geometry;
    let steps = last_attempt(options);
    if steps <= attempt(options, FIRST_ATTEMPT) || !chain.heeds_distance(idx) {
        return None;
    }
    match choices.get(&geometry.line_size)? {
        EngineChoice::Closed(counts) => counts.decided(geometry, steps),
        EngineChoice::Failed(_, levels) => levels.pages.as_ref()?.decided(geometry, steps),
        EngineChoice::Traced(_) | EngineChoice::Skipped => None,
    }
}

/// The most steps for a level that is not traced.
fn last_attempt(options: &MeasureOptions) -> u64 {
    let most = options.effort.steps.saturating_mul(LAST_ATTEMPT);
    match options.engine {
        Engine::Closed => most,
        Engine::Auto | Engine::Trace => most.min(options.budget / TRACE_STEPS),
    }
}

/// Why closed forms do not answer a task of a function.
fn why_not(task: &Task, choices: &EngineChoices, options: &MeasureOptions) -> CountError {
    let failed = choices.values().find_map(|choice| match choice {
        EngineChoice::Failed(why, _) => Some(why.clone()),
        _ => None,
    });
    match (task, failed) {
        (Task::Misses(_) | Task::Traffic(_), None) => CountError::Sets,
        (_, Some(why)) => CountError::Closed(why),
        (_, None) => CountError::Closed(NoClosedForm::Refused {
            stage: DerivationStage::Evaluation,
            refusal: Refusal::Budget,
            effort: options.effort,
        }),
    }
}

/// The engine whose histograms a function has, and why a better engine did not provide them.
pub(crate) fn summary(
    tree: &NestTree,
    choices: &EngineChoices,
    options: &MeasureOptions,
) -> (Engine, Vec<String>) {
    let is_closed = |choice: &EngineChoice| matches!(choice, EngineChoice::Closed(_));
    let engine = match options.engine {
        Engine::Closed => Engine::Closed,
        _ if choices.values().next().is_some_and(is_closed) => Engine::Closed,
        _ if choices.values().any(is_closed) => Engine::Closed,
        _ => Engine::Trace,
    };
    let mut reasons: Vec<String> = Vec::new();
    for (line_size, choice) in choices {
        let reason = match choice {
            EngineChoice::Closed(_) | EngineChoice::Skipped => continue,
            EngineChoice::Traced(_) => {
                "tracing takes fewer steps than deriving is expected to".to_owned()
            }
            EngineChoice::Failed(why, _) => format!("no closed form: {}", why.message(tree)),
        };
        let has_others = choices.values().any(is_closed);
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
