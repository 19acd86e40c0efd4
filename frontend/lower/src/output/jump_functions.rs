//! Jump functions: the arguments of the calls of a function as functions of its own parameters (Callahan, Cooper,
//! Kennedy and Torczon, SIGPLAN 1986).

use crate::call_stack::CallRecord;
use crate::output::finish::CallFacts;
use crate::syntax::{Function, GlobalName, Name};
use premiss_link::{CallSite, CallerRecord, JumpFunction};
use premiss_tree::Expression;
use std::collections::BTreeSet;

struct Caller<'a> {
    parameters: &'a [Option<Name>],
    remains: &'a CallFacts,
}

impl Caller<'_> {
    fn call(&self, call: &CallRecord) -> CallSite {
        let arguments = call.arguments.iter();
        let arguments = arguments.map(|x| {
            x.as_ref()
                .map_or(JumpFunction::Unknown, |x| self.jump_function(x))
        });
        CallSite {
            callee: key(&call.callee),
            arguments: arguments.collect(),
        }
    }

    fn jump_function(&self, argument: &Expression) -> JumpFunction {
        let boxed = |x: &Expression| Box::new(self.jump_function(x));
        match argument {
            Expression::Integer(value) => JumpFunction::Constant(*value),
            Expression::Parameter(id) => {
                let row = &self.remains.parameters[id.as_u32() as usize];
                let is_this = |name: &Option<Name>| name.as_ref() == Some(&row.name);
                match (row.value, row.is_global) {
                    (Some(value), _) => JumpFunction::Constant(value),
                    (None, true) => JumpFunction::Unknown,
                    (None, false) => {
                        let own = self.parameters.iter().position(is_this);
                        own.map_or(JumpFunction::Unknown, JumpFunction::Parameter)
                    }
                }
            }
            Expression::Variable(_) | Expression::Data | Expression::Entry(..) => {
                JumpFunction::Unknown
            }
            Expression::Unary(operator, x) => JumpFunction::Unary(*operator, boxed(x)),
            Expression::Binary(operator, a, b) => JumpFunction::Binary(
                *operator,
                Box::new([self.jump_function(a), self.jump_function(b)]),
            ),
            Expression::Select(operands) => {
                let operands = operands.each_ref().map(|x| self.jump_function(x));
                JumpFunction::Select(Box::new(operands))
            }
            Expression::Wrap(kind, x) => JumpFunction::Wrap(*kind, boxed(x)),
        }
    }
}

/// The calls of a lowered function.
pub(crate) fn caller_record(function: &Function, remains: &CallFacts) -> CallerRecord {
    let parameters = function.signature.parameters.iter();
    let parameters: Vec<Option<Name>> =
        parameters.map(|parameter| parameter.name.clone()).collect();
    let caller = Caller {
        parameters: &parameters,
        remains,
    };
    let calls: BTreeSet<CallSite> = remains.calls.iter().map(|x| caller.call(x)).collect();
    let unknown_calls = remains.lost_calls.iter().map(key).collect();
    CallerRecord {
        function: function.name.to_string(),
        parameters: parameters
            .iter()
            .map(|name| name.as_ref().map(ToString::to_string))
            .collect(),
        calls: calls.into_iter().collect(),
        unknown_calls,
    }
}

fn key(name: &GlobalName) -> (u32, String) {
    (name.unit.0, name.name.to_string())
}
