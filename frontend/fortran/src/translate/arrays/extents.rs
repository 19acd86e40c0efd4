//! Extents of array expressions, dimension by dimension.

use crate::build;
use crate::names::constants;
use crate::syntax::{ActualArgument, ArgumentValue, Expr, ExprKind, ImpliedDo, find_argument};
use crate::translate::arrays::{bounds, designators, section_bounds};
use crate::translate::context::Translator;
use crate::translate::environment::NameEnvironment;
use crate::translate::resolution;
use premiss_ast::syntax::{Binary, Expression, TextRange};

/// The extent of a dimension of an array expression.
pub(crate) fn extent_of(ctx: &mut Translator, expr: &Expr, dimension: usize) -> Option<Expression> {
    match &expr.kind {
        ExprKind::Name(key) => {
            if let Some(value) = ctx.env.selector(key) {
                return extent_of(ctx, &value, dimension);
            }
            if let Some((_, value)) = ctx.env.named_constant_array(expr) {
                return extent_of(ctx, &value, dimension);
            }
            let array = designators::array_object(ctx, expr)?;
            bounds::extent(ctx, &array, dimension, expr.at)
        }
        ExprKind::Member(base, _) => match ctx.env.rank_of(base) {
            0 => {
                let array = designators::array_object(ctx, expr)?;
                bounds::extent(ctx, &array, dimension, expr.at)
            }
            _ => extent_of(ctx, base, dimension),
        },
        ExprKind::Apply(base, arguments) if ctx.env.is_array_object(base) => {
            extent_of_section(ctx, base, arguments, dimension)
        }
        ExprKind::Apply(base, arguments) => extent_of_call(ctx, base, arguments, dimension),
        ExprKind::Unary(_, x) | ExprKind::Parentheses(x) => extent_of(ctx, x, dimension),
        ExprKind::Binary(_, a, b) => match 0 < ctx.env.rank_of(a) {
            true => extent_of(ctx, a, dimension),
            false => extent_of(ctx, b, dimension),
        },
        ExprKind::Constructor(items) => {
            let is_scalar = |item: &&Expr| {
                ctx.env.rank_of(item) == 0 && !matches!(item.kind, ExprKind::ImpliedDo(_))
            };
            let n_scalars = items.iter().filter(is_scalar).count();
            let mut length = build::integer(expr.at, i64::try_from(n_scalars).ok()?);
            for item in items {
                let more = match &item.kind {
                    ExprKind::ImpliedDo(inner) => implied_length(ctx, inner, expr.at)?,
                    _ if ctx.env.rank_of(item) == 0 => continue,
                    _ => number_of_elements(ctx, item)?,
                };
                length = build::binary(expr.at, Binary::Add, length, more);
            }
            Some(length)
        }
        _ => None,
    }
}

/// The number of elements of an array.
fn number_of_elements(ctx: &mut Translator, array: &Expr) -> Option<Expression> {
    let mut product = build::integer(array.at, 1);
    for dimension in 0..ctx.env.rank_of(array) {
        let extent = extent_of(ctx, array, dimension)?;
        product = build::binary(array.at, Binary::Multiply, product, extent);
    }
    Some(product)
}

/// The number of items of an implied DO over scalars.
fn implied_length(ctx: &mut Translator, inner: &ImpliedDo, at: TextRange) -> Option<Expression> {
    let is_scalar =
        |item: &Expr| ctx.env.rank_of(item) == 0 && !matches!(item.kind, ExprKind::ImpliedDo(_));
    let n_items = i64::try_from(inner.items.len()).ok()?;
    let are_scalar = inner.items.iter().all(is_scalar);
    let count = are_scalar.then(|| implied_count(ctx, inner, at))?;
    Some(build::binary(
        at,
        Binary::Multiply,
        count,
        build::integer(at, n_items),
    ))
}

