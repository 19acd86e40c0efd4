//! The walk over a tree that decides the class of each nest.

use super::classes::{CoverageClass, CoverageReason, LoopCoverage, NestCoverage};
use crate::size_dataflow::{EntryState, Iterations, Visitor, visit};
use premiss_source::Span;
use premiss_tree::{Loop, NestTree, Node, ReferenceId, RejectReason, RejectionId};
use std::borrow::Cow;
use std::collections::HashSet;

/// A loop that is being looked at, of which everything else is part.
struct OpenNest<'tree> {
    nest: NestCoverage,
    /// What its reasons so far are about.
    reported: HashSet<ReasonKey<'tree>>,
    body: &'tree [Node],
    touches: bool,
    /// Whether it touches arrays outside of the loops in it.
    touches_itself: bool,
}

/// What a reason is about, which decides how it reads.
#[derive(Clone, PartialEq, Eq, Hash)]
struct ReasonKey<'tree> {
    class: CoverageClass,
    code: &'static str,
    name: Cow<'tree, str>,
    span: Span,
}

/// Collects the coverage of nests, as a visitor of the data-flow analysis.
pub(super) struct Collector<'tree> {
    tree: &'tree NestTree,
    is_inner: bool,
    /// Loops around this place.
    depth: usize,
    /// Branches on data around this place, inside of the nest.
    guards: usize,
    /// The nest around this place.
    current: Option<OpenNest<'tree>>,
    pub(super) coverage: LoopCoverage,
}

impl<'tree> Collector<'tree> {
    pub(super) fn new(tree: &'tree NestTree, is_inner: bool) -> Self {
        Self {
            tree,
            is_inner,
            depth: 0,
            guards: 0,
            current: None,
            coverage: LoopCoverage {
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
    fn reason(&mut self, about: ReasonKey<'tree>, help: &'static str, text: fn(&str) -> String) {
        let Some(OpenNest { nest, reported, .. }) = &mut self.current else {
            return;
        };
        nest.class = nest.class.max(about.class);
        if !reported.contains(&about) {
            nest.reasons.push(CoverageReason {
                class: about.class,
                code: about.code,
                text: text(&about.name),
                help,
                span: about.span,
            });
            reported.insert(about);
        }
    }

    /// Records the nest that ends here, or the loops in it.
    fn close(&mut self, open: OpenNest<'tree>) {
        if !open.touches {
            self.coverage.without_arrays += u64::from(!self.is_inner);
            return;
        }
        if open.nest.class != CoverageClass::Unknown {
            self.coverage.nests.push(open.nest);
            return;
        }
        let mut inner = Collector::new(self.tree, true);
        visit(self.tree, open.body, EntryState::Everything, &mut inner);
        if open.touches_itself || inner.coverage.nests.is_empty() {
            self.coverage.nests.push(open.nest);
        }
        self.coverage.nests.append(&mut inner.coverage.nests);
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
                class: CoverageClass::Exact,
                reasons: Vec::new(),
            };
            self.guards = 0;
            self.current = Some(OpenNest {
                nest,
                reported: HashSet::new(),
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
            let about = ReasonKey {
                class: CoverageClass::Bounded,
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
                let about = ReasonKey {
                    class: CoverageClass::Unknown,
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
        let about = |code| ReasonKey {
            class: CoverageClass::Bounded,
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
        let about = ReasonKey {
            class: CoverageClass::Unknown,
            code: rejection.reason.code(),
            name: rejection.reason.message().into(),
            span: rejection.span,
        };
        self.reason(about, rejection.reason.help(), str::to_owned);
    }
}
