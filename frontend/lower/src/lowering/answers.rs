//! Calls that do nothing but yield numbers, or nothing at all, answered once for the whole program.
//!
//! A function or subroutine of numbers that accesses and changes nothing outside of itself is executed by itself, for
//! what is known of the arguments. Where that yields a constant, or a number that only running the
//! program would tell, it does so for every call with such arguments, and its body is not followed:
//!
//! ```text
//! nb = ilaenv(1, 'DGETRF', ' ', m, n, -1, -1)      its name is text: `nb` is data, whatever `m` and `n` are
//! ```
//!
//! A subroutine that prints what it gets does nothing. One that changes variables of its caller, as `CALL DLABAD (SMALL,
//! LARGE)` does, is answered by what is known of them afterwards. Of results that depend on sizes the body says more: it is
//! followed.
//!
//! A file that asked depends on the answer, and not on the text that it was found in: an edit after which
//! a function answers as before does not concern its callers.

use super::access::data;
use super::calls::Handed;
use super::types::{NumberType, Type};
use super::value::{Place, Pointer, Slot, Target, Value};
use super::{Allowance, Lowered, Lowering, Program};
use crate::syntax::GlobalName;
use crate::syntax::{At, Function, Parameter, TypeName};
use premiss_tree::{Expression, IntegerType, Node};
use serde::{Deserialize, Serialize};
use std::rc::Rc;
use std::sync::Arc;

/// How many steps an answer may take.
const MAX_STEPS: u64 = 20_000;

/// A call, by what is known of its arguments.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub(crate) struct Question {
    pub(super) function: GlobalName,
    arguments: Vec<Argument>,
}

/// An argument, in the type of its parameter.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
struct Argument {
    kind: Kind,
    known: Known,
    /// Whether it is a variable of the caller, which the function may change.
    is_variable: bool,
}

/// The type of something that is passed by value or yielded.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
enum Kind {
    /// Integers of so many bits, with a sign or without.
    Integer(u8, bool),
    /// Real numbers of so many bytes.
    Real(u32),
    /// Complex numbers with parts of so many bytes.
    Complex(u32),
    /// Anything else, such as text: nothing is ever known of it.
    Other,
    /// No value: what a subroutine yields.
    Nothing,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
enum Known {
    /// An integer, or the bits of a real number.
    Constant(i64),
    /// A value that the tree tells.
    Size,
    /// A number that is computed, of which nobody knows what comes of it: see [`Value::Particular`].
    Particular,
    /// A value that only running the program would tell.
    Data,
}

/// What a call yields.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Answer {
    kind: Kind,
    known: Known,
    /// What the arguments are afterwards that are variables of the caller.
    left: Vec<Argument>,
    /// Whether what the user says of all numbers decided: see [`Sizes::dense`](crate::Sizes::dense).
    is_dense: bool,
}

impl Question {
    /// The same of arguments of which nothing is known. Whether a variable depends on sizes afterwards, as `n = n + 1` does
    /// where `n` is one, is asked for each call.
    pub(super) fn in_general(&self) -> Self {
        let open = |argument: &Argument| Argument {
            known: match argument.kind {
                Kind::Integer(..) if !argument.is_variable => Known::Size,
                Kind::Integer(..) => Known::Data,
                Kind::Real(_) | Kind::Complex(_) => Known::Particular,
                Kind::Other | Kind::Nothing => Known::Data,
            },
            ..*argument
        };
        Self {
            function: self.function.clone(),
            arguments: self.arguments.iter().map(open).collect(),
        }
    }
}

impl Program<'_> {
    /// Executes a function by itself; nothing where it does more than yield a number, or one that depends on sizes.
    pub(super) fn executed(&self, question: &Question) -> Option<Answer> {
        let function = self.function(&question.function)?;
        let parameters = function.signature.parameters.iter();
        let mut pairs = parameters.zip(&question.arguments);
        let is_same = question.arguments.len() == function.signature.parameters.len()
            && pairs.all(|(parameter, argument)| argument.is_of(&parameter.kind));
        if !is_same {
            return None;
        }
        let allowance = Allowance {
            file: MAX_STEPS,
            own: MAX_STEPS,
            linked: MAX_STEPS,
        };
        let lowering = Lowering::new(self, function, allowance);
        let reach = &lowering.reach;
        let keeps_to_itself =
            reach.changes_nothing() && !reach.has_shared_arrays && !reach.is_recursive;
        match keeps_to_itself {
            true => lowering.answer_to(function, &question.arguments),
            false => None,
        }
    }
}

