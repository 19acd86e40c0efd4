//! Array assignments: `a(:, j) = b(:, j) + c` is `for k: a[k] = b[k] + c`, in array element order.
//!
//! If the right side reads elements after the loop has stored to them, the assignment uses a temporary array (see
//! [`overlap`]).

use crate::build;
use crate::names::FortranType;
use crate::syntax::{Expr, ExprKind};
use crate::translate::arrays::allocation::AllocationOnAssignment;
use crate::translate::arrays::{
    allocation, constructors, descriptors, designators, element_loops, elements, extents, matmul,
    overlap, scalar_operands,
};
use crate::translate::context::Translator;
use crate::translate::temporaries;
use premiss_ast::syntax::{Name, Statement, TextRange, TypeName};
use std::sync::Arc;

/// `left = right` with an array on the left side; `None` if it is not modelled.
pub(crate) fn assign_array(
    ctx: &mut Translator,
    left: &Expr,
    right: &Expr,
    at: TextRange,
) -> Option<Statement> {
    match allocation::allocation_on_assignment(ctx, left, right, at)? {
        AllocationOnAssignment::Kept => assign_conforming(ctx, left, right, at),
        AllocationOnAssignment::First(mut list) => {
            list.push(assign_conforming(ctx, left, right, at)?);
            Some(build::block(at, list))
        }
        AllocationOnAssignment::IfShapeDiffers => assign_reallocating(ctx, left, right, at),
    }
}

/// `left = right` of arrays of the same shape, or with a scalar on the right side.
pub(crate) fn assign_conforming(
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
        if !overlap::needs_temporary(left, right) {
            return matmul::matmul(ctx, left, arguments, at);
        }
        return temporaries::with_preceding_statements(ctx, at, |ctx, list| {
            let product = hoisted_array(ctx, right, list)?;
            assign_elements(ctx, left, &product, at)
        });
    }
    if let Some(stores) = assign_in_order(ctx, left, right, at) {
        return Some(stores);
    }
    temporaries::with_preceding_statements(ctx, at, |ctx, list| {
        let right = scalar_operands::evaluate_scalars(ctx, right, list);
        let left = scalar_operands::evaluate_subscripts(ctx, left, list);
        assign_elements(ctx, &left, &right, at)
    })
}

/// `left = right` with a constructor or a `RESHAPE` on the right side.
fn assign_in_order(
    ctx: &mut Translator,
    left: &Expr,
    right: &Expr,
    at: TextRange,
) -> Option<Statement> {
    if matches!(ctx.env.type_of(left), FortranType::Character(length) if length != Some(1)) {
        return None;
    }
    match &right.without_parentheses().kind {
        ExprKind::Constructor(items) if !elements::are_literals(items) => {
            constructors::assign_constructor(ctx, left, items, at)
        }
        ExprKind::Apply(base, arguments) => {
            let key = base.as_name().filter(|key| &***key == "reshape")?;
            ctx.env
                .names_intrinsic(key)
                .then(|| constructors::assign_reshaped(ctx, left, arguments, at))?
        }
        _ => None,
    }
}

/// `left = right` with an allocatable left side that may have another shape.
fn assign_reallocating(
    ctx: &mut Translator,
    left: &Expr,
    right: &Expr,
    at: TextRange,
) -> Option<Statement> {
    temporaries::with_preceding_statements(ctx, at, |ctx, list| {
        let root = left.root()?.clone();
        let mut source = scalar_operands::evaluate_scalars(ctx, right, list);
        if allocation::mentions(&source, &root) {
            source = hoisted_array(ctx, &source, list)?;
        }
        let mut bounds = Vec::new();
        for (lower, extent) in descriptors::bounds_of(ctx, &source)? {
            let own = ctx.fresh_name("extent");
            list.push(build::constant(at, &own, build::long_name(), extent));
            bounds.push((lower, build::name(at, &own)));
        }
        list.extend(allocation::reallocate(ctx, left, bounds, at)?);
        assign_conforming(ctx, left, &source, at)
    })
}

/// A separate array with the elements of an expression.
fn hoisted_array(ctx: &mut Translator, expr: &Expr, list: &mut Vec<Statement>) -> Option<Expr> {
    let (kind, rank) = ctx.env.type_and_rank(expr);
    let at = expr.at;
    let variable = temporaries::allocatable_variable(ctx, "temporary", kind, rank, at, list);
    let array = designators::array_object(ctx, &variable)?;
    let bounds = descriptors::bounds_of(ctx, expr)?;
    let extents = bounds
        .into_iter()
        .map(|(_, extent)| (build::integer(at, 1), extent));
    list.extend(descriptors::allocate_memory(
        ctx,
        array,
        extents.collect(),
        at,
    )?);
    list.push(assign_conforming(ctx, &variable, expr, at)?);
    Some(variable)
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
