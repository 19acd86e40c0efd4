//! All files lowered, and their trees with the sizes that callers agree on.

use super::agreement::{AgreedSizes, agree, passing};
use super::finish::Remains;
use super::noted::Asked;
use super::program::Digests;
use super::program::recall::Recalled;
use super::{Allowance, Lowering, MAX_FILE_WORK, MAX_LINKED_WORK_WITHOUT_LOOP, Program};
use crate::memory::{ProgramMemory, SizeRecord, UnitMemory};
use crate::passing::Passing;
use crate::syntax::GlobalName;
use crate::syntax::{Function, Item, Name, Unit, UnitId};
use premiss_parallel as parallel;
use premiss_tree::NestTree;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// How many references the trees may have that are kept until all files are lowered.
const MAX_KEPT_REFERENCES: usize = 1_000_000;

/// How many files may have their trees made again before they are dealt with.
pub(crate) const MAX_FILES_AHEAD: usize = 32;

/// What lowering makes of one file.
pub(crate) struct Lowered {
    /// The functions with a loop, in order.
    pub(crate) trees: Vec<NestTree>,
    /// The names that `-P` can give values to.
    pub(crate) names: BTreeSet<String>,
    /// Whether an earlier run has said all of it.
    pub(crate) is_known: bool,
}

/// A function that has been lowered.
struct One<'p> {
    name: GlobalName,
    function: &'p Arc<Function>,
    has_tree: bool,
    /// Its tree, where there was room to keep it.
    tree: Option<NestTree>,
    /// What it was allowed to take.
    allowance: Allowance,
    remains: Remains,
}

/// Lowers every function of each file, in order, and hands on what comes of each file once the sizes
/// are known that all callers agree on. Files that are as an earlier run left them are not lowered.
///
/// Trees that there is no room for are made twice: what a function may take does not depend on what
/// is kept, so they are the same.
pub(crate) fn lower_units(program: &Program, emit: &mut dyn FnMut(Lowered)) {
    let recalled = program.recalled();
    let found = recalled
        .as_ref()
        .and_then(|recalled| lowered_but(program, recalled))
        .unwrap_or_else(|| lowered_all(program));
    let mut units = program.units().zip(found.units);
    let shared = program.shared();
    // Trees that are made again take their room until they are dealt with.
    loop {
        let some: Vec<_> = units.by_ref().take(MAX_FILES_AHEAD).collect();
        if some.is_empty() {
            break;
        }
        let made = parallel::map(some, |(unit, made)| match made {
            Made::Before(known) => known_unit(&shared.view(), unit, known),
            Made::Now(lowered) => {
                unit_with_sizes(&shared.view(), unit, lowered.functions, &found.sizes)
            }
        });
        for (lowered, used_sizes) in made {
            used_sizes.iter().for_each(|size| program.use_size(size));
            emit(lowered);
        }
    }
}

/// A unit of which an earlier run has said everything, and the given sizes that it has names for.
fn known_unit(program: &Program, unit: UnitId, known: &UnitMemory) -> (Lowered, Vec<String>) {
    let mut names = BTreeSet::new();
    // Who gives no size does not ask which there are.
    if program.has_given_sizes() {
        names.extend(known.names.iter().cloned());
        names.extend(program.constants_before(unit));
    }
    let lowered = Lowered {
        trees: Vec::new(),
        names,
        is_known: true,
    };
    (lowered, known.used_sizes.clone())
}

/// A unit with the sizes that all callers agree on.
fn unit_with_sizes(
    program: &Program,
    unit: UnitId,
    functions: Vec<One>,
    sizes: &AgreedSizes,
) -> (Lowered, Vec<String>) {
    let constants = program.constants_of(unit);
    let mut names: BTreeSet<String> = constants.chain(program.constants_before(unit)).collect();
    let mut trees = Vec::new();
    for one in functions {
        names.extend(one.size_names());
        trees.extend(one.with_sizes(program, sizes));
    }
    let lowered = Lowered {
        trees,
        names,
        is_known: false,
    };
    (lowered, program.used_sizes().into_iter().collect())
}

