//! Calls.

use super::{Body, build};
use crate::context::Scope;
use crate::generics::{Bound, written_type};
use crate::resolve::named_constant;
use crate::types::{Argument, LARGEST, Ty};
use crate::value::Value;
use premiss_ast::syntax::{At, Expression, TypeName};
use std::sync::Arc;
use syn::Expr;

/// How many statements a function may have that is put in the place of its call because it yields more
/// than a number.
const MAX_SMALL: usize = 4;

impl<'a> Body<'a, '_> {
    pub(super) fn call(
        &mut self,
        call: &'a syn::ExprCall,
        at: At,
        expected: Option<&Ty>,
    ) -> Value<'a> {
        if let Some(value) = self.known_macro(call, at, expected) {
            return value;
        }
        let callee = unparenthesized(&call.func);
        let Expr::Path(path) = callee else {
            let callee = self.expression(callee, None);
            let arguments = self.operands(call.args.iter().map(|x| (x, None)).collect());
            return match callee {
                Value::Closure(closure) => self.inline(&closure, arguments, at),
                _ => self.unknown_call("a function pointer", arguments, at),
            };
        };
        if let Some(name) = path.path.get_ident()
            && let Some(value) = self.sees.get(&name.to_string()).cloned()
        {
            let arguments = self.operands(call.args.iter().map(|x| (x, None)).collect());
            return match value {
                Value::Closure(closure) => self.inline(&closure, arguments, at),
                _ => self.unknown_call(&name.to_string(), arguments, at),
            };
        }
        let kinds = self.expected_arguments(&path.path, expected);
        let arguments = call.args.iter().enumerate();
        let arguments = arguments.map(|(idx, x)| (x, kinds.get(idx).cloned()));
        let arguments = self.operands(arguments.collect());
        if arguments.iter().any(|value| matches!(value, Value::Never)) {
            return Value::Never;
        }
        self.call_path(&path.path, arguments, at, expected)
    }

    /// The types that a function says that it takes.
    fn expected_arguments(&mut self, path: &syn::Path, expected: Option<&Ty>) -> Vec<Ty> {
        let parts = self.path_parts(path);
        if let (Some("Some" | "Ok"), Some(Ty::Maybe(inner))) =
            (parts.last().map(String::as_str), expected)
        {
            return vec![(**inner).clone()];
        }
        if let Some(function) = self.ctx.index.function_of(self.unit, &parts) {
            let (scope, _) = self.callee_scope(function, &[], None);
            let inputs = &self.ctx.index.functions[function].sig.inputs;
            let kinds = inputs.iter();
            return kinds.map(|x| self.ctx.parameter_type(x, &scope)).collect();
        }
        match parts.last().and_then(|name| self.ctx.index.record_of(name)) {
            Some(record) => {
                let fields = self.ctx.fields(record, &[]);
                fields.into_iter().map(|(_, kind)| kind).collect()
            }
            None => Vec::new(),
        }
    }

    /// The names of a path; `Self` is the type that it stands for.
    pub(super) fn path_parts(&self, path: &syn::Path) -> Vec<String> {
        let own = match self.scope.self_type.as_ref().map(Ty::peeled) {
            Some(Ty::Record(record, _)) => Some(self.ctx.index.record_name(*record)),
            _ => None,
        };
        let parts = path.segments.iter().map(|part| {
            let name = part.ident.to_string();
            match (&own, name.as_str()) {
                (Some(own), "Self") => own.clone(),
                _ => name,
            }
        });
        parts.collect()
    }

    /// Calls what a path leads to.
    pub(super) fn call_path(
        &mut self,
        path: &syn::Path,
        arguments: Vec<Value<'a>>,
        at: At,
        expected: Option<&Ty>,
    ) -> Value<'a> {
        let parts = self.path_parts(path);
        if let Some(function) = self.ctx.index.function_of(self.unit, &parts) {
            let stated = self.stated(path);
            return self.call_stated(function, arguments, at, Some(&stated));
        }
        if let Some(record) = parts.last().and_then(|name| self.ctx.index.record_of(name)) {
            return self.tuple_struct(record, arguments, at);
        }
        let names: Vec<&str> = parts.iter().map(String::as_str).collect();
        if let Some(value) = self.library_call(&names, path, &arguments, at, expected) {
            return value;
        }
        // `Type::method(value, …)`
        let is_type =
            |name: &str| name.starts_with(char::is_uppercase) || Ty::primitive(name).is_some();
        if let [.., owner, method] = names.as_slice()
            && is_type(owner)
            && !arguments.is_empty()
        {
            let mut rest = arguments.into_iter();
            let receiver = rest.next().unwrap_or(Value::Unit);
            let words = parts.join("::");
            return self.method_on(receiver, method, rest.collect(), &words, at);
        }
        self.unknown_call(&parts.join("::"), arguments, at)
    }

    /// What is stated in brackets in a path: of the type, and of the function.
    fn stated(&mut self, path: &syn::Path) -> (Vec<Argument>, Vec<Argument>) {
        let scope = self.scope.clone();
        let mut segments = path.segments.iter().rev();
        let mut next = |body: &Self| match segments.next() {
            Some(segment) => body.ctx.arguments(segment, &scope, 0),
            None => Vec::new(),
        };
        let own = next(self);
        (next(self), own)
    }

    /// Calls a function of the program.
    pub(super) fn call_function(
        &mut self,
        function: usize,
        arguments: Vec<Value<'a>>,
        at: At,
    ) -> Value<'a> {
        self.call_stated(function, arguments, at, None)
    }

    pub(super) fn call_stated(
        &mut self,
        function: usize,
        arguments: Vec<Value<'a>>,
        at: At,
        stated: Option<&(Vec<Argument>, Vec<Argument>)>,
    ) -> Value<'a> {
        let takes_code = arguments
            .iter()
            .any(|value| matches!(value, Value::Closure(_) | Value::Iterator(_)));
        let (scope, _) = self.callee_scope(function, &arguments, stated);
        let item = &self.ctx.index.functions[function];
        let (unit, block) = (item.unit, item.block);
        let result = self.ctx.result_type(item.sig, &scope);
        let is_small = block.stmts.len() <= MAX_SMALL && !super::bodies::loops(block);
        let is_composite = !(result.is_scalar()
            || matches!(result, Ty::Unit | Ty::Never | Ty::Pointer(_))
                && result.slice_element().is_none());
        let is_lost = matches!(result, Ty::Array(..) | Ty::Maybe(_) | Ty::Unknown(_));
        let is_open = self
            .inlined
            .contains(&super::closures::Inlined::Function(function));
        let wants = takes_code || (is_composite && is_small) || is_lost;
        if wants && unit == self.unit && !is_open {
            return self.inline_function(function, arguments, at);
        }
        self.call_instance(function, arguments, at, stated)
    }

    /// Calls a function for the types at hand.
    pub(super) fn call_instance(
        &mut self,
        function: usize,
        arguments: Vec<Value<'a>>,
        at: At,
        stated: Option<&(Vec<Argument>, Vec<Argument>)>,
    ) -> Value<'a> {
        let (scope, constants) = self.callee_scope(function, &arguments, stated);
        let sig = self.ctx.index.functions[function].sig;
        let result = self.ctx.result_type(sig, &scope);
        let kinds = sig
            .inputs
            .iter()
            .map(|x| self.ctx.parameter_type(x, &scope));
        let kinds: Vec<Ty> = kinds.collect();
        let Some(instance) = self.ctx.instance(function, scope) else {
            let limit = "20000 functions with the types that they are called with".to_owned();
            return self.reject(premiss_tree::RejectReason::Budget { limit }, at);
        };
        let lengths = self.lent_lengths(function, &arguments);
        let mut passed: Vec<Expression> = Vec::new();
        for name in self.ctx.constant_parameters(function) {
            let known = constants.iter().find(|(known, _)| *known == name);
            passed.push(match known {
                Some((_, value)) => value.clone(),
                None => self.data(at),
            });
        }
        for (kind, value) in kinds.iter().zip(arguments) {
            self.pass(kind, value, &mut passed, at);
        }
        let call = build::call(at, &instance.name, passed);
        let found = self.call_result(call, &result, at);
        self.forget_lengths(lengths, found, at)
    }

    /// Adds the parts of an argument to those that are passed.
    fn pass(&mut self, kind: &Ty, value: Value<'a>, passed: &mut Vec<Expression>, at: At) {
        self.tell(kind, &value.kind());
        let value = self.coerced(value, kind);
        let value = match (&value, self.solved(kind)) {
            // By value: the callee has a copy of its own.
            (Value::Plain(from, _), kind @ Ty::Array(..)) if self.take_made(&value).is_none() => {
                self.array_copy("argument", from.clone(), &kind, at)
            }
            _ => value,
        };
        if let Value::Grid(grid) = &value
            && let Some((_, step)) = grid.axes.last()
            && build::as_integer(step) != Some(1)
        {
            self.unsupported("a view with steps between its elements, as an argument", at);
        }
        let kinds = self.parts_of(kind);
        let mut parts = Vec::new();
        match value {
            Value::Plain(expression, found) => parts.push(self.loaded(expression, &found)),
            value => value.parts(&mut parts),
        }
        let mut parts = parts.into_iter();
        for (_, kind) in kinds {
            passed.push(parts.next().unwrap_or_else(|| build::data(at, kind)));
        }
    }

    fn call_result(&mut self, call: Expression, result: &Ty, at: At) -> Value<'a> {
        match self.result_name(result) {
            TypeName::Void => {
                self.emit(build::evaluated(call));
                match result {
                    Ty::Unit => Value::Unit,
                    Ty::Never => Value::Never,
                    Ty::Maybe(inner) => {
                        let inner = self.data_of(&inner.clone(), at);
                        Value::Maybe(self.data(at), Box::new(inner))
                    }
                    result => Value::Unknown(result.clone()),
                }
            }
            name @ TypeName::Struct(_) => {
                let place = self.fresh_at(at);
                let variable = self.new_name("returned");
                self.emit(build::declaration(place, &variable, name, Some(call)));
                let place = build::name(at, &variable);
                match result {
                    Ty::Record(..) => {
                        self.made.insert(variable);
                        Value::Plain(place, result.clone())
                    }
                    Ty::Pointer(inner) if matches!(**inner, Ty::Vec(_)) => {
                        self.value_at(place, &inner.clone())
                    }
                    result => self.value_at(place, result),
                }
            }
            _ => Value::Plain(call, result.clone()),
        }
    }

    /// What the parameters of a function stand for in a call, as the function sees them; and the constants
    /// that are passed, as the caller sees them.
    pub(super) fn callee_scope(
        &mut self,
        function: usize,
        arguments: &[Value<'a>],
        stated: Option<&(Vec<Argument>, Vec<Argument>)>,
    ) -> (Scope, Vec<(String, Expression)>) {
        let item = &self.ctx.index.functions[function];
        let (sig, owner) = (item.sig, item.owner.clone());
        let of_owner = owner.iter().map(|owner| owner.generics);
        let mut bound = Bound::new(of_owner.chain([&sig.generics]));
        let kinds: Vec<Ty> = arguments
            .iter()
            .map(|value| self.filled_in(&value.kind()))
            .collect();
        if let Some((of_type, own)) = stated {
            bound.state(&sig.generics, own);
            if let Some(owner) = &owner {
                bound.state(owner.generics, of_type);
            }
        }
        for (argument, kind) in sig.inputs.iter().zip(&kinds) {
            let own = owner.as_ref().and_then(|owner| owner.self_type);
            match (written_type(argument), own) {
                (Some(written), _) => bound.learn(self.ctx, written, kind),
                (None, Some(own)) => bound.learn(self.ctx, own, kind.peeled()),
                (None, None) => bound.scope.self_type = Some(kind.peeled().clone()),
            }
        }
        let mut scope = bound.scope;
        for kind in scope.types.values_mut() {
            *kind = settled(kind);
            if kind.is_larger(LARGEST) {
                *kind = Ty::unknown();
            }
        }
        for name in self.ctx.constant_parameters(function) {
            let value = Arc::new(named_constant(&name));
            scope.values.insert(name, value);
        }
        if let Some(own) = owner.and_then(|owner| owner.self_type) {
            scope.self_type = Some(self.ctx.resolve(own, &scope));
        }
        (scope, bound.constants)
    }

    /// A call of a function that is not here.
    pub(super) fn unknown_call(
        &mut self,
        name: &str,
        arguments: Vec<Value<'a>>,
        at: At,
    ) -> Value<'a> {
        let mut passed = Vec::new();
        for value in arguments {
            if let Value::Closure(_) | Value::Iterator(_) = value {
                let callee = name.to_owned();
                return self.reject(premiss_tree::RejectReason::UnknownCall { callee }, at);
            }
            value.parts(&mut passed);
        }
        let call = build::call(at, name, passed);
        self.emit(build::evaluated(call));
        Value::Unknown(Ty::unknown())
    }
}

/// A type that literals left open, as what it is without more.
fn settled(kind: &Ty) -> Ty {
    match kind {
        Ty::Int(kind) if kind.bits == 0 => Ty::primitive("i32").unwrap_or_else(Ty::unknown),
        Ty::Float(0) => Ty::Float(8),
        other => other.clone(),
    }
}

fn unparenthesized(value: &Expr) -> &Expr {
    match value {
        Expr::Paren(inner) => unparenthesized(&inner.expr),
        other => other,
    }
}
