//! Expressions, by their kind: their values, and the statements that evaluate them.

use crate::ast_builder;
use crate::body::calls::{functions, methods};
use crate::body::context::Body;
use crate::body::control::{blocks, branches, conditionals, jumps, loops, returns};
use crate::body::library::complex;
use crate::body::values::{
    aggregates, assignments, captures, casts, fields, indexing, operators, places,
};
use crate::types::{SIZE, SOME_FLOAT, SOME_INTEGER, Ty};
use crate::value::{ClosureCode, Value};
use premiss_ast::syntax::{Binary, Expression, ExpressionKind, TextRange, Unary};
use std::sync::Arc;
use syn::{Expr, Lit, UnOp};

/// Evaluates an expression with an expected type.
pub(crate) fn expression<'a>(
    ctx: &mut Body<'a, '_>,
    value: &'a Expr,
    expected: Option<&Ty>,
) -> Value<'a> {
    let at = ctx.at(value);
    match value {
        Expr::Lit(literal) => ctx.literal(&literal.lit, at, expected),
        Expr::Path(path) => match fields::path_value(ctx, path, at) {
            Value::Closure(closure) => captures::copy_of_closure(ctx, &closure, at),
            value => value,
        },
        Expr::Paren(inner) => parenthesized(ctx, &inner.expr, expected),
        Expr::Group(inner) => ctx.expression(&inner.expr, expected),
        Expr::Binary(operation) => operators::binary_expression(ctx, operation, at),
        Expr::Unary(operation) => unary_expression(ctx, operation, at, expected),
        Expr::Index(index) => indexing::index_expression(ctx, index, at),
        Expr::Field(field) => fields::field_expression(ctx, field, at),
        Expr::Reference(reference) => borrow_expression(ctx, reference, expected),
        Expr::RawAddr(reference) => {
            let value = ctx.expression(&reference.expr, None);
            places::borrow(ctx, value, at)
        }
        Expr::Assign(assignment) => assignments::assign_expression(ctx, assignment, at),
        Expr::Call(call) => functions::call_expression(ctx, call, at, expected),
        Expr::MethodCall(call) => methods::method_call(ctx, call, at, expected),
        Expr::Cast(cast) => casts::cast_expression(ctx, cast, at),
        Expr::Block(block) => blocks::block_expression(ctx, block, at),
        Expr::Unsafe(block) => blocks::scoped_block(ctx, &block.block),
        Expr::Const(block) => blocks::scoped_block(ctx, &block.block),
        Expr::If(branch) => conditionals::if_expression(ctx, branch, at, expected),
        Expr::Match(choice) => conditionals::match_expression(ctx, choice, at, expected),
        Expr::ForLoop(one) => loops::for_loop(ctx, one, at),
        Expr::While(one) => loops::while_loop(ctx, one, at),
        Expr::Loop(one) => loops::endless_loop(ctx, one, at),
        Expr::Break(jump) => jumps::break_from(ctx, jump, at),
        Expr::Continue(jump) => jumps::continue_from(ctx, jump, at),
        Expr::Return(jump) => returns::return_expression(ctx, jump, at),
        Expr::Range(range) => range_expression(ctx, range, at),
        Expr::Tuple(tuple) => tuple_expression(ctx, tuple, expected),
        Expr::Array(array) => aggregates::array_literal(ctx, array, at, expected),
        Expr::Repeat(array) => aggregates::repeat_literal(ctx, array, at, expected),
        Expr::Struct(literal) => aggregates::struct_literal(ctx, literal, at),
        Expr::Closure(closure) => captures::closure_value(ctx, ClosureCode::Closure(closure), at),
        Expr::Macro(invocation) => ctx.unknown_macro(&invocation.mac, at),
        Expr::Let(condition) => {
            let truth = branches::let_condition(ctx, condition);
            Value::Plain(truth, Ty::Bool)
        }
        Expr::Try(tried) => returns::try_expression(ctx, tried, at),
        Expr::Await(_) | Expr::Async(_) => ctx.unsupported("an asynchronous block", at),
        Expr::Yield(_) => ctx.unsupported("a generator", at),
        _ => ctx.unsupported("an expression of this kind", at),
    }
}

