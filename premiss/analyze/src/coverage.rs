//! Which nests the model covers, and what keeps the others out.

use crate::flow::{Visitor, walk};
use premiss_source::Span;
use premiss_tree::{Loop, NestTree, ReferenceId, RejectionId};
use std::ops::{Add, AddAssign};

/// How well a nest is covered, best first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Class {
    /// Which accesses happen, and where, is a function of named sizes.
    Exact,
    /// Every access is finite, and some depend on data.
    Bounded,
    /// Some may happen that nothing bounds.
    Unknown,
}

/// What makes a nest less than exact.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reason {
    /// What the nest is at best because of it.
    pub class: Class,
    /// What it is: lower-case, no final stop.
    pub text: String,
    /// Where it is.
    pub span: Span,
}

/// An outermost loop that touches arrays, or something in its place that was not understood.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NestCoverage {
    /// The loop's header.
    pub span: Span,
    /// The worst of its reasons; exact where there is none.
    pub class: Class,
    /// Why it is not exact, in the order of the source.
    pub reasons: Vec<Reason>,
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
                Class::Exact => coverage.exact += 1,
                Class::Bounded => coverage.bounded += 1,
                Class::Unknown => coverage.unknown += 1,
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

/// The nests of a function: its outermost loops that touch arrays, and what was not understood
/// outside of any loop.
#[must_use]
pub fn coverage(tree: &NestTree) -> Vec<NestCoverage> {
    let mut collector = Collector {
        tree,
        depth: 0,
        guards: 0,
        current: None,
        nests: Vec::new(),
    };
    walk(tree, &mut collector);
    collector.nests
}

struct Collector<'tree> {
    tree: &'tree NestTree,
    /// Loops around this place.
    depth: usize,
    /// Branches on data around this place.
    guards: usize,
    /// The nest around this place, and whether it touches arrays.
    current: Option<(NestCoverage, bool)>,
    nests: Vec<NestCoverage>,
}

impl Collector<'_> {
    fn touch(&mut self) {
        if let Some((_, touches)) = &mut self.current {
            *touches = true;
        }
    }

    fn reason(&mut self, class: Class, text: String, span: Span) {
        let Some((nest, _)) = &mut self.current else {
            return;
        };
        nest.class = nest.class.max(class);
        let reason = Reason { class, text, span };
        if !nest.reasons.contains(&reason) {
            nest.reasons.push(reason);
        }
    }
}

impl Visitor for Collector<'_> {
    fn enter_loop(&mut self, node: &Loop, known: bool) {
        let header = &self.tree.loops[node.id];
        if self.depth == 0 {
            let nest = NestCoverage {
                span: header.span,
                class: Class::Exact,
                reasons: Vec::new(),
            };
            self.current = Some((nest, false));
        }
        self.depth += 1;
        if !known {
            let text = format!(
                "the bounds of the loop over `{}` depend on data",
                header.iterator
            );
            self.reason(Class::Unknown, text, header.span);
        }
    }

    fn leave_loop(&mut self) {
        self.depth -= 1;
        if self.depth == 0
            && let Some((nest, true)) = self.current.take()
        {
            self.nests.push(nest);
        }
    }

    fn enter_guard(&mut self) {
        self.guards += 1;
    }

    fn leave_guard(&mut self) {
        self.guards -= 1;
    }

    fn access(&mut self, id: ReferenceId, known: bool) {
        self.touch();
        let reference = &self.tree.references[id];
        let name = &reference.text;
        if !known {
            let text = format!("which element `{name}` is depends on data");
            self.reason(Class::Bounded, text, reference.span);
        }
        if 0 < self.guards {
            let text = format!("whether `{name}` is accessed depends on data");
            self.reason(Class::Bounded, text, reference.span);
        }
    }

    fn opaque(&mut self, id: RejectionId) {
        let rejection = &self.tree.rejections[id];
        let (text, span) = (rejection.reason.message(), rejection.span);
        if self.depth == 0 {
            let reasons = vec![Reason {
                class: Class::Unknown,
                text,
                span,
            }];
            self.nests.push(NestCoverage {
                span,
                class: Class::Unknown,
                reasons,
            });
        } else {
            self.touch();
            self.reason(Class::Unknown, text, span);
        }
    }
}
