//! Type declarations, attributes, named constants, `IMPLICIT` and `EQUIVALENCE` statements.

use super::builder::ScopeBuilder;
use crate::names::constants;
use crate::names::symbols::{ArraySpec, Entity, Implicit, NameScope};
use crate::names::types::FortranType;
use crate::syntax::{
    Attribute, CharacterLength, Dimension, EntityDeclaration, Expr, ExprKind, Ident, Intent,
    TypeSpec, UpperBound,
};
use std::sync::Arc;

/// A type declaration statement.
pub(super) fn type_declaration(
    builder: &mut ScopeBuilder,
    spec: &TypeSpec,
    attributes: &[Attribute],
    entities: &[EntityDeclaration],
) {
    let base = builder.type_of(spec);
    let unknown_kind = builder.unknown_kind(spec);
    let is_constant = attributes.iter().any(|x| matches!(x, Attribute::Parameter));
    for entity in entities {
        let kind = match (&base, &entity.length) {
            (FortranType::Character(_), Some(length)) => {
                FortranType::Character(builder.length(Some(length)))
            }
            (base, Some(CharacterLength::Expr(bytes))) => {
                with_byte_length(base, constants::integer(bytes, &builder.scope))
            }
            (base, _) => base.clone(),
        };
        if let (true, Some(value)) = (is_constant, &entity.initial) {
            for attribute in attributes {
                apply_attribute(builder, &entity.name, attribute);
            }
            record_shape(builder, entity);
            constant(builder, &entity.name, Some(kind), value);
            continue;
        }
        let is_procedure = matches!(spec, TypeSpec::Procedure);
        let facts = builder.attributes(&entity.name);
        facts.kind = Some(kind).filter(|_| !is_procedure);
        facts.unknown_kind = unknown_kind.clone().filter(|_| entity.length.is_none());
        facts.is_external |= is_procedure;
        facts.initial = entity.initial.clone().map(Arc::new);
        for attribute in attributes {
            apply_attribute(builder, &entity.name, attribute);
        }
        record_shape(builder, entity);
    }
}

/// Records the array specification of an entity.
pub(super) fn record_shape(builder: &mut ScopeBuilder, entity: &EntityDeclaration) {
    let shape = entity.shape.as_ref().map(|dimensions| shape(dimensions));
    let facts = builder.attributes(&entity.name);
    if shape.is_some() {
        facts.shape = shape;
    }
}

/// Records an attribute of a name.
pub(super) fn apply_attribute(builder: &mut ScopeBuilder, name: &Ident, attribute: &Attribute) {
    let facts = builder.attributes(name);
    match attribute {
        Attribute::Dimension(dimensions) => facts.shape = Some(shape(dimensions)),
        Attribute::Allocatable => facts.is_allocatable = true,
        Attribute::Pointer => facts.is_pointer = true,
        Attribute::Save => facts.is_saved = true,
        Attribute::External => facts.is_external = true,
        Attribute::Optional => facts.is_optional = true,
        Attribute::Intent(intent) => facts.intent = Some(*intent),
        Attribute::Value => facts.intent = Some(Intent::In),
        Attribute::Parameter | Attribute::Other => {}
    }
}

/// A named constant.
pub(super) fn constant(
    builder: &mut ScopeBuilder,
    name: &Ident,
    kind: Option<FortranType>,
    value: &Expr,
) {
    let kind = kind.unwrap_or_else(|| builder.scope.implicit.type_for(&name.key));
    let shape = builder.attributes(name).shape.take();
    if let Some(shape) = &shape
        && let Some(shape) = shape_of_array(&builder.scope, &kind, shape, value)
    {
        let facts = builder.attributes(name);
        facts.kind = Some(kind);
        facts.shape = Some(shape);
        facts.initial = Some(Arc::new(value.clone()));
        return;
    }
    let is_array = shape.is_some() || matches!(value.kind, ExprKind::Constructor(..));
    let entity = Entity::Constant {
        kind,
        integer: constants::integer(value, &builder.scope),
        value: Arc::new(value.clone()),
        is_array,
    };
    builder.define(name.key.clone(), name.at, entity);
    builder.attributes.remove(&name.key);
}

