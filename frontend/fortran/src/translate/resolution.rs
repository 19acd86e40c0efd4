//! Resolves references to procedures: the specific procedure of a generic name, the procedure bound to a type, the
//! procedure that is an actual argument.

use crate::names::{Entity, FortranType, ProcedureId};
use crate::syntax::{ActualArgument, ArgumentValue, Expr, NameKey};
use crate::translate::environment::NameEnvironment;

/// The procedures among several that accept these arguments.
pub(crate) fn resolve_specific(
    env: &NameEnvironment,
    ids: &[ProcedureId],
    arguments: &[ActualArgument],
) -> Option<ProcedureId> {
    match ids {
        [] => None,
        [only] => Some(*only),
        several => {
            let fits = |id: &&ProcedureId| matches_interface(env, **id, arguments);
            let fitting = several.iter().find(fits).copied();
            // External procedures with the same name are in different files.
            let first = several.first()?;
            let are_alike = several
                .iter()
                .all(|id| env.index.procedure(*id).name == env.index.procedure(*first).name);
            fitting.or(Some(*first).filter(|_| are_alike))
        }
    }
}

/// Whether a procedure accepts arguments of these types and ranks.
fn matches_interface(env: &NameEnvironment, id: ProcedureId, arguments: &[ActualArgument]) -> bool {
    let interface = &env.index.procedure(id).summary.interface;
    if interface.dummies.len() < arguments.len() {
        return false;
    }
    let variable = |position| interface.dummy(position)?.variable.as_ref();
    for (idx, argument) in arguments.iter().enumerate() {
        let position = interface.position(idx, argument.keyword.as_ref());
        let (Some(variable), Some(expr)) = (variable(position), argument.expr()) else {
            continue;
        };
        let is_alike = are_compatible(&variable.kind, &env.type_of(expr));
        if variable.rank() != env.rank_of(expr) || !is_alike {
            return false;
        }
    }
    let is_required = |idx: usize| variable(idx).is_some_and(|variable| !variable.is_optional);
    (arguments.len()..interface.dummies.len()).all(|idx| !is_required(idx))
}

/// The procedure that a derived type binds to a name.
pub(crate) fn type_bound(env: &NameEnvironment, object: &Expr, key: &NameKey) -> Vec<ProcedureId> {
    let FortranType::Derived(kind, _) = env.type_of(object) else {
        return Vec::new();
    };
    let Some(found) = env.derived_type(&kind) else {
        return Vec::new();
    };
    let mut bindings = found.bindings.iter();
    match bindings.find(|(own, _)| own == key) {
        Some((_, target)) => env.callees(target),
        None => Vec::new(),
    }
}

/// The type of a function's result.
pub(crate) fn result_type(env: &NameEnvironment, id: ProcedureId) -> FortranType {
    env.index.procedure(id).summary.interface.result.0.clone()
}

/// The rank of a function's result.
pub(crate) fn result_rank(env: &NameEnvironment, id: ProcedureId) -> usize {
    env.index.procedure(id).summary.interface.result.1
}

/// The name of the procedure that an argument is, if it is one.
pub(crate) fn procedure_argument(env: &NameEnvironment, expr: &Expr) -> Option<NameKey> {
    let key = expr.as_name().filter(|key| env.selector(key).is_none())?;
    let is_procedure = matches!(
        env.scope.lookup(key)?.entity,
        Entity::Procedure(_) | Entity::External(_) | Entity::DummyProcedure(_) | Entity::Generic(_)
    );
    is_procedure.then(|| key.clone())
}

/// `object%build::name(a)` is `build::name(object, a)`.
pub(crate) fn with_passed_object(
    object: &Expr,
    arguments: &[ActualArgument],
) -> Vec<ActualArgument> {
    let first = ActualArgument {
        keyword: None,
        value: ArgumentValue::Expr(object.clone()),
    };
    std::iter::once(first)
        .chain(arguments.iter().cloned())
        .collect()
}

/// Whether a value of one type can be passed for another.
fn are_compatible(dummy: &FortranType, actual: &FortranType) -> bool {
    match (dummy, actual) {
        (FortranType::Character(_), FortranType::Character(_))
        | (FortranType::Unknown, _)
        | (_, FortranType::Unknown)
        | (FortranType::Logical(_), FortranType::Logical(_)) => true,
        (FortranType::Derived(a, _), FortranType::Derived(b, _)) => a == b,
        (a, b) => a == b,
    }
}
