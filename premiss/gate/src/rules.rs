//! The rules, one file each.

pub(crate) mod across;
pub(crate) mod again;
pub(crate) mod allocate;
pub(crate) mod beyond;
pub(crate) mod conflicts;
pub(crate) mod line_use;
pub(crate) mod pages;
pub(crate) mod strided;
pub(crate) mod unknown;
