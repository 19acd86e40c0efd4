//! The contents of one array: known cells, and the version of the rest.

use crate::domain::cells::Cell;
use crate::domain::element_contents::{ElementContents, ElementMember};
use crate::domain::memory_version::{Clobber, MemoryVersion};
use crate::domain::row_pointers::RowTable;
use crate::domain::values::{ArrayRow, Target};
use premiss_tree::Expression;
use std::collections::BTreeMap;

/// The contents of one array.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct ArrayContents {
    /// Scalars that differ from the rest, by offset, with their sizes in bytes.
    pub(crate) cells: BTreeMap<i64, (u32, Cell)>,
    pub(crate) rest: MemoryVersion,
    /// Members that differ from the rest in elements with unknown subscripts.
    pub(crate) elements: ElementContents,
    /// The joined target of pointers that were stored to places that are no longer known.
    pub(crate) pointers: Option<Target>,
    /// Where pointers lead by their places: those that were stored to places that are not constant, and those that were
    /// dropped from constant ones.
    pub(crate) rows: RowTable,
    /// Whether it was allocated on the current path, exactly once.
    pub(crate) is_new: bool,
}

impl ArrayContents {
    pub(crate) fn new(rest: MemoryVersion) -> Self {
        Self {
            cells: BTreeMap::new(),
            rest,
            elements: ElementContents::default(),
            pointers: None,
            rows: RowTable::default(),
            is_new: false,
        }
    }

    /// Whether it holds a pointer to an array, as far as it is known where pointers lead.
    pub(crate) fn leads_to(&self, row: ArrayRow) -> bool {
        let cells = self.cells.values().map(|x| &x.1);
        let mut pointers = cells.chain(self.elements.cells()).filter_map(Cell::pointer);
        let joined = self.pointers.as_ref();
        pointers.any(|x| x.target.arrays().contains(&row))
            || joined.is_some_and(|x| x.arrays().contains(&row))
            || !self.rows.is_empty()
    }

    /// The cell of the scalar at an offset.
    pub(crate) fn cell(&self, offset: i64, size: u32) -> Cell {
        match self.cells.get(&offset) {
            Some((known, cell)) if *known == size => cell.clone(),
            _ if self.overlapping(offset, size).next().is_some() => {
                Cell::Since(MemoryVersion::Varying)
            }
            _ => Cell::Since(self.elements.version_at(offset, size).unwrap_or(self.rest)),
        }
    }

    /// The versions since which a member of elements with unknown subscripts has its contents.
    pub(crate) fn member_versions(&self, member: Option<ElementMember>) -> Vec<MemoryVersion> {
        let of_cells = self.cells.values().filter_map(|(_, cell)| match cell {
            Cell::Since(version) => Some(*version),
            Cell::Value(_) | Cell::MaybePointer(_) => None,
        });
        match member {
            Some(member) => {
                let version = self.elements.version(member).unwrap_or(self.rest);
                of_cells.chain([version]).collect()
            }
            None => of_cells
                .chain(self.elements.versions())
                .chain([self.rest])
                .collect(),
        }
    }

    /// Records a store to a member of an element with an unknown subscript.
    pub(crate) fn store_member(
        &mut self,
        place: &Expression,
        member: ElementMember,
        version: MemoryVersion,
    ) {
        let meets = |(offset, (size, _)): (&i64, &(u32, Cell))| {
            let end = offset.rem_euclid(member.element) + i64::from(*size);
            let start = offset.rem_euclid(member.element);
            let is_within = end <= member.element;
            let is_met = start < member.start + i64::from(member.size) && member.start < end;
            (is_met || !is_within).then_some(*offset)
        };
        let lost: Vec<i64> = self.cells.iter().filter_map(meets).collect();
        for offset in lost {
            self.drop_cell(offset);
        }
        self.elements.store(place, member, version);
    }

    /// The offsets of known scalars that overlap a scalar.
    pub(crate) fn overlapping(&self, offset: i64, size: u32) -> impl Iterator<Item = i64> {
        let end = offset.saturating_add(i64::from(size));
        self.cells
            .range(offset.saturating_sub(32)..end)
            .filter(move |(start, (length, _))| offset < start.saturating_add(i64::from(*length)))
            .map(|(start, _)| *start)
    }

    pub(crate) fn put(&mut self, offset: i64, size: u32, cell: Cell) {
        let lost: Vec<i64> = self.overlapping(offset, size).collect();
        for offset in lost {
            self.evict(offset);
        }
        self.elements.store_at(offset, size);
        self.cells.insert(offset, (size, cell));
    }

    /// Drops a scalar that may have been overwritten.
    pub(crate) fn evict(&mut self, offset: i64) {
        if let Some((_, cell)) = self.cells.remove(&offset)
            && let Some(pointer) = cell.pointer()
        {
            self.record_pointer(&pointer.target);
        }
    }

