//! What one array holds: scalars of which something is known, and since when the rest is what it is.

use super::choices::either;
use super::elements::{Elements, Member};
use super::value::{Pointer, Target, Value};
use premiss_tree::{Expression, VariableId};
use std::collections::BTreeMap;

/// Since when a piece of memory holds what it holds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub(super) enum Epoch {
    /// Since the function was entered.
    #[default]
    Entry,
    /// Nothing was stored since it was allocated.
    Allocated,
    /// Since a moment with a number.
    At(u32),
    /// Since moments that differ from path to path, or from iteration to iteration.
    Varying,
}

/// What a scalar in memory holds.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Cell {
    /// A value of constants and parameters alone.
    Value(Value),
    /// A pointer to an object, or else null, or nothing that was ever stored.
    Perhaps(Pointer),
    /// Whatever it is since then.
    Since(Epoch),
}

/// What one array holds.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Content {
    /// Scalars that differ from the rest, by offset, with their sizes.
    pub(super) cells: BTreeMap<i64, (u32, Cell)>,
    pub(super) rest: Epoch,
    /// Members that differ from the rest in elements of which nobody knows the number.
    pub(super) elements: Elements,
    /// Where pointers point that were stored and of which nobody knows the place any more.
    pub(super) pointers: Option<Target>,
    /// Whether it was allocated on the way here, once: where it has no row it was not.
    pub(super) is_new: bool,
}

/// What memory may not hold any more after something whose stores are not known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Lost {
    /// Anything may have been stored.
    Everything,
    /// Pointers that the program stored itself are still there: integers alone were stored, or a
    /// function did it that is not part of the program. Such a function is taken to fill arrays, and
    /// not to put others into their place.
    Integers,
}

impl Epoch {
    pub(super) fn join(self, other: Self) -> Self {
        if self == other { self } else { Self::Varying }
    }
}

impl Cell {
    pub(super) fn pointer(&self) -> Option<&Pointer> {
        match self {
            Self::Value(Value::Pointer(pointer)) | Self::Perhaps(pointer) => Some(pointer),
            _ => None,
        }
    }

    /// One of two values by a variable: pointers to different arrays, or integers.
    pub(super) fn either(&self, other: &Self, selector: VariableId) -> Option<Self> {
        let (Self::Value(a), Self::Value(b)) = (self, other) else {
            let values = [self, other].map(|x| x.pointer().cloned().map(Value::Pointer));
            let [Some(a), Some(b)] = values else {
                return None;
            };
            return match Self::Value(a).either(&Self::Value(b), selector)? {
                Self::Value(Value::Pointer(pointer)) => Some(Self::Perhaps(pointer)),
                _ => None,
            };
        };
        let either = |a: &Expression, b: &Expression| match a == b {
            true => a.clone(),
            false => either(selector, a.clone(), b.clone()),
        };
        let value = match (a, b) {
            (Value::Pointer(a), Value::Pointer(b)) => Value::Pointer(Pointer {
                target: a.target.either(&b.target, selector)?,
                offset: either(&a.offset, &b.offset),
                pointee: a.pointee.clone(),
            }),
            (Value::Integer(a, kind), Value::Integer(b, other)) if kind == other && a != b => {
                Value::Integer(either(a, b), *kind)
            }
            _ => return None,
        };
        Some(Self::Value(value))
    }

    /// The pointer that one of two cells holds where the other one holds the same or none.
    fn perhaps(&self, other: &Self) -> Option<Pointer> {
        let is_nothing = |cell: &Self| match cell {
            Self::Since(Epoch::Allocated) => true,
            cell => cell.pointer().is_some_and(|x| x.target == Target::Null),
        };
        let (pointer, other) = match is_nothing(self) {
            true => (other.pointer()?, self),
            false => (self.pointer()?, other),
        };
        (is_nothing(other) || other.pointer() == Some(pointer)).then(|| pointer.clone())
    }
}

impl Content {
    pub(super) fn new(rest: Epoch) -> Self {
        Self {
            cells: BTreeMap::new(),
            rest,
            elements: Elements::default(),
            pointers: None,
            is_new: false,
        }
    }

    /// What the scalar at an offset holds.
    pub(super) fn cell(&self, offset: i64, size: u32) -> Cell {
        match self.cells.get(&offset) {
            Some((known, cell)) if *known == size => cell.clone(),
            _ if self.overlapping(offset, size).next().is_some() => Cell::Since(Epoch::Varying),
            _ => Cell::Since(self.elements.epoch_at(offset, size).unwrap_or(self.rest)),
        }
    }

    /// Since when a member of elements holds what it holds that nobody knows the number of.
    pub(super) fn member_epochs(&self, member: Option<Member>) -> Vec<Epoch> {
        let of_cells = self.cells.values().filter_map(|(_, cell)| match cell {
            Cell::Since(epoch) => Some(*epoch),
            Cell::Value(_) | Cell::Perhaps(_) => None,
        });
        match member {
            Some(member) => {
                let epoch = self.elements.epoch(member).unwrap_or(self.rest);
                of_cells.chain([epoch]).collect()
            }
            None => of_cells
                .chain(self.elements.epochs())
                .chain([self.rest])
                .collect(),
        }
    }

    /// Something was stored to a member of an element of which nobody knows the number.
    pub(super) fn store_member(&mut self, place: &Expression, member: Member, epoch: Epoch) {
        let meets = |(offset, (size, _)): (&i64, &(u32, Cell))| {
            let end = offset.rem_euclid(member.element) + i64::from(*size);
            let start = offset.rem_euclid(member.element);
            let is_within = end <= member.element;
            let is_met = start < member.start + i64::from(member.size) && member.start < end;
            (is_met || !is_within).then_some(*offset)
        };
        let lost: Vec<i64> = self.cells.iter().filter_map(meets).collect();
        for offset in lost {
            self.lose(offset);
        }
        self.elements.store(place, member, epoch);
    }

