//! `CALL` statements.

use crate::build;
use crate::names::ProcedureId;
use crate::syntax::{ActualArgument, Expr, ExprKind, NameKey};
use crate::translate::arrays::{pointer_assignment, unknown_allocations, unknown_stores};
use crate::translate::calls::{argument_association, implicit_interface};
use crate::translate::context::Translator;
use crate::translate::{rejections, resolution};
use premiss_ast::syntax::{Name, ProgramEnd, Statement, StatementKind, TextRange};

/// `CALL build::name(…)`
pub(crate) fn call_statement(
    ctx: &mut Translator,
    callee: &Expr,
    arguments: &[ActualArgument],
    at: TextRange,
) -> Statement {
    let object_argument;
    let (ids, arguments) = match &callee.kind {
        ExprKind::Name(key) => {
            if ctx.env.names_intrinsic(key) && ctx.env.callees(key).is_empty() {
                if &**key == "move_alloc" {
                    return pointer_assignment::move_allocation(ctx, arguments, at);
                }
                return intrinsic_subroutine(ctx, key, arguments, at);
            }
            (Vec::new(), arguments)
        }
        ExprKind::Member(object, key) => {
            let (ids, all) = resolution::type_bound(&ctx.env, object, key, arguments);
            object_argument = all;
            (ids, &object_argument[..])
        }
        _ => (Vec::new(), arguments),
    };
    let resolved = match &callee.kind {
        ExprKind::Name(key) => resolution::resolve_reference(&ctx.env, key, arguments),
        _ => resolution::resolve_specific(&ctx.env, &ids, arguments),
    };
    if let Some(id) = resolved {
        return call_procedure(ctx, id, arguments, at);
    }
    let name = match &callee.kind {
        ExprKind::Name(key) => ctx.env.callee_name(key),
        _ => Name::from(ctx.env.source_text(callee.at)),
    };
    let passed = implicit_interface::implicit_arguments(ctx, callee.as_name(), arguments, at);
    let mut list = passed.surround_call(at, &|values| build::call(at, &name, values));
    list.extend(unknown_allocations::by_unknown_procedure(
        ctx, arguments, at,
    ));
    build::block(at, list)
}

/// A call of a procedure with a known definition.
pub(crate) fn call_procedure(
    ctx: &mut Translator,
    id: ProcedureId,
    arguments: &[ActualArgument],
    at: TextRange,
) -> Statement {
    match argument_association::associate_arguments(ctx, id, arguments, at) {
        Ok(passed) => {
            let name = &ctx.env.index.procedure(id).name;
            build::block(
                at,
                passed.surround_call(at, &|values| build::call(at, name, values)),
            )
        }
        Err(construct) => rejections::unsupported(construct, at),
    }
}

/// An intrinsic subroutine: it may change all of its arguments.
fn intrinsic_subroutine(
    ctx: &mut Translator,
    key: &NameKey,
    arguments: &[ActualArgument],
    at: TextRange,
) -> Statement {
    let mut list = Vec::new();
    for expr in arguments.iter().filter_map(ActualArgument::expr) {
        if &**key != "exit" {
            list.extend(unknown_stores::store_unknown(ctx, expr));
        }
    }
    if matches!(&**key, "exit" | "abort") {
        list.push(build::statement(at, StatementKind::Stop(ProgramEnd::Check)));
    }
    build::block(at, list)
}