/// A file of a program.
enum Made<'p, 'r> {
    /// It comes to what an earlier run found.
    Before(&'r UnitMemory),
    Now(Box<LoweredUnit<'p>>),
}

impl Made<'_, '_> {
    fn passes(&self) -> &[Passing] {
        match self {
            Self::Before(known) => &known.passes,
            Self::Now(lowered) => &lowered.passes,
        }
    }

    /// How many steps it took in bodies of other files.
    fn linked_work(&self) -> u64 {
        match self {
            Self::Before(known) => known.linked_work,
            Self::Now(lowered) => lowered.linked_work,
        }
    }
}

/// What was lowered of a program.
struct Found<'p, 'r> {
    units: Vec<Made<'p, 'r>>,
    sizes: AgreedSizes,
}

fn lowered_all<'p>(program: &'p Program<'p>) -> Found<'p, 'static> {
    let units = program.units().map(|_| None).collect();
    let mut units = made(program, units);
    let sizes = agreed(program, &units);
    if has_links_to_spare(program, &units) {
        leave(program, &mut units, &sizes);
    }
    Found { units, sizes }
}

/// Lowers the files but those that come to what an earlier run found; nothing where the budget for calls into other
/// files is scarce, so that what a file comes to depends on those before it.
fn lowered_but<'p, 'r>(
    program: &'p Program<'p>,
    recalled: &'r Recalled<'p>,
) -> Option<Found<'p, 'r>> {
    let units = program.units().map(|unit| recalled.known(unit));
    let mut units = made(program, units.collect());
    let sizes = agreed(program, &units);
    // What functions pass to others does not depend on what their own callers agree on, but their trees do.
    let other = units_with_other_sizes(&recalled.before.sizes, &sizes);
    let is_before = |unit: &UnitId| matches!(units[unit.0 as usize], Made::Before(_));
    let other: Vec<UnitId> = other.into_iter().filter(is_before).collect();
    for (unit, lowered) in other.iter().zip(lower_each(program, &other)) {
        units[unit.0 as usize] = Made::Now(Box::new(lowered));
    }
    if !has_links_to_spare(program, &units) {
        return None;
    }
    leave(program, &mut units, &sizes);
    Some(Found { units, sizes })
}

/// The files of a program, those lowered of which nothing is known.
fn made<'p, 'r>(program: &'p Program<'p>, known: Vec<Option<&'r UnitMemory>>) -> Vec<Made<'p, 'r>> {
    let open = program.units().zip(&known);
    let open = open.filter_map(|(unit, known)| known.is_none().then_some(unit));
    let mut lowered = lower_each(program, &open.collect::<Vec<_>>()).into_iter();
    let mut now = || {
        let lowered = lowered.next();
        Made::Now(Box::new(
            lowered.expect("files that are not known were lowered"),
        ))
    };
    known
        .into_iter()
        .map(|known| known.map_or_else(&mut now, Made::Before))
        .collect()
}

fn agreed(program: &Program, units: &[Made]) -> AgreedSizes {
    let passes = program.units().zip(units);
    let passes = passes.flat_map(|(unit, made)| made.passes().iter().map(move |x| (unit, x)));
    agree(program, &passes.collect::<Vec<_>>())
}

/// The units with functions whose callers agree on other sizes than before.
fn units_with_other_sizes(before: &[SizeRecord], now: &AgreedSizes) -> BTreeSet<UnitId> {
    let before: BTreeSet<SizeRecord> = before.iter().cloned().collect();
    let now: BTreeSet<SizeRecord> = now.iter().map(size_record).collect();
    let other = before.symmetric_difference(&now);
    other.map(|(function, ..)| function.unit).collect()
}

fn size_record(((function, parameter), value): (&(GlobalName, Name), &i64)) -> SizeRecord {
    (function.clone(), parameter.clone(), *value)
}

/// Whether the budget for calls into other files is so large that what one file takes of it is nothing to others.
fn has_links_to_spare(program: &Program, units: &[Made]) -> bool {
    let links = program.links();
    let work: u64 = units.iter().map(Made::linked_work).sum();
    work.saturating_add(links.of_one) <= links.of_all
}

/// Leaves what the next run may remember of all files, where it is to.
fn leave(program: &Program, units: &mut [Made], sizes: &AgreedSizes) {
    let Some(memory) = program.memory() else {
        return;
    };
    let digests = program.digests().iter();
    let of_unit = |((unit, made), digests): ((UnitId, &mut Made), &Digests)| match made {
        Made::Before(known) => UnitMemory::clone(known),
        Made::Now(lowered) => {
            let asked = std::mem::take(&mut lowered.asked);
            let mut names: BTreeSet<String> = program.constants_of(unit).collect();
            names.extend(lowered.functions.iter().flat_map(One::size_names));
            UnitMemory {
                names: names.into_iter().collect(),
                linked_work: lowered.linked_work,
                passes: std::mem::take(&mut lowered.passes),
                ..program.remember(*digests, asked)
            }
        }
    };
    let units: Vec<UnitMemory> = program
        .units()
        .zip(units)
        .zip(digests)
        .map(of_unit)
        .collect();
    memory.leave(ProgramMemory {
        first: program.first_file(),
        n_texts: program.n_texts(),
        environment: program.environment(),
        paths: program.paths(),
        looked_for: BTreeSet::new(),
        summaries: program.summaries(),
        sizes: sizes.iter().map(size_record).collect(),
        answers: program.answers(&units),
        units,
    });
}

/// How many steps a file may take of those that are left for so many: several times its part, as most
/// need less.
fn file_share(left: u64, n_files: u64) -> u64 {
    let part = left / n_files.max(1);
    part.saturating_mul(4).min(left).min(MAX_FILE_WORK)
}

/// A file that has been lowered.
struct LoweredUnit<'p> {
    functions: Vec<One<'p>>,
    /// What its functions pass to others.
    passes: Vec<Passing>,
    asked: Asked,
    /// Given sizes that it has names for.
    used_sizes: BTreeSet<String>,
    /// How many steps of its share are left.
    left: u64,
    /// How many steps it took in bodies of other files.
    linked_work: u64,
}

