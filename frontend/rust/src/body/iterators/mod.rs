//! Iterators: adapters build a sequence, and consumers drive it as a loop.

pub(crate) mod adapters;
pub(crate) mod consumers;
pub(crate) mod drive;
pub(crate) mod held_iterators;
pub(crate) mod iterator_structs;
pub(crate) mod positions;
