//! Where the arrays lie in memory (rule 4 of the access model).

use crate::formula::Formula;
use crate::{Placement, TraceError};
use premiss_tree::{ArrayId, NestTree, ParameterId, SecondaryMap};
use std::collections::BTreeMap;

/// The address at which the first array is placed.
const FIRST_ADDRESS: u64 = 0x10_0000;

/// Offsets of the bytes of an array that are reached: least, and just past the greatest.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Reach {
    pub(crate) start: i64,
    pub(crate) end: i64,
}

/// Where an array lies: the address of its element 0, and the bytes that it covers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Area {
    pub(crate) base: u64,
    pub(crate) reach: Reach,
}

impl Area {
    /// The first address and the last; an array that is not known to cover anything has one byte.
    pub(crate) fn ends(&self) -> (i64, i64) {
        let base = self.base.cast_signed();
        let first = base.saturating_add(self.reach.start.min(0));
        (
            first,
            base.saturating_add(self.reach.end.max(0) - 1).max(first),
        )
    }
}

/// Gives every array an address. `reach` yields the bytes of an array that are accessed; it is called only where the
/// extent of the array is not declared.
pub(crate) fn place(
    tree: &NestTree,
    sizes: &BTreeMap<ParameterId, i64>,
    placement: &Placement,
    mut reach: impl FnMut(ArrayId) -> Result<Reach, TraceError>,
) -> Result<SecondaryMap<ArrayId, Area>, TraceError> {
    let mut order: Vec<ArrayId> = tree.arrays.keys().collect();
    order.sort_by_key(|id| tree.arrays[*id].storage);
    let mut areas = SecondaryMap::new();
    areas.resize(tree.arrays.len());
    let mut next = FIRST_ADDRESS;
    for id in order {
        let array = &tree.arrays[id];
        let reach = match declared_extent(tree, sizes, id) {
            Some(extent) => Reach {
                start: 0,
                end: extent.max(0),
            },
            None => reach(id)?,
        };
        if let Some(&base) = placement.bases.get(&array.name) {
            areas[id] = Area { base, reach };
            continue;
        }
        let overflow = || TraceError::AddressOverflow(array.name.clone());
        let start = next
            .checked_next_multiple_of(placement.alignment.max(1))
            .ok_or_else(overflow)?;
        // Elements before the pointer's target lie below its address.
        let base = start
            .checked_add(reach.start.min(0).unsigned_abs())
            .ok_or_else(overflow)?;
        next = base
            .checked_add_signed(reach.end.max(0))
            .filter(|address| i64::try_from(*address).is_ok())
            .ok_or_else(overflow)?;
        areas[id] = Area { base, reach };
    }
    Ok(areas)
}

/// The size of an array in bytes, where it is declared.
fn declared_extent(
    tree: &NestTree,
    sizes: &BTreeMap<ParameterId, i64>,
    array: ArrayId,
) -> Option<i64> {
    let unassigned = vec![None; tree.variables.len()];
    let extent = tree.arrays[array].extent.as_ref()?;
    Formula::new(extent, tree, sizes).evaluate(&unassigned)
}
