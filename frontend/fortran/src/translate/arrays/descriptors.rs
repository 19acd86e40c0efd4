//! Descriptors of allocatable arrays and array pointers: the pointer to the first element, and the bounds.

use crate::build;
use crate::names::ArraySpec;
use crate::syntax::{Expr, ExprKind};
use crate::translate::arrays::bounds::ArrayObject;
use crate::translate::arrays::{bounds, designators, extents};
use crate::translate::context::Translator;
use premiss_ast::syntax::{Binary, Expression, ExpressionKind, Statement, TextRange};

/// A lower bound and an extent.
pub(crate) type DimensionBounds = (Expression, Expression);

/// Allocates an array with these bounds.
pub(crate) fn allocate_memory(
    ctx: &mut Translator,
    array: ArrayObject,
    bounds: Vec<DimensionBounds>,
    at: TextRange,
) -> Option<Vec<Statement>> {
    let mut list = set_bounds(ctx, &array, bounds, at)?;
    let length = number_of_elements(ctx, &array, at);
    let kind = &array.variable.kind;
    let size = Expression::new(at, ExpressionKind::SizeofType(kind.name()));
    let bytes = build::binary(at, Binary::Multiply, length, size);
    let memory = build::cast(at, kind.pointer(), build::call(at, "malloc", vec![bytes]));
    list.push(build::evaluate(build::assign(at, array.base, memory)));
    Some(list)
}

/// The bounds that an object gets from an expression: those of a whole array, else lower bounds of 1.
pub(crate) fn bounds_of(ctx: &mut Translator, source: &Expr) -> Option<Vec<DimensionBounds>> {
    let whole = whole_array(ctx, source);
    let mut list = Vec::new();
    for dimension in 0..ctx.env.rank_of(source) {
        let lower = match &whole {
            Some(array) => bounds::lower_bound(ctx, array, dimension, source.at),
            None => build::integer(source.at, 1),
        };
        list.push((lower, extents::extent_of(ctx, source, dimension)?));
    }
    Some(list)
}

/// A whole array by its name, not a part of it or an expression.
fn whole_array(ctx: &mut Translator, expr: &Expr) -> Option<ArrayObject> {
    match &expr.kind {
        ExprKind::Member(base, _) if 0 < ctx.env.rank_of(base) => None,
        _ => designators::array_object(ctx, expr),
    }
}

/// Sets the bounds of an array; `None` if it is assumed to have other lower bounds.
pub(crate) fn set_bounds(
    ctx: &mut Translator,
    array: &ArrayObject,
    bounds: Vec<DimensionBounds>,
    at: TextRange,
) -> Option<Vec<Statement>> {
    let mut list = Vec::new();
    for (dimension, (lower, extent)) in bounds.into_iter().enumerate() {
        let own = bounds::run_time_extent(ctx, &array.bounds, dimension, at);
        list.push(build::evaluate(build::assign(at, own, extent)));
        let own = bounds::run_time_lower(ctx, &array.bounds, dimension, at);
        match (&own.kind, &lower.kind) {
            (ExpressionKind::Integer(own, _), ExpressionKind::Integer(lower, _))
                if own == lower => {}
            (ExpressionKind::Integer(..), _) => return None,
            _ => list.push(build::evaluate(build::assign(at, own, lower))),
        }
    }
    Some(list)
}

/// The product of the extents at run time.
fn number_of_elements(ctx: &mut Translator, array: &ArrayObject, at: TextRange) -> Expression {
    let rank = array.variable.shape.as_ref().map_or(0, ArraySpec::rank);
    (0..rank).fold(build::integer(at, 1), |product, dimension| {
        let extent = bounds::run_time_extent(ctx, &array.bounds, dimension, at);
        build::binary(at, Binary::Multiply, product, extent)
    })
}
