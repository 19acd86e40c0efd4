//! Type declarations, attributes, named constants, `IMPLICIT` and `EQUIVALENCE` statements.

use super::builder::ScopeBuilder;
use crate::names::constants;
use crate::names::symbols::{ArraySpec, Entity, Implicit, Symbol};
use crate::names::types::FortranType;
use crate::syntax::{
    Attribute, CharacterLength, Dimension, EntityDeclaration, Expr, ExprKind, Ident, Intent,
    TypeSpec, UpperBound,
};
use std::sync::Arc;

pub(super) fn typed(
    builder: &mut ScopeBuilder,
    spec: &TypeSpec,
    attributes: &[Attribute],
    entities: &[EntityDeclaration],
) {
    let base = builder.type_of(spec);
    let is_constant = attributes.iter().any(|x| matches!(x, Attribute::Parameter));
    for entity in entities {
        let kind = match (&base, &entity.length) {
            (FortranType::Character(_), Some(length)) => {
                FortranType::Character(builder.length(Some(length)))
            }
            (base, Some(CharacterLength::Expr(bytes))) => {
                sized(base, constants::integer(bytes, &builder.scope))
            }
            (base, _) => base.clone(),
        };
        if let (true, Some(value)) = (is_constant, &entity.initial) {
            constant(builder, &entity.name, Some(kind), value);
            continue;
        }
        let is_procedure = matches!(spec, TypeSpec::Procedure);
        let facts = builder.facts(&entity.name);
        facts.kind = Some(kind).filter(|_| !is_procedure);
        facts.is_external |= is_procedure;
        facts.initial = entity.initial.clone().map(Arc::new);
        for attribute in attributes {
            apply_attribute(builder, &entity.name, attribute);
        }
        shaped(builder, entity);
    }
}

pub(super) fn shaped(builder: &mut ScopeBuilder, entity: &EntityDeclaration) {
    let shape = entity.shape.as_ref().map(|dimensions| shape(dimensions));
    let facts = builder.facts(&entity.name);
    if shape.is_some() {
        facts.shape = shape;
    }
}

pub(super) fn apply_attribute(builder: &mut ScopeBuilder, name: &Ident, attribute: &Attribute) {
    let facts = builder.facts(name);
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

pub(super) fn constant(
    builder: &mut ScopeBuilder,
    name: &Ident,
    kind: Option<FortranType>,
    value: &Expr,
) {
    let is_array = builder
        .facts
        .get(&name.key)
        .is_some_and(|facts| facts.shape.is_some())
        || matches!(value.kind, ExprKind::Constructor(..));
    let symbol = Symbol {
        name: builder.spelled(name.at),
        at: name.at,
        entity: Entity::Constant {
            kind: kind.unwrap_or_else(|| builder.scope.implicit.of(&name.key)),
            value: Arc::new(value.clone()),
            is_array,
        },
        is_imported: false,
    };
    builder.scope.symbols.insert(name.key.clone(), symbol);
    builder.facts.remove(&name.key);
}

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
pub(super) fn sized(kind: &FortranType, bytes: Option<i64>) -> FortranType {
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
