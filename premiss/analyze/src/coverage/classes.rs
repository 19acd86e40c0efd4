//! The coverage classes of the nests of a function, and the reasons for them.

use premiss_source::Span;
use std::ops::{Add, AddAssign};

/// How well a nest is covered, best first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum CoverageClass {
    /// Which accesses happen, and their addresses, are functions of named sizes.
    Exact,
    /// The number of accesses is bounded by sizes, but data decide which of them happen, or where. The greatest number
    /// of iterations of a loop that data end is such a size, named after the loop.
    Bounded,
    /// The nest may have accesses whose number nothing bounds.
    Unknown,
}

/// Why a nest is not exact.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CoverageReason {
    /// The best class that the nest can have despite it.
    pub class: CoverageClass,
    /// Stable kebab-case name of the kind of reason, such as `data-subscript`.
    pub code: &'static str,
    /// The reason in words: lower-case, no final stop.
    pub text: String,
    /// What the user can do about it.
    pub help: &'static str,
    /// Where it is.
    pub span: Span,
}

/// An array nest: a loop, with everything that it contains and calls, that accesses arrays or may do so.
///
/// The outermost loops in a function's source text are nests. An unknown nest is split: each loop directly inside is
/// classified as a nest of its own, and so on; the outer loop remains a nest if it accesses arrays outside of these
/// loops, or may do so.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NestCoverage {
    /// The loop's header.
    pub span: Span,
    /// The function in whose text it stands.
    pub function: String,
    /// Whether it is part of an unknown nest that was split.
    pub is_inner: bool,
    /// The worst class of its reasons; exact if there are none.
    pub class: CoverageClass,
    /// Why it is not exact, in the order of the source.
    pub reasons: Vec<CoverageReason>,
}

/// The number of nests in each class.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Coverage {
    /// Exact ones.
    pub exact: u64,
    /// Bounded ones.
    pub bounded: u64,
    /// Unknown ones.
    pub unknown: u64,
}

impl Coverage {
    /// Counts nests by class.
    #[must_use]
    pub fn of(nests: &[NestCoverage]) -> Self {
        let mut coverage = Self::default();
        for nest in nests {
            match nest.class {
                CoverageClass::Exact => coverage.exact += 1,
                CoverageClass::Bounded => coverage.bounded += 1,
                CoverageClass::Unknown => coverage.unknown += 1,
            }
        }
        coverage
    }

    /// The number of nests of all classes.
    #[must_use]
    pub fn nests(self) -> u64 {
        self.exact + self.bounded + self.unknown
    }
}

impl Add for Coverage {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            exact: self.exact + other.exact,
            bounded: self.bounded + other.bounded,
            unknown: self.unknown + other.unknown,
        }
    }
}

impl AddAssign for Coverage {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl std::iter::Sum for Coverage {
    fn sum<I: Iterator<Item = Self>>(parts: I) -> Self {
        parts.fold(Self::default(), Add::add)
    }
}

/// The coverage of all loops of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoopCoverage {
    /// The array nests, in the order of the source.
    pub nests: Vec<NestCoverage>,
    /// The number of outermost loops that access no array.
    pub without_arrays: u64,
}
