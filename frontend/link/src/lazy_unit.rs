//! Units whose syntax is built on demand.
//!
//! After an edit most files of a program are unchanged, and their syntax is not needed: linking uses the
//! [`UnitSummary`] of an earlier run.

use crate::unit_summary::UnitSummary;
use premiss_ast::syntax::{Notation, Unit};
use std::sync::OnceLock;

/// The syntax of a unit, present or built on demand.
#[derive(Clone, Copy)]
pub enum LazyUnit<'a> {
    /// The syntax is present.
    Ready(&'a Unit),
    /// The syntax is built on first use.
    Deferred(&'a (dyn BuildUnit + 'a)),
}

/// A unit that is built on first use.
pub trait BuildUnit: Sync {
    /// The unit; builds it on first use.
    fn unit(&self) -> &Unit;
    /// How its language writes parts of objects.
    fn notation(&self) -> Notation;
    /// The summary that an earlier run left of the unit.
    fn summary(&self) -> &UnitSummary;
}

/// A unit that a closure builds on first use.
pub struct DeferredUnit<'a> {
    unit: OnceLock<Unit>,
    build: Box<dyn Fn() -> Unit + Send + Sync + 'a>,
    notation: Notation,
    summary: &'a UnitSummary,
}

impl<'a> DeferredUnit<'a> {
    /// A unit that `build` builds, in a language with this notation, with the summary of an earlier run.
    pub fn new(
        build: impl Fn() -> Unit + Send + Sync + 'a,
        notation: Notation,
        summary: &'a UnitSummary,
    ) -> Self {
        Self {
            unit: OnceLock::new(),
            build: Box::new(build),
            notation,
            summary,
        }
    }

    /// The unit, if it has been built.
    #[must_use]
    pub fn into_unit(self) -> Option<Unit> {
        self.unit.into_inner()
    }
}

impl BuildUnit for DeferredUnit<'_> {
    fn unit(&self) -> &Unit {
        self.unit.get_or_init(&self.build)
    }

    fn notation(&self) -> Notation {
        self.notation
    }

    fn summary(&self) -> &UnitSummary {
        self.summary
    }
}

impl<'a> LazyUnit<'a> {
    /// The syntax; builds it if it is not present.
    #[must_use]
    pub fn unit(self) -> &'a Unit {
        match self {
            Self::Ready(unit) => unit,
            Self::Deferred(deferred) => deferred.unit(),
        }
    }

    /// How its language writes parts of objects.
    pub(crate) fn notation(self) -> Notation {
        match self {
            Self::Ready(unit) => unit.notation,
            Self::Deferred(deferred) => deferred.notation(),
        }
    }

    /// The summary of a deferred unit; `None` for one that is present.
    pub(crate) fn summary(self) -> Option<&'a UnitSummary> {
        match self {
            Self::Ready(_) => None,
            Self::Deferred(deferred) => Some(deferred.summary()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{DeferredUnit, LazyUnit};
    use crate::unit_summary::UnitSummary;
    use premiss_ast::syntax::{Notation, Unit};

    #[test]
    fn a_deferred_unit_is_built_by_its_first_reader_alone() {
        let summary = UnitSummary::default();
        let build = || Unit {
            has_error: true,
            ..Unit::default()
        };
        let unread = DeferredUnit::new(build, Notation::Fortran, &summary);
        assert_eq!(LazyUnit::Deferred(&unread).notation(), Notation::Fortran);
        assert!(unread.into_unit().is_none());
        let read = DeferredUnit::new(build, Notation::Fortran, &summary);
        assert!(LazyUnit::Deferred(&read).unit().has_error);
        assert!(read.into_unit().is_some());
    }
}
