//! The rules, one file each. A rule takes a [`Subject`](crate::subject::Subject) and returns its violations.

pub(crate) mod column_walk;
pub(crate) mod line_use;
pub(crate) mod missed_fusion;
pub(crate) mod reuse_beyond;
pub(crate) mod set_conflicts;
mod stride;
pub(crate) mod strided_access;
pub(crate) mod tlb_thrashing;
pub(crate) mod unknown_nest;
pub(crate) mod write_allocate;
