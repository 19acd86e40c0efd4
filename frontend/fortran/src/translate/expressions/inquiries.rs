//! Inquiry functions: `SIZE`, `LBOUND`, `UBOUND`, `KIND`.

use crate::build;
use crate::names::constants;
use crate::syntax::{ActualArgument, Expr, NameKey, find_argument};
use crate::translate::arrays::{bounds, designators, extents};
use crate::translate::context::Translator;
use premiss_ast::syntax::{Binary, Expression, TextRange};

/// The value of an inquiry function, which depends on properties of its argument rather than on its value; `None` for
/// other functions.
pub(crate) fn inquiry(
    ctx: &mut Translator,
    key: &NameKey,
    arguments: &[ActualArgument],
    at: TextRange,
) -> Option<Expression> {
    let object = find_argument(arguments, 0, "array")?;
    match &**key {
        "allocated" | "present" => is_non_null(ctx, object, at),
        "associated" if arguments.len() == 1 => is_non_null(ctx, object, at),
        "size" => size(ctx, object, arguments, at),
        "lbound" => {
            let dimension = requested_dimension(ctx, arguments)?;
            Some(match designators::array_object(ctx, object) {
                Some(array) => bounds::lower_bound(ctx, &array, dimension, at),
                None => build::integer(at, 1),
            })
        }
        "ubound" => {
            let dimension = requested_dimension(ctx, arguments)?;
            upper_bound(ctx, object, dimension, at)
        }
        "kind" => {
            let value = constants::integer(object, &ctx.env.scope);
            let bytes = ctx.env.type_of(object).size().or(value)?;
            Some(build::integer(at, bytes))
        }
        _ => None,
    }
}

/// Whether the pointer to an array is not null: that of an optional dummy argument, an allocatable array or a pointer.
/// Those to scalars and to the pointers of others are not modelled.
fn is_non_null(ctx: &mut Translator, object: &Expr, at: TextRange) -> Option<Expression> {
    if ctx.env.rank_of(object) == 0 {
        return None;
    }
    let array = designators::array_object(ctx, object)?;
    let zero = build::integer(at, 0);
    Some(build::operation(at, Binary::NotEqual, array.base, zero))
}

/// The dimension given by `DIM`, counted from 0.
fn requested_dimension(ctx: &Translator, arguments: &[ActualArgument]) -> Option<usize> {
    let dimension = find_argument(arguments, 1, "dim")?;
    let value = constants::integer(dimension, &ctx.env.scope)?;
    usize::try_from(value).ok()?.checked_sub(1)
}

/// The number of elements, of one dimension or of all.
fn size(
    ctx: &mut Translator,
    object: &Expr,
    arguments: &[ActualArgument],
    at: TextRange,
) -> Option<Expression> {
    let dimensions = match find_argument(arguments, 1, "dim") {
        Some(_) => vec![requested_dimension(ctx, arguments)?],
        None => (0..ctx.env.rank_of(object)).collect(),
    };
    let mut product = build::integer(at, 1);
    for dimension in dimensions {
        let extent = extents::extent_of(ctx, object, dimension)?;
        product = build::binary(at, Binary::Multiply, product, extent);
    }
    Some(product)
}

/// The upper bound of a dimension of a whole array; its extent for an expression, whose lower bounds are 1.
fn upper_bound(
    ctx: &mut Translator,
    object: &Expr,
    dimension: usize,
    at: TextRange,
) -> Option<Expression> {
    let Some(array) = designators::array_object(ctx, object) else {
        return extents::extent_of(ctx, object, dimension);
    };
    let lower = bounds::lower_bound(ctx, &array, dimension, at);
    let extent = bounds::extent(ctx, &array, dimension, at)?;
    let past = build::binary(at, Binary::Add, lower, extent);
    Some(build::binary(
        at,
        Binary::Subtract,
        past,
        build::integer(at, 1),
    ))
}
