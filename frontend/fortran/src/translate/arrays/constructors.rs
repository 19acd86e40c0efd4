//! Assignments of array constructors and of `RESHAPE`, which store their elements one after the other:
//!
//! ```text
//! x(:) = [a(2), b]              x(1) = a(2); x(2) = b
//! x = [(y(i), i = 1, n)]        for k: { i = 1 + k; x(1 + k) = y(i) }
//! m = RESHAPE(v, [2, 3])        for j: for i: m(i, j) = v(i + 2 * j)
//! ```

use crate::build;
use crate::syntax::{ActualArgument, Expr, ExprKind, ImpliedDo, find_argument};
use crate::translate::arrays::{element_loops, elements, extents, overlap};
use crate::translate::context::Translator;
use crate::translate::temporaries;
use premiss_ast::syntax::{Binary, Expression, Name, Statement, TextRange};

/// `left = [items]`; `None` if it is not modelled.
pub(crate) fn assign_constructor(
    ctx: &mut Translator,
    left: &Expr,
    items: &[Expr],
    at: TextRange,
) -> Option<Statement> {
    let reads_stored = items
        .iter()
        .any(|item| overlap::needs_temporary(left, item));
    if ctx.env.rank_of(left) != 1 || reads_stored {
        return None;
    }
    let mut list = Vec::new();
    let mut start = build::integer(at, 0);
    for item in items {
        let (stores, length) = match &item.kind {
            ExprKind::ImpliedDo(inner) => store_implied(ctx, left, inner, &start, at)?,
            _ => store_item(ctx, left, item, &start)?,
        };
        list.push(stores);
        start = build::binary(at, Binary::Add, start, length);
    }
    Some(build::block(at, list))
}

/// The elements of an item, from an offset of the left side, and their number.
fn store_item(
    ctx: &mut Translator,
    left: &Expr,
    item: &Expr,
    start: &Expression,
) -> Option<(Statement, Expression)> {
    let at = item.at;
    let names = element_loops::position_names(ctx, ctx.env.rank_of(item));
    let (offset, length) = position_in_order(ctx, item, &names)?;
    let value = elements::element_or_scalar(ctx, item, &names)?;
    let offset = build::binary(at, Binary::Add, start.clone(), offset);
    let store = store_at(ctx, left, offset, value, at)?;
    let all = element_loops::over_elements(ctx, item, &names, store, at)?;
    Some((all, length))
}

/// The items of an implied DO, from an offset of the left side, and their number.
fn store_implied(
    ctx: &mut Translator,
    left: &Expr,
    inner: &ImpliedDo,
    start: &Expression,
    at: TextRange,
) -> Option<(Statement, Expression)> {
    if inner.items.iter().any(|item| ctx.env.rank_of(item) != 0) {
        return None;
    }
    let count = extents::implied_count(ctx, inner, at);
    let iteration = ctx.fresh_name(":");
    let n_items = i64::try_from(inner.items.len()).ok()?;
    let scope = ctx.env.scope.clone();
    let variable = ctx.fresh_name(&inner.variable);
    let kind = ctx.env.type_of(&Expr {
        at,
        kind: ExprKind::Name(inner.variable.clone()),
    });
    let step = inner.step.as_ref().map(|step| ctx.expression(step));
    let distance = match step {
        Some(step) => build::binary(at, Binary::Multiply, build::name(at, &iteration), step),
        None => build::name(at, &iteration),
    };
    let value = build::binary(at, Binary::Add, ctx.expression(&inner.first), distance);
    let value = build::cast(at, kind.name(), value);
    let mut list = vec![build::constant(at, &variable, kind.name(), value)];
    temporaries::bind_scalar(ctx, &inner.variable, &variable, kind, at);
    let mut stored = Some(());
    for (idx, item) in (0..n_items).zip(&inner.items) {
        let within = build::binary(
            at,
            Binary::Multiply,
            build::name(at, &iteration),
            build::integer(at, n_items),
        );
        let offset = build::binary(at, Binary::Add, start.clone(), within);
        let offset = build::binary(at, Binary::Add, offset, build::integer(at, idx));
        let value = ctx.expression(item);
        stored = stored.and_then(|()| {
            list.push(store_at(ctx, left, offset, value, at)?);
            Some(())
        });
    }
    ctx.env.scope = scope;
    stored?;
    let body = build::block(at, list);
    let all = element_loops::counted_loop(at, &iteration, count.clone(), body);
    let n_items = build::integer(at, n_items);
    Some((all, build::binary(at, Binary::Multiply, count, n_items)))
}

/// `left = RESHAPE(source, shape)` of or to an array of rank 1.
pub(crate) fn assign_reshaped(
    ctx: &mut Translator,
    left: &Expr,
    arguments: &[ActualArgument],
    at: TextRange,
) -> Option<Statement> {
    let source = find_argument(arguments, 0, "source")?;
    if 2 < arguments.len() || overlap::needs_temporary(left, source) {
        return None;
    }
    let (from, to) = (ctx.env.rank_of(source), ctx.env.rank_of(left));
    let ordered = if to == 1 { source } else { left };
    let names = element_loops::position_names(ctx, ctx.env.rank_of(ordered));
    let (offset, _) = position_in_order(ctx, ordered, &names)?;
    let body = match (from, to) {
        (_, 1) => {
            let value = elements::element_of(ctx, source, &names)?;
            store_at(ctx, left, offset, value, at)?
        }
        (1, _) => {
            let place = ctx.fresh_name(":");
            let stored = elements::element_of(ctx, left, &names)?;
            let value = elements::element_of(ctx, source, std::slice::from_ref(&place))?;
            let position = build::constant(at, &place, build::long_name(), offset);
            let store = build::evaluate(build::assign(at, stored, value));
            build::block(at, vec![position, store])
        }
        _ => return None,
    };
    element_loops::over_elements(ctx, ordered, &names, body, at)
}

/// The place of an element in array element order, counted from 0, and the number of elements.
fn position_in_order(
    ctx: &mut Translator,
    array: &Expr,
    names: &[Name],
) -> Option<(Expression, Expression)> {
    let at = array.at;
    let mut offset = build::integer(at, 0);
    let mut length = build::integer(at, 1);
    for (dimension, name) in names.iter().enumerate() {
        let step = build::binary(at, Binary::Multiply, build::name(at, name), length.clone());
        offset = build::binary(at, Binary::Add, offset, step);
        let extent = extents::extent_of(ctx, array, dimension)?;
        length = build::binary(at, Binary::Multiply, length, extent);
    }
    Some((offset, length))
}

/// Stores a value to the element of a left side of rank 1 at an offset.
fn store_at(
    ctx: &mut Translator,
    left: &Expr,
    offset: Expression,
    value: Expression,
    at: TextRange,
) -> Option<Statement> {
    let place = ctx.fresh_name(":");
    let position = build::constant(at, &place, build::long_name(), offset);
    let stored = elements::element_of(ctx, left, std::slice::from_ref(&place))?;
    let store = build::evaluate(build::assign(at, stored, value));
    Some(build::block(at, vec![position, store]))
}
