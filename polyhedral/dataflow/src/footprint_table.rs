//! The footprints that a relation's segments name.

use crate::footprint::Footprints;
use crate::relation::{AccessReuse, FootprintTable};
use premiss_isl::Set;
use premiss_presburger::{Refusal, System};
use premiss_scop::{LineSpaceId, Scop};
use std::collections::BTreeSet;

/// The footprints that the segments of all reuses name, as disjoint systems, but those of one array.
pub(crate) fn named_footprints(
    scop: &Scop,
    footprints: &mut Footprints<'_>,
    accesses: &[AccessReuse],
    but: Option<LineSpaceId>,
) -> Result<FootprintTable, Refusal> {
    let reuses = accesses.iter().flat_map(|access| &access.reuses);
    let segments = reuses.flat_map(|reuse| &reuse.between);
    let named: BTreeSet<_> = segments
        .map(|segment| (segment.node, segment.part))
        .collect();
    let mut table = FootprintTable::new();
    for (node, part) in named {
        for space in scop.spaces.keys().filter(|space| Some(*space) != but) {
            if let Some(set) = footprints.part(node, part, space)? {
                table.insert((node, part, space), disjoint(&set)?);
            }
        }
    }
    Ok(table)
}

/// Disjoint systems of which a set is the union. Most often the set's systems are disjoint, which elimination shows
/// without operations on sets.
fn disjoint(set: &Set) -> Result<Vec<System>, Refusal> {
    let systems = set.systems()?;
    let mut pairs = systems.iter().enumerate();
    let are_apart = pairs.all(|(index, system)| {
        let mut earlier = systems[..index].iter();
        earlier.all(|other| system.is_apart_from(other))
    });
    match are_apart {
        true => Ok(systems),
        false => set.disjoint()?.systems(),
    }
}
