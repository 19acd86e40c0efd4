//! `c = MATMUL(a, b)` as the loops that gfortran writes out.

use crate::build;
use crate::syntax::{Argument, Expr};
use crate::translate::arrays::{element_loops, elements, extents, overlap};
use crate::translate::context::Translator;
use premiss_ast::syntax::{At, Binary, Expression, ExpressionKind, Name, Statement};

/// `c = MATMUL(a, b)`, column by column: for each `j`, `c(:, j) = 0`, then for each `k`
/// `c(:, j) = c(:, j) + a(:, k) * b(k, j)`, as gfortran writes it out.
pub(crate) fn matmul(
    ctx: &mut Translator,
    left: &Expr,
    arguments: &[Argument],
    at: At,
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
    let kind = ctx.env.type_of(left).name();
    let zero = build::computed(at, kind, Vec::new());
    let cleared = build::evaluate(build::assign(
        left.at,
        elements::element_of(ctx, left, &of_c)?,
        zero,
    ));
    let so_far = Box::new(elements::element_of(ctx, left, &of_c)?);
    let factors = [
        elements::element_of(ctx, &a, &of_a)?,
        elements::element_of(ctx, &b, &of_b)?,
    ]
    .map(Box::new);
    let [one, other] = factors;
    let product = Expression::new(at, ExpressionKind::Binary(Binary::Multiply, one, other));
    let sum = Expression::new(
        at,
        ExpressionKind::Binary(Binary::Add, so_far, Box::new(product)),
    );
    let added = build::evaluate(build::assign(
        left.at,
        elements::element_of(ctx, left, &of_c)?,
        sum,
    ));
    let (mut first, mut second) = (cleared, added);
    if has_rows == 1 {
        let rows = extents::extent_of(ctx, left, 0)?;
        first = element_loops::counted_loop(at, &i, rows, first);
        let rows = extents::extent_of(ctx, left, 0)?;
        second = element_loops::counted_loop(at, &i, rows, second);
    }
    let inner = extents::extent_of(ctx, &b, 0)?;
    let mut all = build::block(
        at,
        vec![first, element_loops::counted_loop(at, &k, inner, second)],
    );
    if has_columns == 1 {
        let columns = extents::extent_of(ctx, left, has_rows)?;
        all = element_loops::counted_loop(at, &j, columns, all);
    }
    Some(all)
}
