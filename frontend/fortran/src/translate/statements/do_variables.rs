//! DO variables that procedures called in the loop could access: a substitute counts instead of them.

use crate::names::Storage;
use crate::syntax::visit::{blocks, expressions, statements, walk};
use crate::syntax::{
    ActualArgument, DoConstruct, Expr, ExprKind, LoopControl, NameKey,
    Statement as FortranStatement, StatementKind as Fortran,
};
use crate::translate::context::Translator;
use crate::translate::control::DoVariable;
use crate::translate::environment::NameEnvironment;

/// Marks the DO variables of a loop as active, with substitutes for those that procedures called in it could access.
pub(crate) fn activate_do_variables(ctx: &mut Translator, inner: &DoConstruct) {
    let counters = match &inner.control {
        LoopControl::Counted(counter) => std::slice::from_ref(counter),
        LoopControl::Concurrent(counters, _) => counters,
        LoopControl::While(_) | LoopControl::Forever => &[],
    };
    for counter in counters {
        let Some(key) = counter.variable.as_name() else {
            continue;
        };
        let is_shared = ctx.env.scope.variable(key).is_some_and(|variable| {
            matches!(variable.storage, Storage::Module | Storage::Area(..))
        });
        let is_reached = ctx.env.type_of(&counter.variable).is_integer()
            && may_call(&ctx.env, &inner.body)
            && (is_shared || is_passed_outside_its_loops(&ctx.env, key));
        let substitute = is_reached.then(|| ctx.fresh_name(key));
        let key = key.clone();
        ctx.control
            .do_variables
            .push(DoVariable { key, substitute });
    }
}

/// Whether some call outside of its loops receives a variable: the callee might keep its address and change it later.
fn is_passed_outside_its_loops(env: &NameEnvironment, key: &NameKey) -> bool {
    let Some(procedure) = env.procedure else {
        return false;
    };
    let mut found = false;
    outside_of_its_loops(&procedure.ast.body, key, &mut |one| {
        let is_it =
            |argument: &ActualArgument| argument.expr().and_then(Expr::as_name) == Some(key);
        if let Fortran::Call(_, arguments) = &one.kind {
            found |= arguments.iter().any(is_it);
        }
        for expr in expressions(one) {
            walk(expr, &mut |part| {
                if let ExprKind::Apply(_, arguments) = &part.kind {
                    found |= env.is_function_call(part) && arguments.iter().any(is_it);
                }
            });
        }
    });
    found
}

/// Whether statements may call procedures.
fn may_call(env: &NameEnvironment, inside: &[FortranStatement]) -> bool {
    let mut found = false;
    statements(inside, &mut |one| {
        found |= env.is_call(one);
        for expr in expressions(one) {
            walk(expr, &mut |part| found |= env.is_function_call(part));
        }
    });
    found
}

/// Calls `visit` on statements outside of the loops that count with a variable.
fn outside_of_its_loops<'s>(
    list: &'s [FortranStatement],
    key: &NameKey,
    visit: &mut dyn FnMut(&'s FortranStatement),
) {
    for one in list {
        visit(one);
        let counts = matches!(&one.kind, Fortran::Do(inner) if matches!(&inner.control,
            LoopControl::Counted(counter) if counter.variable.as_name() == Some(key)));
        if !counts {
            for inner in blocks(&one.kind) {
                outside_of_its_loops(inner, key, visit);
            }
        }
    }
}
