//! Where arrays lie in memory (rule 4 of the access model).

use super::Failure;
use super::evaluate::Environment;
use premiss_trace::Placement;
use premiss_tree::{ArrayId, NestTree, Storage};
use std::collections::BTreeMap;

/// Address of the first array.
const FIRST: u64 = 0x10_0000;

/// The bytes of an array that its references reach: the least, and just past the greatest.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Reach {
    pub(super) start: i64,
    pub(super) end: i64,
}

/// The place of one array.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Place {
    pub(super) base: u64,
    pub(super) extent: u64,
    /// Bytes that it covers before its address.
    pub(super) below: u64,
}

/// Places the arrays. `reached` says how far each is accessed, for arrays whose extent nothing says:
/// such an array ends at the largest element reached, and what it has before its address (a pointer
/// may be given negative subscripts) begins where the array may begin.
pub(super) fn place(
    tree: &NestTree,
    environment: &Environment,
    placement: &Placement,
    reached: &BTreeMap<ArrayId, Reach>,
) -> Result<BTreeMap<ArrayId, Place>, Failure> {
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
            let reach = match declared {
                Some(extent) => Reach {
                    start: 0,
                    end: extent,
                },
                None => reached.get(&id).copied().unwrap_or_default(),
            };
            let extent = u64::try_from(reach.end).unwrap_or(0);
            let base = match placement.bases.get(&array.name) {
                Some(&base) => base,
                None => {
                    end.next_multiple_of(placement.alignment) + reach.start.min(0).unsigned_abs()
                }
            };
            let array_end = base.checked_add(extent).ok_or(Failure::Overflow)?;
            if !placement.bases.contains_key(&array.name) {
                end = array_end;
            }
            let below = reach.start.min(0).unsigned_abs();
            places.insert(
                id,
                Place {
                    base,
                    extent,
                    below,
                },
            );
        }
    }
    Ok(places)
}
