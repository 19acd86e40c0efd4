//! Calls: bodies followed, library functions by what they do, all others unknown.

use super::access::data;
use super::content::Lost;
use super::integers::{choose, times};
use super::known::{
    Known, base_name, folded, known, mathematical, number_type, text_functions, touches_text,
};
use super::operations::exponent_of;
use super::scalars::Update;
use super::shared_map::retain_from;
use super::types::{NumberType, Type};
use super::value::{Place, Pointer, PointerId, Slot, Target, Value, WhereSet};
use super::{CallRecord, Frame, Level, Lowered, Lowering, MAX_CALLS};
use crate::syntax::GlobalName;
use crate::syntax::{
    At, Binary, Expression as Syntax, ExpressionKind, Function, Name, Signature, StatementKind,
    TypeName,
};
use premiss_ast::{FunctionEffect, ResultKind, is_matrix_function};
use premiss_link::Callee;
use premiss_tree::{
    BinaryOperator as Op, Expression, IntegerType, Operands, OperationKind, RejectReason, Role,
    UnaryOperator, VariableId,
};
use std::rc::Rc;
use std::sync::Arc;

/// The arguments of a call, and which of them are the variable that the one before is.
pub(super) type Handed<'a> = (Vec<(Value, At)>, &'a [usize]);

/// A call into another file may take one step of so many that its function may take in such calls, whatever is left.
const SHORT_CALLS: u64 = 50;

/// One step of so many is kept for these.
const KEPT_FOR_SHORT_CALLS: u64 = 5;

/// The arguments of a call by a pointer in the order of the parameters. Of those that no argument is for nothing is known.
fn in_order(function: &Function, arguments: Vec<(Value, At)>, at: At) -> Vec<(Value, At)> {
    let Signature {
        parameters, order, ..
    } = &*function.signature;
    let unknown = (data(Type::Unknown("argument".into())), at);
    let mut values = vec![unknown; parameters.len()];
    for (argument, place) in arguments.into_iter().zip(order) {
        if let Some(value) = values.get_mut(*place) {
            *value = argument;
        }
    }
    values
}