impl Lowering<'_> {
    /// What a call yields of which nothing else matters. A function that gets one variable twice may compare it with
    /// itself, or change it: it is followed.
    pub(super) fn answer(
        &mut self,
        function: &Arc<Function>,
        (arguments, again): &Handed,
    ) -> Option<Answer> {
        if !again.is_empty() || !may_be_answered(function) {
            return None;
        }
        let question = self.question(function, arguments)?;
        self.program.answer(&question)
    }

    /// What a call asks; nothing where more than numbers is passed.
    fn question(&mut self, function: &Function, arguments: &[(Value, At)]) -> Option<Question> {
        let parameters = &function.signature.parameters;
        if parameters.len() != arguments.len() {
            return None;
        }
        let mut variables = Vec::new();
        let mut asked = Vec::new();
        for (parameter, (value, _)) in parameters.iter().zip(arguments) {
            let variable = variable(value);
            if variable.is_some_and(|slot| variables.contains(&slot)) {
                return None;
            }
            variables.extend(variable);
            let value = match variable {
                Some(slot) => self.load(Place::Slot(slot.clone())),
                None => value.clone(),
            };
            let kind = match (variable, &*parameter.kind) {
                (Some(_), TypeName::Reference(kind)) => number_of(kind)?,
                (Some(_), _) => return None,
                (None, kind) => kind_of(kind)?,
            };
            asked.push(Argument {
                kind,
                known: known(kind, &value)?,
                is_variable: variable.is_some(),
            });
        }
        Some(Question {
            arguments: asked,
            function: function.global_name(),
        })
    }

    /// A call that is answered; its body matters where operations do.
    pub(super) fn answered_call(
        &mut self,
        function: &Arc<Function>,
        arguments: Handed,
        answer: &Answer,
        at: At,
    ) -> Lowered<Value> {
        if self.program.has_operations() {
            // What else the function may take does not depend on whether operations are noted.
            let work = std::mem::take(&mut self.work);
            let linked_work = std::mem::take(&mut self.linked_work);
            let limit = self.linked_limit.replace(u64::MAX);
            let followed = self.follow(function, arguments, at);
            self.linked_limit = limit;
            self.linked_work = linked_work;
            self.work = work;
            followed?;
        } else {
            self.record_call(&function.global_name(), &arguments.0);
            let variables = arguments.0.iter().filter_map(|(value, _)| variable(value));
            for (slot, left) in variables.zip(&answer.left) {
                self.store(&Place::Slot(slot.clone()), left.value(), at);
            }
        }
        self.truths.is_dense |= answer.is_dense;
        Ok(answer.kind.value(answer.known))
    }

    fn answer_to(mut self, function: &Arc<Function>, arguments: &[Argument]) -> Option<Answer> {
        let parameters = function.signature.parameters.iter();
        let mut values = Vec::new();
        for (parameter, argument) in parameters.zip(arguments) {
            let mut value = self.value_of_argument(parameter, *argument);
            if argument.is_variable {
                value = self.variable_with(parameter, value);
            }
            values.push((value, parameter.at));
        }
        let value = self.callee_body(function, (values.clone(), &[])).ok()?;
        if self.has_effects() {
            return None;
        }
        let kind = kind_of(&function.signature.result)?;
        let known = match kind {
            Kind::Nothing => Known::Data,
            _ => known_at_once(kind, &value)?,
        };
        let mut left = Vec::new();
        for ((value, _), argument) in values.iter().zip(arguments) {
            if let Some(slot) = variable(value) {
                let value = self.load(Place::Slot(slot.clone()));
                let known = known_at_once(argument.kind, &value)?;
                left.push(Argument { known, ..*argument });
            }
        }
        Some(Answer {
            kind,
            known,
            left,
            is_dense: self.truths.is_dense,
        })
    }

    /// A pointer to a variable of nobody's that holds a value.
    fn variable_with(&mut self, parameter: &Parameter, value: Value) -> Value {
        self.declared_at = parameter.at;
        let kind = value.kind();
        let name = parameter.name.clone().unwrap_or_else(|| "".into());
        let slot = self.new_slot(&name, &kind, true);
        self.store(&Place::Slot(slot.clone()), value, parameter.at);
        Value::Pointer(Pointer {
            target: Target::Scalar(Box::new(slot)),
            offset: 0.into(),
            pointee: Rc::new(kind),
        })
    }

    fn value_of_argument(&mut self, parameter: &Parameter, argument: Argument) -> Value {
        let size = |l: &mut Self, kind| match &parameter.name {
            Some(name) => l.parameter(name, parameter.at, kind, None, false),
            None => Expression::Data,
        };
        match (argument.kind.of_values(), argument.known) {
            (Type::Integer(kind), Known::Size) => Value::Integer(size(self, kind), kind),
            (_, known) => argument.kind.value(known),
        }
    }

    /// Whether more came of what was lowered than values of its own variables.
    fn has_effects(&self) -> bool {
        let is_opaque = |node: &Node| {
            let mut found = false;
            node.walk(&mut |part| found |= matches!(part, Node::Opaque(_)));
            found
        };
        !self.references.is_empty()
            || !self.rejections.is_empty()
            || self.has_forgotten
            || self.block.iter().any(is_opaque)
    }
}

