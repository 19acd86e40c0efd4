//! Methods, by what they are called on.

use super::numbers::ORDERING;
use super::{Body, build};
use crate::types::{Argument, Ty};
use crate::value::Value;
use premiss_ast::syntax::At;
use premiss_tree::RejectReason;
use syn::{Expr, FnArg, ReceiverKind};

/// Methods that yield what they are called on, as far as memory goes.
const SAME: [&str; 24] = [
    "clone",
    "to_owned",
    "into",
    "borrow",
    "borrow_mut",
    "as_ref",
    "as_mut",
    "deref",
    "deref_mut",
    "by_ref",
    "as_deref",
    "as_deref_mut",
    "unwrap_unchecked",
    "cast",
    "as_const",
    "view",
    "view_mut",
    "cast_mut",
    "cast_const",
    "try_into",
    "into_inner",
    "get_mut_unchecked",
    "lock",
    "assume_init",
];

/// Methods of things that are not looked into that touch no array.
const HARMLESS: [&str; 30] = [
    "unwrap",
    "expect",
    "unwrap_or",
    "unwrap_or_default",
    "ok",
    "is_ok",
    "is_err",
    "to_f64",
    "elapsed",
    "as_secs_f64",
    "as_secs_f32",
    "as_secs",
    "as_millis",
    "as_micros",
    "as_nanos",
    "random",
    "gen",
    "r#gen",
    "gen_range",
    "gen_bool",
    "random_range",
    "sample",
    "next_u32",
    "next_u64",
    "subsec_nanos",
    "duration_since",
    "is_empty",
    "is_some",
    "is_none",
    "to_string",
];

/// What a method is called with.
pub(super) struct Method<'a, 'n> {
    pub(super) name: &'n str,
    pub(super) arguments: Vec<&'a Expr>,
    pub(super) at: At,
    /// The type that is expected of the result, or stated in brackets.
    pub(super) expected: Option<Ty>,
}

