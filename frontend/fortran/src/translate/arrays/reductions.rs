//! `SUM`, `DOT_PRODUCT` and other reductions of whole arrays: loops over all elements.

use crate::build;
use crate::syntax::{ActualArgument, Expr, find_argument};
use crate::translate::arrays::{accumulation, element_loops, elements, scalar_operands};
use crate::translate::context::Translator;
use crate::translate::rejections;
use premiss_ast::syntax::{Binary, Expression, ExpressionKind, Statement, StatementKind};

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
    let scope = ctx.env.scope.clone();
    let mut before = Vec::new();
    let first = &scalar_operands::evaluate_scalars(ctx, first, &mut before);
    let reduced = reduce_elements(ctx, expr, (key, first), arguments, before);
    ctx.env.scope = scope;
    reduced
}

/// The loop of a reduction, after the statements that compute scalar operands.
fn reduce_elements(
    ctx: &mut Translator,
    expr: &Expr,
    (key, first): (&str, &Expr),
    arguments: &[ActualArgument],
    mut before: Vec<Statement>,
) -> Option<Expression> {
    let names = element_loops::position_names(ctx, ctx.env.rank_of(first));
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
    before.push(all);
    let all = match &before[..] {
        [_] => before.remove(0),
        _ => build::block(expr.at, before),
    };
    Some(rejections::value_after(&ctx.env, all, expr))
}