/// Lowers files side by side, as if one after another: as long as there are more steps than a function may take in
/// bodies of other files, it does not matter what files before take.
fn lower_each<'p>(program: &'p Program<'p>, units: &[UnitId]) -> Vec<LoweredUnit<'p>> {
    let links = program.links();
    let kept = Kept::default();
    let shared = program.shared();
    let taken = AtomicU64::new(0);
    let is_free = links.of_files == u64::MAX;
    let free = if is_free { units } else { &[] };
    let ahead = parallel::map(free, |unit| {
        if links.of_all < taken.load(Ordering::Relaxed) {
            return None;
        }
        let share = file_share(u64::MAX, 1);
        let lowered = lower_unit(&shared.view(), *unit, share, links.of_all, &kept);
        taken.fetch_add(lowered.linked_work, Ordering::Relaxed);
        Some(lowered)
    });
    let mut ahead = ahead.into_iter();
    let mut linked = links.of_all;
    let mut left = links.of_files;
    let mut n_files = program.units().count() as u64;
    let mut lowered = Vec::new();
    for unit in units {
        let is_same = |one: &LoweredUnit| links.of_one.saturating_add(one.linked_work) <= linked;
        let one = match ahead.next().flatten().filter(is_same) {
            Some(one) => one,
            None => {
                let share = file_share(left, n_files);
                let one = lower_unit(&shared.view(), *unit, share, linked, &kept);
                left -= share - one.left;
                one
            }
        };
        n_files -= 1;
        linked -= one.linked_work;
        let used = one.used_sizes.iter();
        used.for_each(|size| program.use_size(size));
        lowered.push(one);
        if is_free && linked == 0 {
            break;
        }
    }
    // What follows calls into no other file any more.
    let rest = &units[lowered.len()..];
    lowered.extend(parallel::map(rest, |unit| {
        let share = file_share(u64::MAX, 1);
        lower_unit(&shared.view(), *unit, share, 0, &kept)
    }));
    lowered
}

