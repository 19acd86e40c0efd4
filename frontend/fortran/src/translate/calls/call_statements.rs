//! `CALL` statements.

use crate::build;
use crate::syntax::{ActualArgument, Expr, ExprKind, NameKey};
use crate::translate::arrays::{pointer_assignment, unknown_stores};
use crate::translate::calls::{argument_association, implicit_interface};
use crate::translate::context::Translator;
use crate::translate::{rejections, resolution};
use premiss_ast::syntax::{Name, Statement, TextRange};

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
            (ctx.env.callees(key), arguments)
        }
        ExprKind::Member(object, key) => {
            object_argument = resolution::with_passed_object(object, arguments);
            (
                resolution::type_bound(&ctx.env, object, key),
                &object_argument[..],
            )
        }
        _ => (Vec::new(), arguments),
    };
    if let Some(id) = resolution::resolve_specific(&ctx.env, &ids, arguments) {
        return match argument_association::associate_arguments(ctx, id, arguments, at) {
            Ok(passed) => {
                let name = &ctx.env.index.procedure(id).name;
                build::block(
                    at,
                    passed.surround_call(at, &|values| build::call(at, name, values)),
                )
            }
            Err(construct) => rejections::unsupported(construct, at),
        };
    }
    let name = match &callee.kind {
        ExprKind::Name(key) => ctx.env.callee_name(key),
        _ => Name::from(ctx.env.source_text(callee.at)),
    };
    let passed = implicit_interface::implicit_arguments(ctx, callee.as_name(), arguments, at);
    build::block(
        at,
        passed.surround_call(at, &|values| build::call(at, &name, values)),
    )
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
    build::block(at, list)
}
