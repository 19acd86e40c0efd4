//! Types of explicit-shape arrays: nested arrays, the first dimension innermost.

use crate::build;
use crate::names::{ArraySpec, FortranType};
use crate::syntax::Expr;
use crate::translate::context::Translator;
use premiss_ast::syntax::{Binary, Expression, ExpressionKind, TypeName};
use std::sync::Arc;

/// The type of an array restricted to one value of its last subscript.
pub(crate) fn row_type(
    ctx: &mut Translator,
    kind: &FortranType,
    shape: &ArraySpec,
) -> Option<Arc<TypeName>> {
    let ArraySpec::Explicit(bounds) = shape else {
        return None;
    };
    let mut row = kind.name();
    for (lower, upper) in &bounds[..bounds.len().saturating_sub(1)] {
        let extent = extent_between(ctx, lower.as_ref(), upper.as_ref())?;
        row = Arc::new(TypeName::Array(row, Some(Arc::new(extent))));
    }
    Some(row)
}

/// The type of an explicit-shape array; its last extent is open if it is `*`.
pub(crate) fn array_type(
    ctx: &mut Translator,
    kind: &FortranType,
    shape: &ArraySpec,
) -> Option<Arc<TypeName>> {
    let row = row_type(ctx, kind, shape)?;
    let ArraySpec::Explicit(bounds) = shape else {
        return None;
    };
    let extent = match bounds.last() {
        Some((lower, Some(upper))) => {
            let extent = extent_between(ctx, lower.as_ref(), Some(upper))?;
            Some(Arc::new(extent))
        }
        _ => None,
    };
    Some(Arc::new(TypeName::Array(row, extent)))
}

/// `upper - lower + 1`
pub(crate) fn extent_between(
    ctx: &mut Translator,
    lower: Option<&Expr>,
    upper: Option<&Expr>,
) -> Option<Expression> {
    let upper = upper?;
    let at = upper.at;
    let above = ctx.expression(upper);
    let below = match lower {
        Some(lower) => ctx.expression(lower),
        None => build::integer(at, 1),
    };
    let is_one = matches!(below.kind, ExpressionKind::Integer(1, _));
    Some(match is_one {
        true => above,
        false => {
            let distance = build::binary(at, Binary::Subtract, above, below);
            build::binary(at, Binary::Add, distance, build::integer(at, 1))
        }
    })
}
