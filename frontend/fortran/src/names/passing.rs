//! How arguments, and variables of a host, are passed to procedures.

use super::interface::{ArrayLayout, DeclaredVariable};
use super::types::FortranType;
use crate::syntax::Intent;

/// How an argument is passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum ArgumentPassing {
    /// By value: no procedure changes it.
    Value,
    /// By reference.
    Reference,
    /// The address of its first element.
    Array,
    /// The address of its first element, with the extents of this many dimensions.
    Shaped(usize),
    /// The addresses of the pointer to its first element and of the bounds of this many dimensions: it may be
    /// allocated or pointer-assigned.
    Descriptor(usize),
    /// A procedure.
    Procedure,
}

impl ArgumentPassing {
    /// Whether it is an array, which is passed after the scalars.
    pub(crate) fn is_array(self) -> bool {
        matches!(self, Self::Array | Self::Shaped(_) | Self::Descriptor(_))
    }

    /// Decides how an argument or variable of the host is passed. `declared` is `None` for a procedure; `is_changed`
    /// is set if the procedure or its callees may change it, and `has_run_time_lower_bound` if it may get lower bounds
    /// other than 1.
    pub(super) fn choose(
        declared: Option<&DeclaredVariable>,
        is_changed: bool,
        has_run_time_lower_bound: bool,
    ) -> Self {
        let Some(declared) = declared else {
            return Self::Procedure;
        };
        match declared.layout {
            Some(ArrayLayout::Explicit(_)) => Self::Array,
            Some(ArrayLayout::Deferred(rank)) if is_changed || has_run_time_lower_bound => {
                Self::Descriptor(rank)
            }
            Some(ArrayLayout::Deferred(rank) | ArrayLayout::Assumed(rank)) => Self::Shaped(rank),
            None if matches!(declared.kind, FortranType::Derived(..)) || declared.is_pointer => {
                Self::Reference
            }
            None if is_changed && declared.intent != Some(Intent::In) => Self::Reference,
            None => Self::Value,
        }
    }
}