fn parenthesized<'a>(ctx: &mut Body<'a, '_>, inner: &'a Expr, expected: Option<&Ty>) -> Value<'a> {
    ctx.expression(inner, expected)
}

/// The value of an integer or boolean expression, converted for arithmetic.
pub(crate) fn integer<'a>(ctx: &mut Body<'a, '_>, value: &'a Expr) -> Expression {
    let at = ctx.at(value);
    let found = ctx.expression(value, Some(&SIZE));
    ctx.integer_of(found, at)
}

/// A value as an integer.
pub(crate) fn integer_of<'a>(
    ctx: &mut Body<'a, '_>,
    value: Value<'a>,
    at: TextRange,
) -> Expression {
    match places::strip_references(ctx, value, at) {
        Value::Plain(expression, kind) => {
            let kind = ctx.inference.resolve(&kind);
            match kind.is_scalar() || kind.is_unknown() {
                true => places::load(ctx, expression, &kind),
                false => ctx.unknown_integer(at),
            }
        }
        value => {
            ctx.evaluate(value);
            ctx.unknown_integer(at)
        }
    }
}

pub(crate) fn literal<'a>(
    ctx: &mut Body<'a, '_>,
    literal: &Lit,
    at: TextRange,
    expected: Option<&Ty>,
) -> Value<'a> {
    let expected = expected.map(|kind| ctx.inference.resolve(kind));
    match literal {
        Lit::Int(number) => {
            let kind = Ty::primitive(number.suffix());
            let kind = kind.or(expected.filter(|x| x.is_integer() || matches!(x, Ty::Float(_))));
            let kind = kind.unwrap_or(SOME_INTEGER);
            let value = number.base10_parse::<i64>();
            match (kind, value) {
                (Ty::Float(size), _) => {
                    let value = number.base10_digits().parse().unwrap_or(0.0);
                    Value::Plain(
                        ast_builder::floating(at, value, size.max(4)),
                        Ty::Float(size),
                    )
                }
                (kind, Ok(value)) => Value::Plain(ast_builder::integer(at, value), kind),
                // Outside the range of arithmetic.
                (kind, Err(_)) => Value::Plain(ctx.unknown_integer(at), kind),
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
            Value::Plain(ast_builder::floating(at, value, size), kind)
        }
        Lit::Bool(truth) => Value::Plain(ast_builder::integer(at, truth.value.into()), Ty::Bool),
        Lit::Char(letter) => Value::Plain(
            ast_builder::integer(at, u32::from(letter.value()).into()),
            Ty::Char,
        ),
        Lit::Byte(byte) => {
            let kind = Ty::primitive("u8").unwrap_or(SOME_INTEGER);
            Value::Plain(ast_builder::integer(at, byte.value().into()), kind)
        }
        Lit::Str(text) => string_literal(ctx, text.value().len(), Ty::Str, at),
        Lit::ByteStr(text) => {
            let byte = Ty::primitive("u8").unwrap_or(SOME_INTEGER);
            string_literal(ctx, text.value().len(), Ty::Slice(Arc::new(byte)), at)
        }
        _ => Value::Unknown(Ty::unknown()),
    }
}

fn string_literal<'a>(
    _ctx: &mut Body<'a, '_>,
    length: usize,
    kind: Ty,
    at: TextRange,
) -> Value<'a> {
    let n_bytes = u32::try_from(length).unwrap_or(u32::MAX);
    let pointer = Expression::new(at, ExpressionKind::Text(n_bytes));
    let kind = kind.pointer();
    Value::Slice(crate::value::Slice {
        pointer,
        length: ast_builder::integer(at, i64::from(n_bytes)),
        element: kind.slice_element().unwrap_or_else(|| Arc::new(Ty::Unit)),
        kind,
    })
}

