//! Operators and conditions. Operators on user-defined types call the method that overloads them.

use crate::ast_builder;
use crate::body::context::Body;
use crate::body::control::branches;
use crate::body::library::complex;
use crate::body::values::{assignments, patterns, places};
use crate::implementations;
use crate::type_resolution::{is_assignment, operator};
use crate::types::Ty;
use crate::value::Value;
use premiss_ast::syntax::{Binary, Expression, ExpressionKind as Kind, TextRange};
use syn::{BinOp, Expr};

pub(crate) fn binary_expression<'a>(
    ctx: &mut Body<'a, '_>,
    operation: &'a syn::ExprBinary,
    at: TextRange,
) -> Value<'a> {
    if is_assignment(&operation.op) {
        return assignments::compound_assignment(ctx, operation, at);
    }
    match operation.op {
        BinOp::And(_) | BinOp::Or(_) => {
            let truth = short_circuit(ctx, operation, at);
            Value::Plain(truth, Ty::Bool)
        }
        _ => arithmetic_expression(ctx, operation, at),
    }
}

fn arithmetic_expression<'a>(
    ctx: &mut Body<'a, '_>,
    operation: &'a syn::ExprBinary,
    at: TextRange,
) -> Value<'a> {
    let is_shift = matches!(operation.op, BinOp::Shl(_) | BinOp::Shr(_));
    let left = ctx.expression(&operation.left, None);
    let left_kind = ctx.inference.resolve(&left.kind());
    let seen = ctx.inference.resolve(left_kind.peeled());
    let expected = (!is_shift && !seen.is_weak()).then_some(seen);
    let (left, right) = ctx.evaluate_in_order(left, |ctx| {
        ctx.expression(&operation.right, expected.as_ref())
    });
    let is_reference = |kind: &Ty| matches!(kind, Ty::Pointer(_));
    // The operator itself dereferences, once it has both operands.
    let is_late = is_reference(&left_kind) && !is_reference(&ctx.inference.resolve(&right.kind()));
    let right = places::strip_references(ctx, right, ctx.at(&operation.right));
    let right = match &right {
        Value::Plain(value, _) if is_late && !ast_builder::is_pure(value) => {
            ctx.hold(right, "right")
        }
        _ => right,
    };
    let left = places::strip_references(ctx, left, ctx.at(&operation.left));
    let Some(operator) = operator(&operation.op) else {
        return ctx.unsupported("an operator of this kind", at);
    };
    apply_operator(ctx, operator, left, right, at)
}

/// An operation on two values.
fn apply_operator<'a>(
    ctx: &mut Body<'a, '_>,
    operator: Binary,
    left: Value<'a>,
    right: Value<'a>,
    at: TextRange,
) -> Value<'a> {
    let (left_kind, right_kind) = (
        ctx.inference.resolve(&left.kind()),
        ctx.inference.resolve(&right.kind()),
    );
    let (Value::Plain(a, _), Value::Plain(b, _)) = (left.clone(), right.clone()) else {
        return overloaded_operator(ctx, operator, left, right, at);
    };
    let is_pointer = |kind: &Ty| matches!(kind, Ty::Pointer(_) | Ty::Box(_));
    let is_number = |kind: &Ty| kind.is_scalar() || kind.is_unknown() || is_pointer(kind);
    if !is_number(&left_kind) || !is_number(&right_kind) {
        return overloaded_operator(ctx, operator, left, right, at);
    }
    let is_shift = matches!(operator, Binary::ShiftLeft | Binary::ShiftRight);
    if !is_shift {
        ctx.inference.unify(&left.kind(), &right.kind());
    }
    let is_hole = |kind: &Ty| matches!(kind, Ty::Infer(_));
    let kind = match (left.kind(), right.kind()) {
        (hole, _) if is_hole(&hole) => hole,
        (_, hole) if is_hole(&hole) && !is_shift => hole,
        _ if left_kind.is_weak() && !is_shift => right_kind.clone(),
        _ => left_kind.clone(),
    };
    let (a, b) = (
        places::load(ctx, a, &left_kind),
        places::load(ctx, b, &right_kind),
    );
    let result = ast_builder::binary(at, operator, a, b);
    if operator.is_comparison() {
        return Value::Plain(result, Ty::Bool);
    }
    let result = match (operator, &ctx.inference.resolve(&kind)) {
        (Binary::ShiftLeft, Ty::Int(kind)) if 0 < kind.bits && kind.bits < 64 => {
            let narrow = premiss_ast::syntax::TypeName::Integer(*kind);
            ast_builder::cast(
                at,
                ast_builder::wide(),
                ast_builder::cast(at, narrow, result),
            )
        }
        _ => result,
    };
    Value::Plain(result, kind)
}

