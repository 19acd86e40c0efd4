//! Inquiry functions: `SIZE`, `LBOUND`, `UBOUND`, `KIND`.

use crate::build;
use crate::names::constants;
use crate::syntax::{Argument, NameKey, find_argument};
use crate::translate::arrays::{bounds, designators, extents};
use crate::translate::context::Translator;
use premiss_ast::syntax::{At, Binary, Expression};

/// `SIZE`, `LBOUND` and their like, which ask for what an array is.
pub(crate) fn inquiry(
    ctx: &mut Translator,
    key: &NameKey,
    arguments: &[Argument],
    at: At,
) -> Option<Expression> {
    let object = find_argument(arguments, 0, "array")?;
    match &**key {
        "size" => {
            let rank = ctx.env.rank_of(object);
            let dimension = find_argument(arguments, 1, "dim");
            let dimensions = match dimension {
                Some(dimension) => {
                    let value = constants::integer(dimension, &ctx.env.scope)?;
                    vec![usize::try_from(value).ok()?.checked_sub(1)?]
                }
                None => (0..rank).collect(),
            };
            let mut product = build::integer(at, 1);
            for dimension in dimensions {
                let extent = extents::extent_of(ctx, object, dimension)?;
                product = build::binary(at, Binary::Multiply, product, extent);
            }
            Some(product)
        }
        "lbound" | "ubound" => {
            let dimension = find_argument(arguments, 1, "dim")?;
            let value = constants::integer(dimension, &ctx.env.scope)?;
            let dimension = usize::try_from(value).ok()?.checked_sub(1)?;
            let Some(array) = designators::array_object(ctx, object) else {
                return match &**key {
                    "lbound" => Some(build::integer(at, 1)),
                    _ => extents::extent_of(ctx, object, dimension),
                };
            };
            let lower = bounds::lower_bound(ctx, &array, dimension, at);
            if &**key == "lbound" {
                return Some(lower);
            }
            let extent = bounds::extent(ctx, &array, dimension, at)?;
            let past = build::binary(at, Binary::Add, lower, extent);
            let upper = build::binary(at, Binary::Subtract, past, build::integer(at, 1));
            Some(upper)
        }
        "kind" => {
            let value = constants::integer(object, &ctx.env.scope);
            let bytes = ctx.env.type_of(object).size().or(value)?;
            Some(build::integer(at, bytes))
        }
        _ => None,
    }
}
