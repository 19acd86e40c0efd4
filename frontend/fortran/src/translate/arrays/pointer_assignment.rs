//! Pointer assignments `p => a`, and `MOVE_ALLOC`, which moves a descriptor in the same way.

use crate::build;
use crate::syntax::{ActualArgument, Expr, find_argument};
use crate::translate::arrays::{contiguity, descriptors, designators};
use crate::translate::context::Translator;
use crate::translate::rejections;
use premiss_ast::syntax::{ExpressionKind, Statement, TextRange};

/// `p => a`
pub(crate) fn assign_pointer(
    ctx: &mut Translator,
    left: &Expr,
    right: &Expr,
    at: TextRange,
) -> Statement {
    let translated = match ctx.env.rank_of(left) {
        0 => point_to_scalar(ctx, left, right, at),
        rank => point_to_array(ctx, left, right, rank, at),
    };
    translated.unwrap_or_else(|| rejections::unsupported("a pointer to this object", at))
}

/// `p => x` of scalars.
fn point_to_scalar(
    ctx: &mut Translator,
    left: &Expr,
    right: &Expr,
    at: TextRange,
) -> Option<Statement> {
    let ExpressionKind::Dereference(pointer) = ctx.designator(left)?.kind else {
        return None;
    };
    let target = ctx.designator(right)?;
    let target = build::address_of(at, target);
    Some(build::evaluate(build::assign(at, *pointer, target)))
}

/// `p => a` of arrays: the pointer and the bounds of a contiguous target.
fn point_to_array(
    ctx: &mut Translator,
    left: &Expr,
    right: &Expr,
    rank: usize,
    at: TextRange,
) -> Option<Statement> {
    if ctx.env.rank_of(right) != rank {
        return None;
    }
    let array = designators::array_object(ctx, left)?;
    let start = contiguity::contiguous_start(ctx, right)?;
    let bounds = descriptors::bounds_of(ctx, right)?;
    let mut list = descriptors::set_bounds(ctx, &array, bounds, at)?;
    let start = build::cast(at, array.variable.kind.pointer(), start);
    list.push(build::evaluate(build::assign(at, array.base, start)));
    Some(build::block(at, list))
}

/// `CALL MOVE_ALLOC (from, to)`: `to` gets the allocation of `from`.
pub(crate) fn move_allocation(
    ctx: &mut Translator,
    arguments: &[ActualArgument],
    at: TextRange,
) -> Statement {
    let from = find_argument(arguments, 0, "from");
    let to = find_argument(arguments, 1, "to");
    let moved = match (from, to) {
        (Some(from), Some(to)) => match ctx.env.rank_of(to) {
            0 => None,
            rank => point_to_array(ctx, to, from, rank, at),
        },
        _ => None,
    };
    moved.unwrap_or_else(|| rejections::unsupported("an allocation of this object", at))
}
