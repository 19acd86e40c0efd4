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

/// Gives every array an address. `reach` tells how far the array is reached, and is asked only where
/// the source does not say how large it is.
pub(crate) fn place(
    tree: &NestTree,
    sizes: &BTreeMap<ParameterId, i64>,
    placement: &Placement,
    mut reach: impl FnMut(ArrayId) -> Result<Reach, TraceError>,
) -> Result<SecondaryMap<ArrayId, u64>, TraceError> {
    let mut order: Vec<ArrayId> = tree.arrays.keys().collect();
    order.sort_by_key(|id| tree.arrays[*id].storage);
    let mut bases = SecondaryMap::new();
    bases.resize(tree.arrays.len());
    let mut next = FIRST_ADDRESS;
    for id in order {
        let array = &tree.arrays[id];
        if let Some(base) = placement.bases.get(&array.name) {
            bases[id] = *base;
            continue;
        }
        let declared = array
            .extent
            .as_ref()
            .and_then(|extent| Formula::new(extent, sizes).evaluate(&unknowns(tree)));
        let Reach { start, end } = match declared {
            Some(extent) => Reach {
                start: 0,
                end: extent.max(0),
            },
            None => reach(id)?,
        };
        let overflow = || TraceError::AddressOverflow(array.name.clone());
        let area = next
            .checked_next_multiple_of(placement.alignment.max(1))
            .ok_or_else(overflow)?;
        // Elements before the pointer's target lie below its address.
        let below = start.min(0).unsigned_abs();
        bases[id] = area.checked_add(below).ok_or_else(overflow)?;
        next = bases[id]
            .checked_add_signed(end.max(0))
            .filter(|address| i64::try_from(*address).is_ok())
            .ok_or_else(overflow)?;
    }
    Ok(bases)
}

fn unknowns(tree: &NestTree) -> Vec<Option<i64>> {
    vec![None; tree.variables.len()]
}
