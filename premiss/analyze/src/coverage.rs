//! Which nests the model covers, and what keeps the others out.

use crate::flow::{Entry, Iterations, Visitor, walk};
use premiss_source::Span;
use premiss_tree::{Loop, NestTree, Node, ReferenceId, RejectReason, RejectionId};
use std::borrow::Cow;
use std::collections::HashSet;
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

/// The loops of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoopCoverage {
    /// The array nests, in the order of the source.
    pub nests: Vec<NestCoverage>,
    /// How many outermost loops access no array.
    pub without_arrays: u64,
}

/// The array nests of a function. A guard around a nest does not make it less than exact: what counts
/// is what the nest does once it is entered.
#[must_use]
pub fn coverage(tree: &NestTree) -> Vec<NestCoverage> {
    loop_coverage(tree).nests
}

/// The array nests of a function, and how many other loops it has.
#[must_use]
pub fn loop_coverage(tree: &NestTree) -> LoopCoverage {
    let mut collector = Collector::new(tree, false);
    walk(tree, &tree.body, Entry::Nothing, &mut collector);
    collector.found
}

/// A loop that is being looked at, of which everything else is part.
struct Open<'tree> {
    nest: NestCoverage,
    /// What its reasons so far are about.
    told: HashSet<About<'tree>>,
    body: &'tree [Node],
    touches: bool,
    /// Whether it touches arrays outside of the loops in it.
    touches_itself: bool,
}

/// What a reason is about, which decides how it reads.
#[derive(Clone, PartialEq, Eq, Hash)]
struct About<'tree> {
    class: Class,
    code: &'static str,
    name: Cow<'tree, str>,
    span: Span,
}

struct Collector<'tree> {
    tree: &'tree NestTree,
    is_inner: bool,
    /// Loops around this place.
    depth: usize,
    /// Branches on data around this place, inside of the nest.
    guards: usize,
    /// The nest around this place.
    current: Option<Open<'tree>>,
    found: LoopCoverage,
}

impl<'tree> Collector<'tree> {
    fn new(tree: &'tree NestTree, is_inner: bool) -> Self {
        Self {
            tree,
            is_inner,
            depth: 0,
            guards: 0,
            current: None,
            found: LoopCoverage {
                nests: Vec::new(),
                without_arrays: 0,
            },
        }
    }

    fn touch(&mut self) {
        if let Some(open) = &mut self.current {
            open.touches = true;
            open.touches_itself |= self.depth == 1;
        }
    }

    /// Notes what makes the nest less than exact, once; `text` makes the words of what has that name.
    fn reason(&mut self, about: About<'tree>, help: &'static str, text: fn(&str) -> String) {
        let Some(Open { nest, told, .. }) = &mut self.current else {
            return;
        };
        nest.class = nest.class.max(about.class);
        if !told.contains(&about) {
            nest.reasons.push(Reason {
                class: about.class,
                code: about.code,
                text: text(&about.name),
                help,
                span: about.span,
            });
            told.insert(about);
        }
    }

    /// Records the nest that ends here, or the loops in it.
    fn close(&mut self, open: Open<'tree>) {
        if !open.touches {
            self.found.without_arrays += u64::from(!self.is_inner);
            return;
        }
        if open.nest.class != Class::Unknown {
            self.found.nests.push(open.nest);
            return;
        }
        let mut inner = Collector::new(self.tree, true);
        walk(self.tree, open.body, Entry::Everything, &mut inner);
        if open.touches_itself || inner.found.nests.is_empty() {
            self.found.nests.push(open.nest);
        }
        self.found.nests.append(&mut inner.found.nests);
    }
}

impl<'tree> Visitor<'tree> for Collector<'tree> {
    fn enter_loop(&mut self, node: &'tree Loop, iterations: Iterations) {
        let header = &self.tree.loops[node.id];
        if self.depth == 0 && header.function == self.tree.function {
            let nest = NestCoverage {
                span: header.span,
                function: self.tree.function.clone(),
                is_inner: self.is_inner,
                class: Class::Exact,
                reasons: Vec::new(),
            };
            self.guards = 0;
            self.current = Some(Open {
                nest,
                told: HashSet::new(),
                body: &node.body,
                touches: false,
                touches_itself: false,
            });
        }
        self.depth += 1;
        // How often a loop runs that accesses nothing decides on no access.
        if !Node::may_access(&node.body) {
            return;
        }
        if iterations == Iterations::Bounded {
            let about = About {
                class: Class::Bounded,
                code: "data-bound",
                name: Cow::from(&*header.iterator),
                span: header.span,
            };
            let help = "nothing, if the program needs it: its counts are bounds; -P gives the least and the greatest of \
                        the numbers that it loads";
            self.reason(about, help, |name| {
                format!("which iterations the loop over `{name}` has depends on data")
            });
        }
        if iterations == Iterations::Unknown {
            // Where nobody wrote a count, a rejection inside says why.
            let is_uncounted = node.bound == premiss_tree::Expression::Data
                && matches!(node.body.first(), Some(Node::Opaque(_)));
            if !is_uncounted {
                let about = About {
                    class: Class::Unknown,
                    code: "data-bound",
                    name: Cow::from(&*header.iterator),
                    span: header.span,
                };
                let help = "make the loop's bounds depend on sizes alone";
                self.reason(about, help, |name| {
                    format!("the bounds of the loop over `{name}` depend on data")
                });
            }
        }
    }

    fn leave_loop(&mut self) {
        self.depth -= 1;
        if self.depth == 0
            && let Some(open) = self.current.take()
        {
            self.close(open);
        }
    }

    fn enter_guard(&mut self) {
        self.guards += 1;
    }

    fn leave_guard(&mut self) {
        self.guards = self.guards.saturating_sub(1);
    }

    fn access(&mut self, id: ReferenceId, known: bool) {
        self.touch();
        let reference = &self.tree.references[id];
        let about = |code| About {
            class: Class::Bounded,
            code,
            name: Cow::from(&*reference.text),
            span: reference.span,
        };
        if !known {
            let help = "nothing, if the program needs it: its counts are bounds";
            self.reason(about("data-subscript"), help, |name| {
                format!("which element `{name}` is depends on data")
            });
        }
        if 0 < self.guards {
            let help = "nothing, if the program needs it: its counts are bounds; --dense takes numbers that are \
                        compared with constants as other ones";
            self.reason(about("data-guard"), help, |name| {
                format!("whether `{name}` is accessed depends on data")
            });
        }
    }

    fn opaque(&mut self, id: RejectionId) {
        let rejection = &self.tree.rejections[id];
        let repeats = matches!(rejection.reason, RejectReason::UncountedLoop { .. });
        if !repeats {
            self.touch();
        }
        let about = About {
            class: Class::Unknown,
            code: rejection.reason.code(),
            name: rejection.reason.message().into(),
            span: rejection.span,
        };
        self.reason(about, rejection.reason.help(), str::to_owned);
    }
}
