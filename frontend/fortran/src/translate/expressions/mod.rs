//! Expressions of scalars: operators, characters, intrinsic functions and function references.

pub(crate) mod characters;
pub(crate) mod inquiries;
pub(crate) mod intrinsic_results;
pub(crate) mod intrinsic_values;
pub(crate) mod references;
pub(crate) mod scalar;
