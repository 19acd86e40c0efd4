//! What memory holds in elements of which nobody knows the number: `tiles[t].size`.
//!
//! A store to a member of some element of an array of structs leaves the other members of all elements as
//! they are. What it stored is known until something is stored that may lie at the same place, while all that
//! the place depends on keeps its value: sizes, and the iterators of the loops around.
//!
//! ```text
//! for (t = 0; t < n; t++) {
//!     tiles[t].data = malloc(8 * m);       stored at 16 * t
//!     for (k = 0; k < tiles[t].size; k++)  loads at 16 * t + 8: no store has changed that member
//!         tiles[t].data[k] = 0;            loads at 16 * t: what malloc returned
//! }
//! ```

use super::Lowering;
use super::content::{Cell, Epoch};
use super::integers::minus;
use super::types::Type;
use super::value::ArrayRow;
use premiss_tree::{BinaryOperator as Op, Expression};
use std::collections::BTreeMap;

/// How many stores are remembered for one array.
const MAX_REMEMBERED: usize = 256;

/// A scalar in every element of an array.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Member {
    /// How far from the start of its element it begins.
    pub(super) start: i64,
    pub(super) size: u32,
    /// How many bytes lie from one element to the next.
    pub(super) element: i64,
}

/// What was stored to elements of which nobody knows the number.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Elements {
    /// Since when members hold what they hold that something was stored to, by where they begin and their
    /// sizes: those that share bytes were stored to as scalars of several sizes.
    members: BTreeMap<(i64, u32), (Member, Epoch)>,
    /// The last stores, by their places.
    stored: Vec<(Expression, Member, Cell)>,
}

impl Member {
    /// Whether it shares bytes with another one of the same elements, or may.
    fn meets(self, other: Self) -> bool {
        self.element != other.element
            || (self.start < other.start.saturating_add(i64::from(other.size))
                && other.start < self.start.saturating_add(i64::from(self.size)))
    }

    /// The member that a scalar at an offset is.
    fn at(offset: i64, size: u32, element: i64) -> Self {
        Self {
            start: offset.rem_euclid(element),
            size,
            element,
        }
    }
}

impl Elements {
    pub(super) fn is_empty(&self) -> bool {
        self.members.is_empty() && self.stored.is_empty()
    }

    pub(super) fn clear(&mut self) {
        self.members.clear();
        self.stored.clear();
    }

    /// Something was stored to a member of some element, at this place.
    pub(super) fn store(&mut self, place: &Expression, member: Member, epoch: Epoch) {
        self.members
            .insert((member.start, member.size), (member, epoch));
        self.stored.retain(|(other, of, _)| {
            !of.meets(member) || are_apart(place, member.size, other, of.size)
        });
    }

    /// Something was stored at a known offset: which of the elements that is may be any.
    pub(super) fn store_at(&mut self, offset: i64, size: u32) {
        self.stored
            .retain(|(_, of, _)| !of.meets(Member::at(offset, size, of.element)));
    }

    /// Remembers what was stored last at a place.
    pub(super) fn remember(&mut self, place: &Expression, member: Member, cell: Cell) {
        if self.stored.len() < MAX_REMEMBERED {
            self.stored.push((place.clone(), member, cell));
        }
    }

    /// What was stored at a place, where that is known.
    pub(super) fn stored_at(&self, place: &Expression, size: u32) -> Option<&Cell> {
        let mut found = self.stored.iter();
        let found = found.find(|(other, of, _)| other == place && of.size == size);
        found.map(|(_, _, cell)| cell)
    }

    /// Since when a member holds what it holds; `None` where nothing was stored to it but at known places.
    pub(super) fn epoch(&self, member: Member) -> Option<Epoch> {
        let mut met = self
            .members
            .values()
            .filter(|(other, _)| other.meets(member));
        match (met.next(), met.next()) {
            (None, _) => None,
            (Some((other, epoch)), None) if *other == member => Some(*epoch),
            _ => Some(Epoch::Varying),
        }
    }

