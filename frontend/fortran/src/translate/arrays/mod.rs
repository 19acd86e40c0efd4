//! Arrays: their bounds and types, the objects that designators denote, and operations on whole arrays and sections as
//! loops over their elements.

pub(crate) mod accumulation;
pub(crate) mod allocation;
pub(crate) mod array_assignment;
pub(crate) mod array_types;
pub(crate) mod bounds;
pub(crate) mod constructors;
pub(crate) mod contiguity;
pub(crate) mod descriptors;
pub(crate) mod designators;
pub(crate) mod element_loops;
pub(crate) mod elements;
pub(crate) mod extents;
pub(crate) mod matmul;
pub(crate) mod overlap;
pub(crate) mod pointer_assignment;
pub(crate) mod possible_allocations;
pub(crate) mod reductions;
pub(crate) mod scalar_operands;
pub(crate) mod section_bounds;
pub(crate) mod unknown_allocations;
pub(crate) mod unknown_stores;
