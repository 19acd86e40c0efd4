//! Lowers all units of a program and gives trees the sizes that all callers agree on.
//!
//! Units with a valid record of an earlier run are not lowered, with one exception: the sizes that callers agree on
//! are a fixpoint over all functions, which is computed in each run from the jump functions of all units, recorded or
//! new. Units with functions whose agreed sizes changed are lowered again.

use crate::lowered_unit::{LoweredFunction, LoweredUnit};
use crate::program::IncrementalProgram;
use crate::records::{ProgramRecord, SizeRecord, UnitFingerprint, UnitRecord, size_records};
use crate::schedule::lower_each;
use crate::validation::ReusableUnits;
use premiss_ast::syntax::UnitId;
use premiss_link::{AgreedSizes, CallerRecord, Program, agree};
use premiss_lower::ConstantImages;
use premiss_parallel as parallel;
use premiss_tree::NestTree;
use std::collections::BTreeSet;

/// The maximum number of files whose trees may be recomputed before they are handed on.
pub(crate) const MAX_FILES_AHEAD: usize = 32;

/// The result for one unit.
pub(crate) struct UnitResult {
    pub(crate) trees: UnitTrees,
    /// The names that `-P` can give values to.
    pub(crate) size_names: BTreeSet<String>,
}

/// The trees of one unit.
pub(crate) enum UnitTrees {
    /// The trees of its functions with a loop, in order.
    Lowered(Vec<NestTree>),
    /// An earlier run found the same trees and reported them.
    Reused,
}

/// Lowers the functions of all units and calls `emit` with the result for each unit, in order, once the agreed sizes
/// are known. Units whose record of an earlier run is valid are not lowered.
///
/// Trees that cannot be held in memory are computed a second time; the result is the same, as the allowance of steps
/// does not depend on which trees are held.
pub(crate) fn lower_units(incremental: &IncrementalProgram, emit: &mut dyn FnMut(UnitResult)) {
    let reusable = incremental.reusable_units();
    let lowered = reusable
        .as_ref()
        .and_then(|reusable| lower_changed(incremental, reusable))
        .unwrap_or_else(|| lower_all(incremental));
    let linked = incremental.linked();
    let mut units = linked.unit_ids().zip(lowered.units);
    // Recomputed trees stay in memory until they are handed on.
    loop {
        let some: Vec<_> = units.by_ref().take(MAX_FILES_AHEAD).collect();
        if some.is_empty() {
            break;
        }
        let results = parallel::map(some, |(unit, outcome)| match outcome {
            UnitOutcome::Reused(record) => reused_unit(&linked.view(), unit, record),
            UnitOutcome::Lowered(lowered_unit) => {
                let functions = lowered_unit.functions;
                unit_with_sizes(&linked.view(), unit, functions, &lowered.sizes)
            }
        });
        for (result, used_sizes) in results {
            let program = incremental.program();
            used_sizes.iter().for_each(|size| program.use_size(size));
            emit(result);
        }
    }
}

/// The result for a unit with a valid record, and the sizes of the user that it uses.
fn reused_unit(program: &Program, unit: UnitId, record: &UnitRecord) -> (UnitResult, Vec<String>) {
    let mut size_names = BTreeSet::new();
    // Without sizes of the user, nobody needs the names.
    let sizes = program.linked().sizes();
    if !sizes.values.is_empty() || !sizes.symbolic.is_empty() {
        size_names.extend(record.size_names.iter().cloned());
        size_names.extend(program.constants_of_preludes(unit));
    }
    let result = UnitResult {
        trees: UnitTrees::Reused,
        size_names,
    };
    (result, record.dependencies.used_sizes.clone())
}

/// The result for a lowered unit, with the agreed sizes.
fn unit_with_sizes(
    program: &Program,
    unit: UnitId,
    functions: Vec<LoweredFunction>,
    sizes: &AgreedSizes,
) -> (UnitResult, Vec<String>) {
    let constants = program.constants_of(unit);
    let mut size_names: BTreeSet<String> = constants
        .chain(program.constants_of_preludes(unit))
        .collect();
    let images = ConstantImages::default();
    let mut trees = Vec::new();
    for function in functions {
        size_names.extend(function.size_names());
        trees.extend(function.with_sizes(program, &images, sizes));
    }
    let result = UnitResult {
        trees: UnitTrees::Lowered(trees),
        size_names,
    };
    (result, program.used_sizes().into_iter().collect())
}

