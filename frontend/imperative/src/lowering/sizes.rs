//! Sizes that callers agree on, and the trees with them.
//!
//! A function's integer parameter has a value where every call in the file passes the same known
//! number: a `main` gives its kernels their sizes. What calls pass is known after lowering their
//! callers, as functions of those callers' own parameters; the values are the greatest solution of
//! the equations between them.

use super::finish::Remains;
use super::noted::Asked;
use super::program::GlobalName;
use super::program::recall::Recalled;
use super::{Allowance, Lowering, MAX_FILE_WORK, MAX_LINKED_WORK_WITHOUT_LOOP, Program};
use crate::memory::{ProgramMemory, UnitMemory};
use crate::syntax::{Function, Item, Name, Unit, UnitId};
use crate::threads::side_by_side;
use premiss_tree::{BinaryOperator, Expression, NestTree};
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// What the calls seen so far pass for a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Agreed {
    /// No call yet.
    Nothing,
    Value(i64),
    /// Different values, or one that is not known.
    Conflict,
}

impl Agreed {
    fn join(self, other: Self) -> Self {
        match (self, other) {
            (Self::Nothing, x) | (x, Self::Nothing) => x,
            (a, b) if a == b => a,
            _ => Self::Conflict,
        }
    }
}

type Agreement = ((GlobalName, Name), Agreed);
type Agreements = BTreeMap<(GlobalName, Name), Agreed>;

/// How many references the trees may have that are kept until all files are lowered.
const MAX_KEPT_REFERENCES: usize = 1_000_000;

/// How many files may have their trees made again before they are dealt with.
const MAX_FILES_AHEAD: usize = 32;

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
    let found = match lowered_but(program, recalled.as_ref()) {
        Some(found) => found,
        None => match lowered_but(program, None) {
            Some(found) => found,
            None => return,
        },
    };
    let mut lowered = found.functions.into_iter().peekable();
    let units = program.units().map(|unit| {
        let known = found.known.as_ref().and_then(|known| known.known(unit));
        let functions = std::iter::from_fn(|| lowered.next_if(|one| one.name.unit == unit));
        (unit, known, functions.collect())
    });
    let units: Vec<(UnitId, Option<&UnitMemory>, Vec<One>)> = units.collect();
    let mut units = units.into_iter();
    let shared = program.shared();
    // Trees that are made again take their room until they are dealt with.
    while 0 < units.len() {
        let some: Vec<_> = units.by_ref().take(MAX_FILES_AHEAD).collect();
        let made = side_by_side(some, |(unit, known, functions)| match known {
            Some(known) => known_unit(known),
            None => unit_with_sizes(&shared.view(), unit, functions, &found.sizes),
        });
        for (lowered, used_sizes) in made {
            used_sizes.iter().for_each(|size| program.use_size(size));
            emit(lowered);
        }
    }
}

/// A unit of which an earlier run has said everything, and the given sizes that it has names for.
fn known_unit(known: &UnitMemory) -> (Lowered, Vec<String>) {
    let lowered = Lowered {
        trees: Vec::new(),
        names: known.names.iter().cloned().collect(),
        is_known: true,
    };
    (lowered, known.used_sizes.clone())
}

