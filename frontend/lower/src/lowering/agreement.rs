//! Sizes that callers agree on.
//!
//! A function's integer parameter has a value where every call in the program passes the same known
//! number: a `main` gives its kernels their sizes. What calls pass is known after lowering their
//! callers, as functions of those callers' own parameters; the values are the least solution of
//! the equations between them, from no call at all to numbers to conflicts.
//!
//! ```text
//! main: f(8), g(8)     f(n): g(n)      g: n = 8
//! main: f(8), g(9)     f(n): g(n)      g: n has no value
//! ```

use super::finish::Remains;
use super::{CallRecord, Program};
use crate::passing::{Argument, Passing, PassingCall};
use crate::syntax::GlobalName;
use crate::syntax::{Function, Name, UnitId};
use premiss_tree::{BinaryOperator, Expression};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// The values that all callers agree on, by function and parameter.
pub(super) type AgreedSizes = BTreeMap<(GlobalName, Name), i64>;

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

/// What a function passes to others, of which this remains.
pub(super) fn passing(function: &Function, remains: &Remains) -> Passing {
    let parameters = function.signature.parameters.iter();
    let parameters: Vec<Option<Name>> = parameters.map(|one| one.name.clone()).collect();
    let caller = Caller {
        parameters: &parameters,
        remains,
    };
    let calls: BTreeSet<PassingCall> = remains.calls.iter().map(|x| caller.call(x)).collect();
    let lost_calls = remains.lost_calls.iter().map(key).collect();
    Passing {
        function: function.name.to_string(),
        parameters: parameters
            .iter()
            .map(|name| name.as_ref().map(ToString::to_string))
            .collect(),
        calls: calls.into_iter().collect(),
        lost_calls,
    }
}

fn key(name: &GlobalName) -> (u32, String) {
    (name.unit.0, name.name.to_string())
}

struct Caller<'a> {
    parameters: &'a [Option<Name>],
    remains: &'a Remains,
}

impl Caller<'_> {
    fn call(&self, call: &CallRecord) -> PassingCall {
        let arguments = call.arguments.iter();
        let arguments =
            arguments.map(|x| x.as_ref().map_or(Argument::Unknown, |x| self.argument(x)));
        PassingCall {
            callee: key(&call.callee),
            arguments: arguments.collect(),
        }
    }

    fn argument(&self, argument: &Expression) -> Argument {
        let boxed = |x: &Expression| Box::new(self.argument(x));
        match argument {
            Expression::Integer(value) => Argument::Value(*value),
            Expression::Parameter(id) => {
                let row = &self.remains.parameters[id.as_u32() as usize];
                let is_this = |name: &Option<Name>| name.as_ref() == Some(&row.name);
                match (row.value, row.is_global) {
                    (Some(value), _) => Argument::Value(value),
                    (None, true) => Argument::Unknown,
                    (None, false) => {
                        let own = self.parameters.iter().position(is_this);
                        own.map_or(Argument::Unknown, Argument::Own)
                    }
                }
            }
            Expression::Variable(_) | Expression::Data | Expression::Entry(..) => Argument::Unknown,
            Expression::Unary(operator, x) => Argument::Unary(*operator, boxed(x)),
            Expression::Binary(operator, a, b) => {
                Argument::Binary(*operator, Box::new([self.argument(a), self.argument(b)]))
            }
            Expression::Select(operands) => {
                let operands = operands.each_ref().map(|x| self.argument(x));
                Argument::Select(Box::new(operands))
            }
            Expression::Wrap(kind, x) => Argument::Wrap(*kind, boxed(x)),
        }
    }
}

/// Solves for the values that all calls agree on, of all functions with the units that define them.
pub(super) fn agree(program: &Program, functions: &[(UnitId, &Passing)]) -> AgreedSizes {
    let mut equations = Equations::of(program, functions);
    equations.solve();
    let mut sizes = AgreedSizes::new();
    for ((unit, passing), agreed) in functions.iter().zip(&equations.agreed) {
        for (parameter, agreed) in passing.parameters.iter().zip(agreed) {
            if let (Some(parameter), Agreed::Value(value)) = (parameter, agreed) {
                let name = GlobalName {
                    unit: *unit,
                    name: passing.function.as_str().into(),
                };
                sizes.insert((name, parameter.as_str().into()), *value);
            }
        }
    }
    sizes
}

