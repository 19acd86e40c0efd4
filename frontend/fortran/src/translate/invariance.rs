//! Expressions that keep their value while statements are executed, for bounds of loops and subscripts of copied
//! sections.

use crate::names::{Entity, Storage};
use crate::syntax::visit::{expressions, statements, walk};
use crate::syntax::{
    Expr, ExprKind, LoopControl, NameKey, Statement as FortranStatement, StatementKind as Fortran,
    TransferDirection,
};
use crate::translate::context::Translator;
use crate::translate::environment::{NameEnvironment, ProcedureInTranslation};
use std::collections::BTreeSet;

/// Whether evaluating an expression makes no access and yields the same value throughout the procedure.
pub(crate) fn is_invariant(ctx: &Translator, expr: &Expr) -> bool {
    let variables = arithmetic_variables(&ctx.env, expr);
    variables.is_some_and(|keys| keys.iter().all(|key| is_unchanged(ctx, key)))
}

/// Whether an expression consists of arithmetic on variables and constants alone.
pub(crate) fn is_simple_arithmetic(env: &NameEnvironment, expr: &Expr) -> bool {
    arithmetic_variables(env, expr).is_some()
}

/// Whether statements may change the value of an expression, or evaluating it makes accesses.
pub(crate) fn may_change(ctx: &Translator, expr: &Expr, inside: &[FortranStatement]) -> bool {
    let Some(variables) = arithmetic_variables(&ctx.env, expr) else {
        return true;
    };
    let mut changed = false;
    statements(inside, &mut |one| {
        let may_call = matches!(one.kind, Fortran::Call(..));
        for key in &variables {
            changed |= may_call && !is_unchanged(ctx, key);
            changed |= stores_to(one, key);
        }
        for expr in expressions(one) {
            walk(expr, &mut |part| {
                if ctx.env.is_function_call(part) {
                    changed |= variables.iter().any(|key| !is_unchanged(ctx, key));
                }
            });
        }
    });
    changed
}

/// The variables in an expression; `None` if it is not arithmetic on variables and constants.
fn arithmetic_variables(env: &NameEnvironment, expr: &Expr) -> Option<Vec<NameKey>> {
    let mut names = BTreeSet::new();
    let mut is_plain = true;
    walk(expr, &mut |part| match &part.kind {
        ExprKind::Name(key) => {
            names.insert(key.clone());
        }
        ExprKind::Apply(base, _) => {
            let is_bound = base.as_name().is_some_and(|key| {
                matches!(
                    &**key,
                    "min" | "max" | "mod" | "size" | "min0" | "max0" | "int"
                ) && env.names_intrinsic(key)
            });
            is_plain &= is_bound;
        }
        ExprKind::Member(..) => is_plain = false,
        _ => {}
    });
    if !is_plain || names.iter().any(|key| env.selector(key).is_some()) {
        return None;
    }
    let is_variable = |key: &NameKey| {
        let entity = env.scope.lookup(key).map(|symbol| &symbol.entity);
        matches!(entity, Some(Entity::Variable(_)))
    };
    Some(names.into_iter().filter(is_variable).collect())
}

/// Whether a statement itself stores to a variable.
fn stores_to(one: &FortranStatement, key: &NameKey) -> bool {
    let is_it = |expr: &Expr| expr.root() == Some(key);
    match &one.kind {
        Fortran::Assign(left, _) | Fortran::PointTo(left, _) => is_it(left),
        Fortran::Do(inner) => match &inner.control {
            LoopControl::Counted(counter) => is_it(&counter.variable),
            LoopControl::Concurrent(counters, _) => counters.iter().any(|one| is_it(&one.variable)),
            LoopControl::While(_) | LoopControl::Forever => false,
        },
        Fortran::Transfer(items) => items
            .iter()
            .any(|(direction, item)| *direction == TransferDirection::GroupIn || is_it(item)),
        Fortran::Allocate(objects, options) | Fortran::Deallocate(objects, options) => {
            objects.iter().chain(&options.reports).any(is_it)
        }
        _ => false,
    }
}

/// Whether a variable keeps its value throughout the procedure, including its calls, or during the loop of which it is
/// the DO variable.
pub(crate) fn is_unchanged(ctx: &Translator, key: &NameKey) -> bool {
    if ctx.is_active_do_variable(key) {
        return true;
    }
    let is_own = ctx.env.scope.variable(key).is_some_and(|variable| {
        matches!(
            variable.storage,
            Storage::Dummy | Storage::Local | Storage::Saved
        )
    });
    let is_kept = |procedure: ProcedureInTranslation| !procedure.interface.mod_set.contains(key);
    is_own && ctx.env.procedure.is_some_and(is_kept)
}