/// A unit with the sizes that all callers agree on.
fn unit_with_sizes(
    program: &Program,
    unit: UnitId,
    functions: Vec<One>,
    sizes: &Agreements,
) -> (Lowered, Vec<String>) {
    let mut names: BTreeSet<String> = program.constant_names(unit).into_iter().collect();
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

/// What was lowered of a program.
struct Found<'p, 'r> {
    functions: Vec<One<'p>>,
    sizes: Agreements,
    /// The files that were not.
    known: Option<&'r Recalled<'p>>,
}

/// Lowers the files but those that are known; nothing where that is not the same as lowering all.
fn lowered_but<'p, 'r>(
    program: &'p Program<'p>,
    recalled: Option<&'r Recalled<'p>>,
) -> Option<Found<'p, 'r>> {
    let is_known = |unit| recalled.is_some_and(|recalled| recalled.known(unit).is_some());
    let units = program.units().filter(|unit| !is_known(*unit));
    let open: Vec<(UnitId, &Unit)> = units.map(|unit| (unit, program.unit(unit))).collect();
    let mut open = lower_each(program, &open).into_iter();
    let mut lowered = Vec::new();
    let mut asked = Vec::new();
    for unit in program.units() {
        let one = (!is_known(unit)).then(|| open.next()).flatten();
        asked.push(one.map(|one| {
            one.used_sizes
                .iter()
                .for_each(|size| program.use_size(size));
            lowered.extend(one.functions);
            one.asked
        }));
    }
    let remembered = remembered(program, &lowered, asked, recalled);
    let sizes = match (recalled, &remembered) {
        (None, _) => {
            let functions = lowered.iter().map(|one| (&one.name, &one.remains));
            agree(program, &functions.collect::<Vec<_>>())
        }
        (Some(_), None) => return None,
        (Some(recalled), Some(_)) => {
            let sizes = recalled.before.sizes.iter();
            sizes.map(agreement).collect()
        }
    };
    if let (Some(memory), Some(units)) = (program.memory(), remembered) {
        memory.leave(ProgramMemory {
            first: program.first_file(),
            n_texts: program.n_texts(),
            environment: program.environment(),
            written: program.written_digest(),
            included: program.included(),
            externals: program.externals(),
            summaries: program.summaries(),
            sizes: sizes.iter().filter_map(value_of).collect(),
            units,
        });
    }
    Some(Found {
        functions: lowered,
        sizes,
        known: recalled,
    })
}

fn agreement((unit, function, parameter, value): &(u32, String, String, i64)) -> Agreement {
    let name = GlobalName {
        unit: UnitId(*unit),
        name: function.as_str().into(),
    };
    ((name, parameter.as_str().into()), Agreed::Value(*value))
}

fn value_of(
    ((function, parameter), agreed): (&(GlobalName, Name), &Agreed),
) -> Option<(u32, String, String, i64)> {
    match agreed {
        Agreed::Value(value) => Some((
            function.unit.0,
            function.name.to_string(),
            parameter.to_string(),
            *value,
        )),
        Agreed::Nothing | Agreed::Conflict => None,
    }
}

/// What to remember of all units; nothing where nobody wants to know, where the budget for calls into other
/// files was scarce, so that what a file comes to depends on those before it, or where a file passes other sizes
/// to functions than the recalled run saw.
fn remembered(
    program: &Program,
    lowered: &[One],
    asked: Vec<Option<Asked>>,
    recalled: Option<&Recalled>,
) -> Option<Vec<UnitMemory>> {
    program.memory()?;
    let digests = program.digests();
    let mut units = Vec::new();
    let mut functions = lowered.iter().peekable();
    let mut linked_work: u64 = 0;
    for (unit, (asked, digest)) in program.units().zip(asked.into_iter().zip(digests)) {
        let Some(asked) = asked else {
            let known = recalled.and_then(|recalled| recalled.known(unit))?;
            linked_work += known.linked_work;
            units.push(known.clone());
            continue;
        };
        let mut memory = program.remember(*digest, asked);
        let mut names: BTreeSet<String> = program.constant_names(unit).into_iter().collect();
        let mut passed = DefaultHasher::new();
        while let Some(one) = functions.next_if(|one| one.name.unit == unit) {
            memory.linked_work += one.remains.linked_work;
            names.extend(one.size_names());
            one.pass_digest(&mut passed);
        }
        memory.names = names.into_iter().collect();
        memory.passed = passed.finish();
        linked_work += memory.linked_work;
        if recalled.is_some_and(|before| {
            let before = before.unit(unit);
            before.is_none_or(|before| before.passed != memory.passed)
        }) {
            return None;
        }
        units.push(memory);
    }
    let links = program.links();
    (linked_work.saturating_add(links.of_one) <= links.of_all).then_some(units)
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
fn lower_each<'p>(program: &Program<'p>, units: &[(UnitId, &'p Unit)]) -> Vec<LoweredUnit<'p>> {
    let links = program.links();
    let kept = Kept::default();
    let shared = program.shared();
    let taken = AtomicU64::new(0);
    let is_free = links.of_files == u64::MAX;
    let free = if is_free { units } else { &[] };
    let ahead = side_by_side(free, |(unit, items)| {
        if links.of_all < taken.load(Ordering::Relaxed) {
            return None;
        }
        let share = file_share(u64::MAX, 1);
        let lowered = lower_unit(&shared.view(), (*unit, items), share, links.of_all, &kept);
        taken.fetch_add(lowered.linked_work, Ordering::Relaxed);
        Some(lowered)
    });
    let mut ahead = ahead.into_iter();
    let mut linked = links.of_all;
    let mut left = links.of_files;
    let mut n_files = program.units().count() as u64;
    let mut lowered = Vec::new();
    for (unit, items) in units {
        let is_same = |one: &LoweredUnit| links.of_one.saturating_add(one.linked_work) <= linked;
        let one = match ahead.next().flatten().filter(is_same) {
            Some(one) => one,
            None => {
                let share = file_share(left, n_files);
                let one = lower_unit(&shared.view(), (*unit, items), share, linked, &kept);
                left -= share - one.left;
                one
            }
        };
        n_files -= 1;
        linked -= one.linked_work;
        lowered.push(one);
        if is_free && linked == 0 {
            break;
        }
    }
    // What follows calls into no other file any more.
    let rest = &units[lowered.len()..];
    lowered.extend(side_by_side(rest, |(unit, items)| {
        let share = file_share(u64::MAX, 1);
        lower_unit(&shared.view(), (*unit, items), share, 0, &kept)
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
    (unit, items): (UnitId, &'p Unit),
    share: u64,
    linked: u64,
    kept: &Kept,
) -> LoweredUnit<'p> {
    let mut functions = Vec::new();
    let mut linked_left = linked;
    let left = lower_functions(program, items, share, &mut linked_left, &mut functions);
    for one in &mut functions {
        one.tree = one.tree.take().and_then(|tree| kept.keep(unit, tree));
    }
    LoweredUnit {
        functions,
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

    /// Digests what the sizes that callers agree on depend on.
    fn pass_digest(&self, hasher: &mut DefaultHasher) {
        self.name.hash(hasher);
        for parameter in &self.function.signature.parameters {
            parameter.name.hash(hasher);
        }
        for row in &self.remains.parameters {
            (&row.name, row.value, row.is_global).hash(hasher);
        }
        for call in &self.remains.calls {
            (&call.callee, &call.arguments).hash(hasher);
        }
        self.remains.lost_calls.hash(hasher);
    }

    /// The tree with the sizes that all calls agree on.
    fn with_sizes(self, program: &Program, sizes: &Agreements) -> Option<NestTree> {
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
            if let (false, None, Some(Agreed::Value(value))) =
                (row.is_global, row.value, sizes.get(&key))
            {
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

/// Solves for the values that all calls agree on, starting from no call at all.
fn agree(program: &Program, lowered: &[(&GlobalName, &Remains)]) -> Agreements {
    let mut sizes = Agreements::new();
    // Functions that are called start from nothing; the others get their sizes from elsewhere.
    for call in lowered.iter().flat_map(|(_, lowering)| &lowering.calls) {
        for parameter in parameters(program, &call.callee).into_iter().flatten() {
            let known = match program.is_symbolic(&parameter) {
                true => Agreed::Conflict,
                false => Agreed::Nothing,
            };
            sizes.insert((call.callee.clone(), parameter), known);
        }
    }
    // Callers mostly stand behind what they call: from the end on, one pass is nearly enough.
    let mut callers: Vec<_> = lowered.iter().rev().collect();
    while !callers.is_empty() {
        // Values only ever move from nothing to one number to conflict: this ends.
        let mut changed = BTreeSet::new();
        for (caller, lowering) in callers {
            pass(program, caller, lowering, &mut sizes, &mut changed);
        }
        callers = lowered.iter().rev().collect();
        callers.retain(|(name, _)| changed.contains(*name));
    }
    sizes
}

/// Joins what one function passes to others with what is known; notes whose sizes that changed.
fn pass(
    program: &Program,
    caller: &GlobalName,
    lowering: &Remains,
    sizes: &mut Agreements,
    changed: &mut BTreeSet<GlobalName>,
) {
    let mut join = |sizes: &mut Agreements, callee: &GlobalName, parameter: Name, passed| {
        let known = sizes.entry((callee.clone(), parameter));
        let known = known.or_insert(Agreed::Nothing);
        let joined = known.join(passed);
        if *known != joined {
            *known = joined;
            changed.insert(callee.clone());
        }
    };
    for call in &lowering.calls {
        for (idx, parameter) in parameters(program, &call.callee).into_iter().enumerate() {
            let Some(parameter) = parameter else {
                continue;
            };
            let passed = match call.arguments.get(idx) {
                Some(Some(argument)) => value(argument, caller, lowering, sizes),
                _ => Agreed::Conflict,
            };
            join(sizes, &call.callee, parameter, passed);
        }
    }
    for callee in &lowering.lost_calls {
        for parameter in parameters(program, callee).into_iter().flatten() {
            join(sizes, callee, parameter, Agreed::Conflict);
        }
    }
}

fn parameters(program: &Program, function: &GlobalName) -> Vec<Option<Name>> {
    match program.function(function) {
        Some(function) => {
            let parameters = function.signature.parameters.iter();
            parameters.map(|parameter| parameter.name.clone()).collect()
        }
        None => Vec::new(),
    }
}

/// The value of an argument, with what is known of the caller's own parameters.
fn value(
    argument: &Expression,
    caller: &GlobalName,
    lowering: &Remains,
    sizes: &Agreements,
) -> Agreed {
    match argument {
        Expression::Integer(value) => Agreed::Value(*value),
        Expression::Parameter(id) => {
            let row = &lowering.parameters[id.as_u32() as usize];
            match row.value {
                Some(value) => Agreed::Value(value),
                None if row.is_global => Agreed::Conflict,
                None => {
                    let key = (caller.clone(), row.name.clone());
                    sizes.get(&key).copied().unwrap_or(Agreed::Conflict)
                }
            }
        }
        Expression::Variable(_) | Expression::Data | Expression::Entry(..) => Agreed::Conflict,
        Expression::Unary(operator, x) => {
            map(value(x, caller, lowering, sizes), |x| operator.apply(x))
        }
        Expression::Wrap(kind, x) => map(value(x, caller, lowering, sizes), |x| Some(kind.wrap(x))),
        Expression::Binary(operator, a, b) => {
            let b = value(b, caller, lowering, sizes);
            let a = value(a, caller, lowering, sizes);
            binary(*operator, a, b)
        }
        Expression::Select(operands) => match value(&operands[0], caller, lowering, sizes) {
            Agreed::Value(0) => value(&operands[2], caller, lowering, sizes),
            Agreed::Value(_) => value(&operands[1], caller, lowering, sizes),
            other => other,
        },
    }
}

fn binary(operator: BinaryOperator, a: Agreed, b: Agreed) -> Agreed {
    match (a, b) {
        (Agreed::Value(a), Agreed::Value(b)) => match operator.apply(a, b) {
            Some(value) => Agreed::Value(value),
            None => Agreed::Conflict,
        },
        (Agreed::Conflict, _) | (_, Agreed::Conflict) => Agreed::Conflict,
        _ => Agreed::Nothing,
    }
}

fn map(x: Agreed, apply: impl FnOnce(i64) -> Option<i64>) -> Agreed {
    match x {
        Agreed::Value(x) => apply(x).map_or(Agreed::Conflict, Agreed::Value),
        other => other,
    }
}