/// How many references the trees have that are kept.
#[derive(Default)]
struct Kept(AtomicUsize);

impl Kept {
    /// Keeps a tree where there is room for it.
    fn keep(&self, unit: UnitId, tree: NestTree) -> Option<NestTree> {
        let n_references = tree.references.len();
        let n_kept = self.0.fetch_add(n_references, Ordering::Relaxed) + n_references;
        if n_kept <= MAX_KEPT_REFERENCES || unit == UnitId(0) {
            return Some(tree);
        }
        self.0.fetch_sub(n_references, Ordering::Relaxed);
        None
    }
}

/// Lowers a file in so many steps, so many of them in bodies of other files.
fn lower_unit<'p>(
    program: &Program<'p>,
    unit: UnitId,
    share: u64,
    linked: u64,
    kept: &Kept,
) -> LoweredUnit<'p> {
    let mut functions = Vec::new();
    let mut linked_left = linked;
    let items = program.unit(unit);
    let left = lower_functions(program, items, share, &mut linked_left, &mut functions);
    let passes = functions.iter();
    let passes = passes
        .map(|one| passing(one.function, &one.remains))
        .collect();
    for one in &mut functions {
        one.tree = one.tree.take().and_then(|tree| kept.keep(unit, tree));
    }
    LoweredUnit {
        functions,
        passes,
        asked: program.asked(),
        used_sizes: program.used_sizes(),
        left,
        linked_work: linked - linked_left,
    }
}

/// Lowers the functions of a file in so many steps; returns those that are left of them.
fn lower_functions<'p>(
    program: &Program<'p>,
    items: &'p Unit,
    share: u64,
    linked: &mut u64,
    lowered: &mut Vec<One<'p>>,
) -> u64 {
    let mut left = share;
    for item in &items.items {
        let Item::Function(function) = item else {
            continue;
        };
        if program.is_standard(function.at) {
            continue;
        }
        let name = function.global_name();
        let has_tree = program.facts_of(&name).has_loop;
        let most = match has_tree {
            true => program.links().of_one,
            false => MAX_LINKED_WORK_WITHOUT_LOOP,
        };
        let allowance = Allowance {
            file: share,
            own: left,
            linked: (*linked).min(most),
        };
        let lowering = Lowering::of_function(program, function, allowance);
        let (tree, remains) = if has_tree {
            let (tree, remains) = lowering.finish(function);
            (Some(tree), remains)
        } else {
            (None, lowering.finish_without_tree())
        };
        *linked -= remains.linked_work;
        left = left.saturating_sub(remains.work - remains.linked_work);
        lowered.push(One {
            name,
            function,
            has_tree,
            tree,
            allowance,
            remains,
        });
    }
    left
}

impl One<'_> {
    fn size_names(&self) -> impl Iterator<Item = String> {
        let parameters = self.remains.parameters.iter();
        parameters.map(|row| row.name.to_string())
    }

    /// The tree with the sizes that all calls agree on.
    fn with_sizes(self, program: &Program, sizes: &AgreedSizes) -> Option<NestTree> {
        if !self.has_tree {
            return None;
        }
        let mut tree = self.tree.unwrap_or_else(|| {
            let lowering = Lowering::of_function(program, self.function, self.allowance);
            lowering.finish(self.function).0
        });
        for (old, new) in &self.remains.numbers {
            let row = &self.remains.parameters[old.as_u32() as usize];
            let key = (self.name.clone(), row.name.clone());
            if let (false, None, Some(value)) = (row.is_global, row.value, sizes.get(&key)) {
                let work = &mut tree.work;
                for parameters in [&mut tree.parameters, &mut work.parameters] {
                    if let Some(parameter) = parameters.get_mut(*new) {
                        parameter.value = Some(*value);
                    }
                }
            }
        }
        Some(tree)
    }
}
