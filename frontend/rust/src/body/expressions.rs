//! Expressions.

use super::{Body, build};
use crate::types::{SIZE, SOME_FLOAT, SOME_INTEGER, Ty};
use crate::value::{Closure, Code, Value};
use premiss_ast::syntax::{At, Binary, Expression, ExpressionKind, Unary};
use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;
use syn::{Expr, Lit, UnOp};

impl<'a> Body<'a, '_> {
    /// Evaluates an expression, of which this type is expected.
    pub(super) fn expression(&mut self, value: &'a Expr, expected: Option<&Ty>) -> Value<'a> {
        let at = self.at(value);
        match value {
            Expr::Lit(literal) => self.literal(&literal.lit, at, expected),
            Expr::Path(path) => self.path(path, at),
            Expr::Paren(inner) => self.parenthesized(&inner.expr, expected),
            Expr::Group(inner) => self.expression(&inner.expr, expected),
            Expr::Binary(operation) => self.binary(operation, at),
            Expr::Unary(operation) => self.unary(operation, at, expected),
            Expr::Index(index) => self.index(index, at),
            Expr::Field(field) => self.field(field, at),
            Expr::Reference(reference) => self.reference(reference, at, expected),
            Expr::RawAddr(reference) => {
                let value = self.expression(&reference.expr, None);
                self.reference_to(value, at)
            }
            Expr::Assign(assignment) => self.assignment(assignment, at),
            Expr::Call(call) => self.call(call, at, expected),
            Expr::MethodCall(call) => self.method_call(call, at, expected),
            Expr::Cast(cast) => self.cast(cast, at),
            Expr::Block(block) => self.block_expression(block, at),
            Expr::Unsafe(block) => self.scoped(&block.block),
            Expr::Const(block) => self.scoped(&block.block),
            Expr::If(branch) => self.if_expression(branch, at, expected),
            Expr::Match(choice) => self.match_expression(choice, at, expected),
            Expr::ForLoop(one) => self.for_loop(one, at),
            Expr::While(one) => self.while_loop(one, at),
            Expr::Loop(one) => self.endless_loop(one, at),
            Expr::Break(jump) => self.break_from(jump, at),
            Expr::Continue(jump) => self.continue_from(jump, at),
            Expr::Return(jump) => self.return_expression(jump, at),
            Expr::Range(range) => self.range(range, at),
            Expr::Tuple(tuple) => self.tuple(tuple, expected),
            Expr::Array(array) => self.array(array, at, expected),
            Expr::Repeat(array) => self.repeat(array, at, expected),
            Expr::Struct(literal) => self.struct_literal(literal, at),
            Expr::Closure(closure) => Value::Closure(Rc::new(Closure {
                syntax: Code::Closure(closure),
                sees: self.sees.clone(),
                copy: self.copy,
                is_used: Cell::new(false),
            })),
            Expr::Macro(invocation) => self.macro_value(&invocation.mac, at),
            Expr::Let(condition) => {
                let truth = self.let_condition(condition);
                Value::Plain(truth, Ty::Bool)
            }
            Expr::Try(tried) => self.tried(tried, at),
            Expr::Await(_) | Expr::Async(_) => self.unsupported("an asynchronous block", at),
            Expr::Yield(_) => self.unsupported("a generator", at),
            _ => self.unsupported("an expression of this kind", at),
        }
    }

    fn parenthesized(&mut self, inner: &'a Expr, expected: Option<&Ty>) -> Value<'a> {
        self.expression(inner, expected)
    }

    /// An expression that yields an integer or truth value, as it is computed with.
    pub(super) fn integer(&mut self, value: &'a Expr) -> Expression {
        let at = self.at(value);
        let found = self.expression(value, Some(&SIZE));
        self.integer_of(found, at)
    }

    /// A value as an integer.
    pub(super) fn integer_of(&mut self, value: Value<'a>, at: At) -> Expression {
        match self.peeled(value, at) {
            Value::Plain(expression, kind) => {
                let kind = self.solved(&kind);
                match kind.is_scalar() || kind.is_unknown() {
                    true => self.loaded(expression, &kind),
                    false => self.data(at),
                }
            }
            value => {
                self.evaluate(value);
                self.data(at)
            }
        }
    }

    pub(super) fn literal(&mut self, literal: &Lit, at: At, expected: Option<&Ty>) -> Value<'a> {
        let expected = expected.map(|kind| self.solved(kind));
        match literal {
            Lit::Int(number) => {
                let kind = Ty::primitive(number.suffix());
                let kind =
                    kind.or(expected.filter(|x| x.is_integer() || matches!(x, Ty::Float(_))));
                let kind = kind.unwrap_or(SOME_INTEGER);
                let value = number.base10_parse::<i64>();
                match (kind, value) {
                    (Ty::Float(size), _) => {
                        let value = number.base10_digits().parse().unwrap_or(0.0);
                        Value::Plain(build::floating(at, value, size.max(4)), Ty::Float(size))
                    }
                    (kind, Ok(value)) => Value::Plain(build::integer(at, value), kind),
                    // Beyond what is computed with.
                    (kind, Err(_)) => Value::Plain(self.data(at), kind),
                }
            }
            Lit::Float(number) => {
                let kind = Ty::primitive(number.suffix());
                let kind = kind.or(expected.filter(|kind| matches!(kind, Ty::Float(_))));
                let kind = kind.unwrap_or(SOME_FLOAT);
                let size = match kind {
                    Ty::Float(4) => 4,
                    _ => 8,
                };
                let value = number.base10_parse().unwrap_or(0.0);
                Value::Plain(build::floating(at, value, size), kind)
            }
            Lit::Bool(truth) => Value::Plain(build::integer(at, truth.value.into()), Ty::Bool),
            Lit::Char(letter) => Value::Plain(
                build::integer(at, u32::from(letter.value()).into()),
                Ty::Char,
            ),
            Lit::Byte(byte) => {
                let kind = Ty::primitive("u8").unwrap_or(SOME_INTEGER);
                Value::Plain(build::integer(at, byte.value().into()), kind)
            }
            Lit::Str(text) => self.text(text.value().len(), Ty::Str, at),
            Lit::ByteStr(text) => {
                let byte = Ty::primitive("u8").unwrap_or(SOME_INTEGER);
                self.text(text.value().len(), Ty::Slice(Arc::new(byte)), at)
            }
            _ => Value::Unknown(Ty::unknown()),
        }
    }

    fn text(&mut self, length: usize, kind: Ty, at: At) -> Value<'a> {
        let n_bytes = u32::try_from(length).unwrap_or(u32::MAX);
        let pointer = Expression::new(at, ExpressionKind::Text(n_bytes));
        let kind = kind.pointer();
        Value::Slice(crate::value::Slice {
            pointer,
            length: build::integer(at, i64::from(n_bytes)),
            element: kind.slice_element().unwrap_or_else(|| Arc::new(Ty::Unit)),
            kind,
        })
    }

    fn unary(&mut self, operation: &'a syn::ExprUnary, at: At, expected: Option<&Ty>) -> Value<'a> {
        if let UnOp::Deref(_) = operation.op {
            let value = self.expression(&operation.expr, None);
            return self.dereferenced(value, at);
        }
        let value = self.expression(&operation.expr, expected);
        let Value::Plain(operand, kind) = self.peeled(value, at) else {
            return Value::Unknown(Ty::unknown());
        };
        let kind = self.solved(&kind);
        let operand = self.loaded(operand, &kind);
        let operator = match operation.op {
            UnOp::Neg(_) => Unary::Negate,
            UnOp::Not(_) if kind == Ty::Bool => Unary::Not,
            _ => Unary::BitNot,
        };
        let is_unsigned = matches!(kind, Ty::Int(kind) if !kind.signed);
        let result = match operator {
            Unary::BitNot if is_unsigned => self.data(at),
            operator => build::unary(at, operator, operand),
        };
        match kind.is_scalar() {
            true => Value::Plain(result, kind),
            false => {
                self.emit(build::evaluated(result));
                Value::Unknown(kind)
            }
        }
    }

    fn reference(
        &mut self,
        reference: &'a syn::ExprReference,
        at: At,
        expected: Option<&Ty>,
    ) -> Value<'a> {
        let inner = expected.and_then(|kind| match kind {
            Ty::Pointer(inner) => Some((**inner).clone()),
            _ => None,
        });
        let value = self.expression(&reference.expr, inner.as_ref());
        let place = self.at(&reference.expr);
        let _ = at;
        self.reference_to(value, place)
    }

    fn range(&mut self, range: &'a syn::ExprRange, at: At) -> Value<'a> {
        let mut kind = SIZE;
        let mut bound = |body: &mut Self, end: &'a Expr| {
            let found = body.expression(end, None);
            if let Value::Plain(_, found) = &found
                && !found.is_weak()
            {
                kind = found.clone();
            }
            let place = body.at(end);
            body.integer_of(found, place)
        };
        let start = range.start.as_ref().map(|start| bound(self, start));
        let first = Value::size(start.clone().unwrap_or_else(|| build::integer(at, 0)));
        let (first, end) =
            self.in_order(first, |body| range.end.as_ref().map(|end| bound(body, end)));
        let start = match (start, first) {
            (Some(_), Value::Plain(first, _)) => Some(first),
            _ => None,
        };
        let end = match range.limits {
            syn::RangeLimits::HalfOpen(_) => end,
            syn::RangeLimits::Closed(_) => end.map(|end| {
                let place = end.at;
                build::binary(place, Binary::Add, end, build::integer(place, 1))
            }),
        };
        Value::Range(crate::value::Range { start, end, kind })
    }

    fn tuple(&mut self, tuple: &'a syn::ExprTuple, expected: Option<&Ty>) -> Value<'a> {
        if tuple.elems.is_empty() {
            return Value::Unit;
        }
        let kinds = match expected {
            Some(Ty::Tuple(kinds)) => kinds.clone(),
            _ => Vec::new(),
        };
        let elements = tuple.elems.iter().enumerate();
        let list = elements.map(|(idx, value)| (value, kinds.get(idx).cloned()));
        Value::Tuple(self.operands(list.collect()))
    }

    /// Evaluates operands in order.
    pub(super) fn operands(&mut self, list: Vec<(&'a Expr, Option<Ty>)>) -> Vec<Value<'a>> {
        let mut values: Vec<Value<'a>> = Vec::new();
        for (value, expected) in list {
            let before = Value::Tuple(std::mem::take(&mut values));
            let (before, value) =
                self.in_order(before, |body| body.expression(value, expected.as_ref()));
            if let Value::Tuple(before) = before {
                values = before;
            }
            values.push(value);
        }
        values
    }
}
