//! The abstract state at a point of the program, and its join.
//!
//! Each component maps variables to a lattice of finite height; a variable that a map does not contain is unknown. The
//! join keeps the variables that both states have.

use crate::domain::heap::AbstractHeap;
use crate::domain::reals::RealKnowledge;
use crate::domain::shared_map::{SharedMap, join_common};
use crate::domain::values::{ArrayRow, PointerId, Target};
use imbl::ordmap::DiffItem;
use premiss_tree::{Expression, VariableId};
use std::collections::BTreeMap;

/// The abstract value of an integer variable.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum IntegerKnowledge {
    /// An expression of parameters and constants.
    Symbolic(Expression),
    /// The variable of the tree holds its value.
    Exact,
    /// It depends on data.
    Unknown,
}

impl IntegerKnowledge {
    pub(crate) fn join(&self, other: &Self) -> Self {
        match (self, other) {
            (Self::Unknown, _) | (_, Self::Unknown) => Self::Unknown,
            (a, b) if a == b => a.clone(),
            _ => Self::Exact,
        }
    }
}

/// The abstract state. Variables that it does not contain are unknown.
#[derive(Clone, Debug, Default)]
pub(crate) struct AbstractState {
    pub(crate) integers: SharedMap<VariableId, IntegerKnowledge>,
    pub(crate) pointers: SharedMap<PointerId, Target>,
    pub(crate) reals: SharedMap<VariableId, RealKnowledge>,
    /// The offsets of pointers that may be null; [`NULL`] if they are null.
    pub(crate) nullable: BTreeMap<VariableId, NonNullOffset>,
    pub(crate) memory: AbstractHeap,
    /// For integers defined in a pass over a loop on all paths: the number of that pass, the outermost one if paths
    /// differ.
    pub(crate) defined_in_pass: SharedMap<VariableId, u32>,
}

impl AbstractState {
    /// Makes reals particular that differ between two states, where data or the iteration number decide which state
    /// applies.
    pub(crate) fn havoc_differing_reals(&mut self, a: &Self, b: &Self) {
        for difference in a.reals.diff(&b.reals) {
            if let DiffItem::Update { old: (id, _), .. } = difference {
                self.reals.insert(*id, RealKnowledge::Particular);
            }
        }
    }

    /// Restores the real variables to those after the last iteration of a loop, if the values before it are known.
    pub(crate) fn restore_reals(
        &mut self,
        reals: &SharedMap<VariableId, RealKnowledge>,
        before: &Self,
    ) {
        self.reals = join_common(&before.reals, reals, RealKnowledge::join);
    }

    /// The join of two states. Variables in only one of them are out of scope.
    pub(crate) fn join(&self, other: &Self) -> Self {
        Self {
            integers: join_common(&self.integers, &other.integers, IntegerKnowledge::join),
            pointers: join_common(&self.pointers, &other.pointers, Target::join),
            reals: join_common(&self.reals, &other.reals, RealKnowledge::join),
            nullable: self.join_nullable(other),
            memory: self.memory.join(&other.memory),
            defined_in_pass: join_common(&self.defined_in_pass, &other.defined_in_pass, |a, b| {
                *a.min(b)
            }),
        }
    }

    pub(crate) fn join_nullable(&self, other: &Self) -> BTreeMap<VariableId, NonNullOffset> {
        if self.nullable == other.nullable {
            return self.nullable.clone();
        }
        let ids = self.nullable.keys().chain(other.nullable.keys());
        let is_in_scope =
            |id: &&VariableId| self.integers.contains_key(*id) && other.integers.contains_key(*id);
        let joined = ids.filter(is_in_scope).map(|id| {
            (
                *id,
                self.non_null_offset_of(*id)
                    .join(other.non_null_offset_of(*id)),
            )
        });
        joined.collect()
    }

    pub(crate) fn non_null_offset_of(&self, id: VariableId) -> NonNullOffset {
        match (self.nullable.get(&id), self.integers.get(&id)) {
            (Some(offset), _) => offset.clone(),
            (None, Some(IntegerKnowledge::Symbolic(offset))) => {
                NonNullOffset::Symbolic(offset.clone())
            }
            (None, _) => NonNullOffset::Varies,
        }
    }

    /// Whether a variable or something in memory has a pointer to an array, as far as it is known where pointers lead.
    pub(crate) fn leads_to(&self, row: ArrayRow) -> bool {
        self.pointers.values().any(|x| x.arrays().contains(&row)) || self.memory.leads_to(row)
    }

