//! Assignment statements.

use crate::build;
use crate::names::FortranType;
use crate::syntax::Expr;
use crate::translate::context::Translator;
use crate::translate::expressions::characters;
use crate::translate::rejections;
use premiss_ast::syntax::{Statement, TextRange};

/// An assignment of a scalar or an array.
pub(crate) fn assignment(
    ctx: &mut Translator,
    left: &Expr,
    right: &Expr,
    at: TextRange,
) -> Statement {
    if 0 < ctx.env.rank_of(left) {
        let translated = ctx.assign_array(left, right, at);
        return translated.unwrap_or_else(|| {
            rejections::unsupported("an assignment of this array expression".to_owned(), at)
        });
    }
    if matches!(ctx.env.type_of(left), FortranType::Character(length) if length != Some(1)) {
        // Texts are not modelled, but calls on the right side are.
        let value = ctx.expression(right);
        return build::evaluate(value);
    }
    let value = match ctx.env.type_of(left) {
        FortranType::Character(_) => characters::first_character(ctx, right),
        _ => ctx.expression(right),
    };
    match ctx.designator(left) {
        Some(place) => build::evaluate(build::assign(at, place, value)),
        None => rejections::unsupported("an assignment to this object".to_owned(), at),
    }
}
