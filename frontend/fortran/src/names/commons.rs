//! COMMON and EQUIVALENCE: variables in areas of memory, at offsets.
//!
//! A COMMON block is one area, in its storage order, with every object at a multiple of its size as
//! gfortran aligns them. Objects that EQUIVALENCE lets share memory make an area of their own, or
//! lengthen the block that one of them is in.

use super::types::Type;
use super::{Entity, Scope, Shape, Storage, Symbol, Variable, constants};
use crate::syntax::{Argument, Expr, ExprKind, Key, Specification, SpecificationKind as Spec};
use premiss_imperative::syntax::{At, Name};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// An area as one program unit has it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Area {
    pub(crate) name: Name,
    pub(crate) is_common: bool,
    pub(crate) at: At,
    pub(crate) size: i64,
    pub(crate) items: Vec<Item>,
}

/// An object in an area.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Item {
    pub(crate) name: Name,
    pub(crate) at: At,
    pub(crate) offset: i64,
    pub(crate) size: i64,
    pub(crate) kind: Type,
    pub(crate) is_scalar: bool,
}

/// The areas of a program.
#[derive(Debug, Default)]
pub(crate) struct AreaTable {
    /// Their sizes, and where they are declared first.
    pub(crate) areas: BTreeMap<Name, (i64, At)>,
    items: BTreeMap<Name, Vec<Item>>,
}

impl AreaTable {
    /// Takes in the areas of one program unit.
    pub(super) fn add<'a>(&mut self, areas: impl IntoIterator<Item = &'a Arc<Area>>) {
        for area in areas.into_iter().filter(|area| area.is_common) {
            let known = self.areas.entry(area.name.clone());
            let (size, _) = known.or_insert((area.size, area.at));
            *size = area.size.max(*size);
            let items = self.items.entry(area.name.clone()).or_default();
            for item in &area.items {
                let is_known = |other: &Item| {
                    (other.offset, other.size, other.is_scalar, &other.kind)
                        == (item.offset, item.size, item.is_scalar, &item.kind)
                };
                if !items.iter().any(is_known) {
                    items.push(item.clone());
                }
            }
        }
    }

    /// Digests what areas there are, and in which files they are declared first.
    pub(super) fn digest(&self, hasher: &mut impl Hasher) {
        self.areas.keys().for_each(|name| self.area(name, hasher));
    }

    /// The same of one of them.
    pub(super) fn area(&self, name: &Name, hasher: &mut impl Hasher) {
        let area = self.areas.get(name);
        let place = area.map(|(size, at)| (size, at.unit));
        let items = self.items.get(name).map_or(&[][..], Vec::as_slice);
        (name, place, items.len()).hash(hasher);
        for item in items {
            let place = (item.offset, item.size, item.at.unit);
            (&item.name, place, &item.kind, item.is_scalar).hash(hasher);
        }
    }

    /// The scalar at an offset of an area, where every program unit has it as that or not at all.
    pub(crate) fn scalar(&self, area: &Area, offset: i64) -> Option<Item> {
        let items = match area.is_common {
            true => self.items.get(&area.name)?,
            false => &area.items,
        };
        let own = items.iter().find(|item| item.offset == offset)?;
        let overlaps =
            |item: &&Item| item.offset < offset + own.size && offset < item.offset + item.size;
        let is_same =
            |item: &Item| item.offset == offset && item.is_scalar && item.kind == own.kind;
        items
            .iter()
            .filter(overlaps)
            .all(is_same)
            .then(|| own.clone())
    }

    /// The scalars of an area that can be variables by themselves.
    pub(crate) fn scalars(&self, name: &Name) -> Vec<Item> {
        let Some(items) = self.items.get(name) else {
            return Vec::new();
        };
        let area = Area {
            name: name.clone(),
            is_common: true,
            at: items
                .first()
                .map_or(At::start_of(premiss_imperative::syntax::UnitId(0)), |x| {
                    x.at
                }),
            size: 0,
            items: Vec::new(),
        };
        let mut offsets: Vec<i64> = items.iter().map(|item| item.offset).collect();
        offsets.sort_unstable();
        offsets.dedup();
        let found = offsets
            .into_iter()
            .filter_map(|offset| self.scalar(&area, offset));
        found.collect()
    }
}

