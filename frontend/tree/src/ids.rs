//! Ids that name the rows of the tables of a tree.

use cranelift_entity::entity_impl;

/// A size parameter: an integer that the function is given and does not change.
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

/// A place that was not understood.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RejectionId(u32);
entity_impl!(RejectionId, "X");
