//! Storage association: COMMON and EQUIVALENCE place variables in storage areas, at offsets.
//!
//! A COMMON block is one area in its storage order, with every object aligned to a multiple of its size as in
//! gfortran. Objects that share memory by EQUIVALENCE form a separate area, or extend the block that one of them is
//! in.

use super::constants;
use super::storage_areas::{StorageArea, StorageItem};
use super::symbols::{ArraySpec, Entity, NameScope, Storage, Symbol, Variable};
use super::types::FortranType;
use crate::syntax::{
    ActualArgument, Expr, ExprKind, NameKey, Specification, SpecificationKind as Spec,
};
use premiss_ast::syntax::{Name, TextRange};
use std::sync::Arc;

/// Assigns storage in areas to the variables of a scope.
pub(super) fn lay_out(specifications: &[Specification], scope: &mut NameScope) {
    for spec in specifications {
        if let Spec::Common(blocks) = &spec.kind {
            for (key, entities) in blocks {
                let names = entities.iter().map(|entity| &entity.name.key);
                add_to_block(key, names, spec.at, scope);
            }
        }
    }
    for spec in specifications {
        if let Spec::Equivalence(sets) = &spec.kind {
            for set in sets {
                equivalence(set, spec.at, scope);
            }
        }
    }
}

fn add_to_block<'k>(
    block: &NameKey,
    keys: impl Iterator<Item = &'k NameKey>,
    at: TextRange,
    scope: &mut NameScope,
) {
    let name = Name::from(format!("/{block}/"));
    let mut area = area_of(scope, &name, true, at);
    for key in keys {
        let Some((item, alignment)) = item(key, scope) else {
            continue;
        };
        let alignment = alignment.max(1);
        let offset = (area.size + alignment - 1) / alignment * alignment;
        area.size = offset + item.size;
        place_variable(key, &name, offset, scope);
        area.items.push(StorageItem { offset, ..item });
    }
    scope.areas.insert(name, Arc::new(area));
}

/// The area of that name so far.
fn area_of(scope: &NameScope, name: &Name, is_common: bool, at: TextRange) -> StorageArea {
    match scope.areas.get(name) {
        Some(area) => StorageArea::clone(area),
        None => StorageArea {
            name: name.clone(),
            is_common,
            at,
            size: 0,
            items: Vec::new(),
        },
    }
}

/// A variable as an item at offset 0, with its alignment; `None` if its size is not known.
fn item(key: &NameKey, scope: &NameScope) -> Option<(StorageItem, i64)> {
    let symbol: &Symbol = scope.symbols.get(key)?;
    let Entity::Variable(variable) = &symbol.entity else {
        return None;
    };
    let element = variable.kind.size()?;
    let size = match &variable.shape {
        None => element,
        Some(shape) => extents(shape, scope)?
            .iter()
            .try_fold(element, |a, (_, n)| a.checked_mul(*n))?,
    };
    let alignment = match variable.kind {
        FortranType::Complex(part) => i64::from(part),
        FortranType::Character(_) => 1,
        _ => element,
    };
    let item = StorageItem {
        name: symbol.name.clone(),
        at: symbol.at,
        offset: 0,
        size,
        kind: variable.kind.clone(),
        is_scalar: variable.shape.is_none(),
    };
    Some((item, alignment))
}

/// Lower bounds and extents of an array with constant shape.
fn extents(shape: &ArraySpec, scope: &NameScope) -> Option<Vec<(i64, i64)>> {
    let ArraySpec::Explicit(bounds) = shape else {
        return None;
    };
    let mut list = Vec::new();
    for (lower, upper) in bounds {
        let lower = match lower {
            Some(lower) => constants::integer(lower, scope)?,
            None => 1,
        };
        let upper = constants::integer(upper.as_ref()?, scope)?;
        list.push((lower, upper.checked_sub(lower)?.checked_add(1)?.max(0)));
    }
    Some(list)
}

/// The number of elements of an array with constant shape.
pub(super) fn length(shape: &ArraySpec, scope: &NameScope) -> Option<i64> {
    let extents = extents(shape, scope)?;
    extents
        .iter()
        .try_fold(1, |a: i64, (_, n)| a.checked_mul(*n))
}

fn place_variable(key: &NameKey, area: &Name, offset: i64, scope: &mut NameScope) {
    let Some(symbol) = scope.symbols.get_mut(key) else {
        return;
    };
    if let Entity::Variable(variable) = &symbol.entity {
        let placed = Variable {
            storage: Storage::Area(area.clone(), offset),
            ..Variable::clone(variable)
        };
        symbol.entity = Entity::Variable(Arc::new(placed));
    }
}

/// Makes the objects of an EQUIVALENCE set share memory.
fn equivalence(set: &[Expr], at: TextRange, scope: &mut NameScope) {
    let starts = set.iter().map(|expr| start(expr, scope));
    let Some(starts) = starts.collect::<Option<Vec<(NameKey, i64)>>>() else {
        return;
    };
    let (name, common) = common_element(&starts, scope);
    let mut area = area_of(scope, &name, false, at);
    for (key, within) in starts {
        let is_placed = scope
            .variable(&key)
            .is_none_or(|x| matches!(x.storage, Storage::Area(..)));
        let Some((item, _)) = item(&key, scope).filter(|_| !is_placed) else {
            continue;
        };
        let offset = common - within;
        area.size = area.size.max(offset + item.size);
        place_variable(&key, &name, offset, scope);
        area.items.push(StorageItem { offset, ..item });
    }
    scope.areas.insert(name, Arc::new(area));
}

/// The area of an EQUIVALENCE set, and the offset in it of the element that all objects share: an existing area of one
/// of the objects, or a new one.
/// one of the objects lies in already, or a new one.
fn common_element(starts: &[(NameKey, i64)], scope: &NameScope) -> (Name, i64) {
    let mut in_order = starts.iter();
    let known = in_order.find_map(|(key, within)| match &scope.variable(key)?.storage {
        Storage::Area(area, offset) => Some((area.clone(), offset + within)),
        _ => None,
    });
    let greatest = starts.iter().map(|(_, within)| *within).max().unwrap_or(0);
    known.unwrap_or_else(|| {
        let first = starts.first().and_then(|(key, _)| scope.lookup(key));
        let name = first.map_or(Name::from("shared"), |symbol| symbol.name.clone());
        (Name::from(format!("{name}&")), greatest)
    })
}

/// A variable, and the offset in bytes of the element at which an expression starts.
fn start(expr: &Expr, scope: &NameScope) -> Option<(NameKey, i64)> {
    match &expr.kind {
        ExprKind::Name(key) => Some((key.clone(), 0)),
        ExprKind::Apply(base, arguments) => {
            let key = base.as_name()?;
            let variable = scope.variable(key)?;
            let size = variable.kind.size()?;
            let extents = extents(variable.shape.as_ref()?, scope)?;
            let offset = element(arguments, &extents, scope)?;
            Some((key.clone(), offset.checked_mul(size)?))
        }
        _ => None,
    }
}

/// The number of elements before an element; a single subscript counts through the whole array.
fn element(arguments: &[ActualArgument], extents: &[(i64, i64)], scope: &NameScope) -> Option<i64> {
    let mut offset: i64 = 0;
    let mut stride: i64 = 1;
    for (argument, (lower, extent)) in arguments.iter().zip(extents) {
        let subscript = constants::integer(argument.expr()?, scope)?;
        let step = subscript.checked_sub(*lower)?.checked_mul(stride)?;
        offset = offset.checked_add(step)?;
        stride = stride.checked_mul(*extent)?;
    }
    Some(offset)
}
