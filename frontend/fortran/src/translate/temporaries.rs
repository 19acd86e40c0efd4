//! Variables that the translation introduces, and statements that must be executed before another one.

use crate::build;
use crate::names::{ArraySpec, Entity, FortranType, NameScope, Storage, Symbol, Variable};
use crate::syntax::{Expr, ExprKind, NameKey};
use crate::translate::context::Translator;
use crate::translate::objects;
use premiss_ast::syntax::{Name, Statement, TextRange};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A new variable for an array that will be allocated.
pub(crate) fn allocatable_variable(
    ctx: &mut Translator,
    beginning: &str,
    kind: FortranType,
    rank: usize,
    at: TextRange,
    list: &mut Vec<Statement>,
) -> Expr {
    let own = ctx.fresh_name(beginning);
    let whole = introduce_variable(ctx, &own, at, kind, Some(ArraySpec::Deferred(rank)));
    let symbol = whole.as_name().and_then(|key| ctx.env.symbol(key));
    if let Some(symbol) = symbol
        && let Entity::Variable(variable) = &symbol.entity
    {
        let objects = objects::objects(ctx, &symbol, variable);
        list.extend(objects.into_iter().map(|one| build::declare(at, one)));
    }
    whole
}

/// Binds a name to a new local variable until the scope is restored.
pub(crate) fn introduce_variable(
    ctx: &mut Translator,
    own: &Name,
    at: TextRange,
    kind: FortranType,
    shape: Option<ArraySpec>,
) -> Expr {
    let key = NameKey::from(own.to_ascii_lowercase());
    introduce(ctx, key.clone(), (own, at), kind, shape);
    Expr {
        at,
        kind: ExprKind::Name(key),
    }
}

/// Binds a name to a new local variable.
fn introduce(
    ctx: &mut Translator,
    key: NameKey,
    (own, at): (&Name, TextRange),
    kind: FortranType,
    shape: Option<ArraySpec>,
) {
    let symbol = Symbol {
        name: own.clone(),
        at,
        entity: Entity::Variable(Arc::new(Variable {
            kind,
            is_allocatable: shape.is_some(),
            shape,
            storage: Storage::Local,
            is_pointer: false,
            is_optional: false,
            intent: None,
            initial: None,
        })),
        is_imported: false,
        is_undeclared: false,
    };
    let inner = NameScope {
        implicit: ctx.env.scope.implicit.clone(),
        symbols: FxHashMap::from_iter([(key, symbol)]),
        host: Some(ctx.env.scope.clone()),
        ..NameScope::default()
    };
    ctx.env.scope = Arc::new(inner);
}

/// Binds the name of a scalar to a local variable until the scope is restored.
pub(crate) fn bind_scalar(
    ctx: &mut Translator,
    key: &NameKey,
    own: &Name,
    kind: FortranType,
    at: TextRange,
) {
    introduce(ctx, key.clone(), (own, at), kind, None);
}

/// Translates a statement with the statements that it needs before it, in a block; `None` if something is not
/// modelled.
pub(crate) fn with_preceding_statements(
    ctx: &mut Translator,
    at: TextRange,
    translate: impl FnOnce(&mut Translator, &mut Vec<Statement>) -> Option<Statement>,
) -> Option<Statement> {
    let scope = ctx.env.scope.clone();
    let mut list = Vec::new();
    let translated = translate(ctx, &mut list);
    ctx.env.scope = scope;
    let translated = translated?;
    if list.is_empty() {
        return Some(translated);
    }
    list.push(translated);
    Some(build::block(at, list))
}