    pub(crate) fn record_pointer(&mut self, target: &Target) {
        self.pointers = Some(match &self.pointers {
            Some(known) => known.join(target),
            None => target.clone(),
        });
    }

    pub(crate) fn reset(&mut self, version: MemoryVersion) {
        let offsets: Vec<i64> = self.cells.keys().copied().collect();
        for offset in offsets {
            self.drop_cell(offset);
        }
        self.elements.clear();
        self.rest = version;
    }

    /// Drops a scalar that may have been overwritten, or may be there still.
    fn drop_cell(&mut self, offset: i64) {
        if let Some((_, cell)) = self.cells.get(&offset)
            && let Some(pointer) = cell.pointer()
        {
            self.rows.drop_pointer(offset, &pointer.clone());
        }
        self.evict(offset);
    }

    /// Drops everything but pointers with known places and values.
    pub(crate) fn reset_integers(&mut self, version: MemoryVersion) {
        self.cells.retain(|_, (_, cell)| cell.pointer().is_some());
        self.elements.clear();
        self.rest = version;
    }

    /// Whether some integer that the program stored is known.
    pub(crate) fn holds_integers(&self) -> bool {
        let mut cells = self.cells.values().map(|(_, cell)| cell);
        let mut stores = self.elements.stores.iter().map(|(_, _, cell)| cell);
        cells.any(Cell::is_integer) || stores.any(Cell::is_integer)
    }

    /// Drops the integers that the program stored.
    pub(crate) fn forget_integers(&mut self) {
        self.cells.retain(|_, (_, cell)| !cell.is_integer());
        let stores = &mut self.elements.stores;
        stores.retain(|(_, _, cell)| !cell.is_integer());
    }

    pub(crate) fn clobber(&mut self, lost: Clobber, version: MemoryVersion) {
        match lost {
            Clobber::Everything | Clobber::ByCall => {
                self.reset(version);
                self.rows.lose();
            }
            Clobber::Integers => self.reset_integers(version),
        }
    }

    pub(crate) fn join(&self, other: &Self) -> Self {
        let mut joined = Self {
            is_new: self.is_new && other.is_new,
            elements: self.elements.join(self.rest, &other.elements, other.rest),
            rows: self.rows.join(&other.rows),
            ..Self::new(self.rest.join(other.rest))
        };
        for pointers in [&self.pointers, &other.pointers].into_iter().flatten() {
            joined.record_pointer(pointers);
        }
        for (offset, (size, _)) in self.cells.iter().chain(&other.cells) {
            let (a, b) = (self.cell(*offset, *size), other.cell(*offset, *size));
            let cell = match (&a, &b) {
                _ if a == b => a,
                (Cell::Since(a), Cell::Since(b)) => Cell::Since(a.join(*b)),
                _ => match a.maybe_pointer(&b) {
                    Some(pointer) => Cell::MaybePointer(pointer),
                    None => {
                        for pointer in [&a, &b].into_iter().filter_map(|cell| cell.pointer()) {
                            joined.record_pointer(&pointer.target);
                            joined.rows.drop_pointer(*offset, pointer);
                        }
                        Cell::Since(MemoryVersion::Varying)
                    }
                },
            };
            joined.cells.insert(*offset, (*size, cell));
        }
        joined
    }

    /// Whether everything that differs in `after` varies there.
    pub(crate) fn differs_only_by_top(&self, after: &Self) -> bool {
        let is_lost = |a: MemoryVersion, b: MemoryVersion| a == b || b == MemoryVersion::Varying;
        let mut cells = self.cells.iter().chain(&after.cells);
        is_lost(self.rest, after.rest)
            && self.pointers == after.pointers
            && self.rows == after.rows
            && self.is_new == after.is_new
            && self.elements == after.elements
            && cells.all(|(offset, (size, _))| {
                let cell = after.cell(*offset, *size);
                cell == Cell::Since(MemoryVersion::Varying) || cell == self.cell(*offset, *size)
            })
    }

    /// Drops what a loop loses whose entry state is `before` and whose head state is `head`.
    pub(crate) fn reapply_losses(&mut self, before: &Self, head: &Self) {
        let varying = Cell::Since(MemoryVersion::Varying);
        if before.rest != head.rest {
            self.rest = MemoryVersion::Varying;
        }
        for (offset, (size, cell)) in &head.cells {
            if *cell == varying && before.cell(*offset, *size) != varying {
                self.put(*offset, *size, varying.clone());
            }
        }
        if let Some(pointers) = head
            .pointers
            .as_ref()
            .filter(|_| before.pointers != head.pointers)
        {
            self.record_pointer(pointers);
        }
        if before.rows != head.rows {
            self.rows = self.rows.join(&head.rows);
        }
        self.elements
            .reapply_losses(&before.elements, &head.elements);
        self.is_new &= head.is_new;
    }

