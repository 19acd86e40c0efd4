//! The abstract heap: the contents of all arrays and structs, with a version of memory for arrays without specific
//! knowledge.
//!
//! Distinct names are distinct arrays (rule 4 of the access model), so a store to `v->data[i]` does not change
//! `v->size`.
//!
//! ```text
//! for (i = 0; i < v->size; i++)    every test loads v->size at one version: the same size each time
//!     v->data[i] = 0;              loads v->data, stores to the array v->data
//! v->size = f();                   a size of a new version: v->size#2
//! ```

use crate::domain::array_contents::ArrayContents;
use crate::domain::cells::Cell;
use crate::domain::memory_version::MemoryVersion;
use crate::domain::shared_map::SharedMap;
use crate::domain::values::{ArrayRow, Target};
use imbl::ordmap::DiffItem;
use premiss_tree::VariableId;
use std::rc::Rc;

/// The maximum number of values in memory that a branch may select.
const MAX_MERGED: usize = 64;

/// The contents of all arrays.
#[derive(Clone, Debug, Default)]
pub(crate) struct AbstractHeap {
    pub(crate) rows: SharedMap<ArrayRow, SharedContents>,
    /// The version of arrays without an entry.
    pub(crate) base: MemoryVersion,
}

impl AbstractHeap {
    /// What a loop loses whose entry state is this and whose head state is `head`.
    pub(crate) fn losses(&self, head: &Self) -> HeapLosses {
        let lost = self.rows.diff(&head.rows);
        let lost = lost.map(|difference| match difference {
            DiffItem::Update { old: (row, _), .. }
            | DiffItem::Remove(row, _)
            | DiffItem::Add(row, _) => (*row, self.content(*row), head.content(*row)),
        });
        HeapLosses {
            base: match self.base == head.base {
                true => MemoryVersion::Entry,
                false => head.base,
            },
            rows: lost.collect(),
        }
    }

    /// Drops what a loop lost when it was lowered before.
    pub(crate) fn reapply_losses(&mut self, losses: &HeapLosses) {
        let base = match losses.base {
            MemoryVersion::Varying => MemoryVersion::Varying,
            _ => self.base,
        };
        for (row, before, head) in &losses.rows {
            let content = self.content_mut(*row);
            content.reapply_losses(before, head);
        }
        self.base = base;
    }

    /// Whether everything that differs in `after` varies there.
    pub(crate) fn differs_only_by_top(&self, after: &Self) -> bool {
        let mut differences = self.rows.diff(&after.rows);
        differences.all(|difference| match difference {
            DiffItem::Update { old: (row, _), .. }
            | DiffItem::Remove(row, _)
            | DiffItem::Add(row, _) => self.content(*row).differs_only_by_top(&after.content(*row)),
        })
    }

    /// Whether the contents of one array are equal in both.
    pub(crate) fn has_same_contents(&self, other: &Self, row: ArrayRow) -> bool {
        self.content(row) == other.content(row)
    }

    /// Whether any array holds a pointer to this one, as far as it is known where pointers lead.
    pub(crate) fn leads_to(&self, row: ArrayRow) -> bool {
        self.rows.values().any(|content| content.leads_to(row))
    }

    /// The join of two heaps.
    pub(crate) fn join(&self, other: &Self) -> Self {
        let base = self.base.join(other.base);
        // Arrays without specific knowledge need no entry: a loop whose body creates new ones in each pass would not
        // reach a fixpoint.
        let plain = ArrayContents::new(base);
        let without_row = [self.base, other.base].map(ArrayContents::new);
        let mut rows = self.rows.clone();
        for difference in self.rows.diff(&other.rows) {
            let (row, joined) = match difference {
                DiffItem::Update { old, new } => (*old.0, SharedContents::new(old.1.join(new.1))),
                DiffItem::Remove(row, a) if a.is_new => (*row, a.clone()),
                DiffItem::Remove(row, a) => (*row, SharedContents::new(a.join(&without_row[1]))),
                DiffItem::Add(row, b) if b.is_new => (*row, b.clone()),
                DiffItem::Add(row, b) => (*row, SharedContents::new(without_row[0].join(b))),
            };
            match *joined == plain {
                true => rows.remove(&row),
                false => rows.insert(row, joined),
            };
        }
        Self { rows, base }
    }

    /// Gives a single target to pointers at the same place that point to different arrays on two paths; returns
    /// whether there were any.
    pub(crate) fn merge_cells(first: &mut Self, second: &mut Self, selector: VariableId) -> bool {
        let mut found = Vec::new();
        for difference in first.rows.diff(&second.rows) {
            let DiffItem::Update {
                old: (row, a),
                new: (_, b),
            } = difference
            else {
                continue;
            };
            for (place, (size, cell)) in &a.cells {
                if let Some((other_size, other)) = b.cells.get(place)
                    && size == other_size
                    && found.len() < MAX_MERGED
                    && let Some(either) = cell.either(other, selector)
                {
                    found.push((*row, *place, *size, either));
                }
            }
        }
        for (row, place, size, cell) in &found {
            for memory in [&mut *first, &mut *second] {
                let cells = &mut memory.content_mut(*row).cells;
                cells.insert(*place, (*size, cell.clone()));
            }
        }
        !found.is_empty()
    }

