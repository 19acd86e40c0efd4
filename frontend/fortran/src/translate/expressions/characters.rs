//! Expressions of type `CHARACTER`: single characters have values, longer texts are not modelled.

use crate::build;
use crate::names::FortranType;
use crate::names::types::LOGICAL;
use crate::syntax::{BinaryOperator as Op, Expr, ExprKind};
use crate::translate::context::Translator;
use premiss_ast::syntax::{Binary, Expression, ExpressionKind, TextRange};
use premiss_tree::IntegerType;

/// Comparison and concatenation: the values of single characters are tracked, those of longer texts are not.
pub(crate) fn character_operation(
    ctx: &mut Translator,
    op: Op,
    a: &Expr,
    b: &Expr,
    at: TextRange,
) -> Expression {
    let is_single = |kind: FortranType| kind == FortranType::Character(Some(1));
    let are_single = is_single(ctx.env.type_of(a)) && is_single(ctx.env.type_of(b));
    let binary = match op {
        Op::Equal => Some(Binary::Equal),
        Op::NotEqual => Some(Binary::NotEqual),
        _ => None,
    };
    match binary {
        Some(op) if are_single => {
            let (left, right) = (ctx.expression(a), ctx.expression(b));
            build::operation(at, op, left, right)
        }
        _ if op == Op::Concatenate => {
            build::opaque_value(at, FortranType::Character(None).name(), Vec::new())
        }
        _ => build::opaque_value(at, LOGICAL.name(), Vec::new()),
    }
}

/// The first character of a text, as a number.
pub(crate) fn first_character(ctx: &mut Translator, expr: &Expr) -> Expression {
    match &expr.kind {
        ExprKind::Text(bytes) => match bytes.first() {
            Some(byte) => character_value(expr.at, *byte),
            None => character_value(expr.at, b' '),
        },
        ExprKind::Binary(Op::Concatenate, first, _) => first_character(ctx, first),
        ExprKind::Parentheses(inner) => first_character(ctx, inner),
        _ if ctx.env.type_of(expr) == FortranType::Character(Some(1)) => ctx.expression(expr),
        _ => build::opaque_value(expr.at, FortranType::Character(Some(1)).name(), Vec::new()),
    }
}

/// A character as a number.
pub(crate) fn character_value(at: TextRange, byte: u8) -> Expression {
    let kind = IntegerType {
        bits: 8,
        signed: true,
    };
    Expression::new(at, ExpressionKind::Integer(i64::from(byte), kind))
}
