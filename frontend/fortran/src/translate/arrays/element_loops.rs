//! Loops over the elements of an array expression, in array element order.

use crate::build;
use crate::syntax::Expr;
use crate::translate::arrays::extents;
use crate::translate::context::Translator;
use premiss_ast::syntax::{
    Binary, Expression, ExpressionKind, For, Name, Statement, StatementKind, TextRange, TypeName,
};
use std::sync::Arc;

/// Names for positions in `rank` dimensions, counted from 0.
pub(crate) fn position_names(ctx: &mut Translator, rank: usize) -> Vec<Name> {
    (0..rank).map(|_| ctx.fresh_name(":")).collect()
}

/// Loops over all elements of an array expression, the first dimension innermost.
pub(crate) fn over_elements(
    ctx: &mut Translator,
    shape: &Expr,
    names: &[Name],
    body: Statement,
    at: TextRange,
) -> Option<Statement> {
    let mut body = body;
    for (dimension, position) in names.iter().enumerate() {
        let extent = extents::extent_of(ctx, shape, dimension)?;
        body = counted_loop(at, position, extent, body);
    }
    Some(body)
}

/// `for (position = 0; position < extent; position++) body`
pub(crate) fn counted_loop(
    at: TextRange,
    position: &Name,
    extent: Expression,
    body: Statement,
) -> Statement {
    let extent = build::cast(extent.at, build::long_name(), extent);
    counted_loop_of_type(at, position, build::long_name(), extent, body)
}

/// A counted loop with positions of a given type.
pub(crate) fn counted_loop_of_type(
    at: TextRange,
    position: &Name,
    kind: Arc<TypeName>,
    extent: Expression,
    body: Statement,
) -> Statement {
    let counter = build::object(at, position, kind, Some(build::integer(at, 0)));
    let is_below = build::operation(at, Binary::Less, build::name(at, position), extent);
    let step = ExpressionKind::Assign(
        Some(Binary::Add),
        Box::new(build::name(at, position)),
        Box::new(build::integer(at, 1)),
    );
    let body = match body.kind {
        StatementKind::Block(_) => body,
        _ => build::block(body.at, vec![body]),
    };
    let counted = For {
        header: at,
        initial: build::declare(at, counter),
        condition: Some(is_below),
        step: Some(Expression::new(at, step)),
        body,
    };
    build::statement(at, StatementKind::For(Box::new(counted)))
}
