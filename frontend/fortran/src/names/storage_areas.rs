//! Storage areas that several variables share: COMMON blocks, and objects associated by EQUIVALENCE.

use super::types::FortranType;
use premiss_ast::syntax::{Name, TextRange, UnitId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// A storage area as declared in one program unit.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct StorageArea {
    pub(crate) name: Name,
    pub(crate) is_common: bool,
    pub(crate) at: TextRange,
    pub(crate) size: i64,
    pub(crate) items: Vec<StorageItem>,
}

/// An object in an area.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct StorageItem {
    pub(crate) name: Name,
    pub(crate) at: TextRange,
    pub(crate) offset: i64,
    pub(crate) size: i64,
    pub(crate) kind: FortranType,
    pub(crate) is_scalar: bool,
}

/// The storage areas of a program.
#[derive(Debug, Default)]
pub(crate) struct StorageAreaTable {
    /// Their sizes in bytes, and the places of their first declarations.
    pub(crate) areas: BTreeMap<Name, (i64, TextRange)>,
    items: BTreeMap<Name, Vec<StorageItem>>,
}

impl StorageAreaTable {
    /// Adds the areas of one program unit.
    pub(super) fn add<'a>(&mut self, areas: impl IntoIterator<Item = &'a Arc<StorageArea>>) {
        for area in areas.into_iter().filter(|area| area.is_common) {
            let known = self.areas.entry(area.name.clone());
            let (size, _) = known.or_insert((area.size, area.at));
            *size = area.size.max(*size);
            let items = self.items.entry(area.name.clone()).or_default();
            for item in &area.items {
                let is_known = |other: &StorageItem| {
                    (other.offset, other.size, other.is_scalar, &other.kind)
                        == (item.offset, item.size, item.is_scalar, &item.kind)
                };
                if !items.iter().any(is_known) {
                    items.push(item.clone());
                }
            }
        }
    }

    /// Hashes the list of areas, and the files of their first declarations.
    pub(super) fn digest(&self, hasher: &mut impl Hasher) {
        self.areas.keys().for_each(|name| self.area(name, hasher));
    }

    /// Hashes one area.
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

    /// The scalar at an offset of an area, if every program unit declares it as this scalar or not at all.
    pub(crate) fn scalar(&self, area: &StorageArea, offset: i64) -> Option<StorageItem> {
        let items = match area.is_common {
            true => self.items.get(&area.name)?,
            false => &area.items,
        };
        let own = items.iter().find(|item| item.offset == offset)?;
        let overlaps = |item: &&StorageItem| {
            item.offset < offset + own.size && offset < item.offset + item.size
        };
        let is_same =
            |item: &StorageItem| item.offset == offset && item.is_scalar && item.kind == own.kind;
        items
            .iter()
            .filter(overlaps)
            .all(is_same)
            .then(|| own.clone())
    }

    /// The scalars of an area that can be separate variables.
    pub(crate) fn scalars(&self, name: &Name) -> Vec<StorageItem> {
        let Some(items) = self.items.get(name) else {
            return Vec::new();
        };
        let area = StorageArea {
            name: name.clone(),
            is_common: true,
            at: items
                .first()
                .map_or(TextRange::start_of(UnitId(0)), |x| x.at),
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
