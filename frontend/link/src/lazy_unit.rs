//! Units whose syntax is built when somebody reads it.
//!
//! After an edit most files of a program are as they were, and nobody reads their syntax: what linking needs of them is
//! in the [`UnitSummary`] that an earlier run left.

use crate::unit_summary::UnitSummary;
use premiss_ast::syntax::{Notation, Unit};
use std::sync::OnceLock;

/// The syntax of a file, there already or not.
#[derive(Clone, Copy)]
pub enum LazyUnit<'a> {
    /// It is there.
    Ready(&'a Unit),
    /// It is built when it is first read.
    Deferred(&'a (dyn BuildUnit + 'a)),
}

/// A unit that is built when it is first read.
pub trait BuildUnit: Sync {
    /// The unit, built where it is not there.
    fn unit(&self) -> &Unit;
    /// How its language writes parts of objects.
    fn notation(&self) -> Notation;
    /// What linking needs of it, as an earlier run left it.
    fn summary(&self) -> &UnitSummary;
}

/// A unit that a function builds.
pub struct DeferredUnit<'a> {
    unit: OnceLock<Unit>,
    build: Box<dyn Fn() -> Unit + Send + Sync + 'a>,
    notation: Notation,
    summary: &'a UnitSummary,
}

impl<'a> DeferredUnit<'a> {
    /// What `build` builds, in a language that is written so, with what an earlier run left of it.
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

    /// The unit, if it was built.
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
    /// The unit, built where it is not there.
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

    /// What an earlier run left of a unit that is not there.
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