    /// The variable of an offset of a pointer that may be null, with the offset of the non-null pointer.
    pub(crate) fn nullable_variable(
        &self,
        offset: &Expression,
    ) -> Option<(VariableId, &NonNullOffset)> {
        match offset {
            Expression::Variable(id) => Some((*id, self.nullable.get(id)?)),
            _ => None,
        }
    }
}

/// Equality of the knowledge, regardless of the passes that defined it.
impl PartialEq for AbstractState {
    fn eq(&self, other: &Self) -> bool {
        self.integers == other.integers
            && self.pointers == other.pointers
            && self.reals == other.reals
            && self.nullable == other.nullable
            && self.memory == other.memory
    }
}

/// The offset of a pointer that may be null, under the assumption that it is not.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum NonNullOffset {
    /// The pointer is always null.
    Never,
    /// A value of parameters and constants alone.
    Symbolic(Expression),
    Varies,
}

impl NonNullOffset {
    pub(crate) fn join(self, other: Self) -> Self {
        match (self, other) {
            (Self::Never, other) | (other, Self::Never) => other,
            (a, b) if a == b => a,
            _ => Self::Varies,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::reals::RealKnowledge;
    use premiss_tree::ParameterId;

    fn v() -> VariableId {
        VariableId::from_u32(0)
    }

    fn w() -> VariableId {
        VariableId::from_u32(1)
    }

    fn symbolic(value: i64) -> IntegerKnowledge {
        IntegerKnowledge::Symbolic(value.into())
    }

    fn state(integers: &[(VariableId, IntegerKnowledge)]) -> AbstractState {
        AbstractState {
            integers: integers.iter().cloned().collect(),
            ..AbstractState::default()
        }
    }

    #[track_caller]
    fn check_join(a: &IntegerKnowledge, b: &IntegerKnowledge, expected: &IntegerKnowledge) {
        for (a, b) in [(a, b), (b, a)] {
            let joined = state(&[(v(), a.clone())]).join(&state(&[(v(), b.clone())]));
            assert_eq!(joined.integers.get(&v()), Some(expected), "{a:?} and {b:?}");
        }
    }

    #[test]
    fn integers_that_differ_are_what_the_tree_tells() {
        let size = Expression::Parameter(ParameterId::from_u32(0));
        check_join(&symbolic(3), &symbolic(3), &symbolic(3));
        check_join(&symbolic(3), &symbolic(4), &IntegerKnowledge::Exact);
        check_join(
            &symbolic(3),
            &IntegerKnowledge::Symbolic(size),
            &IntegerKnowledge::Exact,
        );
        check_join(
            &IntegerKnowledge::Exact,
            &IntegerKnowledge::Unknown,
            &IntegerKnowledge::Unknown,
        );
    }

    #[test]
    fn variables_of_one_path_are_out_of_scope_after_the_join() {
        let joined =
            state(&[(v(), symbolic(1)), (w(), symbolic(2))]).join(&state(&[(v(), symbolic(1))]));
        assert_eq!(joined, state(&[(v(), symbolic(1))]));
    }

    #[test]
    fn joining_again_changes_nothing() {
        let head = state(&[(v(), symbolic(0))]);
        let end = state(&[(v(), symbolic(1))]);
        let once = head.join(&end);
        assert_eq!(once.join(&end), once);
        assert_eq!(once.join(&once), once);
    }

    #[test]
    fn a_null_pointer_joins_as_the_other_target() {
        let array = Target::Array(ArrayRow(0));
        let other = Target::Array(ArrayRow(1));
        assert_eq!(Target::Null.join(&array), array);
        assert_eq!(array.join(&array), array);
        let either = array.join(&other);
        assert!(matches!(&either, Target::Several(x) if x.rows.len() == 2));
        assert_eq!(either.join(&array), either);
        assert_eq!(either.join(&Target::Ambiguous), Target::Ambiguous);
        let open = array.join(&Target::Elsewhere);
        assert!(matches!(&open, Target::Several(x) if x.rows.len() == 1 && x.has_elsewhere));
        assert_eq!(open.join(&array), open);
        assert_eq!(
            Target::Elsewhere.join(&Target::Elsewhere),
            Target::Elsewhere
        );
    }

    #[test]
    fn reals_that_paths_leave_different_are_particular() {
        let with = |known| AbstractState {
            reals: [(v(), known)].into_iter().collect(),
            ..AbstractState::default()
        };
        let (a, b) = (
            with(RealKnowledge::Constant(0)),
            with(RealKnowledge::General),
        );
        let mut joined = a.join(&b);
        assert_eq!(joined.reals.get(&v()), Some(&RealKnowledge::General));
        joined.havoc_differing_reals(&a, &b);
        assert_eq!(joined.reals.get(&v()), Some(&RealKnowledge::Particular));
    }
}