    /// Drops pointers whose targets depend on changed variables.
    pub(crate) fn forget_selected_pointers(&mut self, is_changed: &impl Fn(VariableId) -> bool) {
        let depends = |content: &ArrayContents| {
            let mut targets = content
                .cells
                .values()
                .filter_map(|(_, cell)| cell.pointer());
            let mut stored = content.elements.cells().filter_map(Cell::pointer);
            targets.any(|pointer| pointer.target.depends_on(is_changed))
                || stored.any(|pointer| pointer.target.depends_on(is_changed))
                || content
                    .pointers
                    .as_ref()
                    .is_some_and(|x| x.depends_on(is_changed))
        };
        let rows = self.rows.iter().filter(|(_, content)| depends(content));
        let rows: Vec<ArrayRow> = rows.map(|(row, _)| *row).collect();
        for row in rows {
            let content = self.content_mut(row);
            content.pointers = match &content.pointers {
                Some(target) => Some(target.without_selector()),
                None => Some(Target::Ambiguous),
            };
            content.elements.forget_pointers(|cell| {
                cell.pointer()
                    .is_some_and(|x| x.target.depends_on(is_changed))
            });
            for (_, cell) in content.cells.values_mut() {
                if cell
                    .pointer()
                    .is_some_and(|x| x.target.depends_on(is_changed))
                {
                    *cell = Cell::Since(MemoryVersion::Varying);
                }
            }
        }
    }

    /// Whether a scalar is loop-invariant, given the heap `after` at the end of a loop with this heap at its head. If
    /// the scalar is unknown, the whole array must be.
    pub(crate) fn is_invariant(
        &self,
        after: &Self,
        row: ArrayRow,
        offset: Option<i64>,
        size: u32,
    ) -> bool {
        let head = self.content(row);
        match offset {
            Some(offset) => head.cell(offset, size) != Cell::Since(MemoryVersion::Varying),
            None => head.is_versioned() && head == after.content(row),
        }
    }

    /// Drops an array.
    pub(crate) fn remove_array(&mut self, row: ArrayRow) {
        self.rows.remove(&row);
    }

    pub(crate) fn content(&self, row: ArrayRow) -> SharedContents {
        let known = self.rows.get(&row).cloned();
        known.unwrap_or_else(|| SharedContents::new(ArrayContents::new(self.base)))
    }

    pub(crate) fn content_mut(&mut self, row: ArrayRow) -> &mut ArrayContents {
        let new = || SharedContents::new(ArrayContents::new(self.base));
        Rc::make_mut(&mut self.rows.entry(row).or_insert_with(new).0)
    }
}

/// Equality of the contents, with or without entries.
impl PartialEq for AbstractHeap {
    fn eq(&self, other: &Self) -> bool {
        let plain = ArrayContents::new(self.base);
        self.base == other.base
            && self
                .rows
                .diff(&other.rows)
                .all(|difference| match difference {
                    DiffItem::Add(_, row) | DiffItem::Remove(_, row) => **row == plain,
                    DiffItem::Update { .. } => false,
                })
    }
}

/// The contents of one array, shared between states.
#[derive(Clone, Debug)]
pub(crate) struct SharedContents(pub(crate) Rc<ArrayContents>);

impl SharedContents {
    pub(crate) fn new(content: ArrayContents) -> Self {
        Self(Rc::new(content))
    }
}

impl std::ops::Deref for SharedContents {
    type Target = ArrayContents;

    fn deref(&self) -> &ArrayContents {
        &self.0
    }
}

impl PartialEq for SharedContents {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0) || self.0 == other.0
    }
}

/// What a loop loses in memory: the base, and entries before the loop and at its head.
pub(crate) struct HeapLosses {
    pub(crate) base: MemoryVersion,
    pub(crate) rows: Vec<(ArrayRow, SharedContents, SharedContents)>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::memory_version::Clobber;

    const A: ArrayRow = ArrayRow(0);
    const B: ArrayRow = ArrayRow(1);

    fn clobbered(row: ArrayRow, version: u32) -> AbstractHeap {
        let mut heap = AbstractHeap::default();
        let contents = heap.content_mut(row);
        contents.clobber(Clobber::Everything, MemoryVersion::TextRange(version));
        heap
    }

    #[test]
    fn an_array_with_the_contents_of_the_others_needs_no_row() {
        assert_eq!(
            clobbered(A, 1).join(&clobbered(A, 1)),
            clobbered(A, 1),
            "the join of equal heaps"
        );
        let mut touched = AbstractHeap::default();
        touched.content_mut(A);
        assert_eq!(touched, AbstractHeap::default());
    }

    #[test]
    fn an_array_that_one_path_stores_to_varies_alone() {
        let joined = clobbered(A, 1).join(&AbstractHeap::default());
        assert!(!joined.is_invariant(&joined, A, None, 4));
        assert!(joined.is_invariant(&joined, B, None, 4));
        assert!(joined.has_same_contents(&AbstractHeap::default(), B));
    }

    #[test]
    fn what_a_loop_loses_is_lost_again_from_its_entry() {
        let before = AbstractHeap::default();
        let head = before.join(&clobbered(A, 1));
        let mut again = AbstractHeap::default();
        again.reapply_losses(&before.losses(&head));
        assert!(again.has_same_contents(&head, A));
        assert!(again.has_same_contents(&before, B));
    }
}
