//! What a statement that is not modelled may have changed is unknown after it.

use crate::build;
use crate::names::{ArraySpec, FortranType, Variable, possible_changes};
use crate::syntax::{Expr, ExprKind};
use crate::syntax::{NameKey, Statement as FortranStatement, StatementKind as Fortran};
use crate::translate::arrays::{bounds, designators, unknown_allocations};
use crate::translate::context::Translator;
use premiss_ast::syntax::{Expression, Statement, StatementKind, TextRange};
use std::collections::BTreeSet;

/// Whether a translated statement is rejected itself, rather than in the block of a loop or branch.
pub(crate) fn is_rejected(translated: &Statement) -> bool {
    match &translated.kind {
        StatementKind::Error(_) => true,
        StatementKind::Block(list) => list.iter().any(is_rejected),
        StatementKind::Label(_, inner) => is_rejected(inner),
        _ => false,
    }
}

/// Stores of unknown values to all variables that a statement may change, those of its blocks included.
pub(crate) fn unknown_effects(ctx: &mut Translator, fortran: &FortranStatement) -> Vec<Statement> {
    let mut changed = possible_changes(std::slice::from_ref(fortran), &ctx.env.scope);
    if let Fortran::Assign(left, _) = &fortran.kind
        && left.as_name().is_none()
        && let Some(root) = left.root()
        && ctx
            .env
            .scope
            .variable(root)
            .is_some_and(|variable| variable.shape.is_some())
    {
        // Elements alone are stored to.
        changed.remove(root);
    }
    store_unknown_values(ctx, changed, fortran.at)
}

/// Stores of unknown values to the variables among these names.
pub(crate) fn store_unknown_values(
    ctx: &mut Translator,
    names: BTreeSet<NameKey>,
    at: TextRange,
) -> Vec<Statement> {
    let mut list = Vec::new();
    for key in names {
        let key = match ctx.env.selector(&key) {
            Some(selector) => match selector.root() {
                Some(root) if ctx.env.selector(root).is_none() => root.clone(),
                _ => continue,
            },
            None => key,
        };
        if ctx.is_active_do_variable(&key) {
            continue;
        }
        let Some(variable) = ctx.env.scope.variable(&key).cloned() else {
            continue;
        };
        match variable.shape {
            None => list.extend(unknown_scalar(ctx, &key, &variable, at)),
            Some(ArraySpec::Deferred(rank)) => {
                list.extend(unknown_descriptor(ctx, &key, rank, at));
            }
            Some(_) => {}
        }
    }
    list
}

fn unknown_scalar(
    ctx: &mut Translator,
    key: &NameKey,
    variable: &Variable,
    at: TextRange,
) -> Option<Statement> {
    if matches!(variable.kind, FortranType::Character(length) if length != Some(1)) {
        return None;
    }
    // A struct with arrays is in memory, which a rejection makes unknown.
    if matches!(&variable.kind, FortranType::Derived(kind, _) if !has_scalars_alone(ctx, kind, 0)) {
        return None;
    }
    let place = designators::variable_object(ctx, key, at)?;
    let value = build::opaque_value(at, variable.kind.name(), Vec::new());
    Some(build::evaluate(build::assign(at, place, value)))
}

/// Whether a derived type has no array components.
fn has_scalars_alone(ctx: &Translator, kind: &NameKey, depth: usize) -> bool {
    const MAX_DEPTH: usize = 32;
    let Some(found) = ctx.env.derived_type(kind) else {
        return false;
    };
    depth < MAX_DEPTH
        && found.members.iter().all(|(_, _, member)| {
            let is_plain = match &member.kind {
                FortranType::Derived(inner, _) => {
                    member.is_pointer || has_scalars_alone(ctx, inner, depth + 1)
                }
                FortranType::Character(length) => *length == Some(1),
                _ => true,
            };
            member.shape.is_none() && is_plain
        })
}

/// Unknown bounds of an allocatable array or array pointer, and an unknown start of the latter.
fn unknown_descriptor(
    ctx: &mut Translator,
    key: &NameKey,
    rank: usize,
    at: TextRange,
) -> Vec<Statement> {
    if let Some(list) = unknown_allocations::first_allocation(ctx, key, at) {
        return list;
    }
    let whole = Expr {
        at,
        kind: ExprKind::Name(key.clone()),
    };
    let Some(array) = designators::array_object(ctx, &whole) else {
        return Vec::new();
    };
    let store = |place: Expression, kind| {
        let value = build::opaque_value(at, kind, Vec::new());
        build::evaluate(build::assign(at, place, value))
    };
    let mut list = Vec::new();
    for dimension in 0..rank {
        let extent = bounds::run_time_extent(ctx, &array.bounds, dimension, at);
        let lower = bounds::run_time_lower(ctx, &array.bounds, dimension, at);
        let places = [extent, lower].into_iter().filter(build::is_addressable);
        list.extend(places.map(|place| store(place, build::long_name())));
    }
    // An allocatable array stays where it is, as by `realloc`.
    if !array.variable.is_allocatable && build::is_addressable(&array.base) {
        list.push(store(array.base, array.variable.kind.pointer()));
    }
    list
}
