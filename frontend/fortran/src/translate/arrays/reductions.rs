//! `SUM`, `DOT_PRODUCT` and other reductions of whole arrays: loops over all elements.

use crate::build;
use crate::syntax::{ActualArgument, Expr, find_argument};
use crate::translate::arrays::{accumulation, element_loops, elements};
use crate::translate::context::Translator;
use crate::translate::rejections;
use premiss_ast::syntax::{Binary, Expression, ExpressionKind, StatementKind};

/// `SUM(a)` and similar: a loop over all elements.
pub(crate) fn reduction(
    ctx: &mut Translator,
    expr: &Expr,
    key: &str,
    arguments: &[ActualArgument],
) -> Option<Expression> {
    let first = arguments.first()?.expr()?;
    let rank = ctx.env.rank_of(first);
    if rank == 0 {
        return None;
    }
    let names = element_loops::position_names(ctx, rank);
    let mut element = elements::element_of(ctx, first, &names)?;
    if key == "dot_product" {
        let second = arguments.get(1)?.expr()?;
        let second = Box::new(elements::element_of(ctx, second, &names)?);
        let product = ExpressionKind::Binary(Binary::Multiply, Box::new(element), second);
        element = Expression::new(expr.at, product);
    }
    let kind = ctx.env.type_of(expr).name();
    let mut body = vec![build::evaluate(accumulation::accumulate(
        expr.at, key, kind, element,
    ))];
    if let Some(mask) = find_argument(arguments, 2, "mask")
        && key != "dot_product"
    {
        let condition = elements::element_or_scalar(ctx, mask, &names)?;
        let then = Box::new(build::block(expr.at, body));
        body = vec![build::statement(
            expr.at,
            StatementKind::If {
                condition,
                then,
                otherwise: None,
            },
        )];
    }
    let body = build::block(expr.at, body);
    let all = element_loops::over_elements(ctx, first, &names, body, expr.at)?;
    Some(rejections::value_after(&ctx.env, all, expr))
}
