//! How arguments are passed, and variables of a host to the procedures that it contains.

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
    /// The same, with the extents of so many dimensions.
    Shaped(usize),
    /// Where the pointer to its first element and the bounds of so many dimensions are: it may be
    /// allocated, or let point elsewhere.
    Descriptor(usize),
    /// A procedure.
    Procedure,
}

impl ArgumentPassing {
    /// Whether it is that of an array, which procedures get behind their scalars.
    pub(crate) fn is_array(self) -> bool {
        matches!(self, Self::Array | Self::Shaped(_) | Self::Descriptor(_))
    }

    /// How an argument, or a variable of the host, is passed: `declared` is `None` for a procedure, `is_changed` is
    /// whether the procedure or one that it calls may change it, and `has_run_time_lower_bound` whether it may get
    /// other lower bounds than 1.
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
