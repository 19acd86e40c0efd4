//! How well the model covers the nests of a function, and what keeps them from being exact.

use premiss_source::Span;
use std::ops::{Add, AddAssign};

/// How well a nest is covered, best first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum CoverageClass {
    /// Which accesses happen, and where, is a function of named sizes.
    Exact,
    /// Every access is finite, and some depend on data.
    Bounded,
    /// Some may happen that nothing bounds.
    Unknown,
}

/// What makes a nest less than exact.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CoverageReason {
    /// What the nest is at best because of it.
    pub class: CoverageClass,
    /// Stable kebab-case name of what it is about.
    pub code: &'static str,
    /// What it is: lower-case, no final stop.
    pub text: String,
    /// A way out.
    pub help: &'static str,
    /// Where it is.
    pub span: Span,
}

/// An array nest: a loop with everything that it contains and calls, if that accesses arrays, or may.
///
/// Outermost loops of a function's own text are nests. One that is unknown is taken apart: each loop in
/// it is a nest by itself, as it is entered, and so on; what is left of the outer one is a nest if it
/// accesses arrays, or may.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NestCoverage {
    /// The loop's header.
    pub span: Span,
    /// The function that it is written in.
    pub function: String,
    /// Whether it stands inside of an unknown one, and counts by itself.
    pub is_inner: bool,
    /// The worst of its reasons; exact where there is none.
    pub class: CoverageClass,
    /// Why it is not exact, in the order of the source.
    pub reasons: Vec<CoverageReason>,
}

/// Numbers of nests.
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
    /// Counts nests.
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

    /// How many nests there are.
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

/// The loops of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoopCoverage {
    /// The array nests, in the order of the source.
    pub nests: Vec<NestCoverage>,
    /// How many outermost loops access no array.
    pub without_arrays: u64,
}