/// The method of this name of the left operand that takes the right one, if one of them is a struct of the program.
pub(crate) fn overload<'a>(
    ctx: &mut Body<'a, '_>,
    method: &str,
    left: &Value<'a>,
    right: &Value<'a>,
) -> Option<usize> {
    let kinds = [left, right].map(|value| ctx.inference.resolve_deeply(&value.kind()));
    if !kinds
        .iter()
        .any(|kind| matches!(kind.peeled(), Ty::Record(..)))
    {
        return None;
    }
    let own = kinds[0].clone();
    implementations::function_of_call(ctx.program, &own, (method, None), &kinds, None)
}

/// An operation on a value that is not a number: its parts are read, and the result is data.
fn overloaded_operator<'a>(
    ctx: &mut Body<'a, '_>,
    operator: Binary,
    left: Value<'a>,
    right: Value<'a>,
    at: TextRange,
) -> Value<'a> {
    let kind = ctx.inference.resolve(&left.kind());
    let method = operator_method(operator);
    if let Some(function) = method.and_then(|method| overload(ctx, method, &left, &right)) {
        return ctx.call_function(function, vec![left, right], at);
    }
    let kind = match kind.is_scalar() {
        true => ctx.inference.resolve(&right.kind()),
        false => kind,
    };
    if let (Ty::Record(record, _), Some(method)) = (&kind, method) {
        let name = ctx.program.index.record_name(*record);
        let function = ctx.program.function_of_type(&kind, method, None);
        let function = function.or_else(|| ctx.program.index.method(&name, method));
        if let Some(function) = function {
            return ctx.call_function(function, vec![left, right], at);
        }
    }
    let part = complex::part_type(ctx, &kind);
    if part.is_some()
        && method.is_some()
        && let Some(value) = complex::arithmetic(ctx, operator, &left, &right, at)
    {
        return value;
    }
    for value in [left, right] {
        places::load_whole(ctx, &value, at);
    }
    if let Some(part) = part.filter(|_| method.is_some()) {
        return complex::of_data(ctx, &part, at);
    }
    match operator.is_comparison() {
        true => Value::Plain(ctx.unknown_integer(at), Ty::Bool),
        false => Value::Unknown(kind),
    }
}

fn short_circuit<'a>(
    ctx: &mut Body<'a, '_>,
    operation: &'a syn::ExprBinary,
    at: TextRange,
) -> Expression {
    let left = ctx.condition(&operation.left);
    let lets = ctx.let_bindings.clone();
    let (statements, right) = ctx.emit_aside_binding(|ctx| {
        for (pattern, value) in lets {
            patterns::bind(ctx, pattern, value);
        }
        ctx.condition(&operation.right)
    });
    let right = ctx.with_statements(statements, right);
    let (left, right) = (Box::new(left), Box::new(right));
    let kind = match operation.op {
        BinOp::And(_) => Kind::And(left, right),
        _ => Kind::Or(left, right),
    };
    Expression::new(at, kind)
}

/// A condition as a truth value.
pub(crate) fn condition<'a>(ctx: &mut Body<'a, '_>, value: &'a Expr) -> Expression {
    match value {
        Expr::Paren(inner) => ctx.condition(&inner.expr),
        Expr::Let(condition) => branches::let_condition(ctx, condition),
        value => {
            let at = ctx.at(value);
            let found = ctx.expression(value, Some(&Ty::Bool));
            match places::strip_references(ctx, found, at) {
                Value::Plain(truth, _) => truth,
                other => {
                    ctx.evaluate(other);
                    ctx.unknown_integer(at)
                }
            }
        }
    }
}

/// The method of a trait of `std::ops` that an operator calls.
pub(crate) fn operator_method(operator: Binary) -> Option<&'static str> {
    Some(match operator {
        Binary::Add => "add",
        Binary::Subtract => "sub",
        Binary::Multiply => "mul",
        Binary::Divide => "div",
        Binary::Remainder => "rem",
        _ => return None,
    })
}
