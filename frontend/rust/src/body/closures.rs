//! Closures and functions in the place of their calls.

use super::control::Returns;
use super::{Body, MAX_INLINED, build};
use crate::context::Scope;
use crate::types::Ty;
use crate::value::{Closure, Code, Environment, Value};
use premiss_ast::syntax::At;
use premiss_tree::RejectReason;
use std::rc::Rc;
use std::sync::Arc;
use syn::{FnArg, Pat};

/// What is being put in the place of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Inlined {
    Function(usize),
    Closure(*const syn::ExprClosure),
}

impl<'a> Body<'a, '_> {
    /// What a closure yields for these arguments, in the place of a call.
    pub(super) fn inline(
        &mut self,
        closure: &Rc<Closure<'a>>,
        arguments: Vec<Value<'a>>,
        at: At,
    ) -> Value<'a> {
        let syntax = match closure.syntax {
            Code::Path(path) => return self.call_path(&path.path, arguments, at, None),
            Code::Closure(syntax) => syntax,
        };
        let one = Inlined::Closure(std::ptr::from_ref(syntax));
        if let Some(refused) = self.refuse(one, "the closure", at) {
            return refused;
        }
        let Some(copy) = self.copy_for(closure) else {
            return self.too_much(at);
        };
        let around = (self.copy, self.sees.clone());
        (self.copy, self.sees) = (copy, closure.sees.clone());
        self.inlined.push(one);
        for (pattern, value) in syntax.inputs.iter().zip(arguments) {
            let value = match pattern {
                Pat::Type(typed) => {
                    let scope = self.scope.clone();
                    let kind = self.ctx.resolve(&typed.ty, &scope);
                    self.coerced(value, &kind)
                }
                _ => value,
            };
            self.bind(pattern, value);
        }
        let result = self.closure_result(syntax);
        let returns = super::bodies::returns_within(&syntax.body);
        let value = self.returning(returns, &result, at, |body, expected| {
            body.expression(&syntax.body, Some(expected))
        });
        self.inlined.pop();
        (self.copy, self.sees) = around;
        value
    }

    fn closure_result(&mut self, syntax: &syn::ExprClosure) -> Ty {
        match &syntax.output {
            syn::ReturnType::Default => Ty::unknown(),
            syn::ReturnType::Type(_, kind) => {
                let scope = self.scope.clone();
                self.ctx.resolve(kind, &scope)
            }
        }
    }

    fn copy_for(&mut self, closure: &Closure<'a>) -> Option<crate::ground::Copied> {
        match closure.is_used.replace(true) {
            false => Some(closure.copy),
            true => self.ctx.grounds[self.unit].copy(),
        }
    }

    fn refuse(&mut self, one: Inlined, name: &str, at: At) -> Option<Value<'a>> {
        if self.inlined.contains(&one) {
            let callee = name.to_owned();
            return Some(self.reject(RejectReason::Recursion { callee }, at));
        }
        (MAX_INLINED <= self.inlined.len()).then(|| self.too_much(at))
    }

    fn too_much(&mut self, at: At) -> Value<'a> {
        let limit = format!("{MAX_INLINED} closures and generic functions inside each other");
        self.reject(RejectReason::Budget { limit }, at)
    }

    /// Evaluates a body that may return before its end.
    fn returning(
        &mut self,
        returns: bool,
        result: &Ty,
        at: At,
        make: impl FnOnce(&mut Self, &Ty) -> Value<'a>,
    ) -> Value<'a> {
        let result = self.solved(result);
        let old_result = std::mem::replace(&mut self.result, result.clone());
        if !returns {
            let value = make(self, &result);
            self.result = old_result;
            return match result.is_unknown() {
                true => value,
                false => self.coerced(value, &result),
            };
        }
        self.n_labels += 1;
        let label: premiss_ast::syntax::Name = format!("returned'{}", self.n_labels).into();
        let slot = match result.is_unknown() || matches!(result, Ty::Array(..)) {
            true => Value::Unknown(result.clone()),
            false => self.empty_variable("returned", &result, at),
        };
        let returns = Returns::Inlined {
            result: slot.clone(),
            label: label.clone(),
        };
        let old = std::mem::replace(&mut self.returns, returns);
        let loops = std::mem::take(&mut self.loops);
        let (mut list, ()) = self.aside(|body| {
            let value = make(body, &result);
            if !matches!(value, Value::Never) {
                body.return_value(value, at);
            }
        });
        self.loops = loops;
        self.returns = old;
        self.result = old_result;
        super::control::drop_last_jump(&mut list, &label);
        self.emit(build::block(at, list));
        self.put_label(&label, at);
        slot
    }

    /// Puts a function in the place of its call.
    pub(super) fn inline_function(
        &mut self,
        function: usize,
        arguments: Vec<Value<'a>>,
        at: At,
    ) -> Value<'a> {
        let one = Inlined::Function(function);
        let name = self.ctx.index.functions[function].name.clone();
        if let Some(refused) = self.refuse(one, &name, at) {
            return refused;
        }
        let (scope, constants) = self.callee_scope(function, &arguments, None);
        let mut scope: Scope = scope;
        for (name, value) in constants {
            let value = self.stable(value, &name);
            scope.values.insert(name, Arc::new(value));
        }
        let (sig, block, unit) = {
            let item = &self.ctx.index.functions[function];
            (item.sig, item.block, item.unit)
        };
        if unit != self.unit {
            // Places of one function are of one file.
            return self.call_instance(function, arguments, at, None);
        }
        let Some(copy) = self.ctx.grounds[unit].copy() else {
            return self.too_much(at);
        };
        let result = self.ctx.result_type(sig, &scope);
        let around = (self.copy, self.sees.clone(), self.scope.clone());
        // What stands for the vector itself is changed by the function.
        let lent: Vec<Value<'a>> = arguments
            .iter()
            .map(|value| match self.is_borrowed_vector(value) {
                true => Value::Unit,
                false => value.clone(),
            })
            .collect();
        let lengths = self.lent_lengths(function, &lent);
        let mut given = Vec::new();
        for (argument, value) in sig.inputs.iter().zip(arguments) {
            let kind = self.ctx.parameter_type(argument, &scope);
            given.push((argument, self.coerced(value, &kind)));
        }
        self.copy = copy;
        self.sees = Environment::default();
        self.scope = Arc::new(scope);
        self.inlined.push(one);
        for (argument, value) in given {
            match argument {
                FnArg::Receiver(receiver) => {
                    let at = self.at(&receiver.self_token);
                    self.bind_name("self", value, receiver.mutability.is_some(), at);
                }
                FnArg::Typed(typed) => self.bind(&typed.pat, value),
            }
        }
        let returns = super::bodies::returns(block);
        let value = self.returning(returns, &result, at, |body, expected| {
            body.statements_as(block, Some(expected))
        });
        self.inlined.pop();
        (self.copy, self.sees, self.scope) = around;
        self.forget_lengths(lengths, value, at)
    }
}
