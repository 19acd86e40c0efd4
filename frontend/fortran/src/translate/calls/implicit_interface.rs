//! Actual arguments of procedures of which the text has no more than a name: external ones that are not
//! there, and dummy procedures.

use crate::build;
use crate::names::{Entity, FortranType};
use crate::syntax::{Argument, Expr, ExprKind, NameKey};
use crate::translate::arrays::designators;
use crate::translate::calls::argument_list::{ArgumentAccess, ArgumentList};
use crate::translate::calls::{argument_association, copy_in_copy_out};
use crate::translate::context::Translator;
use crate::translate::expressions::characters;
use crate::translate::resolution;
use premiss_ast::syntax::{At, Expression};

/// The arguments of a procedure of which the text of its call tells no more than the name `key`. A dummy procedure takes
/// all of them by reference; one that is not there may change all that it gets.
pub(crate) fn implicit_arguments(
    ctx: &mut Translator,
    key: Option<&NameKey>,
    arguments: &[Argument],
    at: At,
) -> ArgumentList {
    let is_dummy = key.is_some_and(|key| {
        let symbol = ctx.env.scope.lookup(key).map(|symbol| &symbol.entity);
        matches!(symbol, Some(Entity::DummyProcedure(_)))
    });
    let mut handed = ArgumentList::default();
    for expr in arguments.iter().filter_map(Argument::expr) {
        let value = if let Some(key) = resolution::procedure_argument(&ctx.env, expr) {
            argument_association::procedure_value(ctx, &key, at)
        } else if 0 < ctx.env.rank_of(expr) {
            let start = match is_dummy {
                true => start_for_dummy_procedure(ctx, expr, &mut handed),
                false => base_array(ctx, expr),
            };
            start.unwrap_or_else(|| build::computed(at, FortranType::Unknown.name(), Vec::new()))
        } else if matches!(ctx.env.type_of(expr), FortranType::Character(_)) {
            characters::first_character(ctx, expr)
        } else {
            let kind = ctx.env.type_of(expr);
            match ctx.designator(expr).filter(build::is_addressable) {
                None if !is_dummy => ctx.expression(expr),
                _ => argument_association::pass_by_reference(ctx, expr, &kind, &mut handed),
            }
        };
        handed.scalars.push(value);
    }
    handed
}

/// Where an array starts that a dummy procedure gets, or a section that lies in one piece.
fn start_for_dummy_procedure(
    ctx: &mut Translator,
    expr: &Expr,
    handed: &mut ArgumentList,
) -> Option<Expression> {
    let kind = ctx.env.type_of(expr);
    let mut own = ArgumentList::default();
    let start =
        copy_in_copy_out::start_or_copy(ctx, expr, (&kind, ArgumentAccess::ReadWrite), &mut own)
            .ok()?;
    if !own.alternatives.is_empty() {
        return None;
    }
    handed.surround(own.before, None);
    handed.after.extend(own.after);
    Some(build::cast(expr.at, kind.pointer(), start))
}

/// Where the array is that an expression is part of.
fn base_array(ctx: &mut Translator, expr: &Expr) -> Option<Expression> {
    match &expr.kind {
        ExprKind::Apply(base, _) => base_array(ctx, base),
        _ => designators::array_object(ctx, expr).map(|array| array.base),
    }
}
