//! Expressions that keep their value while statements are executed, for bounds of loops and subscripts of copied
//! sections.

use crate::names::{Entity, Storage, direct_changes};
use crate::syntax::visit::{expressions, statements, walk};
use crate::syntax::{Expr, ExprKind, NameKey, Statement as FortranStatement};
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
        let may_call = ctx.env.is_call(one);
        let stored = direct_changes(one, &ctx.env.scope);
        for key in &variables {
            changed |= may_call && !is_unchanged(ctx, key);
            changed |= stored.contains(key);
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
        ExprKind::Member(..) | ExprKind::Defined(..) | ExprKind::Unparsed(..) => is_plain = false,
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
