//! Actual arguments of procedures of which only the name is known: undefined external procedures and dummy procedures.

use crate::build;
use crate::names::{Entity, FortranType};
use crate::syntax::{ActualArgument, Expr, ExprKind, NameKey};
use crate::translate::arrays::designators;
use crate::translate::calls::argument_list::{ArgumentAccess, ArgumentList};
use crate::translate::calls::{argument_association, copy_in_copy_out};
use crate::translate::context::Translator;
use crate::translate::expressions::characters;
use crate::translate::resolution;
use premiss_ast::syntax::{Expression, TextRange};

/// The arguments of a procedure with an implicit interface and without a known definition. A dummy procedure takes all
/// of them by reference; an undefined procedure may change all of them.
pub(crate) fn implicit_arguments(
    ctx: &mut Translator,
    key: Option<&NameKey>,
    arguments: &[ActualArgument],
    at: TextRange,
) -> ArgumentList {
    let is_dummy = key.is_some_and(|key| {
        let symbol = ctx.env.scope.lookup(key).map(|symbol| &symbol.entity);
        matches!(symbol, Some(Entity::DummyProcedure(_)))
    });
    let mut passed = ArgumentList::default();
    for expr in arguments.iter().filter_map(ActualArgument::expr) {
        let value = if let Some(key) = resolution::procedure_argument(&ctx.env, expr) {
            argument_association::procedure_value(ctx, &key, at)
        } else if 0 < ctx.env.rank_of(expr) {
            let start = match is_dummy {
                true => start_for_dummy_procedure(ctx, expr, &mut passed),
                false => base_array(ctx, expr),
            };
            start
                .unwrap_or_else(|| build::opaque_value(at, FortranType::Unknown.name(), Vec::new()))
        } else if matches!(ctx.env.type_of(expr), FortranType::Character(_)) {
            characters::first_character(ctx, expr)
        } else {
            let kind = ctx.env.type_of(expr);
            match ctx.designator(expr).filter(build::is_addressable) {
                None if !is_dummy => ctx.expression(expr),
                _ => argument_association::pass_by_reference(ctx, expr, &kind, &mut passed),
            }
        };
        passed.scalars.push(value);
    }
    passed
}

/// The start of an array or contiguous section that is passed to a dummy procedure.
fn start_for_dummy_procedure(
    ctx: &mut Translator,
    expr: &Expr,
    passed: &mut ArgumentList,
) -> Option<Expression> {
    let kind = ctx.env.type_of(expr);
    let mut own = ArgumentList::default();
    let start =
        copy_in_copy_out::start_or_copy(ctx, expr, (&kind, ArgumentAccess::ReadWrite), &mut own)
            .ok()?;
    if !own.alternatives.is_empty() {
        return None;
    }
    passed.surround(own.prologue, None);
    passed.epilogue.extend(own.epilogue);
    Some(build::cast(expr.at, kind.pointer(), start))
}

/// The start of the array that an expression is a part of.
fn base_array(ctx: &mut Translator, expr: &Expr) -> Option<Expression> {
    match &expr.kind {
        ExprKind::Apply(base, _) => base_array(ctx, base),
        _ => designators::array_object(ctx, expr).map(|array| array.base),
    }
}