    /// Whether nothing is known: there are no cells, and both `version` and the version of the rest vary.
    pub(crate) fn is_top(&self, version: MemoryVersion) -> bool {
        let is_plain = self.cells.is_empty() && self.elements.is_empty();
        is_plain && self.rest == MemoryVersion::Varying && version == MemoryVersion::Varying
    }

    /// Whether all contents are those since one version.
    pub(crate) fn is_versioned(&self) -> bool {
        let varies = |(_, cell): &(u32, Cell)| *cell == Cell::Since(MemoryVersion::Varying);
        let rest = self.elements.versions().chain([self.rest]);
        !rest
            .into_iter()
            .any(|version| version == MemoryVersion::Varying)
            && !self.cells.values().any(varies)
    }

    /// The same contents, with a version for the varying parts.
    pub(crate) fn assign_version(&mut self, version: MemoryVersion) {
        if self.rest == MemoryVersion::Varying {
            self.rest = version;
        }
        self.elements.assign_version(version);
        for (_, cell) in self.cells.values_mut() {
            if *cell == Cell::Since(MemoryVersion::Varying) {
                *cell = Cell::Since(version);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::types::INT;
    use crate::domain::values::{ArrayRow, Pointer, Value};
    use std::rc::Rc;

    const ENTRY: MemoryVersion = MemoryVersion::Entry;
    const LATER: MemoryVersion = MemoryVersion::TextRange(1);

    fn integer(value: i64) -> Cell {
        Cell::Value(Value::Integer(value.into(), INT))
    }

    fn pointer() -> Cell {
        Cell::Value(Value::Pointer(Pointer {
            target: Target::Array(ArrayRow(7)),
            offset: 0.into(),
            pointee: Rc::new(crate::domain::types::Type::Void),
        }))
    }

    fn holding(cells: &[(i64, u32, Cell)]) -> ArrayContents {
        let mut contents = ArrayContents::new(ENTRY);
        for (offset, size, cell) in cells {
            contents.put(*offset, *size, cell.clone());
        }
        contents
    }

    #[track_caller]
    fn check(contents: &ArrayContents, offset: i64, expected: &Cell) {
        assert_eq!(contents.cell(offset, 4), *expected, "{contents:?}");
    }

    #[test]
    fn a_store_to_a_known_cell_is_a_strong_update() {
        let contents = holding(&[(0, 4, integer(1)), (4, 4, integer(2)), (0, 4, integer(3))]);
        check(&contents, 0, &integer(3));
        check(&contents, 4, &integer(2));
        check(&contents, 8, &Cell::Since(ENTRY));
    }

    #[test]
    fn a_cell_that_another_one_overlaps_varies() {
        let contents = holding(&[(0, 8, integer(1))]);
        check(&contents, 4, &Cell::Since(MemoryVersion::Varying));
    }

    #[test]
    fn clobbering_everything_leaves_where_pointers_may_point() {
        let mut contents = holding(&[(0, 4, integer(1)), (8, 8, pointer())]);
        contents.clobber(Clobber::Everything, LATER);
        check(&contents, 0, &Cell::Since(LATER));
        assert_eq!(contents.cell(8, 8), Cell::Since(LATER));
        assert_eq!(contents.pointers, Some(Target::Array(ArrayRow(7))));
    }

    #[test]
    fn clobbering_integers_leaves_pointers() {
        let mut contents = holding(&[(0, 4, integer(1)), (8, 8, pointer())]);
        contents.clobber(Clobber::Integers, LATER);
        check(&contents, 0, &Cell::Since(LATER));
        assert_eq!(contents.cell(8, 8), pointer());
    }

    #[test]
    fn cells_that_differ_vary_after_the_join() {
        let (a, b) = (
            holding(&[(0, 4, integer(1))]),
            holding(&[(0, 4, integer(2))]),
        );
        let joined = a.join(&b);
        check(&joined, 0, &Cell::Since(MemoryVersion::Varying));
        check(&joined, 4, &Cell::Since(ENTRY));
        assert!(a.differs_only_by_top(&joined));
        assert_eq!(joined.join(&b), joined);
    }

    #[test]
    fn what_varies_gets_a_version_at_the_head_of_a_loop() {
        let mut contents = holding(&[(0, 4, Cell::Since(MemoryVersion::Varying))]);
        assert!(!contents.is_versioned());
        contents.assign_version(LATER);
        assert!(contents.is_versioned());
        check(&contents, 0, &Cell::Since(LATER));
        check(&contents, 4, &Cell::Since(ENTRY));
    }
}
