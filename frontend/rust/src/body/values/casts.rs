//! `as` and other conversions of numbers.

use crate::ast_builder;
use crate::body::context::Body;
use crate::body::values::places;
use crate::types::Ty;
use crate::value::Value;
use premiss_ast::syntax::{Binary, Expression, ExpressionKind, TextRange, TypeName};
use premiss_tree::IntegerType;
use std::sync::Arc;

pub(crate) fn cast_expression<'a>(
    ctx: &mut Body<'a, '_>,
    cast: &'a syn::ExprCast,
    at: TextRange,
) -> Value<'a> {
    let scope = ctx.substitution.clone();
    let to = ctx.program.resolve(&cast.ty, &scope);
    let value = ctx.expression(&cast.expr, None);
    convert(ctx, value, to, at)
}

/// Converts a value to another type.
pub(crate) fn convert<'a>(
    ctx: &mut Body<'a, '_>,
    value: Value<'a>,
    to: Ty,
    at: TextRange,
) -> Value<'a> {
    match (value, to) {
        (Value::Plain(value, from), to) => {
            let from = ctx.inference.resolve(&from);
            if to.is_unknown() {
                return Value::Plain(value, from);
            }
            if let (Ty::Pointer(a), Ty::Pointer(b)) = (&from, &to)
                && !b.is_unknown()
                && a.key() != b.key()
            {
                return Value::Plain(pointer_to(ctx, value, b, at), to);
            }
            let value = places::load(ctx, value, &from);
            Value::Plain(converted_expression(at, value, &from, &to), to)
        }
        (Value::Slice(slice), Ty::Pointer(element)) => {
            let pointer = match element.is_unknown() || slice.element.key() == element.key() {
                true => slice.pointer,
                false => pointer_to(ctx, slice.pointer, &element, at),
            };
            Value::Plain(pointer, Ty::Pointer(element))
        }
        (value, to) => {
            ctx.evaluate(value);
            ctx.unknown_value(&to, at)
        }
    }
}

/// A pointer as one to elements of another type.
pub(crate) fn pointer_to(
    ctx: &mut Body,
    pointer: Expression,
    element: &Ty,
    at: TextRange,
) -> Expression {
    let element = match element {
        Ty::Array(element, _) => ctx.memory_type(element),
        element => ctx.memory_type(element),
    };
    ast_builder::cast(at, TypeName::Pointer(Arc::new(element)), pointer)
}

fn converted_expression(at: TextRange, value: Expression, from: &Ty, to: &Ty) -> Expression {
    match (from, to) {
        (Ty::Enum(_, from), to) => converted_expression(at, value, &Ty::Int(*from), to),
        (Ty::Float(_), Ty::Int(_)) => ast_builder::cast(at, ast_builder::wide(), value),
        (Ty::Int(from), Ty::Int(kind))
            if from.signed && 0 < from.bits && !kind.signed && kind.bits == 64 =>
        {
            natural(at, value)
        }
        (_, Ty::Int(kind)) if is_narrowing(from, *kind) => ast_builder::cast(
            at,
            ast_builder::wide(),
            ast_builder::cast(at, TypeName::Integer(*kind), value),
        ),
        (Ty::Int(_) | Ty::Char | Ty::Bool, Ty::Int(_) | Ty::Char) => value,
        (_, Ty::Float(size)) => {
            let size = if *size == 0 { 8 } else { *size };
            ast_builder::cast(at, TypeName::Floating(size), value)
        }
        (Ty::Pointer(_), Ty::Pointer(_)) => value,
        _ => value,
    }
}

/// A number if it is not negative, else data: a negative number as an unsigned one of 64 bits would exceed the range
/// of arithmetic.
pub(crate) fn natural(at: TextRange, value: Expression) -> Expression {
    let unsigned = |value| {
        let kind = IntegerType {
            bits: 64,
            signed: false,
        };
        Box::new(ast_builder::cast(at, TypeName::Integer(kind), value))
    };
    let one = unsigned(ast_builder::integer(at, 1));
    let same = ExpressionKind::Binary(Binary::Divide, unsigned(value), one);
    ast_builder::cast(at, ast_builder::wide(), Expression::new(at, same))
}

/// Whether a conversion to a type other than an unsigned one of 64 bits may change a value.
fn is_narrowing(from: &Ty, to: IntegerType) -> bool {
    if to.bits == 64 || to.bits == 0 {
        return false;
    }
    match from {
        Ty::Int(from) if from.bits == 0 => false,
        Ty::Int(from) if from.signed == to.signed => to.bits < from.bits,
        Ty::Int(from) if to.signed => to.bits <= from.bits,
        Ty::Bool => false,
        Ty::Char => to.bits < 32,
        _ => true,
    }
}
