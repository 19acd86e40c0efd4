//! The contents of array elements with unknown subscripts: `tiles[t].size`.
//!
//! A store to a member of some element of an array of structs does not change the other members of any element. The
//! stored value is known until a store that may overlap its place, as long as everything that the place depends on
//! keeps its value: sizes, and the iterators of the enclosing loops.
//!
//! ```text
//! for (t = 0; t < n; t++) {
//!     tiles[t].data = malloc(8 * m);       stored at 16 * t
//!     for (k = 0; k < tiles[t].size; k++)  loads at 16 * t + 8: no store has changed that member
//!         tiles[t].data[k] = 0;            loads at 16 * t: what malloc returned
//! }
//! ```

use crate::domain::cells::Cell;
use crate::domain::integers::{collect_terms, minus};
use crate::domain::memory_version::MemoryVersion;
use premiss_tree::Expression;
use std::collections::BTreeMap;

/// The maximum number of stores remembered for one array.
const MAX_RECORDED: usize = 256;

/// A scalar member of every element of an array.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ElementMember {
    /// Its byte offset from the start of an element.
    pub(crate) start: i64,
    pub(crate) size: u32,
    /// The distance in bytes between neighbouring elements.
    pub(crate) element: i64,
}

impl ElementMember {
    /// Whether it may overlap another member of the same elements.
    pub(crate) fn may_overlap(self, other: Self) -> bool {
        self.element != other.element
            || (self.start < other.start.saturating_add(i64::from(other.size))
                && other.start < self.start.saturating_add(i64::from(self.size)))
    }

    /// The member that a scalar at an offset belongs to.
    pub(crate) fn at(offset: i64, size: u32, element: i64) -> Self {
        Self {
            start: offset.rem_euclid(element),
            size,
            element,
        }
    }
}

/// Stores to elements with unknown subscripts.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct ElementContents {
    /// The versions since which stored-to members have their contents, by their start and size: members that overlap
    /// were stored to as scalars of several sizes.
    pub(crate) members: BTreeMap<(i64, u32), (ElementMember, MemoryVersion)>,
    /// The latest stores, by their places.
    pub(crate) stores: Vec<(Expression, ElementMember, Cell)>,
}

impl ElementContents {
    pub(crate) fn is_empty(&self) -> bool {
        self.members.is_empty() && self.stores.is_empty()
    }

    pub(crate) fn clear(&mut self) {
        self.members.clear();
        self.stores.clear();
    }

    /// Records a store to a member of some element, at this place.
    pub(crate) fn store(
        &mut self,
        place: &Expression,
        member: ElementMember,
        version: MemoryVersion,
    ) {
        self.members
            .insert((member.start, member.size), (member, version));
        self.stores.retain(|(other, of, _)| {
            !of.may_overlap(member) || are_apart(place, member.size, other, of.size)
        });
    }

    /// Records a store at a known offset, which may be in any element.
    pub(crate) fn store_at(&mut self, offset: i64, size: u32) {
        self.stores
            .retain(|(_, of, _)| !of.may_overlap(ElementMember::at(offset, size, of.element)));
    }

    /// Remembers the last value stored at a place.
    pub(crate) fn record(&mut self, place: &Expression, member: ElementMember, cell: Cell) {
        if self.stores.len() < MAX_RECORDED {
            self.stores.push((place.clone(), member, cell));
        }
    }

    /// The value stored at a place, if it is known.
    pub(crate) fn value_at(&self, place: &Expression, size: u32) -> Option<&Cell> {
        let mut found = self.stores.iter();
        let found = found.find(|(other, of, _)| other == place && of.size == size);
        found.map(|(_, _, cell)| cell)
    }

    /// The version since which a member has its contents; `None` if there were only stores to known places.
    pub(crate) fn version(&self, member: ElementMember) -> Option<MemoryVersion> {
        let mut met = self
            .members
            .values()
            .filter(|(other, _)| other.may_overlap(member));
        match (met.next(), met.next()) {
            (None, _) => None,
            (Some((other, version)), None) if *other == member => Some(*version),
            _ => Some(MemoryVersion::Varying),
        }
    }

