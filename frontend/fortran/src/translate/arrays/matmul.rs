//! `c = MATMUL(a, b)` as the loops that gfortran generates.

use crate::build;
use crate::syntax::{ActualArgument, Expr};
use crate::translate::arrays::{element_loops, elements, extents, overlap};
use crate::translate::context::Translator;
use premiss_ast::syntax::{Binary, Name, Statement, TextRange};

/// `c = MATMUL(a, b)`, column by column, as gfortran generates it: for each `j`, `c(:, j) = 0`, then for each `k`
/// `c(:, j) = c(:, j) + a(:, k) * b(k, j)`.
pub(crate) fn matmul(
    ctx: &mut Translator,
    left: &Expr,
    arguments: &[ActualArgument],
    at: TextRange,
) -> Option<Statement> {
    let a = arguments.first()?.expr()?.clone();
    let b = arguments.get(1)?.expr()?.clone();
    let (a_rank, b_rank) = (ctx.env.rank_of(&a), ctx.env.rank_of(&b));
    if overlap::needs_temporary(left, &a) || overlap::needs_temporary(left, &b) {
        return None;
    }
    let (i, j, k) = (
        ctx.fresh_name(":"),
        ctx.fresh_name(":"),
        ctx.fresh_name(":"),
    );
    let with = |list: &[(usize, &Name)]| -> Vec<Name> {
        let kept = list.iter().filter(|(is_there, _)| *is_there == 1);
        kept.map(|(_, name)| (*name).clone()).collect()
    };
    let has_rows = usize::from(a_rank == 2);
    let has_columns = usize::from(b_rank == 2);
    let of_c = with(&[(has_rows, &i), (has_columns, &j)]);
    let of_a = with(&[(has_rows, &i), (1, &k)]);
    let of_b = with(&[(1, &k), (has_columns, &j)]);
    let clear = cleared_element(ctx, left, &of_c, at)?;
    let add = added_product(ctx, (left, &of_c), (&a, &of_a), (&b, &of_b), at)?;
    let (mut first, mut second) = (clear, add);
    if has_rows == 1 {
        let rows = extents::extent_of(ctx, left, 0)?;
        first = element_loops::counted_loop(at, &i, rows, first);
        let rows = extents::extent_of(ctx, left, 0)?;
        second = element_loops::counted_loop(at, &i, rows, second);
    }
    let inner = extents::extent_of(ctx, &b, 0)?;
    let products = element_loops::counted_loop(at, &k, inner, second);
    let mut all = build::block(at, vec![first, products]);
    if has_columns == 1 {
        let columns = extents::extent_of(ctx, left, has_rows)?;
        all = element_loops::counted_loop(at, &j, columns, all);
    }
    Some(all)
}

/// `c(i, j) = 0`
fn cleared_element(
    ctx: &mut Translator,
    left: &Expr,
    positions: &[Name],
    at: TextRange,
) -> Option<Statement> {
    let kind = ctx.env.type_of(left).name();
    let zero = build::opaque_value(at, kind, Vec::new());
    let element = elements::element_of(ctx, left, positions)?;
    Some(build::evaluate(build::assign(left.at, element, zero)))
}

/// `c(i, j) = c(i, j) + a(i, k) * b(k, j)`
fn added_product(
    ctx: &mut Translator,
    (left, of_c): (&Expr, &[Name]),
    (a, of_a): (&Expr, &[Name]),
    (b, of_b): (&Expr, &[Name]),
    at: TextRange,
) -> Option<Statement> {
    let so_far = elements::element_of(ctx, left, of_c)?;
    let a = elements::element_of(ctx, a, of_a)?;
    let b = elements::element_of(ctx, b, of_b)?;
    let product = build::operation(at, Binary::Multiply, a, b);
    let sum = build::operation(at, Binary::Add, so_far, product);
    let element = elements::element_of(ctx, left, of_c)?;
    Some(build::evaluate(build::assign(left.at, element, sum)))
}