impl Argument {
    fn value(self) -> Value {
        self.kind.value(self.known)
    }

    /// Whether a parameter of a type takes it.
    fn is_of(self, name: &TypeName) -> bool {
        let kind = match (self.is_variable, name) {
            (true, TypeName::Reference(kind)) => number_of(kind),
            (true, _) => None,
            (false, name) => kind_of(name),
        };
        kind == Some(self.kind)
    }
}

impl Kind {
    fn of_values(self) -> Type {
        match self {
            Self::Integer(bits, signed) => Type::Integer(IntegerType { bits, signed }),
            Self::Real(bytes) => Type::Floating(NumberType::real(bytes)),
            Self::Complex(part) => Type::Floating(NumberType::complex(part)),
            Self::Other => Type::Unknown("value".into()),
            Self::Nothing => Type::Void,
        }
    }

    /// A value of this type, which no size decides.
    fn value(self, known: Known) -> Value {
        match (self.of_values(), known) {
            (Type::Integer(kind), Known::Constant(x)) => Value::Integer(x.into(), kind),
            (Type::Floating(kind), Known::Constant(bits)) => {
                Value::Floating(Some(f64::from_bits(bits.cast_unsigned())), kind)
            }
            (Type::Floating(kind), Known::Particular) => Value::Particular(kind),
            (Type::Void, _) => Value::Void,
            (kind, _) => data(kind),
        }
    }
}

/// Whether nothing but numbers, and variables that hold one, is passed to a function and yielded by it.
pub(super) fn may_be_answered(function: &Function) -> bool {
    let parameters = function.signature.parameters.iter();
    let mut kinds = parameters.map(|parameter| match &*parameter.kind {
        TypeName::Reference(kind) => number_of(kind),
        kind => kind_of(kind),
    });
    yields_number(function) && kinds.all(|kind| kind.is_some())
}

/// Whether a function yields a number or nothing.
fn yields_number(function: &Function) -> bool {
    let kind = kind_of(&function.signature.result);
    kind.is_some_and(|kind| kind != Kind::Other)
}

/// The variable of the caller that a value points to.
fn variable(value: &Value) -> Option<&Slot> {
    match value {
        Value::Pointer(Pointer {
            target: Target::Scalar(slot),
            offset: Expression::Integer(0),
            pointee,
        }) => match &**slot {
            Slot::Integer(_, kind) => (**pointee == Type::Integer(*kind)).then_some(slot),
            Slot::Real(_, kind) => (**pointee == Type::Floating(*kind)).then_some(slot),
            _ => None,
        },
        _ => None,
    }
}

/// What is known of a value, where no size decides it.
fn known_at_once(kind: Kind, value: &Value) -> Option<Known> {
    known(kind, value).filter(|known| *known != Known::Size)
}

/// What is known of a value that is passed as one of a type. A constant of another type may be any value of this one.
fn known(kind: Kind, value: &Value) -> Option<Known> {
    let is_same = kind.of_values() == value.kind();
    Some(match (kind, value) {
        (Kind::Integer(..), Value::Integer(Expression::Integer(x), _)) if is_same => {
            Known::Constant(*x)
        }
        (Kind::Integer(..), Value::Integer(Expression::Data, _)) => Known::Data,
        // Sizes decide whether it is one that only running the program would tell.
        (Kind::Integer(..), Value::Integer(x, _)) if x.any(|part| *part == Expression::Data) => {
            return None;
        }
        (Kind::Integer(..), Value::Integer(..)) => Known::Size,
        (Kind::Real(_), Value::Floating(Some(x), _)) if is_same => {
            Known::Constant(x.to_bits().cast_signed())
        }
        (Kind::Real(_) | Kind::Complex(_), Value::Floating(None, _)) if is_same => Known::Data,
        (
            Kind::Real(_) | Kind::Complex(_),
            Value::Particular(_) | Value::Floating(..) | Value::Integer(..),
        ) => Known::Particular,
        (Kind::Integer(..), Value::Particular(_) | Value::Floating(..))
        | (Kind::Other, Value::Data(Type::Unknown(_))) => Known::Data,
        _ => return None,
    })
}

/// The type of a variable that holds a number.
fn number_of(name: &TypeName) -> Option<Kind> {
    kind_of(name).filter(|kind| !matches!(kind, Kind::Other | Kind::Nothing))
}

fn kind_of(name: &TypeName) -> Option<Kind> {
    Some(match name {
        TypeName::Integer(kind) => Kind::Integer(kind.bits, kind.signed),
        TypeName::Floating(bytes) => Kind::Real(*bytes),
        TypeName::Complex(part) => Kind::Complex(*part),
        TypeName::Unknown(_) => Kind::Other,
        TypeName::Void => Kind::Nothing,
        _ => return None,
    })
}
