//! Units that are made when somebody asks for them.
//!
//! After an edit most files of a program are as they were, and nobody asks for what they say: what linking has to
//! know of them is remembered.

use crate::memory::UnitSummary;
use crate::syntax::{Notation, Unit};
use std::sync::OnceLock;

/// What a file says.
#[derive(Clone, Copy)]
pub enum Said<'a> {
    /// It is there.
    Now(&'a Unit),
    /// It is made when it is asked for.
    Later(&'a dyn Later),
}

/// A unit that may not be there yet.
pub trait Later: Sync {
    /// The unit, made where it is not there.
    fn unit(&self) -> &Unit;
    /// How its language writes parts of objects.
    fn notation(&self) -> Notation;
    /// What an earlier run remembers of it.
    fn summary(&self) -> &UnitSummary;
}

/// A unit that is made when it is asked for.
pub struct Deferred<'a> {
    unit: OnceLock<Unit>,
    make: Box<dyn Fn() -> Unit + Send + Sync + 'a>,
    notation: Notation,
    summary: &'a UnitSummary,
}

impl<'a> Deferred<'a> {
    /// What `make` makes, in a language that is written so, with what an earlier run remembers of it.
    pub fn new(
        make: impl Fn() -> Unit + Send + Sync + 'a,
        notation: Notation,
        summary: &'a UnitSummary,
    ) -> Self {
        Self {
            unit: OnceLock::new(),
            make: Box::new(make),
            notation,
            summary,
        }
    }

    /// The unit, if somebody asked for it.
    #[must_use]
    pub fn into_unit(self) -> Option<Unit> {
        self.unit.into_inner()
    }
}

impl Later for Deferred<'_> {
    fn unit(&self) -> &Unit {
        self.unit.get_or_init(&self.make)
    }

    fn notation(&self) -> Notation {
        self.notation
    }

    fn summary(&self) -> &UnitSummary {
        self.summary
    }
}

impl<'a> Said<'a> {
    /// The unit, made where it is not there.
    pub(crate) fn unit(self) -> &'a Unit {
        match self {
            Self::Now(unit) => unit,
            Self::Later(deferred) => deferred.unit(),
        }
    }

    pub(crate) fn notation(self) -> Notation {
        match self {
            Self::Now(unit) => unit.notation,
            Self::Later(deferred) => deferred.notation(),
        }
    }

    /// What an earlier run remembers of a unit that is not there.
    pub(crate) fn summary(self) -> Option<&'a UnitSummary> {
        match self {
            Self::Now(_) => None,
            Self::Later(deferred) => Some(deferred.summary()),
        }
    }
}
