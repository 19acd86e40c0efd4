//! Where arrays lie in memory (rule 4 of the access model).

use super::evaluate::Environment;
use premiss_trace::{Placement, TraceError};
use premiss_tree::{ArrayId, NestTree, Storage};
use std::collections::BTreeMap;

/// Address of the first array.
const FIRST: u64 = 0x10_0000;

/// The place of one array.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Place {
    pub(super) base: u64,
    pub(super) extent: u64,
}

/// Places the arrays. `reached` is the end of the largest element that is accessed, for arrays
/// whose extent nothing says.
pub(super) fn place(
    tree: &NestTree,
    environment: &Environment,
    placement: &Placement,
    reached: &BTreeMap<ArrayId, u64>,
) -> Result<BTreeMap<ArrayId, Place>, TraceError> {
    let mut places = BTreeMap::new();
    let mut end = FIRST;
    for storage in [
        Storage::Global,
        Storage::Parameter,
        Storage::Local,
        Storage::Callee,
    ] {
        for (id, array) in &tree.arrays {
            if array.storage != storage {
                continue;
            }
            let declared = match &array.extent {
                Some(extent) => environment.value(extent)?,
                None => None,
            };
            let extent = match declared {
                Some(extent) => u64::try_from(extent).unwrap_or(0),
                None => reached.get(&id).copied().unwrap_or(0),
            };
            let base = match placement.bases.get(&array.name) {
                Some(&base) => base,
                None => end.next_multiple_of(placement.alignment),
            };
            let array_end = base
                .checked_add(extent)
                .ok_or_else(|| TraceError::AddressOverflow(array.name.clone()))?;
            if !placement.bases.contains_key(&array.name) {
                end = array_end;
            }
            places.insert(id, Place { base, extent });
        }
    }
    Ok(places)
}