/// The number of iterations of an implied DO.
pub(crate) fn implied_count(ctx: &mut Translator, inner: &ImpliedDo, at: TextRange) -> Expression {
    let first = ctx.expression(&inner.first);
    let last = ctx.expression(&inner.last);
    let span = build::binary(at, Binary::Subtract, last, first);
    let count = match &inner.step {
        None => build::binary(at, Binary::Add, span, build::integer(at, 1)),
        Some(step) => {
            let (one, two) = (ctx.expression(step), ctx.expression(step));
            let span = build::binary(at, Binary::Add, span, one);
            build::binary(at, Binary::Divide, span, two)
        }
    };
    build::binary(at, Binary::Maximum, count, build::integer(at, 0))
}

/// The extent of a dimension of a section.
fn extent_of_section(
    ctx: &mut Translator,
    base: &Expr,
    arguments: &[ActualArgument],
    dimension: usize,
) -> Option<Expression> {
    if let ExprKind::Member(object, _) = &base.kind
        && 0 < ctx.env.rank_of(object)
    {
        return extent_of(ctx, object, dimension);
    }
    let ranked = arguments.iter().enumerate();
    let mut ranked = ranked.filter(|(_, argument)| 0 < ctx.env.rank_of_subscript(argument));
    let (place, argument) = ranked.nth(dimension)?;
    match &argument.value {
        ArgumentValue::Section(section) => {
            section_bounds::section_extent(ctx, base, place, section)
        }
        ArgumentValue::Expr(vector) => extent_of(ctx, vector, 0),
        ArgumentValue::Label | ArgumentValue::Star => None,
    }
}

/// The extent of a dimension of the result of an intrinsic array function.
fn extent_of_call(
    ctx: &mut Translator,
    base: &Expr,
    arguments: &[ActualArgument],
    dimension: usize,
) -> Option<Expression> {
    let key = base.as_name()?;
    if !ctx.env.names_intrinsic(key) {
        // An elemental function has the shape of its array arguments.
        let mut list = arguments.iter().filter_map(ActualArgument::expr);
        let array = list.find(|x| 0 < ctx.env.rank_of(x))?;
        let id = resolution::resolve_reference(&ctx.env, key, arguments)?;
        let is_elemental = ctx.env.index.procedure(id).summary.interface.is_elemental;
        return extent_of(ctx, array, dimension).filter(|_| is_elemental);
    }
    let first = arguments.first().and_then(ActualArgument::expr);
    match (&**key, first) {
        ("transpose", Some(x)) => extent_of(ctx, x, 1 - dimension.min(1)),
        ("matmul", Some(a)) => {
            let b = arguments.get(1)?.expr()?;
            match dimension {
                0 if 1 < ctx.env.rank_of(a) => extent_of(ctx, a, 0),
                _ => extent_of(ctx, b, ctx.env.rank_of(b) - 1),
            }
        }
        ("reshape", _) => match &find_argument(arguments, 1, "shape")?.kind {
            ExprKind::Constructor(items) => {
                let extent = items.get(dimension)?;
                (ctx.env.rank_of(extent) == 0).then(|| ctx.expression(extent))
            }
            _ => None,
        },
        ("spread" | "pack" | "unpack", _) => None,
        ("sum" | "product" | "maxval" | "minval" | "count" | "any" | "all", Some(x)) => {
            let reduced = reduced_dimension(&ctx.env, arguments)?;
            extent_of(ctx, x, dimension + usize::from(reduced <= dimension))
        }
        _ => {
            let list = arguments.iter().filter_map(ActualArgument::expr);
            let array = list.into_iter().find(|x| 0 < ctx.env.rank_of(x))?;
            extent_of(ctx, array, dimension)
        }
    }
}

/// The dimension that is reduced, counted from 0.
pub(crate) fn reduced_dimension(
    env: &NameEnvironment,
    arguments: &[ActualArgument],
) -> Option<usize> {
    let dimension = find_argument(arguments, 1, "dim")?;
    let value = constants::integer(dimension, &env.scope)?;
    usize::try_from(value).ok()?.checked_sub(1)
}
