//! Iterators: adapters build a sequence, consumers drive it as the loop that it is.

pub(crate) mod adapters;
pub(crate) mod consumers;
pub(crate) mod drive;
