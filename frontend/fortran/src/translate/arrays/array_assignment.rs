//! Array assignments: `a(:, j) = b(:, j) + c` is `for k: a[k] = b[k] + c`, in array element order.
//!
//! If the right side reads elements after the loop has stored to them, the assignment uses a temporary array (see
//! [`overlap`]).

use crate::build;
use crate::syntax::{Expr, ExprKind};
use crate::translate::arrays::{allocation, element_loops, elements, extents, matmul, overlap};
use crate::translate::context::Translator;
use premiss_ast::syntax::{Name, Statement, TextRange, TypeName};
use std::sync::Arc;

/// `left = right` with an array on the left side; `None` if it is not modelled.
pub(crate) fn assign_array(
    ctx: &mut Translator,
    left: &Expr,
    right: &Expr,
    at: TextRange,
) -> Option<Statement> {
    if let ExprKind::Apply(base, arguments) = &right.kind
        && base
            .as_name()
            .is_some_and(|key| &**key == "matmul" && ctx.env.names_intrinsic(key))
    {
        return matmul::matmul(ctx, left, arguments, at);
    }
    if let Some(mut list) = allocation::allocate_on_assignment(ctx, left, right, at) {
        list.push(assign_elements(ctx, left, right, at)?);
        return Some(build::block(at, list));
    }
    assign_elements(ctx, left, right, at)
}

/// Stores element by element, through a temporary array if the sides overlap.
fn assign_elements(
    ctx: &mut Translator,
    left: &Expr,
    right: &Expr,
    at: TextRange,
) -> Option<Statement> {
    let rank = ctx.env.rank_of(left);
    if overlap::needs_temporary(left, right) {
        return assign_through_temporary(ctx, left, right, rank, at);
    }
    let names = element_loops::position_names(ctx, rank);
    let stored = elements::element_of(ctx, left, &names)?;
    let value = elements::element_or_scalar(ctx, right, &names)?;
    let body = build::evaluate(build::assign(at, stored, value));
    element_loops::over_elements(ctx, left, &names, body, at)
}

/// Stores the right side to a temporary array, and the temporary array to the left side.
fn assign_through_temporary(
    ctx: &mut Translator,
    left: &Expr,
    right: &Expr,
    rank: usize,
    at: TextRange,
) -> Option<Statement> {
    let temporary = ctx.fresh_name("temporary");
    let mut kind = ctx.env.type_of(left).name();
    for dimension in 0..rank {
        let extent = extents::extent_of(ctx, left, dimension)?;
        kind = Arc::new(TypeName::Array(kind, Some(Arc::new(extent))));
    }
    let array = build::object(at, &temporary, kind, None);
    let mut list = vec![build::declare(at, array)];
    let names = element_loops::position_names(ctx, rank);
    let element = |names: &[Name]| {
        let base = build::name(at, &temporary);
        let names = names.iter().rev();
        names.fold(base, |base, one| {
            build::index(at, base, build::name(at, one))
        })
    };
    let value = elements::element_or_scalar(ctx, right, &names)?;
    let fill = build::evaluate(build::assign(right.at, element(&names), value));
    list.push(element_loops::over_elements(ctx, left, &names, fill, at)?);
    let names = element_loops::position_names(ctx, rank);
    let stored = elements::element_of(ctx, left, &names)?;
    let copy = build::evaluate(build::assign(left.at, stored, element(&names)));
    list.push(element_loops::over_elements(ctx, left, &names, copy, at)?);
    Some(build::block(at, list))
}
