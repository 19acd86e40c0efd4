//! Recognizes literals and products by their syntax, for counting operations.

use crate::context::Lowering;
use crate::domain::values::{Slot, Value, is_constant};
use crate::syntax::{Binary, Expression as Syntax, ExpressionKind, Name};

/// Whether the value of an expression is a constant in the text.
pub(crate) fn is_literal_expression(ctx: &mut Lowering, syntax: &Syntax) -> bool {
    match &syntax.kind {
        ExpressionKind::Integer(..)
        | ExpressionKind::Floating(..)
        | ExpressionKind::SizeofType(_)
        | ExpressionKind::SizeofExpression(_)
        | ExpressionKind::AlignofType(_)
        | ExpressionKind::OffsetOf(..) => true,
        ExpressionKind::Name(name) => is_constant_name(ctx, name),
        ExpressionKind::Unary(_, operand) | ExpressionKind::Cast(_, operand) => {
            is_literal_expression(ctx, operand)
        }
        ExpressionKind::Binary(_, left, right) => {
            is_literal_expression(ctx, right) && is_literal_expression(ctx, left)
        }
        _ => false,
    }
}

/// Whether a name denotes a constant number, as by `#define` and `const`.
pub(crate) fn is_constant_name(ctx: &mut Lowering, name: &Name) -> bool {
    let scopes = &ctx.frame().scopes;
    if scopes.iter().any(|scope| scope.contains_key(name)) {
        let key = (ctx.frames.len(), name.clone());
        return ctx.tree.operations.constants.contains(&key);
    }
    let slot = ctx.lookup(name);
    match slot {
        Some(Slot::Fixed(Value::Integer(value, _))) => is_constant(&value),
        Some(Slot::Fixed(Value::Floating(value, _))) => value.is_some(),
        None => true,
        _ => false,
    }
}

/// Whether an expression is a product, or the name that a front end gave to a product of this statement.
pub(crate) fn is_product_expression(ctx: &mut Lowering, syntax: Option<&Syntax>) -> bool {
    let Some(syntax) = syntax else { return false };
    match &syntax.kind {
        ExpressionKind::Binary(Binary::Multiply, left, right) => {
            !(is_literal_expression(ctx, right) && is_literal_expression(ctx, left))
        }
        ExpressionKind::Cast(_, operand) => is_product_expression(ctx, Some(operand)),
        ExpressionKind::Name(name) => {
            let key = (ctx.frames.len(), name.clone());
            let statement = ctx.tree.operations.statement;
            let product = ctx.tree.operations.products.get(&key);
            product.is_some_and(|at| {
                at.unit == statement.unit && statement.start <= at.start && at.end <= statement.end
            })
        }
        _ => false,
    }
}