impl Lowering<'_> {
    pub(super) fn call(&mut self, callee: &Syntax, arguments: &[Syntax], at: At) -> Lowered<Value> {
        if let ExpressionKind::Name(name) = &callee.kind
            && &**name == "__builtin_expect"
            && let Some(first) = arguments.first()
        {
            return self.value(first);
        }
        let callee_value = match &callee.kind {
            ExpressionKind::Name(name) => match self.lookup(name) {
                Some(slot) => self.load(Place::Slot(slot)),
                None => self.undeclared(name),
            },
            _ => self.value(callee)?,
        };
        let mut values = Vec::new();
        for argument in arguments {
            let value = self.with_extremes(true, |l| l.value(argument))?;
            values.push((value, argument.at));
        }
        let again = self.handed_again(arguments);
        let is_by_name = matches!(&callee.kind, ExpressionKind::Name(name) if !self.is_bound(name));
        let Value::Function(name) = callee_value else {
            let name = Name::from(self.program.text(callee.at));
            return self.unknown_call(&name, &values, None, at);
        };
        match self.program.callee(name.unit, &name.name) {
            Callee::Body(function) if !is_by_name && !function.signature.order.is_empty() => {
                let values = in_order(function, values, at);
                self.call_of_body(function, (values, &[]), at)
            }
            Callee::Body(function) => self.call_of_body(function, (values, &again), at),
            Callee::Stated(effect) => self.stated_call(&name, effect, &values, at),
            Callee::Ambiguous => {
                let construct = format!("a call to `{}`, which several files define,", name.name);
                self.unstated_call(&name, &construct, at)
            }
            Callee::Undefined => self.call_of_no_body(&name, values, at),
        }
    }

    fn call_of_body(
        &mut self,
        function: &Arc<Function>,
        arguments: Handed,
        at: At,
    ) -> Lowered<Value> {
        if let Some(result) = self.result_of_pure_call(function, &arguments) {
            return self.use_pure_call(function, arguments, &result, at);
        }
        match self.is_elsewhere(function) {
            true => self.follow_elsewhere(function, arguments, at),
            false => self.follow(function, arguments, at),
        }
    }

    /// Which arguments are the real variable that the one before is, as in `laisnan(x, x)`.
    fn handed_again(&mut self, arguments: &[Syntax]) -> Vec<usize> {
        let pairs = arguments.windows(2).enumerate();
        let same = pairs.filter(|(_, pair)| match (&pair[0].kind, &pair[1].kind) {
            (ExpressionKind::Name(a), ExpressionKind::Name(b)) => {
                a == b && matches!(self.lookup(a), Some(Slot::Real(..)))
            }
            _ => false,
        });
        same.map(|(idx, _)| idx + 1).collect()
    }

    /// Whether a function is of another file than what is being lowered, and the first on the way.
    fn is_elsewhere(&self, function: &Function) -> bool {
        let is_outermost = self.linked_limit.is_none();
        is_outermost && function.at.unit != self.unit() && !self.program.is_model(function)
    }

    /// Follows a call into another file as far as the budget for those goes; the call is not
    /// understood where that is not far enough.
    fn follow_elsewhere(
        &mut self,
        function: &Arc<Function>,
        arguments: Handed,
        at: At,
    ) -> Lowered<Value> {
        let before = self.work;
        let share = self.share_of_call(&function.global_name());
        if share == 0 {
            // Nothing of its text is asked for.
            let limit = self.program.inline_budget().describe();
            return self.leave_call(function, share, RejectReason::Budget { limit }, at);
        }
        self.linked_limit = Some(before + share);
        let checkpoint = self.checkpoint();
        let result = self.follow(function, arguments, at);
        self.linked_limit = None;
        self.linked_work += (self.work - before).min(share);
        match result {
            Err(escape) if escape.level == Level::Unit => {
                self.roll_back(&checkpoint);
                self.leave_call(function, share, escape.reason, at)
            }
            result => result,
        }
    }

    /// A call into another file that takes more than its share of steps. It is part of the program, and may do what the
    /// program does.
    fn leave_call(
        &mut self,
        function: &Function,
        share: u64,
        reason: RejectReason,
        at: At,
    ) -> Lowered<Value> {
        let name = function.global_name();
        if self.frames.len() == 1 {
            self.lost_calls.insert(name.clone());
        }
        self.too_long.insert(name, share);
        self.reject(reason, at);
        self.forget_shared(Lost::Everything);
        let result = self.resolve(&function.signature.result)?;
        Ok(self.unknown_result(result, at))
    }

    /// How many steps each pass over a loop may take in bodies of other files: half of those that are left. What the
    /// first follows, the second can follow again.
    pub(super) fn linked_share(&self) -> u64 {
        self.allowance.linked.saturating_sub(self.linked_work) / 2
    }

    /// How many steps one call into another file may take of those that are left, for this pass over the loops around.
    /// A part is kept for short calls, so that loops with some behind a call that takes too many are understood; nothing
    /// where as many were too few before, or are likely to be.
    fn share_of_call(&mut self, callee: &GlobalName) -> u64 {
        let end = self.passes.linked_end().unwrap_or(self.allowance.linked);
        let all = self.allowance.linked;
        let left = end.saturating_sub(self.linked_work);
        let short = (all / SHORT_CALLS).min(left);
        let share = short.max(left.saturating_sub(all / KEPT_FOR_SHORT_CALLS));
        match self.too_long.get(callee).copied() {
            Some(tried) if share <= tried => 0,
            _ if self.program.takes_more_than(share, callee) => 0,
            _ => share,
        }
    }

    /// A call of a function that no file defines.
    fn call_of_no_body(
        &mut self,
        name: &GlobalName,
        arguments: Vec<(Value, At)>,
        at: At,
    ) -> Lowered<Value> {
        let arguments_of_text = text_functions(&name.name);
        if let (Some(known), Some(stores)) = (known(&name.name), arguments_of_text) {
            self.go_through_text(&name.name, &arguments, &stores)?;
            return self.library_call(&name.name, known, arguments, at);
        }
        let touches_text = touches_text(&name.name) && self.reaches_arrays(&arguments);
        if let (Some(known), false) = (known(&name.name), touches_text) {
            return self.library_call(&name.name, known, arguments, at);
        }
        if is_matrix_function(&name.name) {
            return self.unstated_call(name, &unstated_order(&name.name), at);
        }
        let result = self.program.prototype(name);
        self.unknown_call(&name.name, &arguments, result.as_deref(), at)
    }

    /// A call whose effect is stated apart from any definition.
    fn stated_call(
        &mut self,
        name: &GlobalName,
        effect: &FunctionEffect,
        arguments: &[(Value, At)],
        at: At,
    ) -> Lowered<Value> {
        self.note_foreign(&name.name);
        let kind = match effect {
            FunctionEffect::Nothing(kind) => *kind,
            FunctionEffect::Unstated(why) => return self.unstated_call(name, why, at),
            FunctionEffect::Body(_) => return self.unstated_call(name, "an empty definition", at),
        };
        if arguments.iter().any(|(value, _)| points_to_scalar(value)) {
            self.forget_shared(Lost::Integers);
        }
        let integer = |bits| {
            let kind = IntegerType { bits, signed: true };
            Value::Integer(Expression::Data, kind)
        };
        Ok(match kind {
            ResultKind::Void => Value::Void,
            ResultKind::Int => integer(32),
            ResultKind::Long => integer(64),
            ResultKind::Float => Value::Floating(None, NumberType::real(4)),
            ResultKind::Double => Value::Floating(None, NumberType::real(8)),
            ResultKind::Pointer => Value::Data(Type::Unknown(name.name.clone())),
        })
    }

    /// A call that touches arrays, nobody says how.
    fn unstated_call(&mut self, name: &GlobalName, why: &str, at: At) -> Lowered<Value> {
        let construct = why.to_owned();
        self.reject_call(RejectReason::Unsupported { construct }, at);
        let result = self.program.prototype(name);
        self.unknown_call(&name.name, &[], result.as_deref(), at)
    }

    /// Puts the callee's body in the place of the call.
    pub(super) fn follow(
        &mut self,
        function: &Arc<Function>,
        arguments: Handed,
        at: At,
    ) -> Lowered<Value> {
        let name = function.global_name();
        let facts = self.program.syntax_facts(&name);
        self.record_call(&name, &arguments.0);
        let callee = function.name.to_string();
        let is_open = |f: &Frame| f.function == name.name && f.unit == name.unit;
        let reason = if self.frames.iter().any(is_open) {
            Some(RejectReason::Recursion { callee })
        } else if self.frames.len() >= MAX_CALLS {
            let limit = format!("{MAX_CALLS} calls inside each other");
            Some(RejectReason::Budget { limit })
        } else {
            None
        };
        if let Some(reason) = reason {
            self.reject(reason, at);
            self.forget_shared(Lost::Everything);
            let result = self.resolve(&function.signature.result)?;
            return Ok(self.unknown_result(result, at));
        }
        let path = self.frame_ref().path.through(at);
        self.frames.push(Frame::new(name, at, path, facts));
        let first = (self.next_variable(), PointerId(self.pointers.len()));
        let mut result = self.deeper(at, |l| {
            l.with_role(Role::Data, |l| {
                l.with_extremes(false, |l| l.callee_body(function, arguments))
            })
        });
        if result.is_ok() {
            let frame = self.frames.pop();
            result = result.map(|value| self.returned(value, at));
            if let Some(frame) = frame {
                self.drop_records(&frame);
            }
            self.drop_variables(first);
        }
        result
    }

    /// Forgets the variables of functions that have returned, from the first that their call made on.
    fn drop_variables(&mut self, first: (VariableId, PointerId)) {
        let depth = self.frames.len();
        let is_alive = |id: VariableId| self.variables[id.as_u32() as usize].frame <= depth;
        let state = &mut self.state;
        retain_from(&mut state.integers, first.0, is_alive);
        retain_from(&mut state.given, first.0, is_alive);
        retain_from(&mut state.reals, first.0, is_alive);
        retain_from(&mut state.pointers, first.1, |id| {
            is_alive(self.pointers[id.0])
        });
        state.nullable.retain(|id, _| is_alive(*id));
    }

    pub(super) fn callee_body(
        &mut self,
        function: &Arc<Function>,
        (arguments, again): Handed,
    ) -> Lowered<Value> {
        let facts = self.program.syntax_facts(&function.global_name());
        let is_kept = |name: &Name| !facts.changed.contains(name);
        let mut arguments = arguments.into_iter();
        let mut before = None;
        for (idx, parameter) in function.signature.parameters.iter().enumerate() {
            let kind = self.resolve(&parameter.kind)?;
            let kind = decayed(kind);
            let value = match arguments.next() {
                Some((value, _)) => self.convert(value, &kind),
                None => data(kind.clone()),
            };
            let Some(name) = &parameter.name else {
                continue;
            };
            if kind.holds_array() {
                // A struct that lies in memory: the callee has a copy of its own.
                let row = self.local_array(name, parameter.at, &kind, parameter.at);
                let slot = Slot::Array(row, kind);
                self.bind(name, slot.clone());
                self.store(&Place::Slot(slot), value, parameter.at);
                continue;
            }
            let is_changed = facts.changed.contains(name);
            let fixed = match is_changed {
                true => None,
                false => self.fixed(&value, name, parameter.at),
            };
            let same = before
                .take()
                .filter(|_| again.contains(&idx) && !is_changed);
            let slot = match fixed {
                Some(value) => Slot::Fixed(value),
                None if same.as_ref().is_some_and(|slot| is_real(slot, &kind)) => {
                    same.unwrap_or(Slot::Data(kind))
                }
                None => {
                    let is_shared = facts.addressed.contains(name);
                    self.declared_at = parameter.at;
                    let slot = self.new_slot(name, &kind, is_shared);
                    self.store(&Place::Slot(slot.clone()), value, parameter.at);
                    slot
                }
            };
            self.bind(name, slot.clone());
            self.note_write(name, &slot, Update::ANEW);
            before = is_kept(name).then_some(slot);
        }
        let result_type = self.resolve(&function.signature.result)?;
        self.declared_at = function.at;
        let result_name = Name::from(format!("{}()", function.name));
        let slot = self.new_slot(&result_name, &result_type, false);
        if let Slot::Pointer(id, _) = slot {
            // No path has come to a result yet.
            self.state
                .nullable
                .insert(self.pointers[id.0], WhereSet::Never);
        }
        self.frame().result_slot = Some(slot.clone());
        self.frame().result_type = result_type.clone();
        if let StatementKind::Block(list) = &function.body.kind {
            self.in_scope(|l| l.function_list(list))?;
        }
        let result = self.frame().result.take();
        Ok(match (self.frame_ref().course.may_have_returned, result) {
            (false, Some(value)) => value,
            (true, None) if matches!(slot, Slot::Pointer(..)) => self.load(Place::Slot(slot)),
            // Data decide which result it is.
            (true, _) => match result_type {
                Type::Floating(kind) => Value::Particular(kind),
                other => data(other),
            },
            (false, None) => self.load(Place::Slot(slot)),
        })
    }

    pub(super) fn record_call(&mut self, callee: &GlobalName, arguments: &[(Value, At)]) {
        if self.frames.len() != 1 {
            return;
        }
        let constant = |(value, _): &(Value, At)| match value {
            Value::Integer(expression, _) if self.is_constant(expression) => {
                Some(expression.clone())
            }
            _ => None,
        };
        let arguments = arguments.iter().map(constant).collect();
        self.calls.push(CallRecord {
            callee: callee.clone(),
            arguments,
        });
    }

    fn library_call(
        &mut self,
        name: &Name,
        known: Known,
        arguments: Vec<(Value, At)>,
        at: At,
    ) -> Lowered<Value> {
        let integer = |idx: usize| match arguments.get(idx) {
            Some((Value::Integer(value, _), _)) => value.clone(),
            _ => Expression::Data,
        };
        match known {
            Known::Allocate(factors) => {
                self.note_foreign(name);
                let size = factors.iter().map(|idx| integer(*idx)).reduce(times);
                let region = self.allocation(size, at);
                if let Value::Pointer(Pointer {
                    target: Target::Fresh(row),
                    ..
                }) = &region
                {
                    self.note_allocation(*row);
                }
                return Ok(region);
            }
            Known::AllocateInto => {
                self.note_foreign(name);
                let size = integer(2);
                let region = self.allocation(Some(size), at);
                if let Some((Value::Pointer(pointer), at)) = arguments.into_iter().next() {
                    let place = self.dereferenced(Value::Pointer(pointer), at);
                    self.store(&place, region, at);
                }
                return Ok(Value::Integer(0.into(), super::types::INT));
            }
            Known::Reallocate => {
                self.note_foreign(name);
                let size = integer(1);
                return Ok(self.reallocation(arguments.into_iter().next(), size, at));
            }
            Known::Copy | Known::Fill => {
                let size = arguments.get(2).map_or(Value::Void, |a| a.0.clone());
                let mut arguments = arguments.into_iter();
                let (Some(to), second) = (arguments.next(), arguments.next()) else {
                    return Ok(Value::Void);
                };
                let from = second.filter(|_| known == Known::Copy);
                let result = to.0.clone();
                self.transfer(name, to, from, size, at)?;
                return Ok(result);
            }
            Known::StoresThrough(size) => {
                self.note_call(base_name(name), Operands::Floating(size.max(4)));
                for (value, at) in arguments {
                    if let Value::Pointer(pointer) = value {
                        let place = self.dereferenced(Value::Pointer(pointer), at);
                        let kind = super::expressions::place_type(&place);
                        self.store(&place, data(kind), at);
                    }
                }
                return Ok(match size {
                    0 => Value::Void,
                    size => Value::Floating(None, NumberType::real(size)),
                });
            }
            Known::Absolute(bits) => {
                let kind = IntegerType { bits, signed: true };
                let called = OperationKind::Call("abs".into());
                self.note(called, Operands::Integer(bits), Role::Data);
                return Ok(Value::Integer(absolute(integer(0)), kind));
            }
            _ => {}
        }
        if arguments.iter().any(|(value, _)| points_to_scalar(value)) {
            self.forget_shared(Lost::Integers);
        }
        Ok(match known {
            Known::Floating(size) => {
                let constants: Option<Vec<f64>> =
                    arguments.iter().map(|(value, _)| constant(value)).collect();
                let value = constants.and_then(|constants| folded(name, &constants));
                let kind = number_type(name, size);
                self.note_library_call(name, kind.operands(), &arguments);
                match value.filter(|_| size == 8) {
                    Some(value) => Value::Floating(Some(value), kind),
                    None => {
                        let operands = arguments.into_iter().map(|(value, _)| value);
                        super::reals::of_function(Some(name), &operands.collect::<Vec<_>>(), kind)
                    }
                }
            }
            Known::Integer(bits) => {
                self.note_foreign(name);
                if let ("isnan" | "__builtin_isnan", [(number, _)]) = (&**name, &arguments[..]) {
                    let truth = self.nan_test(Binary::NotEqual, number);
                    let truth = truth.unwrap_or(Expression::Data);
                    return Ok(Value::Integer(truth, IntegerType { bits, signed: true }));
                }
                Value::Integer(Expression::Data, IntegerType { bits, signed: true })
            }
            Known::Handle => {
                self.note_foreign(name);
                Value::Data(Type::Unknown(name.clone()))
            }
            _ => {
                self.note_foreign(name);
                Value::Void
            }
        })
    }

    /// Notes a call that yields a real number, where a function of mathematics does.
    fn note_library_call(&mut self, name: &Name, with: Operands, arguments: &[(Value, At)]) {
        match mathematical(name) {
            Some("powi") => {
                let exponent = arguments.get(1).map(|(value, _)| value);
                self.note_power(with, exponent.and_then(exponent_of));
            }
            Some(function) => self.note_call(function, with),
            None => self.note_foreign(name),
        }
    }

    /// Notes a call of a function that is neither followed nor an operation.
    fn note_foreign(&mut self, name: &Name) {
        if self.program.has_operations() {
            self.arithmetic_here().calls.insert(Arc::from(&**name));
        }
    }

    fn reallocation(&mut self, old: Option<(Value, At)>, size: Expression, at: At) -> Value {
        match old {
            Some((Value::Pointer(pointer), _)) => match pointer.target {
                Target::Array(row) | Target::Fresh(row) => {
                    self.arrays[row.0].extent = None;
                    self.arrays[row.0].may_be_missing = false;
                    Value::Pointer(pointer)
                }
                _ => self.allocation(Some(size), at),
            },
            _ => self.allocation(Some(size), at),
        }
    }

    /// A call to something whose body is not here.
    fn unknown_call(
        &mut self,
        name: &Name,
        arguments: &[(Value, At)],
        result: Option<&TypeName>,
        at: At,
    ) -> Lowered<Value> {
        self.note_foreign(name);
        if self.call_summary.has_shared_arrays || self.reaches_arrays(arguments) {
            let callee = name.to_string();
            self.reject_call(RejectReason::UnknownCall { callee }, at);
        } else {
            self.forget_shared(Lost::Integers);
        }
        let result = match result {
            Some(result) => self.resolve(result)?,
            None => Type::Integer(super::types::INT),
        };
        Ok(self.unknown_result(result, at))
    }

    /// Whether an argument leads to an array that is no string literal.
    pub(super) fn reaches_arrays(&self, arguments: &[(Value, At)]) -> bool {
        arguments.iter().any(|(value, _)| match value {
            Value::Pointer(Pointer { target, .. }) => match target {
                Target::Array(row) | Target::Fresh(row) => !self.is_text(row.0),
                Target::OneOf(_) | Target::Ambiguous => true,
                Target::Register(row) => self.leads_to_arrays(*row),
                Target::Null | Target::Scalar(_) => false,
            },
            Value::Record(row, ..) => self.leads_to_arrays(*row),
            Value::Data(Type::Pointer(_) | Type::Struct(..)) => true,
            _ => false,
        })
    }

    /// What an unknown function yields: a pointer is to a region of its own.
    fn unknown_result(&mut self, result: Type, at: At) -> Value {
        match result {
            Type::Pointer(pointee) => match self.allocation(None, at) {
                Value::Pointer(pointer) => Value::Pointer(Pointer { pointee, ..pointer }),
                other => other,
            },
            other => data(other),
        }
    }

    /// Whether a region is a string literal.
    fn is_text(&self, row: usize) -> bool {
        &*self.arrays[row].name == "literal"
    }
}

