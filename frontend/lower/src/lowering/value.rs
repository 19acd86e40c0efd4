//! What lowering knows about values, and where they live.

use super::memory::Memory;
use super::reals::RealKnowledge;
use super::shared_map::{SharedMap, join_common};
use super::truths::RealId;
use super::types::{NumberType, Type};
use crate::syntax::At;
use crate::syntax::GlobalName;
use premiss_tree::{Expression, IntegerType, VariableId};
use std::collections::BTreeMap;
use std::rc::Rc;

/// A row of the lowering's own table of arrays.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct ArrayRow(pub(super) usize);

/// A pointer variable.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct PointerId(pub(super) usize);

/// The value of an expression.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Value {
    /// An integer of a type. The expression's value is in the range of the type, 64-bit unsigned
    /// ones as [`Expression`] holds them.
    Integer(Expression, IntegerType),
    /// A real or complex number, where it is a constant.
    Floating(Option<f64>, NumberType),
    /// A real or complex number that is not in general position: see [`RealKnowledge::Particular`].
    Particular(NumberType),
    /// A real or complex number that keeps its value.
    Named(RealId, NumberType),
    Pointer(Pointer),
    /// A function, by its name in the unit that mentions it.
    Function(GlobalName),
    /// The struct at an offset of an array or of a struct in registers.
    Record(ArrayRow, i64, Type),
    Void,
    /// Anything that only running the program would tell.
    Data(Type),
}

/// The address of something.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Pointer {
    pub(super) target: Target,
    /// Distance in bytes from the start of the target.
    pub(super) offset: Expression,
    pub(super) pointee: Rc<Type>,
}

/// What a pointer points into.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Target {
    Array(ArrayRow),
    /// A struct in registers, or part of one: dereferencing makes no access.
    Register(ArrayRow),
    /// A variable that is no array: dereferencing makes no access.
    Scalar(Box<Slot>),
    Null,
    /// A new region without a name yet.
    Fresh(ArrayRow),
    /// One of two, by which arm of a branch was taken.
    OneOf(Rc<Choice>),
    /// One of several, or an address that the program computes from data.
    Ambiguous,
}

/// What a branch chose from.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Choice {
    /// A variable of the tree that is 0 where it is the first.
    pub(super) selector: VariableId,
    pub(super) first: Target,
    pub(super) second: Target,
}

/// What a name stands for.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Slot {
    /// A value that never changes while the name is in scope.
    Fixed(Value),
    Integer(VariableId, IntegerType),
    Pointer(PointerId, Rc<Type>),
    /// A real or complex number: the variable is no integer, and in no tree.
    Real(VariableId, NumberType),
    /// A struct in registers.
    Record(ArrayRow, Type),
    /// A variable whose value is data.
    Data(Type),
    /// An array, or a struct that holds one.
    Array(ArrayRow, Type),
}

/// Something that can be loaded, stored and pointed to.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Place {
    Slot(Slot),
    Element {
        target: Target,
        offset: Expression,
        kind: Type,
        at: At,
    },
    /// Something whose accesses were rejected already, or that makes none.
    Nowhere(Type),
}

/// What is known of an integer variable at a point of the program.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Knowledge {
    /// Its value, from parameters and constants alone.
    Known(Expression),
    /// The tree tells its value.
    Exact,
    /// Only running the program would tell.
    Unknown,
}

/// What is known at a point of the program. Variables that it does not name are unknown.
#[derive(Clone, Debug, Default)]
pub(super) struct State {
    pub(super) integers: SharedMap<VariableId, Knowledge>,
    pub(super) pointers: SharedMap<PointerId, Target>,
    pub(super) reals: SharedMap<VariableId, RealKnowledge>,
    /// The offsets of pointers that may be null: they are [`NULL`] where they are.
    pub(super) nullable: BTreeMap<VariableId, WhereSet>,
    pub(super) memory: Memory,
    /// In which pass over a loop integers were given what they are, where one did on all paths: the outermost that may have.
    pub(super) given: SharedMap<VariableId, u32>,
}

/// What the offset of a pointer that may be null is where it is not.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum WhereSet {
    /// It always is null.
    Never,
    /// A value of parameters and constants alone.
    Known(Expression),
    Varies,
}

/// The offset that the variable of a null pointer has: no object has it.
pub(super) const NULL: i64 = i64::MIN / 4;

/// Whether the same is known, wherever it comes from.
impl PartialEq for State {
    fn eq(&self, other: &Self) -> bool {
        self.integers == other.integers
            && self.pointers == other.pointers
            && self.reals == other.reals
            && self.nullable == other.nullable
            && self.memory == other.memory
    }
}

impl State {
    /// What is known where either state may hold. Variables of one side alone are out of scope.
    pub(super) fn join(&self, other: &Self) -> Self {
        Self {
            integers: join_common(&self.integers, &other.integers, Knowledge::join),
            pointers: join_common(&self.pointers, &other.pointers, Target::join),
            reals: join_common(&self.reals, &other.reals, RealKnowledge::join),
            nullable: self.join_nullable(other),
            memory: self.memory.join(&other.memory),
            given: join_common(&self.given, &other.given, |a, b| *a.min(b)),
        }
    }
}

impl State {
    fn join_nullable(&self, other: &Self) -> BTreeMap<VariableId, WhereSet> {
        if self.nullable == other.nullable {
            return self.nullable.clone();
        }
        let ids = self.nullable.keys().chain(other.nullable.keys());
        let is_in_scope =
            |id: &&VariableId| self.integers.contains_key(*id) && other.integers.contains_key(*id);
        let joined = ids
            .filter(is_in_scope)
            .map(|id| (*id, self.where_set(*id).join(other.where_set(*id))));
        joined.collect()
    }

    fn where_set(&self, id: VariableId) -> WhereSet {
        match (self.nullable.get(&id), self.integers.get(&id)) {
            (Some(offset), _) => offset.clone(),
            (None, Some(Knowledge::Known(offset))) => WhereSet::Known(offset.clone()),
            (None, _) => WhereSet::Varies,
        }
    }
}

impl WhereSet {
    fn join(self, other: Self) -> Self {
        match (self, other) {
            (Self::Never, other) | (other, Self::Never) => other,
            (a, b) if a == b => a,
            _ => Self::Varies,
        }
    }
}

impl Knowledge {
    pub(super) fn join(&self, other: &Self) -> Self {
        match (self, other) {
            (Self::Unknown, _) | (_, Self::Unknown) => Self::Unknown,
            (a, b) if a == b => a.clone(),
            _ => Self::Exact,
        }
    }
}

impl Target {
    /// What a pointer may point to that points to one of two; a null pointer points to nothing.
    pub(super) fn join(&self, other: &Self) -> Self {
        match (self, other) {
            (Self::Null, other) | (other, Self::Null) => other.clone(),
            (a, b) if a == b => a.clone(),
            _ => Self::Ambiguous,
        }
    }
}

impl Value {
    pub(super) fn kind(&self) -> Type {
        match self {
            Self::Integer(_, kind) => Type::Integer(*kind),
            Self::Floating(_, size) | Self::Particular(size) | Self::Named(_, size) => {
                Type::Floating(*size)
            }
            Self::Pointer(pointer) => Type::Pointer(pointer.pointee.clone()),
            Self::Function(_) => Type::Function,
            Self::Void => Type::Void,
            Self::Data(kind) | Self::Record(_, _, kind) => kind.clone(),
        }
    }
}