/// The outcome for a unit.
enum UnitOutcome<'p, 'r> {
    /// The record of an earlier run is valid.
    Reused(&'r UnitRecord),
    Lowered(Box<LoweredUnit<'p>>),
}

impl UnitOutcome<'_, '_> {
    fn callers(&self) -> &[CallerRecord] {
        match self {
            Self::Reused(record) => &record.callers,
            Self::Lowered(lowered) => &lowered.callers,
        }
    }

    /// The steps taken in bodies of other files.
    fn linked_work(&self) -> u64 {
        match self {
            Self::Reused(record) => record.linked_work,
            Self::Lowered(lowered) => lowered.linked_work,
        }
    }
}

/// All units of a program, with the agreed sizes.
struct LoweredProgram<'p, 'r> {
    units: Vec<UnitOutcome<'p, 'r>>,
    sizes: AgreedSizes,
}

fn lower_all<'p>(incremental: &'p IncrementalProgram<'p>) -> LoweredProgram<'p, 'static> {
    let records = incremental.linked().unit_ids().map(|_| None).collect();
    let mut units = outcomes(incremental, records);
    let sizes = agreed_sizes(incremental, &units);
    if has_budget_to_spare(incremental, &units) {
        record_program(incremental, &mut units, &sizes);
    }
    LoweredProgram { units, sizes }
}

/// Lowers the units without a valid record; `None` if the budget for calls into other files is scarce, so that the
/// result for a unit depends on the units before it.
fn lower_changed<'p, 'r>(
    incremental: &'p IncrementalProgram<'p>,
    reusable: &'r ReusableUnits<'p>,
) -> Option<LoweredProgram<'p, 'r>> {
    let records = incremental.linked().unit_ids();
    let records = records.map(|unit| reusable.record(unit)).collect();
    let mut units = outcomes(incremental, records);
    let sizes = agreed_sizes(incremental, &units);
    // Jump functions do not depend on agreed sizes, but trees do.
    let changed = units_with_changed_sizes(&reusable.earlier.sizes, &sizes);
    let is_reused = |unit: &UnitId| matches!(units[unit.0 as usize], UnitOutcome::Reused(_));
    let changed: Vec<UnitId> = changed.into_iter().filter(is_reused).collect();
    for (unit, lowered) in changed.iter().zip(lower_each(incremental, &changed)) {
        units[unit.0 as usize] = UnitOutcome::Lowered(Box::new(lowered));
    }
    if !has_budget_to_spare(incremental, &units) {
        return None;
    }
    record_program(incremental, &mut units, &sizes);
    Some(LoweredProgram { units, sizes })
}

/// The outcomes of all units; lowers those without a record.
fn outcomes<'p, 'r>(
    incremental: &'p IncrementalProgram<'p>,
    records: Vec<Option<&'r UnitRecord>>,
) -> Vec<UnitOutcome<'p, 'r>> {
    let open = incremental.linked().unit_ids().zip(&records);
    let open = open.filter_map(|(unit, record)| record.is_none().then_some(unit));
    let mut lowered = lower_each(incremental, &open.collect::<Vec<_>>()).into_iter();
    let mut next = || {
        let lowered = lowered.next().expect("units without a record were lowered");
        UnitOutcome::Lowered(Box::new(lowered))
    };
    records
        .into_iter()
        .map(|record| record.map_or_else(&mut next, UnitOutcome::Reused))
        .collect()
}

fn agreed_sizes(incremental: &IncrementalProgram, units: &[UnitOutcome]) -> AgreedSizes {
    let units = incremental.linked().unit_ids().zip(units);
    let callers = units.flat_map(|(unit, x)| x.callers().iter().map(move |x| (unit, x)));
    agree(incremental.program(), &callers.collect::<Vec<_>>())
}

/// The units with functions whose agreed sizes changed.
fn units_with_changed_sizes(before: &[SizeRecord], now: &AgreedSizes) -> BTreeSet<UnitId> {
    let before: BTreeSet<SizeRecord> = before.iter().cloned().collect();
    let now: BTreeSet<SizeRecord> = size_records(now).collect();
    let changed = before.symmetric_difference(&now);
    changed.map(|(function, ..)| function.unit).collect()
}

/// Whether the budget for calls into other files is large enough that what one unit takes of it does not affect the
/// others.
fn has_budget_to_spare(incremental: &IncrementalProgram, units: &[UnitOutcome]) -> bool {
    let budget = incremental.linked().budget();
    let work: u64 = units.iter().map(UnitOutcome::linked_work).sum();
    work.saturating_add(budget.most_of_function()) <= budget.total
}

/// Records what the next run may reuse, if there is a cache.
fn record_program(
    incremental: &IncrementalProgram,
    units: &mut [UnitOutcome],
    sizes: &AgreedSizes,
) {
    let Some(cache) = incremental.usable_cache() else {
        return;
    };
    let ids = incremental.linked().unit_ids();
    let units: Vec<UnitRecord> = ids
        .zip(units)
        .zip(incremental.fingerprints())
        .map(|((unit, outcome), fingerprint)| match outcome {
            UnitOutcome::Reused(record) => UnitRecord::clone(record),
            UnitOutcome::Lowered(lowered) => record_unit(incremental, unit, lowered, *fingerprint),
        })
        .collect();
    cache.store(ProgramRecord {
        first: incremental.first_file(),
        n_texts: incremental.n_texts(),
        environment: incremental.environment(),
        paths: incremental.paths(),
        looked_up_paths: BTreeSet::new(),
        summaries: incremental.summary_records(),
        sizes: size_records(sizes).collect(),
        pure_calls: incremental.pure_calls_of(&units),
        units,
    });
}

fn record_unit(
    incremental: &IncrementalProgram,
    unit: UnitId,
    lowered: &mut LoweredUnit,
    fingerprint: UnitFingerprint,
) -> UnitRecord {
    let read = std::mem::take(&mut lowered.dependencies);
    let mut size_names: BTreeSet<String> = incremental.program().constants_of(unit).collect();
    let functions = lowered.functions.iter();
    size_names.extend(functions.flat_map(LoweredFunction::size_names));
    UnitRecord {
        fingerprint,
        pure_calls: incremental.record_pure_calls(&read.names.pure_calls),
        dependencies: incremental.record_dependencies(read),
        size_names: size_names.into_iter().collect(),
        linked_work: lowered.linked_work,
        callers: std::mem::take(&mut lowered.callers),
    }
}
