//! Sizes that callers agree on: interprocedural constant propagation.
//!
//! An integer parameter of a function has a value if every call in the program passes the same constant, as when
//! `main` gives its kernels their sizes. Lowering the callers yields the arguments as jump functions of the callers'
//! own parameters; the values are the least fixpoint of the resulting equations in the lattice unreached < constant <
//! conflict.
//!
//! ```text
//! main: f(8), g(8)     f(n): g(n)      g: n = 8
//! main: f(8), g(9)     f(n): g(n)      g: n has no value
//! ```

use crate::jump_functions::{CallerRecord, JumpFunction};
use crate::program::Program;
use crate::queries::Queries;
use premiss_ast::syntax::{GlobalName, Name, UnitId};
use premiss_tree::BinaryOperator;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// The values that all callers agree on, by function and parameter name.
pub type AgreedSizes = BTreeMap<(GlobalName, Name), i64>;

/// The abstract value of a parameter: an element of the constant propagation lattice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum AgreedValue {
    /// The bottom element: no call so far.
    Unreached,
    Value(i64),
    /// The top element: different values, or an unknown one.
    Conflict,
}

impl AgreedValue {
    fn join(self, other: Self) -> Self {
        match (self, other) {
            (Self::Unreached, x) | (x, Self::Unreached) => x,
            (a, b) if a == b => a,
            _ => Self::Conflict,
        }
    }
}

/// Computes the values that all calls agree on. `functions` are the functions of all units, each with its defining
/// unit.
#[must_use]
pub fn agree(program: &Program, functions: &[(UnitId, &CallerRecord)]) -> AgreedSizes {
    let mut equations = Equations::of(program, functions);
    equations.solve();
    let mut sizes = AgreedSizes::new();
    for ((unit, passing), agreed) in functions.iter().zip(&equations.agreed) {
        for (parameter, agreed) in passing.parameters.iter().zip(agreed) {
            if let (Some(parameter), AgreedValue::Value(value)) = (parameter, agreed) {
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

/// The equations between parameters; functions are identified by their index.
struct Equations<'a> {
    functions: &'a [(UnitId, &'a CallerRecord)],
    positions: FxHashMap<(u32, &'a str), usize>,
    /// For each function, the values of its parameters, in order.
    agreed: Vec<Vec<AgreedValue>>,
}

impl<'a> Equations<'a> {
    /// The equations at bottom for functions that are called. The parameters of functions without callers, and
    /// symbolic ones, are at top.
    fn of(program: &Program, functions: &'a [(UnitId, &'a CallerRecord)]) -> Self {
        let mut positions = FxHashMap::default();
        for (position, (unit, passing)) in functions.iter().enumerate() {
            let key = (unit.0, passing.function.as_str());
            positions.entry(key).or_insert(position);
        }
        let calls = functions.iter().flat_map(|(_, passing)| &passing.calls);
        let callees = calls.map(|call| &call.callee).collect::<BTreeSet<_>>();
        let conflict = |(_, passing): &(UnitId, &CallerRecord)| {
            vec![AgreedValue::Conflict; passing.parameters.len()]
        };
        let mut agreed: Vec<Vec<AgreedValue>> = functions.iter().map(conflict).collect();
        for (unit, name) in callees {
            let Some(position) = positions.get(&(*unit, name.as_str())) else {
                continue;
            };
            let parameters = functions[*position].1.parameters.iter();
            for (parameter, agreed) in parameters.zip(&mut agreed[*position]) {
                let parameter = parameter.as_deref().map(Name::from);
                if parameter.is_some_and(|parameter| !program.is_symbolic(&parameter)) {
                    *agreed = AgreedValue::Unreached;
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
        // Callees mostly precede their callers in the text: in reverse order, one pass is nearly enough.
        let mut callers: Vec<usize> = (0..self.functions.len()).rev().collect();
        while !callers.is_empty() {
            // Values only move up in a lattice of finite height, so this terminates.
            let mut changed = BTreeSet::new();
            for caller in callers {
                self.pass(caller, &mut changed);
            }
            callers = changed.into_iter().rev().collect();
        }
    }

    /// Joins the arguments of one caller's calls to the parameters of the callees; adds the callees that changed.
    fn pass(&mut self, caller: usize, changed: &mut BTreeSet<usize>) {
        let passing = self.functions[caller].1;
        for call in &passing.calls {
            let (unit, name) = &call.callee;
            let Some(callee) = self.positions.get(&(*unit, name.as_str())).copied() else {
                continue;
            };
            for position in 0..self.agreed[callee].len() {
                let argument = call.arguments.get(position);
                let passed = argument.map_or(AgreedValue::Conflict, |argument| {
                    value(argument, &self.agreed[caller])
                });
                self.join((callee, position), passed, changed);
            }
        }
        for (unit, name) in &passing.unknown_calls {
            let Some(callee) = self.positions.get(&(*unit, name.as_str())).copied() else {
                continue;
            };
            for position in 0..self.agreed[callee].len() {
                self.join((callee, position), AgreedValue::Conflict, changed);
            }
        }
    }

    fn join(
        &mut self,
        (callee, position): (usize, usize),
        passed: AgreedValue,
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

/// Evaluates a jump function on the values of the caller's parameters.
fn value(argument: &JumpFunction, own: &[AgreedValue]) -> AgreedValue {
    match argument {
        JumpFunction::Constant(value) => AgreedValue::Value(*value),
        JumpFunction::Parameter(position) => {
            own.get(*position).copied().unwrap_or(AgreedValue::Conflict)
        }
        JumpFunction::Unknown => AgreedValue::Conflict,
        JumpFunction::Unary(operator, x) => map(value(x, own), |x| operator.apply(x)),
        JumpFunction::Wrap(kind, x) => map(value(x, own), |x| Some(kind.wrap(x))),
        JumpFunction::Binary(operator, operands) => {
            let [a, b] = operands.each_ref().map(|x| value(x, own));
            binary(*operator, a, b)
        }
        JumpFunction::Select(operands) => match value(&operands[0], own) {
            AgreedValue::Value(0) => value(&operands[2], own),
            AgreedValue::Value(_) => value(&operands[1], own),
            other => other,
        },
    }
}

fn binary(operator: BinaryOperator, a: AgreedValue, b: AgreedValue) -> AgreedValue {
    match (a, b) {
        (AgreedValue::Value(a), AgreedValue::Value(b)) => match operator.apply(a, b) {
            Some(value) => AgreedValue::Value(value),
            None => AgreedValue::Conflict,
        },
        (AgreedValue::Conflict, _) | (_, AgreedValue::Conflict) => AgreedValue::Conflict,
        _ => AgreedValue::Unreached,
    }
}

fn map(x: AgreedValue, apply: impl FnOnce(i64) -> Option<i64>) -> AgreedValue {
    match x {
        AgreedValue::Value(x) => apply(x).map_or(AgreedValue::Conflict, AgreedValue::Value),
        other => other,
    }
}