    /// The offsets of known scalars that share bytes with one.
    fn overlapping(&self, offset: i64, size: u32) -> impl Iterator<Item = i64> {
        let end = offset.saturating_add(i64::from(size));
        self.cells
            .range(offset.saturating_sub(32)..end)
            .filter(move |(start, (length, _))| offset < start.saturating_add(i64::from(*length)))
            .map(|(start, _)| *start)
    }

    pub(super) fn put(&mut self, offset: i64, size: u32, cell: Cell) {
        let lost: Vec<i64> = self.overlapping(offset, size).collect();
        for offset in lost {
            self.lose(offset);
        }
        self.elements.store_at(offset, size);
        self.cells.insert(offset, (size, cell));
    }

    /// Forgets a scalar that something may have overwritten.
    fn lose(&mut self, offset: i64) {
        if let Some((_, cell)) = self.cells.remove(&offset)
            && let Some(pointer) = cell.pointer()
        {
            self.note_pointer(&pointer.target);
        }
    }

    pub(super) fn note_pointer(&mut self, target: &Target) {
        self.pointers = Some(match &self.pointers {
            Some(known) => known.join(target),
            None => target.clone(),
        });
    }

    pub(super) fn forget(&mut self, epoch: Epoch) {
        let offsets: Vec<i64> = self.cells.keys().copied().collect();
        for offset in offsets {
            self.lose(offset);
        }
        self.elements.clear();
        self.rest = epoch;
    }

    /// Forgets all but pointers whose place and value are known.
    fn forget_integers(&mut self, epoch: Epoch) {
        self.cells.retain(|_, (_, cell)| cell.pointer().is_some());
        self.elements.clear();
        self.rest = epoch;
    }

    pub(super) fn lose_all(&mut self, lost: Lost, epoch: Epoch) {
        match lost {
            Lost::Everything => self.forget(epoch),
            Lost::Integers => self.forget_integers(epoch),
        }
    }

    pub(super) fn join(&self, other: &Self) -> Self {
        let mut joined = Self {
            is_new: self.is_new && other.is_new,
            elements: self.elements.join(self.rest, &other.elements, other.rest),
            ..Self::new(self.rest.join(other.rest))
        };
        for pointers in [&self.pointers, &other.pointers].into_iter().flatten() {
            joined.note_pointer(pointers);
        }
        for (offset, (size, _)) in self.cells.iter().chain(&other.cells) {
            let (a, b) = (self.cell(*offset, *size), other.cell(*offset, *size));
            let cell = match (&a, &b) {
                _ if a == b => a,
                (Cell::Since(a), Cell::Since(b)) => Cell::Since(a.join(*b)),
                _ => match a.perhaps(&b) {
                    Some(pointer) => Cell::Perhaps(pointer),
                    None => {
                        for pointer in [&a, &b].into_iter().filter_map(|cell| cell.pointer()) {
                            joined.note_pointer(&pointer.target);
                        }
                        Cell::Since(Epoch::Varying)
                    }
                },
            };
            joined.cells.insert(*offset, (*size, cell));
        }
        joined
    }

    /// Whether all that differs in `after` varies there.
    pub(super) fn loses_wholly(&self, after: &Self) -> bool {
        let is_lost = |a: Epoch, b: Epoch| a == b || b == Epoch::Varying;
        let mut cells = self.cells.iter().chain(&after.cells);
        is_lost(self.rest, after.rest)
            && self.pointers == after.pointers
            && self.is_new == after.is_new
            && self.elements == after.elements
            && cells.all(|(offset, (size, _))| {
                let cell = after.cell(*offset, *size);
                cell == Cell::Since(Epoch::Varying) || cell == self.cell(*offset, *size)
            })
    }

    /// Forgets what a loop did not leave as it was that was entered with `before` and had `head` at its head.
    pub(super) fn lose_again(&mut self, before: &Self, head: &Self) {
        let varying = Cell::Since(Epoch::Varying);
        if before.rest != head.rest {
            self.rest = Epoch::Varying;
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
            self.note_pointer(pointers);
        }
        self.elements.lose_again(&before.elements, &head.elements);
        self.is_new &= head.is_new;
    }

    /// Whether there is nothing left to forget.
    pub(super) fn is_lost(&self, epoch: Epoch) -> bool {
        let is_plain = self.cells.is_empty() && self.elements.is_empty();
        is_plain && self.rest == Epoch::Varying && epoch == Epoch::Varying
    }

    /// Whether all of it holds what it holds since one moment.
    pub(super) fn is_settled(&self) -> bool {
        let varies = |(_, cell): &(u32, Cell)| *cell == Cell::Since(Epoch::Varying);
        let rest = self.elements.epochs().chain([self.rest]);
        !rest.into_iter().any(|epoch| epoch == Epoch::Varying) && !self.cells.values().any(varies)
    }

    /// The same, with a beginning for what has none.
    pub(super) fn settle(&mut self, epoch: Epoch) {
        if self.rest == Epoch::Varying {
            self.rest = epoch;
        }
        self.elements.settle(epoch);
        for (_, cell) in self.cells.values_mut() {
            if *cell == Cell::Since(Epoch::Varying) {
                *cell = Cell::Since(epoch);
            }
        }
    }
}
