//! Pointers in an array that lead to the rows of another one: an affine relation between the place of a pointer and
//! where it points.
//!
//! ```text
//! for (i = 0; i < n; i++) a[i] = block + m * i;        at 8·y: block + 8·m·y
//! a[3][j]                                              block + 8·m·3 + 8·j
//! ```
//!
//! The lattice for one member of the elements is `Never` ⊑ one place ⊑ a line ⊑ `None`: two different places make no
//! line, as more than two stores rarely do.

use crate::domain::polynomials::CanonicalSum;
use crate::domain::values::{ArrayRow, Pointer, Target, is_constant};
use premiss_tree::{Expression, ParameterId};
use std::collections::BTreeMap;

/// The size in bytes of a pointer.
const POINTER: i64 = 8;

/// The maximum number of pointers that were known at constant places.
const MAX_DROPPED: usize = 8;

/// The unit of a coordinate of places: bytes of an element, or the distance of rows that is a symbol yet.
pub(crate) type PlaceUnit = Expression;

/// The rows that the pointers of one table lead to.
#[derive(Clone, Debug)]
pub(crate) struct TableRows {
    /// The array of all rows.
    pub(crate) array: ArrayRow,
    /// The symbol for the distance in bytes between neighbouring rows.
    pub(crate) stride: ParameterId,
    /// The symbol for the number of pointers in a row, if the rows are tables themselves.
    pub(crate) length: ParameterId,
}

/// What an iteration of an open loop has allocated so far.
#[derive(Clone, Debug)]
pub(crate) struct AllocationLevel {
    /// The symbol for the bytes that an iteration allocates.
    pub(crate) stride: ParameterId,
    /// The number of the iteration, counted from 0; data if it is not known.
    pub(crate) iteration: Expression,
    /// The bytes that the iteration has allocated.
    pub(crate) bytes: Expression,
    /// Whether all blocks so far are accounted for.
    pub(crate) is_regular: bool,
}

/// A place in an array, as a sum of multiples of units of which none is a multiple of another.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct ElementIndex {
    /// The place within an element.
    pub(crate) start: i64,
    /// The multiple of each unit.
    pub(crate) multiples: Vec<(PlaceUnit, CanonicalSum)>,
}

/// Where the pointers lead that were stored to one member of elements.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct RowPointers {
    pub(crate) target: Target,
    /// How far the pointer moves for a step of each unit; a unit that is missing has been 0 in all places.
    pub(crate) steps: Vec<(PlaceUnit, CanonicalSum)>,
    /// Where the pointer at place 0 leads.
    pub(crate) origin: CanonicalSum,
    /// Whether it is the pointer at one place alone, the multiples of which these are.
    pub(crate) place: Option<Vec<(PlaceUnit, CanonicalSum)>>,
}

impl RowPointers {
    /// The pointers of one store, made as often as its variables have values.
    pub(crate) fn of_store(
        place: &ElementIndex,
        target: &Target,
        offset: &CanonicalSum,
    ) -> Option<Self> {
        let mut rest = offset.clone();
        let mut steps = Vec::new();
        for (unit, multiple) in &place.multiples {
            if let Some(step) = step_of(multiple, offset)? {
                rest = rest.minus(&step.times(multiple)?)?;
                steps.push((unit.clone(), step));
            }
        }
        let is_fixed = |form: &CanonicalSum| is_constant(&form.to_expression());
        let is_whole = is_fixed(&rest) && steps.iter().all(|(_, step)| is_fixed(step));
        let place = steps.is_empty().then(|| place.multiples.clone());
        is_whole.then(|| Self {
            target: target.clone(),
            steps,
            origin: rest,
            place,
        })
    }

    /// Where the pointer at a place leads; `None` if nothing was stored there, as far as the units tell.
    pub(crate) fn offset_at(
        &self,
        multiples: &[(PlaceUnit, CanonicalSum)],
    ) -> Option<CanonicalSum> {
        if let Some(place) = &self.place {
            return (place == multiples).then(|| self.origin.clone());
        }
        let mut offset = self.origin.clone();
        for (unit, multiple) in multiples {
            match self.steps.iter().find(|(known, _)| known == unit) {
                Some((_, step)) => offset = offset.plus(&step.times(multiple)?)?,
                None if multiple.is_zero() => {}
                None => return None,
            }
        }
        Some(offset)
    }

    /// The join; `None` if there is no line through both.
    pub(crate) fn join(&self, other: &Self) -> Option<Self> {
        if self == other {
            return Some(self.clone());
        }
        let (line, point) = match (&self.place, &other.place) {
            (None, Some(place)) => (self, (place, &other.origin)),
            (Some(place), None) => (other, (place, &self.origin)),
            _ => return None,
        };
        let is_met =
            self.target == other.target && line.offset_at(point.0).as_ref() == Some(point.1);
        is_met.then(|| line.clone())
    }
}

/// How much an offset changes for a step of a multiple; `Some(None)` if the multiple is a constant, `None` if the offset
/// is no line in it.
fn step_of(multiple: &CanonicalSum, offset: &CanonicalSum) -> Option<Option<CanonicalSum>> {
    let mut step: Option<CanonicalSum> = None;
    for variable in multiple.variables() {
        let (factor, _) = multiple.split_at(variable)?;
        let (moved, _) = offset.split_at(variable)?;
        let of_variable = match factor.as_integer()? {
            1 => moved,
            -1 => CanonicalSum::default().minus(&moved)?,
            _ => return None,
        };
        if step.as_ref().is_some_and(|step| *step != of_variable) {
            return None;
        }
        step = Some(of_variable);
    }
    Some(step)
}

