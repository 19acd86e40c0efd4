//! `WHERE`: each assignment is executed for all elements, and stores those for which the mask is true.

use crate::build;
use crate::syntax::{Expr, Statement as FortranStatement, StatementKind as Fortran};
use crate::translate::arrays::{element_loops, elements, overlap};
use crate::translate::context::Translator;
use crate::translate::rejections;
use premiss_ast::syntax::{Statement, TextRange};

/// `WHERE`: each assignment is executed for all elements, and stores those for which its mask is true and all previous
/// masks are false.
pub(crate) fn where_construct(
    ctx: &mut Translator,
    arms: &[(Option<Expr>, Vec<FortranStatement>)],
    at: TextRange,
) -> Statement {
    let mut list = Vec::new();
    for (mask, body) in arms {
        for one in body {
            let Fortran::Assign(left, right) = &one.kind else {
                list.push(rejections::unsupported_loop(
                    "this statement in WHERE",
                    one.at,
                ));
                continue;
            };
            let masks: Vec<&Expr> = arms
                .iter()
                .filter_map(|(other, _)| other.as_ref())
                .take_while(|other| mask.as_ref().is_none_or(|own| !std::ptr::eq(*other, own)))
                .collect();
            let translated = masked_assignment(ctx, mask.as_ref(), &masks, left, right, one.at);
            list.push(translated.unwrap_or_else(|| {
                rejections::unsupported_loop("this assignment in WHERE", one.at)
            }));
        }
    }
    build::block(at, list)
}

/// An assignment under a mask and the negations of all previous masks.
fn masked_assignment(
    ctx: &mut Translator,
    mask: Option<&Expr>,
    before: &[&Expr],
    left: &Expr,
    right: &Expr,
    at: TextRange,
) -> Option<Statement> {
    let reads_stored = |expr: &Expr| overlap::needs_temporary(left, expr);
    if reads_stored(right) || mask.is_some_and(reads_stored) {
        return None;
    }
    let names = element_loops::position_names(ctx, ctx.env.rank_of(left));
    let stored = elements::element_of(ctx, left, &names)?;
    let value = match ctx.env.rank_of(right) {
        0 => ctx.expression(right),
        _ => elements::element_of(ctx, right, &names)?,
    };
    let mut body = build::evaluate(build::assign(at, stored, value));
    if let Some(mask) = mask {
        let condition = elements::element_or_scalar(ctx, mask, &names)?;
        body = build::branch(at, condition, body, None);
    }
    for earlier in before.iter().rev() {
        let condition = elements::element_or_scalar(ctx, earlier, &names)?;
        body = build::branch(at, condition, build::empty(at), Some(body));
    }
    element_loops::over_elements(ctx, left, &names, body, at)
}
