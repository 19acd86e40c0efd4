//! Sizes that callers agree on, and the trees with them.
//!
//! A function's integer parameter has a value where every call in the file passes the same known
//! number: a `main` gives its kernels their sizes. What calls pass is known after lowering their
//! callers, as functions of those callers' own parameters; the values are the greatest solution of
//! the equations between them.

use super::finish::Remains;
use super::{Lowering, MAX_FILE_WORK, Program};
use crate::syntax::{Item, Name};
use premiss_tree::{BinaryOperator, Expression, NestTree};
use std::collections::{BTreeMap, BTreeSet};

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

type Sizes = BTreeMap<(Name, Name), Agreed>;

/// Lowers every function with a loop, in order; also yields the names that `-P` can give values to.
pub(crate) fn lower_unit(program: &Program) -> (Vec<NestTree>, BTreeSet<String>) {
    let mut lowered = Vec::new();
    let mut left = MAX_FILE_WORK;
    for item in &program.unit.items {
        let Item::Function(function) = item else {
            continue;
        };
        if program.is_standard(function.at) {
            continue;
        }
        let lowering = Lowering::of_function(program, function, left);
        let (tree, remains) = if program.facts_of(&function.name).has_loop {
            let (tree, remains) = lowering.finish(function);
            (Some(tree), remains)
        } else {
            (None, lowering.finish_without_tree())
        };
        left = left.saturating_sub(remains.work);
        lowered.push((&function.name, tree, remains));
    }
    let mut names: BTreeSet<String> = program.constant_names().into_iter().collect();
    for (_, _, remains) in &lowered {
        names.extend(remains.parameters.iter().map(|row| row.name.to_string()));
    }
    let functions: Vec<_> = lowered
        .iter()
        .map(|(name, _, remains)| (*name, remains))
        .collect();
    let sizes = agree(program, &functions);
    let mut trees = Vec::new();
    for (name, tree, remains) in lowered {
        let Some(mut tree) = tree else {
            continue;
        };
        for (old, new) in &remains.numbers {
            let row = &remains.parameters[old.as_u32() as usize];
            let key = (name.clone(), row.name.clone());
            if let (false, None, Some(Agreed::Value(value))) =
                (row.is_global, row.value, sizes.get(&key))
            {
                tree.parameters[*new].value = Some(*value);
            }
        }
        trees.push(tree);
    }
    (trees, names)
}

/// Solves for the values that all calls agree on, starting from no call at all.
fn agree(program: &Program, lowered: &[(&Name, &Remains)]) -> Sizes {
    let mut sizes = Sizes::new();
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
    caller: &Name,
    lowering: &Remains,
    sizes: &mut Sizes,
    changed: &mut BTreeSet<Name>,
) {
    let mut join = |sizes: &mut Sizes, callee: &Name, parameter: Name, passed| {
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

fn parameters(program: &Program, function: &Name) -> Vec<Option<Name>> {
    match program.functions.get(function) {
        Some(function) => {
            let parameters = function.signature.parameters.iter();
            parameters.map(|parameter| parameter.name.clone()).collect()
        }
        None => Vec::new(),
    }
}

/// The value of an argument, with what is known of the caller's own parameters.
fn value(argument: &Expression, caller: &Name, lowering: &Remains, sizes: &Sizes) -> Agreed {
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
        Expression::Variable(_) | Expression::Data => Agreed::Conflict,
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