/// The pointers in an array, by the place of the member within an element.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct RowTable {
    /// Those that were stored; `None` where they follow no line.
    members: BTreeMap<i64, Option<RowPointers>>,
    /// Pointers that were known at constant places, before something was stored to unknown ones.
    dropped: Vec<(i64, Target, Expression)>,
    /// Whether stores to unknown places may have changed any of them.
    is_lost: bool,
}

impl RowTable {
    /// Where the pointers of a member lead that were stored to places that are not constant.
    pub(crate) fn pointers(&self, start: i64) -> Option<&RowPointers> {
        let known = self.members.get(&start).filter(|_| !self.is_lost);
        known.and_then(Option::as_ref)
    }

    /// The pointers that were dropped from constant places: offset, target and where they lead in it.
    pub(crate) fn dropped(&self) -> impl Iterator<Item = &(i64, Target, Expression)> {
        self.dropped.iter()
    }

    /// Whether there was no store that it tells anything of.
    pub(crate) fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Whether pointers were stored, or may have been.
    pub(crate) fn has_stores(&self) -> bool {
        !self.is_empty()
    }

    /// The distance in bytes between neighbouring elements, as the places of stores tell.
    pub(crate) fn element_size(&self) -> Option<i64> {
        let known = self.members.values().flatten();
        let mut units = known.flat_map(|pointers| &pointers.steps);
        units.find_map(|(unit, _)| unit.as_integer())
    }

    /// Records a store of so many bytes at a place, of something that is no pointer.
    pub(crate) fn lose_at(&mut self, place: &ElementIndex, size: i64) {
        let end = place.start.saturating_add(size);
        for (start, pointers) in &mut self.members {
            if *start < end && place.start < start.saturating_add(POINTER) {
                *pointers = None;
            }
        }
    }

    /// Records that a pointer at a constant place is no longer known to be there.
    pub(crate) fn drop_pointer(&mut self, place: i64, pointer: &Pointer) {
        let dropped = (place, pointer.target.clone(), pointer.offset.clone());
        if self.is_lost || pointer.target == Target::Null || self.dropped.contains(&dropped) {
            return;
        }
        self.dropped.push(dropped);
        if MAX_DROPPED < self.dropped.len() {
            self.lose();
        }
    }

    /// Records pointers that were stored to a member; `None` if it is not known where they lead.
    pub(crate) fn record(&mut self, start: i64, pointers: Option<RowPointers>) {
        let joined = match self.members.get(&start) {
            None => pointers,
            Some(known) => joined(known.as_ref(), pointers.as_ref()),
        };
        self.members.insert(start, joined);
    }

    /// Records that any pointer may have changed.
    pub(crate) fn lose(&mut self) {
        *self = Self {
            is_lost: true,
            ..Self::default()
        };
    }

    pub(crate) fn join(&self, other: &Self) -> Self {
        let mut all = self.clone();
        if other.is_lost || self.is_lost {
            all.lose();
            return all;
        }
        for (start, pointers) in &other.members {
            all.record(*start, pointers.clone());
        }
        for dropped in &other.dropped {
            if !all.dropped.contains(dropped) {
                all.dropped.push(dropped.clone());
            }
        }
        if MAX_DROPPED < all.dropped.len() {
            all.lose();
        }
        all
    }
}

fn joined(a: Option<&RowPointers>, b: Option<&RowPointers>) -> Option<RowPointers> {
    a?.join(b?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use premiss_tree::{BinaryOperator as Op, VariableId};

    fn times(a: Expression, b: Expression) -> CanonicalSum {
        CanonicalSum::of(&Expression::binary(Op::Multiply, a, b)).unwrap()
    }

    fn m() -> Expression {
        Expression::Parameter(ParameterId::from_u32(0))
    }

    fn i() -> Expression {
        Expression::Variable(VariableId::from_u32(0))
    }

    fn at(multiple: CanonicalSum) -> ElementIndex {
        ElementIndex {
            start: 0,
            multiples: vec![(8.into(), multiple)],
        }
    }

    fn number(value: i64) -> CanonicalSum {
        CanonicalSum::of(&value.into()).unwrap()
    }

    fn rows() -> RowPointers {
        let place = at(CanonicalSum::of(&i()).unwrap());
        let target = Target::Array(ArrayRow(3));
        RowPointers::of_store(&place, &target, &times(m(), i())).unwrap()
    }

    #[test]
    fn a_pointer_leads_where_its_place_says() {
        let third = rows().offset_at(&at(number(3)).multiples);
        assert_eq!(third, Some(times(m(), 3.into())));
    }

    #[test]
    fn a_place_on_the_line_leaves_the_line() {
        let first = |offset: i64| {
            let target = Target::Array(ArrayRow(3));
            RowPointers::of_store(&at(number(0)), &target, &number(offset)).unwrap()
        };
        assert_eq!(rows().join(&first(0)), Some(rows()));
        assert_eq!(first(0).join(&rows()), Some(rows()));
        assert_eq!(rows().join(&first(8)), None);
    }

    #[test]
    fn stores_to_unknown_places_lose_all_rows() {
        let mut table = RowTable::default();
        table.record(0, Some(rows()));
        assert_eq!(table.pointers(0), Some(&rows()));
        assert_eq!(table.join(&RowTable::default()), table);
        let mut other = RowTable::default();
        other.lose();
        assert_eq!(table.join(&other).pointers(0), None);
    }
}