    /// The version for a scalar at a known offset.
    pub(crate) fn version_at(&self, offset: i64, size: u32) -> Option<MemoryVersion> {
        let (_, (first, _)) = self.members.first_key_value()?;
        self.version(ElementMember::at(offset, size, first.element))
    }

    pub(crate) fn versions(&self) -> impl Iterator<Item = MemoryVersion> {
        self.members.values().map(|(_, version)| *version)
    }

    pub(crate) fn assign_version(&mut self, version: MemoryVersion) {
        for (_, known) in self.members.values_mut() {
            if *known == MemoryVersion::Varying {
                *known = version;
            }
        }
    }

    /// The join of two contents, given the versions of the rest of the arrays.
    pub(crate) fn join(
        &self,
        rest: MemoryVersion,
        other: &Self,
        other_rest: MemoryVersion,
    ) -> Self {
        let mut joined = Self::default();
        for (member, _) in self.members.values().chain(other.members.values()) {
            let a = self.version(*member).unwrap_or(rest);
            let b = other.version(*member).unwrap_or(other_rest);
            let key = (member.start, member.size);
            joined.members.insert(key, (*member, a.join(b)));
        }
        let stored = self.stores.iter();
        joined.stores = stored
            .filter(|one| other.stores.contains(one))
            .cloned()
            .collect();
        joined
    }

    /// Drops what a loop loses whose entry state is `before` and whose head state is `head`.
    pub(crate) fn reapply_losses(&mut self, before: &Self, head: &Self) {
        for (key, (member, version)) in &head.members {
            if *version == MemoryVersion::Varying
                && before.members.get(key) != Some(&(*member, *version))
            {
                self.members.insert(*key, (*member, *version));
            }
        }
        self.stores
            .retain(|one| head.stores.contains(one) || !before.stores.contains(one));
    }

    pub(crate) fn forget_pointers(&mut self, is_lost: impl Fn(&Cell) -> bool) {
        self.stores.retain(|(_, _, cell)| !is_lost(cell));
    }

    /// The remembered cells.
    pub(crate) fn cells(&self) -> impl Iterator<Item = &Cell> {
        self.stores.iter().map(|(_, _, cell)| cell)
    }
}

/// Whether two scalars are known not to overlap.
fn are_apart(a: &Expression, a_size: u32, b: &Expression, b_size: u32) -> bool {
    match collect_terms(&minus(a.clone(), b.clone())).as_integer() {
        Some(distance) => i64::from(b_size) <= distance || distance <= -i64::from(a_size),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::integers::{plus, times};
    use premiss_tree::VariableId;

    const SIZE: ElementMember = ElementMember {
        start: 8,
        size: 4,
        element: 16,
    };
    const DATA: ElementMember = ElementMember {
        start: 0,
        size: 8,
        element: 16,
    };

    fn place(member: ElementMember) -> Expression {
        let element = Expression::Variable(VariableId::from_u32(0));
        plus(times(16.into(), element), member.start.into())
    }

    #[test]
    fn a_store_to_a_member_leaves_the_others_of_all_elements() {
        let mut contents = ElementContents::default();
        contents.store(&place(DATA), DATA, MemoryVersion::Varying);
        assert_eq!(contents.version(DATA), Some(MemoryVersion::Varying));
        assert_eq!(contents.version(SIZE), None);
        assert_eq!(contents.version_at(24, 4), None, "the size of element 1");
        assert_eq!(contents.version_at(16, 8), Some(MemoryVersion::Varying));
    }

    #[test]
    fn what_was_stored_is_known_until_something_may_lie_there() {
        let cell = Cell::Since(MemoryVersion::TextRange(3));
        let mut contents = ElementContents::default();
        contents.record(&place(SIZE), SIZE, cell.clone());
        contents.store(&place(DATA), DATA, MemoryVersion::Varying);
        assert_eq!(contents.value_at(&place(SIZE), 4), Some(&cell));
        contents.store_at(40, 4);
        assert_eq!(contents.value_at(&place(SIZE), 4), None);
    }
}
