//! Closes the recursion of the passes: operands are expressions, and so are the bodies of closures.
//!
//! A pass that needs a judgment of a pass above it calls the method here and imports nothing.

use crate::body::calls::{closures, functions, macros, methods};
use crate::body::context::Body;
use crate::body::control::blocks;
use crate::body::expressions;
use crate::body::values::operators;
use crate::types::Ty;
use crate::value::{Closure, Value};
use premiss_ast::syntax::{Expression, TextRange};
use std::rc::Rc;
use syn::{Block, Expr, Lit, Macro};

impl<'a> Body<'a, '_> {
    /// The value of an expression; `expected` is the type expected by its context.
    pub(crate) fn expression(&mut self, value: &'a Expr, expected: Option<&Ty>) -> Value<'a> {
        let around = self.inference.enter(std::ptr::from_ref(value).addr());
        let made = expressions::expression(self, value, expected);
        self.inference.enter(around);
        made
    }

    /// The values of operands, evaluated in order, each with its expected type.
    pub(crate) fn operands(&mut self, list: Vec<(&'a Expr, Option<Ty>)>) -> Vec<Value<'a>> {
        expressions::operands(self, list)
    }

    /// The value of an integer or boolean expression, converted for arithmetic.
    pub(crate) fn integer(&mut self, value: &'a Expr) -> Expression {
        expressions::integer(self, value)
    }

    /// A value as an integer.
    pub(crate) fn integer_of(&mut self, value: Value<'a>, at: TextRange) -> Expression {
        expressions::integer_of(self, value, at)
    }

    /// The value of a literal.
    pub(crate) fn literal(
        &mut self,
        literal: &Lit,
        at: TextRange,
        expected: Option<&Ty>,
    ) -> Value<'a> {
        expressions::literal(self, literal, at, expected)
    }

    /// A condition as a truth value.
    pub(crate) fn condition(&mut self, value: &'a Expr) -> Expression {
        operators::condition(self, value)
    }

    /// Evaluates an unused value for its side effects.
    pub(crate) fn evaluate(&mut self, value: Value<'a>) -> Value<'a> {
        blocks::evaluate(self, value)
    }

    /// Emits the statements of a block; returns its value.
    pub(crate) fn statements(&mut self, block: &'a Block) -> Value<'a> {
        blocks::statements(self, block)
    }

    /// An unknown macro.
    pub(crate) fn unknown_macro(&mut self, invocation: &Macro, at: TextRange) -> Value<'a> {
        macros::unknown_macro(self, invocation, at)
    }

    /// Calls a closure by inlining its body.
    pub(crate) fn call_closure(
        &mut self,
        closure: &Rc<Closure<'a>>,
        arguments: Vec<Value<'a>>,
        at: TextRange,
    ) -> Value<'a> {
        closures::call_closure(self, closure, arguments, at)
    }

    /// Inlines the body of a function, for these values of its generic parameters.
    pub(crate) fn inline_function(
        &mut self,
        function: usize,
        arguments: Vec<Value<'a>>,
        at: TextRange,
        closed: functions::ClosedScope,
    ) -> Value<'a> {
        closures::inline_function(self, function, arguments, at, closed)
    }

    /// Inlines the body of a function at a call that states no generic arguments.
    pub(crate) fn inline_call(
        &mut self,
        function: usize,
        arguments: Vec<Value<'a>>,
        at: TextRange,
    ) -> Value<'a> {
        let closed = functions::closed_scope(self, function, &arguments, None);
        closures::inline_function(self, function, arguments, at, closed)
    }

    /// Calls a function of the program.
    pub(crate) fn call_function(
        &mut self,
        function: usize,
        arguments: Vec<Value<'a>>,
        at: TextRange,
    ) -> Value<'a> {
        functions::call_function(self, function, arguments, at)
    }

    /// Calls the target of a path.
    pub(crate) fn call_path(
        &mut self,
        path: &syn::ExprPath,
        arguments: Vec<Value<'a>>,
        at: TextRange,
        expected: Option<&Ty>,
    ) -> Value<'a> {
        functions::call_path(self, path, arguments, at, expected)
    }

    /// Calls a method by its path: `f64::max(a, b)`.
    pub(crate) fn call_method_by_path(
        &mut self,
        receiver: Value<'a>,
        path: &[&str],
        arguments: Vec<Value<'a>>,
        at: TextRange,
    ) -> Value<'a> {
        methods::call_method_by_path(self, receiver, path, arguments, at)
    }
}