/// The type of a parameter that is declared with this one.
pub(super) fn decayed(kind: Type) -> Type {
    match kind {
        Type::Array(element, _) => Type::Pointer(element),
        Type::Function => Type::Pointer(Rc::new(Type::Function)),
        other => other,
    }
}

/// Why a matrix function is not counted.
fn unstated_order(name: &str) -> String {
    format!("the order in which `{name}` goes through its matrices")
}

/// Whether a slot is one of real numbers of a type.
fn is_real(slot: &Slot, kind: &Type) -> bool {
    matches!(slot, Slot::Real(_, own) if *kind == Type::Floating(*own))
}

fn points_to_scalar(value: &Value) -> bool {
    matches!(
        value,
        Value::Pointer(Pointer {
            target: Target::Scalar(_) | Target::Register(_),
            ..
        })
    )
}

fn constant(value: &Value) -> Option<f64> {
    match value {
        Value::Floating(constant, kind) if *kind == NumberType::real(8) => *constant,
        Value::Integer(Expression::Integer(x), _) => i32::try_from(*x).ok().map(f64::from),
        _ => None,
    }
}

fn absolute(x: Expression) -> Expression {
    let is_negative = Expression::binary(Op::Less, x.clone(), 0.into());
    let negated = Expression::unary(UnaryOperator::Negate, x.clone());
    choose(is_negative, negated, x)
}