/// Equations between the parameters of functions, which are known by their positions.
struct Equations<'a> {
    functions: &'a [(UnitId, &'a Passing)],
    positions: FxHashMap<(u32, &'a str), usize>,
    /// For each function what is known of its parameters.
    agreed: Vec<Vec<Agreed>>,
}

impl<'a> Equations<'a> {
    /// From no call at all. Functions that nobody calls get their sizes from elsewhere.
    fn of(program: &Program, functions: &'a [(UnitId, &'a Passing)]) -> Self {
        let mut positions = FxHashMap::default();
        for (position, (unit, passing)) in functions.iter().enumerate() {
            let key = (unit.0, passing.function.as_str());
            positions.entry(key).or_insert(position);
        }
        let calls = functions.iter().flat_map(|(_, passing)| &passing.calls);
        let callees = calls.map(|call| &call.callee).collect::<BTreeSet<_>>();
        let conflict =
            |(_, passing): &(UnitId, &Passing)| vec![Agreed::Conflict; passing.parameters.len()];
        let mut agreed: Vec<Vec<Agreed>> = functions.iter().map(conflict).collect();
        for (unit, name) in callees {
            let Some(position) = positions.get(&(*unit, name.as_str())) else {
                continue;
            };
            let parameters = functions[*position].1.parameters.iter();
            for (parameter, agreed) in parameters.zip(&mut agreed[*position]) {
                let parameter = parameter.as_deref().map(Name::from);
                if parameter.is_some_and(|parameter| !program.is_symbolic(&parameter)) {
                    *agreed = Agreed::Nothing;
                }
            }
        }
        Self {
            functions,
            positions,
            agreed,
        }
    }

    fn solve(&mut self) {
        // Callers mostly stand behind what they call: from the end on, one pass is nearly enough.
        let mut callers: Vec<usize> = (0..self.functions.len()).rev().collect();
        while !callers.is_empty() {
            // Values only ever move from nothing to one number to conflict: this ends.
            let mut changed = BTreeSet::new();
            for caller in callers {
                self.pass(caller, &mut changed);
            }
            callers = changed.into_iter().rev().collect();
        }
    }

    /// Joins what one function passes to others with what is known; notes whose sizes that changed.
    fn pass(&mut self, caller: usize, changed: &mut BTreeSet<usize>) {
        let passing = self.functions[caller].1;
        for call in &passing.calls {
            let (unit, name) = &call.callee;
            let Some(callee) = self.positions.get(&(*unit, name.as_str())).copied() else {
                continue;
            };
            for position in 0..self.agreed[callee].len() {
                let argument = call.arguments.get(position);
                let passed = argument.map_or(Agreed::Conflict, |argument| {
                    value(argument, &self.agreed[caller])
                });
                self.join((callee, position), passed, changed);
            }
        }
        for (unit, name) in &passing.lost_calls {
            let Some(callee) = self.positions.get(&(*unit, name.as_str())).copied() else {
                continue;
            };
            for position in 0..self.agreed[callee].len() {
                self.join((callee, position), Agreed::Conflict, changed);
            }
        }
    }

    fn join(
        &mut self,
        (callee, position): (usize, usize),
        passed: Agreed,
        changed: &mut BTreeSet<usize>,
    ) {
        let known = &mut self.agreed[callee][position];
        let joined = known.join(passed);
        if *known != joined {
            *known = joined;
            changed.insert(callee);
        }
    }
}

/// The value of an argument, with what is known of the caller's own parameters.
fn value(argument: &Argument, own: &[Agreed]) -> Agreed {
    match argument {
        Argument::Value(value) => Agreed::Value(*value),
        Argument::Own(position) => own.get(*position).copied().unwrap_or(Agreed::Conflict),
        Argument::Unknown => Agreed::Conflict,
        Argument::Unary(operator, x) => map(value(x, own), |x| operator.apply(x)),
        Argument::Wrap(kind, x) => map(value(x, own), |x| Some(kind.wrap(x))),
        Argument::Binary(operator, operands) => {
            let [a, b] = operands.each_ref().map(|x| value(x, own));
            binary(*operator, a, b)
        }
        Argument::Select(operands) => match value(&operands[0], own) {
            Agreed::Value(0) => value(&operands[2], own),
            Agreed::Value(_) => value(&operands[1], own),
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