fn unary_expression<'a>(
    ctx: &mut Body<'a, '_>,
    operation: &'a syn::ExprUnary,
    at: TextRange,
    expected: Option<&Ty>,
) -> Value<'a> {
    if let UnOp::Deref(_) = operation.op {
        let value = ctx.expression(&operation.expr, None);
        return places::dereference(ctx, value, at);
    }
    let value = ctx.expression(&operation.expr, expected);
    let value = places::strip_references(ctx, value, at);
    if let Some(part) = complex::part_type(ctx, &value.kind()) {
        if let Some(value) = complex::negated(ctx, &value, at) {
            return value;
        }
        places::load_whole(ctx, &value, at);
        return complex::of_data(ctx, &part, at);
    }
    let Value::Plain(operand, kind) = value else {
        return Value::Unknown(Ty::unknown());
    };
    let kind = ctx.inference.resolve(&kind);
    let operand = places::load(ctx, operand, &kind);
    let operator = match operation.op {
        UnOp::Neg(_) => Unary::Negate,
        UnOp::Not(_) if kind == Ty::Bool => Unary::Not,
        _ => Unary::BitNot,
    };
    let is_unsigned = matches!(kind, Ty::Int(kind) if !kind.signed);
    let result = match operator {
        Unary::BitNot if is_unsigned => ctx.unknown_integer(at),
        operator => ast_builder::unary(at, operator, operand),
    };
    match kind.is_scalar() {
        true => Value::Plain(result, kind),
        false => {
            ctx.emit(ast_builder::evaluated(result));
            Value::Unknown(kind)
        }
    }
}

fn borrow_expression<'a>(
    ctx: &mut Body<'a, '_>,
    reference: &'a syn::ExprReference,
    expected: Option<&Ty>,
) -> Value<'a> {
    let inner = expected.and_then(|kind| match kind {
        Ty::Pointer(inner) => Some((**inner).clone()),
        _ => None,
    });
    let place = ctx.at(&reference.expr);
    let value = match &*reference.expr {
        // A reference to a closure shares its state.
        Expr::Path(path) => fields::path_value(ctx, path, place),
        value if reference.mutability.is_some() && indexing::contains_subscript(value) => {
            indexing::changed_place(ctx, value)
        }
        value => ctx.expression(value, inner.as_ref()),
    };
    places::borrow(ctx, value, place)
}

fn range_expression<'a>(
    ctx: &mut Body<'a, '_>,
    range: &'a syn::ExprRange,
    at: TextRange,
) -> Value<'a> {
    let mut kind = SIZE;
    let mut bound = |ctx: &mut Body<'a, '_>, end: &'a Expr| {
        let found = ctx.expression(end, None);
        if let Value::Plain(_, found) = &found
            && !found.is_weak()
        {
            kind = found.clone();
        }
        let place = ctx.at(end);
        ctx.integer_of(found, place)
    };
    let start = range.start.as_ref().map(|start| bound(ctx, start));
    let first = Value::size(start.clone().unwrap_or_else(|| ast_builder::integer(at, 0)));
    let (first, end) =
        ctx.evaluate_in_order(first, |ctx| range.end.as_ref().map(|end| bound(ctx, end)));
    let start = match (start, first) {
        (Some(_), Value::Plain(first, _)) => Some(first),
        _ => None,
    };
    let end = match range.limits {
        syn::RangeLimits::HalfOpen(_) => end,
        syn::RangeLimits::Closed(_) => end.map(|end| {
            let place = end.at;
            ast_builder::binary(place, Binary::Add, end, ast_builder::integer(place, 1))
        }),
    };
    Value::Range(crate::value::Range { start, end, kind })
}

fn tuple_expression<'a>(
    ctx: &mut Body<'a, '_>,
    tuple: &'a syn::ExprTuple,
    expected: Option<&Ty>,
) -> Value<'a> {
    if tuple.elems.is_empty() {
        return Value::Unit;
    }
    let kinds = match expected {
        Some(Ty::Tuple(kinds)) => kinds.clone(),
        _ => Vec::new(),
    };
    let elements = tuple.elems.iter().enumerate();
    let list = elements.map(|(idx, value)| (value, kinds.get(idx).cloned()));
    Value::Tuple(ctx.operands(list.collect()))
}

/// Evaluates operands in order.
pub(crate) fn operands<'a>(
    ctx: &mut Body<'a, '_>,
    list: Vec<(&'a Expr, Option<Ty>)>,
) -> Vec<Value<'a>> {
    let mut values: Vec<Value<'a>> = Vec::new();
    for (value, expected) in list {
        let before = Value::Tuple(std::mem::take(&mut values));
        let (before, value) =
            ctx.evaluate_in_order(before, |ctx| ctx.expression(value, expected.as_ref()));
        if let Value::Tuple(before) = before {
            values = before;
        }
        values.push(value);
    }
    values
}