/// The shape of a named constant that is in memory as a variable is: an array, unless it is a list of integers, which are
/// counted with. `INTEGER, PARAMETER :: step(2) = (/ 1, -1 /)` is a list, `REAL, PARAMETER :: t(0:*) = (/ 1., 2. /)` is
/// an array.
fn shape_of_array(
    scope: &NameScope,
    kind: &FortranType,
    shape: &ArraySpec,
    value: &Expr,
) -> Option<ArraySpec> {
    let ArraySpec::Explicit(bounds) = shape else {
        return None;
    };
    let items = match &value.kind {
        ExprKind::Constructor(items) => Some(items),
        _ => None,
    };
    let is_one = |lower: &Option<Expr>| match lower {
        None => true,
        Some(lower) => constants::integer(lower, scope) == Some(1),
    };
    let is_number = matches!(
        kind,
        FortranType::Integer(_)
            | FortranType::Real(_)
            | FortranType::Logical(_)
            | FortranType::Complex(_)
    );
    match (&bounds[..], items) {
        _ if !is_number => None,
        ([(lower, _)], Some(items))
            if kind.is_counted()
                && is_one(lower)
                && !items
                    .iter()
                    .any(|item| matches!(item.kind, ExprKind::ImpliedDo(_))) =>
        {
            None
        }
        // As long as its value.
        ([(lower, None)], Some(items)) => {
            let first = match lower {
                None => 1,
                Some(lower) => constants::integer(lower, scope)?,
            };
            let last = first
                .checked_add(i64::try_from(items.len()).ok()?)?
                .checked_sub(1)?;
            let are_scalars = items.iter().all(|item| is_scalar(scope, item));
            let upper = Expr {
                at: value.at,
                kind: ExprKind::Integer(last, None),
            };
            are_scalars.then(|| ArraySpec::Explicit(vec![(lower.clone(), Some(upper))]))
        }
        _ => bounds
            .iter()
            .all(|(_, upper)| upper.is_some())
            .then(|| shape.clone()),
    }
}

/// Whether an item of a constant is a number by itself.
fn is_scalar(scope: &NameScope, item: &Expr) -> bool {
    match &item.kind {
        ExprKind::Integer(..) | ExprKind::Real(..) | ExprKind::Logical(_) => true,
        ExprKind::Name(key) => scope.lookup(key).is_some_and(|symbol| {
            matches!(
                symbol.entity,
                Entity::Constant {
                    is_array: false,
                    ..
                }
            )
        }),
        ExprKind::Unary(_, x) | ExprKind::Parentheses(x) => is_scalar(scope, x),
        ExprKind::Binary(_, a, b) => is_scalar(scope, a) && is_scalar(scope, b),
        _ => false,
    }
}

/// An `IMPLICIT` statement.
pub(super) fn implicit(builder: &mut ScopeBuilder, rules: &[(TypeSpec, Vec<(u8, u8)>)]) {
    let mut table = (*builder.scope.implicit.0).clone();
    for (kind, ranges) in rules {
        let kind = builder.type_of(kind);
        for (first, last) in ranges {
            for letter in *first..=*last {
                let idx = usize::from(letter.wrapping_sub(b'a'));
                if let Some(slot) = table.get_mut(idx) {
                    *slot = kind.clone();
                }
            }
        }
    }
    builder.scope.implicit = Implicit(Arc::new(table));
}

/// `REAL X*8`
pub(super) fn with_byte_length(kind: &FortranType, bytes: Option<i64>) -> FortranType {
    let Some(bytes) = bytes.and_then(|bytes| u8::try_from(bytes).ok()) else {
        return kind.clone();
    };
    match kind {
        FortranType::Integer(_) => FortranType::Integer(bytes),
        FortranType::Real(_) => FortranType::Real(bytes),
        FortranType::Logical(_) => FortranType::Logical(bytes),
        FortranType::Complex(_) => FortranType::Complex(bytes / 2),
        other => other.clone(),
    }
}

/// The array specification of these dimensions.
pub(super) fn shape(dimensions: &[Dimension]) -> ArraySpec {
    let is_deferred = |one: &Dimension| matches!(one.upper, UpperBound::Deferred);
    if dimensions.iter().any(is_deferred) {
        return ArraySpec::Assumed(dimensions.iter().map(|one| one.lower.clone()).collect());
    }
    let bounds = dimensions.iter().map(|one| {
        let upper = match &one.upper {
            UpperBound::Bound(expr) => Some(expr.clone()),
            UpperBound::Assumed | UpperBound::Deferred => None,
        };
        (one.lower.clone(), upper)
    });
    ArraySpec::Explicit(bounds.collect())
}
