//! Stores of unknown values, as by input statements and intrinsic subroutines.

use crate::build;
use crate::syntax::Expr;
use crate::translate::arrays::{element_loops, elements};
use crate::translate::context::Translator;
use premiss_ast::syntax::Statement;

/// A store of an unknown value to a variable, or to all elements of an array.
pub(crate) fn store_unknown(ctx: &mut Translator, place: &Expr) -> Option<Statement> {
    let at = place.at;
    let unknown = build::opaque_value(at, ctx.env.type_of(place).name(), Vec::new());
    match ctx.env.rank_of(place) {
        0 => {
            let place = ctx.designator(place)?;
            Some(build::evaluate(build::assign(at, place, unknown)))
        }
        rank => {
            let names = element_loops::position_names(ctx, rank);
            let element = elements::element_of(ctx, place, &names)?;
            let body = build::evaluate(build::assign(at, element, unknown));
            element_loops::over_elements(ctx, place, &names, body, at)
        }
    }
}
