//! Bounds of array sections: the first and last subscript of a triplet and its number of elements.

use crate::build;
use crate::names::constants;
use crate::syntax::{Expr, SubscriptTriplet};
use crate::translate::arrays::{bounds, designators};
use crate::translate::context::Translator;
use crate::translate::environment::NameEnvironment;
use premiss_ast::syntax::{Binary, Expression, TextRange};

/// `(last - first + step) / step`
pub(crate) fn section_extent(
    ctx: &mut Translator,
    base: &Expr,
    dimension: usize,
    section: &SubscriptTriplet,
) -> Option<Expression> {
    let at = section.at;
    if section.first.is_none() && section.last.is_none() && section.step.is_none() {
        let array = designators::array_object(ctx, base)?;
        return bounds::extent(ctx, &array, dimension, at);
    }
    let first = first_subscript(ctx, base, dimension, section)?;
    let last = last_subscript(ctx, base, dimension, section)?;
    let step = section.step.as_ref().map(|step| ctx.expression(step));
    let distance = build::binary(at, Binary::Subtract, last, first);
    Some(match step {
        None => build::binary(at, Binary::Add, distance, build::integer(at, 1)),
        Some(step) => {
            let more = section.step.as_ref().map(|step| ctx.expression(step))?;
            let sum = build::binary(at, Binary::Add, distance, more);
            build::binary(at, Binary::Divide, sum, step)
        }
    })
}

/// The first subscript of a triplet.
pub(crate) fn first_subscript(
    ctx: &mut Translator,
    base: &Expr,
    dimension: usize,
    section: &SubscriptTriplet,
) -> Option<Expression> {
    match &section.first {
        Some(first) => Some(ctx.expression(first)),
        None => outer_bound(
            ctx,
            base,
            dimension,
            is_backwards(&ctx.env, section),
            section.at,
        ),
    }
}

/// The last subscript of a triplet.
fn last_subscript(
    ctx: &mut Translator,
    base: &Expr,
    dimension: usize,
    section: &SubscriptTriplet,
) -> Option<Expression> {
    match &section.last {
        Some(last) => Some(ctx.expression(last)),
        None => outer_bound(
            ctx,
            base,
            dimension,
            !is_backwards(&ctx.env, section),
            section.at,
        ),
    }
}

/// The lower or upper bound of a dimension.
fn outer_bound(
    ctx: &mut Translator,
    base: &Expr,
    dimension: usize,
    is_upper: bool,
    at: TextRange,
) -> Option<Expression> {
    let array = designators::array_object(ctx, base)?;
    let lower = bounds::lower_bound(ctx, &array, dimension, at);
    if !is_upper {
        return Some(lower);
    }
    let extent = bounds::extent(ctx, &array, dimension, at)?;
    let past = build::binary(at, Binary::Add, lower, extent);
    Some(build::binary(
        at,
        Binary::Subtract,
        past,
        build::integer(at, 1),
    ))
}

/// Whether the stride of a triplet is a negative constant.
pub(crate) fn is_backwards(env: &NameEnvironment, section: &SubscriptTriplet) -> bool {
    section
        .step
        .as_ref()
        .is_some_and(|step| constants::integer(step, &env.scope).is_some_and(|step| step < 0))
}