/// Gives storage in areas to the variables of a scope.
pub(super) fn lay_out(specifications: &[Specification], scope: &mut Scope) {
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
                share(set, spec.at, scope);
            }
        }
    }
}

fn add_to_block<'k>(block: &Key, keys: impl Iterator<Item = &'k Key>, at: At, scope: &mut Scope) {
    let name = Name::from(format!("/{block}/"));
    let mut area = match scope.areas.get(&name) {
        Some(area) => Area::clone(area),
        None => Area {
            name: name.clone(),
            is_common: true,
            at,
            size: 0,
            items: Vec::new(),
        },
    };
    for key in keys {
        let Some((item, alignment)) = item(key, scope) else {
            continue;
        };
        let alignment = alignment.max(1);
        let offset = (area.size + alignment - 1) / alignment * alignment;
        area.size = offset + item.size;
        place(key, &name, offset, scope);
        area.items.push(Item { offset, ..item });
    }
    scope.areas.insert(name, Arc::new(area));
}

/// A variable as an item at offset 0, with its alignment; `None` where its size is not known.
fn item(key: &Key, scope: &Scope) -> Option<(Item, i64)> {
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
        Type::Complex(part) => i64::from(part),
        Type::Character(_) => 1,
        _ => element,
    };
    let item = Item {
        name: symbol.name.clone(),
        at: symbol.at,
        offset: 0,
        size,
        kind: variable.kind.clone(),
        is_scalar: variable.shape.is_none(),
    };
    Some((item, alignment))
}

/// Lower bounds and extents of an array of constant shape.
fn extents(shape: &Shape, scope: &Scope) -> Option<Vec<(i64, i64)>> {
    let Shape::Explicit(bounds) = shape else {
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

/// How many elements an array of constant shape has.
pub(super) fn length(shape: &Shape, scope: &Scope) -> Option<i64> {
    let extents = extents(shape, scope)?;
    extents
        .iter()
        .try_fold(1, |a: i64, (_, n)| a.checked_mul(*n))
}

fn place(key: &Key, area: &Name, offset: i64, scope: &mut Scope) {
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

/// Lets objects share memory.
fn share(set: &[Expr], at: At, scope: &mut Scope) {
    let starts = set.iter().map(|expr| start(expr, scope));
    let Some(starts) = starts.collect::<Option<Vec<(Key, i64)>>>() else {
        return;
    };
    // The element that all have in common lies at this offset of an area that is there already.
    let known = starts
        .iter()
        .find_map(|(key, within)| match &scope.variable(key)?.storage {
            Storage::Area(area, offset) => Some((area.clone(), offset + within)),
            _ => None,
        });
    let greatest = starts.iter().map(|(_, within)| *within).max().unwrap_or(0);
    let (name, common) = known.unwrap_or_else(|| {
        let first = starts.first().and_then(|(key, _)| scope.lookup(key));
        let name = first.map_or(Name::from("shared"), |symbol| symbol.name.clone());
        (Name::from(format!("{name}&")), greatest)
    });
    let mut area = match scope.areas.get(&name) {
        Some(area) => Area::clone(area),
        None => Area {
            name: name.clone(),
            is_common: false,
            at,
            size: 0,
            items: Vec::new(),
        },
    };
    for (key, within) in starts {
        let is_placed = scope
            .variable(&key)
            .is_none_or(|x| matches!(x.storage, Storage::Area(..)));
        let Some((item, _)) = item(&key, scope).filter(|_| !is_placed) else {
            continue;
        };
        let offset = common - within;
        area.size = area.size.max(offset + item.size);
        place(&key, &name, offset, scope);
        area.items.push(Item { offset, ..item });
    }
    scope.areas.insert(name, Arc::new(area));
}

/// A variable, and how far into it an element starts.
fn start(expr: &Expr, scope: &Scope) -> Option<(Key, i64)> {
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

/// The number of elements before one; a single subscript counts through all of the array.
fn element(arguments: &[Argument], extents: &[(i64, i64)], scope: &Scope) -> Option<i64> {
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