impl<'a> Body<'a, '_> {
    pub(super) fn method_call(
        &mut self,
        call: &'a syn::ExprMethodCall,
        at: At,
        expected: Option<&Ty>,
    ) -> Value<'a> {
        let name = call.method.to_string();
        let receiver = self.expression(&call.receiver, None);
        if let Value::Never = receiver {
            return receiver;
        }
        let stated = self.stated_for_method(call);
        let stated_type = stated.iter().find_map(|argument| match argument {
            Argument::Type(kind) => Some(kind.clone()),
            Argument::Value(_) => None,
        });
        if let Some(function) = self.method_of(&receiver, &name) {
            return self.own_method(function, receiver, call, stated, at);
        }
        let method = Method {
            name: &name,
            arguments: call.args.iter().collect(),
            at,
            expected: stated_type.or_else(|| expected.cloned()),
        };
        self.library_method(receiver, &method)
    }

    fn stated_for_method(&mut self, call: &'a syn::ExprMethodCall) -> Vec<Argument> {
        let scope = self.scope.clone();
        let list = call.turbofish.as_ref();
        list.map_or(Vec::new(), |list| self.ctx.argument_list(list, &scope, 0))
    }

    /// The method of the program that a value has.
    fn method_of(&mut self, receiver: &Value<'a>, name: &str) -> Option<usize> {
        let kind = self.solved(&receiver.kind());
        let owner = match kind.peeled() {
            Ty::Record(record, _) => self.ctx.index.record_name(*record),
            Ty::Slice(_) | Ty::Array(..) => "[]".to_owned(),
            Ty::Vec(_) => "Vec".to_owned(),
            Ty::Float(4) => "f32".to_owned(),
            Ty::Float(_) => "f64".to_owned(),
            Ty::Unknown(name) => name.to_string(),
            _ => return None,
        };
        let of_program = matches!(kind.peeled(), Ty::Record(..) | Ty::Unknown(_));
        match of_program {
            true => self.ctx.index.method(&owner, name),
            false => self.ctx.index.method_of_type(&owner, name),
        }
    }

    fn own_method(
        &mut self,
        function: usize,
        receiver: Value<'a>,
        call: &'a syn::ExprMethodCall,
        stated: Vec<Argument>,
        at: At,
    ) -> Value<'a> {
        let receiver_at = self.at(&call.receiver);
        let receiver = self.receiver(function, receiver, receiver_at);
        let (scope, _) = self.callee_scope(function, std::slice::from_ref(&receiver), None);
        let inputs = &self.ctx.index.functions[function].sig.inputs;
        let kinds: Vec<Ty> = inputs
            .iter()
            .map(|x| self.ctx.parameter_type(x, &scope))
            .collect();
        let arguments = call.args.iter().enumerate();
        let list = arguments
            .map(|(idx, x)| (x, kinds.get(idx + 1).cloned()))
            .collect();
        let (receiver, mut arguments) = self.in_order(receiver, |body| body.operands(list));
        arguments.insert(0, receiver);
        self.call_stated(function, arguments, at, Some(&(Vec::new(), stated)))
    }

    /// What a method takes as `self`.
    fn receiver(&mut self, function: usize, receiver: Value<'a>, at: At) -> Value<'a> {
        let sig = self.ctx.index.functions[function].sig;
        let by_reference = match sig.inputs.first() {
            Some(FnArg::Receiver(receiver)) => matches!(receiver.kind, ReceiverKind::Reference(..)),
            _ => return receiver,
        };
        match (by_reference, &receiver) {
            (true, Value::Plain(_, kind)) => match self.solved(kind) {
                Ty::Pointer(_) | Ty::Box(_) => receiver,
                _ => self.reference_to(receiver, at),
            },
            (true, _) => self.reference_to(receiver, at),
            (false, _) => self.peeled(receiver, at),
        }
    }

    /// A method that is called by its path.
    pub(super) fn method_on(
        &mut self,
        receiver: Value<'a>,
        name: &str,
        arguments: Vec<Value<'a>>,
        words: &str,
        at: At,
    ) -> Value<'a> {
        if let Some(function) = self.method_of(&receiver, name) {
            let receiver = self.receiver(function, receiver, at);
            let mut all = vec![receiver];
            all.extend(arguments);
            return self.call_function(function, all, at);
        }
        if arguments.is_empty() {
            let method = Method {
                name,
                arguments: Vec::new(),
                at,
                expected: None,
            };
            return self.library_method(receiver, &method);
        }
        let peeled = self.peeled(receiver.clone(), at);
        let kind = self.solved(&peeled.kind());
        if kind.is_scalar() {
            return self.number_with(peeled, name, arguments, at);
        }
        let mut all = vec![receiver];
        all.extend(arguments);
        self.unknown_call(words, all, at)
    }

    /// A method of the standard library, or of `ndarray`.
    pub(super) fn library_method(
        &mut self,
        receiver: Value<'a>,
        method: &Method<'a, '_>,
    ) -> Value<'a> {
        let at = method.at;
        if let Value::Iterator(sequence) = receiver {
            return self.iterator_method(*sequence, method);
        }
        if let ("as_ptr" | "as_mut_ptr", Some(slice)) =
            (method.name, self.as_slice(receiver.clone(), at))
        {
            let kind = (*slice.element).clone().pointer();
            return Value::Plain(slice.pointer, kind);
        }
        if let Some(value) = self.pointer_method(&receiver, method) {
            return value;
        }
        let receiver = match receiver {
            Value::Slice(_) => receiver,
            receiver => self.base(receiver, at),
        };
        match receiver {
            Value::Range(range) => self.range_method(range, method),
            Value::Maybe(is_some, value) => self.option_method(is_some, *value, method),
            Value::Grid(grid) => self.grid_method(grid, method),
            Value::Slice(slice) => self.slice_method(slice, method),
            Value::Plain(place, kind) => match self.solved(&kind) {
                kind if kind.is_scalar() || kind.is_weak() && !kind.is_unknown() => {
                    self.number_method(Value::Plain(place, kind), method)
                }
                Ty::Array(..) => match self.as_slice(Value::Plain(place.clone(), kind), at) {
                    Some(slice) => self.slice_method(slice, method),
                    None => self.unknown_method(Value::Unknown(Ty::unknown()), method),
                },
                kind => self.other_method(Value::Plain(place, kind), method),
            },
            other => self.other_method(other, method),
        }
    }

    fn other_method(&mut self, receiver: Value<'a>, method: &Method<'a, '_>) -> Value<'a> {
        if SAME.contains(&method.name) {
            return receiver;
        }
        let kind = self.solved(&receiver.kind());
        if let (Ty::Maybe(inner), Value::Unknown(_)) = (&kind, &receiver) {
            let inner = self.data_of(&inner.clone(), method.at);
            let is_some = self.data(method.at);
            return self.option_method(is_some, inner, method);
        }
        self.unknown_method(receiver, method)
    }

    /// A method of something that is not here.
    pub(super) fn unknown_method(
        &mut self,
        receiver: Value<'a>,
        method: &Method<'a, '_>,
    ) -> Value<'a> {
        let at = method.at;
        let list = method.arguments.iter().map(|x| (*x, None)).collect();
        let values = self.operands(list);
        let is_order =
            matches!(&receiver, Value::Unknown(Ty::Unknown(name)) if &**name == ORDERING);
        let is_harmless = (is_order || HARMLESS.contains(&method.name))
            && values
                .iter()
                .all(|value| !matches!(value, Value::Slice(_) | Value::Grid(_)));
        for value in &values {
            self.evaluate(value.clone());
        }
        if is_order || receiver.kind().peeled().is_rejected() {
            return receiver;
        }
        if is_harmless {
            let kind = method.expected.clone().unwrap_or_else(Ty::unknown);
            return self.data_of(&kind, at);
        }
        let kind = self.solved(&receiver.kind());
        let callee = match kind.peeled() {
            Ty::Unknown(name) if &**name != "_" => format!("{name}::{}", method.name),
            Ty::Record(record, _) => {
                format!("{}::{}", self.ctx.index.record_name(*record), method.name)
            }
            _ => method.name.to_owned(),
        };
        self.reject(RejectReason::UnknownCall { callee }, at)
    }

    /// Methods of `Option` and `Result`.
    fn option_method(
        &mut self,
        is_some: premiss_ast::syntax::Expression,
        value: Value<'a>,
        method: &Method<'a, '_>,
    ) -> Value<'a> {
        let at = method.at;
        let whole = |is_some, value| Value::Maybe(is_some, Box::new(value));
        match (method.name, method.arguments.as_slice()) {
            ("unwrap" | "unwrap_unchecked", []) | ("expect", [_]) => value,
            (
                "unwrap_or" | "unwrap_or_default" | "unwrap_or_else" | "map_or" | "map_or_else",
                rest,
            ) => self.or_else(is_some, &value, method.name, rest, at),
            ("is_some" | "is_ok", _) => Value::Plain(is_some, Ty::Bool),
            ("is_none" | "is_err", _) => {
                let not = premiss_ast::syntax::Unary::Not;
                Value::Plain(build::unary(at, not, is_some), Ty::Bool)
            }
            ("copied" | "cloned", []) => {
                let value = self.dereferenced(value, at);
                whole(is_some, value)
            }
            ("map", [closure]) => {
                let Value::Closure(closure) = self.expression(closure, None) else {
                    return Value::Unknown(Ty::unknown());
                };
                let (list, found) =
                    self.aside_keeping(|body| body.inline(&closure, vec![value], at));
                if !list.is_empty() {
                    let is_some = self.stable(is_some, "is_some");
                    self.emit_if(is_some.clone(), list, Vec::new(), at);
                    return whole(is_some, found);
                }
                whole(is_some, found)
            }
            ("iter" | "into_iter" | "iter_mut", []) => {
                let whole = whole(is_some, value);
                match self.sequence(whole, at) {
                    Some(sequence) => Value::Iterator(Box::new(sequence)),
                    None => Value::Unknown(Ty::unknown()),
                }
            }
            (
                "ok" | "ok_or" | "ok_or_else" | "as_ref" | "as_mut" | "map_err" | "context"
                | "as_deref" | "as_deref_mut" | "take",
                _,
            ) => whole(is_some, value),
            _ => {
                let receiver = Value::Unknown(Ty::unknown());
                self.unknown_method(receiver, method)
            }
        }
    }

    fn or_else(
        &mut self,
        is_some: premiss_ast::syntax::Expression,
        value: &Value<'a>,
        name: &str,
        rest: &[&'a Expr],
        at: At,
    ) -> Value<'a> {
        let is_some = self.stable(is_some, "is_some");
        let then = self.aside(|body| match (name, rest) {
            ("map_or" | "map_or_else", [_, closure]) => match body.expression(closure, None) {
                Value::Closure(closure) => body.inline(&closure, vec![value.clone()], at),
                _ => Value::Unknown(Ty::unknown()),
            },
            _ => value.clone(),
        });
        let otherwise = self.aside(|body| match rest.first() {
            Some(default) => match body.expression(default, Some(&value.kind())) {
                Value::Closure(closure) => body.inline(&closure, Vec::new(), at),
                value => value,
            },
            None => Value::Plain(build::integer(at, 0), value.kind()),
        });
        self.choice(is_some, then, otherwise, at)
    }
}
