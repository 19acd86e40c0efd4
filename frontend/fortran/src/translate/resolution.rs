//! Resolves references to procedures: the specific procedure of a generic name, the procedure bound to a type, the
//! procedure that is an actual argument.

use crate::names::{BoundProcedure, Entity, FortranType, ProcedureId};
use crate::syntax::{ActualArgument, ArgumentValue, Expr, NameKey, PassedObject};
use crate::translate::environment::NameEnvironment;

/// The procedure that a reference by a name with these arguments refers to, if a file defines it.
pub(crate) fn resolve_reference(
    env: &NameEnvironment,
    key: &NameKey,
    arguments: &[ActualArgument],
) -> Option<ProcedureId> {
    let ids = env.callees(key);
    match env.entity(key) {
        // The procedure may be one that no file defines.
        Some(Entity::Generic(generic)) if !generic.externals.is_empty() => {
            let mut ids = ids.into_iter();
            ids.find(|id| matches_interface(env, *id, arguments))
        }
        _ => resolve_specific(env, &ids, arguments),
    }
}

/// The function that replaces the structure constructor of a type for these arguments.
pub(crate) fn resolve_constructor(
    env: &NameEnvironment,
    key: &NameKey,
    arguments: &[ActualArgument],
) -> Option<ProcedureId> {
    env.entity(key)?;
    let mut ids = env.callees(key).into_iter();
    ids.find(|id| matches_interface(env, *id, arguments))
}

/// Whether a procedure accepts operands of these types and ranks, without further arguments; an elemental one if
/// `is_elementwise`, for each element.
pub(crate) fn accepts(
    env: &NameEnvironment,
    id: ProcedureId,
    operands: &[(FortranType, usize)],
    is_elementwise: bool,
) -> bool {
    let interface = &env.index.procedure(id).summary.interface;
    let mut operands = operands.iter().enumerate();
    interface.dummies.len() == operands.len()
        && operands.all(|(position, (kind, rank))| {
            let dummy = interface.dummy(position);
            dummy
                .and_then(|x| x.variable.as_ref())
                .is_some_and(|dummy| {
                    let fits_rank = match is_elementwise {
                        true => interface.is_elemental && dummy.rank() == 0,
                        false => dummy.rank() == *rank,
                    };
                    fits_rank
                        && (are_compatible(&dummy.kind, kind)
                            || is_ancestor(env, &dummy.kind, kind))
                })
        })
}

/// Whether a type is extended by another one.
fn is_ancestor(env: &NameEnvironment, dummy: &FortranType, actual: &FortranType) -> bool {
    match (dummy, actual) {
        (FortranType::Derived(a, _), FortranType::Derived(b, _)) => env.index.is_extension(b, a),
        _ => false,
    }
}

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

/// A call of a type-bound procedure: the procedures that it may be, and its arguments with the passed object.
pub(crate) fn type_bound(
    env: &NameEnvironment,
    object: &Expr,
    key: &NameKey,
    arguments: &[ActualArgument],
) -> (Vec<ProcedureId>, Vec<ActualArgument>) {
    let FortranType::Derived(kind, _) = env.type_of(object) else {
        return (Vec::new(), with_passed_object(env, object, arguments, None));
    };
    if let Some((bound, ids)) = binding(env, &kind, key) {
        let passed = Some((&bound.passed, &ids[..]));
        let arguments = with_passed_object(env, object, arguments, passed);
        return (ids, arguments);
    }
    let arguments = with_passed_object(env, object, arguments, None);
    let mut ids = bound_generic(env, &kind, key);
    ids.retain(|id| matches_interface(env, *id, &arguments));
    (ids, arguments)
}

/// The procedure that a type binds to a name; none of which the definition is known if an extension of the type
/// overrides it, as the object may have any of these types.
fn binding(
    env: &NameEnvironment,
    kind: &NameKey,
    key: &str,
) -> Option<(BoundProcedure, Vec<ProcedureId>)> {
    let found = env.derived_type(kind)?;
    let bound = found.binding(key)?.clone();
    let ids = match bound.procedure {
        _ if is_overridden(env, kind, &bound) => Vec::new(),
        Some(id) => vec![id],
        None => env
            .index
            .externals
            .get(&bound.target)
            .cloned()
            .unwrap_or_default(),
    };
    Some((bound, ids))
}

/// Whether an extension of a type binds another procedure to the name.
fn is_overridden(env: &NameEnvironment, kind: &NameKey, bound: &BoundProcedure) -> bool {
    let mut types = env.index.types.iter();
    types.any(|(own, found)| {
        own != kind
            && env.index.is_extension(own, kind)
            && found.binding(&bound.name).is_some_and(|other| {
                other.procedure != bound.procedure || other.procedure.is_none()
            })
    })
}

/// The procedures that a type binds to a generic name or operator.
pub(crate) fn bound_generic(
    env: &NameEnvironment,
    kind: &NameKey,
    generic: &str,
) -> Vec<ProcedureId> {
    let Some(found) = env.derived_type(kind) else {
        return Vec::new();
    };
    let named = found.generics.iter().filter(|(own, _)| **own == *generic);
    let names = named.flat_map(|(_, names)| names);
    let ids = names.filter_map(|name| binding(env, kind, name));
    ids.flat_map(|(_, ids)| ids).collect()
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

/// `object%name(a)` is `name(object, a)`, unless the binding says that the object is passed elsewhere or not at all.
fn with_passed_object(
    env: &NameEnvironment,
    object: &Expr,
    arguments: &[ActualArgument],
    binding: Option<(&PassedObject, &[ProcedureId])>,
) -> Vec<ActualArgument> {
    let position = match binding {
        Some((PassedObject::Nothing, _)) => return arguments.to_vec(),
        Some((PassedObject::Named(name), ids)) => {
            let interface = ids
                .first()
                .map(|id| &env.index.procedure(*id).summary.interface);
            interface.map_or(0, |interface| interface.position(0, Some(name)))
        }
        Some((PassedObject::First, _)) | None => 0,
    };
    let passed = ActualArgument {
        keyword: None,
        value: ArgumentValue::Expr(object.clone()),
    };
    let mut all = arguments.to_vec();
    all.insert(position.min(all.len()), passed);
    all
}

/// Whether a value of one type can be passed for another.
fn are_compatible(dummy: &FortranType, actual: &FortranType) -> bool {
    match (dummy, actual) {
        (FortranType::Character(_), FortranType::Character(_))
        | (FortranType::Unknown, _)
        | (_, FortranType::Unknown)
        | (FortranType::Logical(_), FortranType::Logical(_)) => true,
        (FortranType::Derived(a, x), FortranType::Derived(b, y)) => {
            a == b || (x.is_some() && x == y)
        }
        (a, b) => a == b,
    }
}