    /// The same for a scalar at a known offset.
    pub(super) fn epoch_at(&self, offset: i64, size: u32) -> Option<Epoch> {
        let (_, (first, _)) = self.members.first_key_value()?;
        self.epoch(Member::at(offset, size, first.element))
    }

    pub(super) fn epochs(&self) -> impl Iterator<Item = Epoch> {
        self.members.values().map(|(_, epoch)| *epoch)
    }

    pub(super) fn settle(&mut self, epoch: Epoch) {
        for (_, known) in self.members.values_mut() {
            if *known == Epoch::Varying {
                *known = epoch;
            }
        }
    }

    /// What is known where either may hold, with what else the arrays hold.
    pub(super) fn join(&self, rest: Epoch, other: &Self, other_rest: Epoch) -> Self {
        let mut joined = Self::default();
        for (member, _) in self.members.values().chain(other.members.values()) {
            let a = self.epoch(*member).unwrap_or(rest);
            let b = other.epoch(*member).unwrap_or(other_rest);
            let key = (member.start, member.size);
            joined.members.insert(key, (*member, a.join(b)));
        }
        let stored = self.stored.iter();
        joined.stored = stored
            .filter(|one| other.stored.contains(one))
            .cloned()
            .collect();
        joined
    }

    /// Forgets what a loop did not leave as it was that was entered with `before` and had `head` at its head.
    pub(super) fn lose_again(&mut self, before: &Self, head: &Self) {
        for (key, (member, epoch)) in &head.members {
            if *epoch == Epoch::Varying && before.members.get(key) != Some(&(*member, *epoch)) {
                self.members.insert(*key, (*member, *epoch));
            }
        }
        self.stored
            .retain(|one| head.stored.contains(one) || !before.stored.contains(one));
    }

    pub(super) fn forget_stored(&mut self, is_lost: impl Fn(&Cell) -> bool) {
        self.stored.retain(|(_, _, cell)| !is_lost(cell));
    }

    /// What the pointers that are remembered lead to.
    pub(super) fn cells(&self) -> impl Iterator<Item = &Cell> {
        self.stored.iter().map(|(_, _, cell)| cell)
    }
}

impl Lowering<'_> {
    /// Which scalar of every element lies at an offset that is no number: where all but the constant part of
    /// it goes in whole elements of an array of structs.
    pub(super) fn member_at(
        &self,
        row: ArrayRow,
        offset: &Expression,
        size: u32,
    ) -> Option<Member> {
        let kind = self.arrays[row.0].kind.innermost();
        if !matches!(kind, Type::Struct(..)) {
            return None;
        }
        let element = i64::from(kind.scalar_size()?);
        if element <= 0 {
            return None;
        }
        let member = Member::at(remainder(offset, element)?, size, element);
        (member.start.checked_add(i64::from(size))? <= element).then_some(member)
    }

    /// Whether an offset stays what it is as long as the loops around are in one iteration.
    pub(super) fn is_rigid(&self, offset: &Expression) -> bool {
        !offset.any(|part| match part {
            Expression::Variable(id) => !self.open.contains_key(id),
            part => *part == Expression::Data,
        })
    }
}

/// The remainder of an offset by a size, where it is one number.
fn remainder(offset: &Expression, element: i64) -> Option<i64> {
    match offset {
        Expression::Integer(value) => Some(value.rem_euclid(element)),
        Expression::Binary(Op::Add, a, b) => {
            Some((remainder(a, element)? + remainder(b, element)?) % element)
        }
        Expression::Binary(Op::Subtract, a, b) => {
            Some((remainder(a, element)? - remainder(b, element)?).rem_euclid(element))
        }
        Expression::Binary(Op::Multiply, a, _)
            if a.as_integer().is_some_and(|a| a % element == 0) =>
        {
            Some(0)
        }
        _ => None,
    }
}

/// Whether two scalars surely share no byte.
fn are_apart(a: &Expression, a_size: u32, b: &Expression, b_size: u32) -> bool {
    match super::extremes::gathered(&minus(a.clone(), b.clone())).as_integer() {
        Some(distance) => i64::from(b_size) <= distance || distance <= -i64::from(a_size),
        None => false,
    }
}
