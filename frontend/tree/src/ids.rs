//! Ids of the entities of a tree: each indexes one of its tables.

use cranelift_entity::entity_impl;

/// A parameter: an integer that does not change while the function runs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ParameterId(u32);
entity_impl!(ParameterId, "P");

/// An integer variable: a loop iterator or a scalar that subscripts, bounds or guards depend on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VariableId(u32);
entity_impl!(VariableId, "V");

/// An array: a region of memory with a base address of its own.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ArrayId(u32);
entity_impl!(ArrayId, "A");

/// A reference: one place in the source that loads or stores an array element.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ReferenceId(u32);
entity_impl!(ReferenceId, "R");

/// A loop.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LoopId(u32);
entity_impl!(LoopId, "L");

/// A table of constants.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TableId(u32);
entity_impl!(TableId, "T");

/// A place in the source that could not be understood.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RejectionId(u32);
entity_impl!(RejectionId, "X");
