//! The walk over a tree that classifies each nest.

use super::classes::{CoverageClass, CoverageReason, LoopCoverage, NestCoverage};
use crate::size_dataflow::{EntryState, Iterations, Visitor, visit};
use premiss_source::Span;
use premiss_tree::{Loop, NestTree, Node, ReferenceId, RejectReason, RejectionId};
use std::borrow::Cow;
use std::collections::HashSet;

/// The nest that the walk is in.
struct OpenNest<'tree> {
    nest: NestCoverage,
    /// The reasons recorded so far, by what they concern.
    reported: HashSet<ReasonKey<'tree>>,
    body: &'tree [Node],
    touches: bool,
    /// Whether it touches arrays outside of its inner loops.
    touches_itself: bool,
    /// Whether a loop in it has an unknown trip count.
    is_uncounted: bool,
}

/// What identifies a reason within a nest: two with the same key are reported once.
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
    /// The number of loops around the current node.
    depth: usize,
    /// The number of branches on data around the current node, within the nest.
    guards: usize,
    /// The nest around the current node.
    current: Option<OpenNest<'tree>>,
    /// Of each loop around the current node, whether a size bounds its iterations although nothing counts them.
    limited_loops: Vec<bool>,
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
            limited_loops: Vec::new(),
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

    /// Records a reason for which the nest is not exact, once; `text` makes the message from the name in the key.
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

    /// Records the nest that ends here, or its inner loops if it is unknown or nothing counts one of its loops.
    fn close(&mut self, open: OpenNest<'tree>) {
        if !open.touches {
            self.coverage.without_arrays += u64::from(!self.is_inner);
            return;
        }
        if open.nest.class != CoverageClass::Unknown && !open.is_uncounted {
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
                is_uncounted: false,
            });
        }
        self.depth += 1;
        let is_limited = iterations == Iterations::Bounded && node.rejection().is_some();
        self.limited_loops.push(is_limited);
        // The trip count of a loop without accesses affects no access.
        if !Node::may_access(&node.body) {
            return;
        }
        // The rejection inside gives the reason.
        if iterations == Iterations::Bounded && !is_limited {
            let about = ReasonKey {
                class: CoverageClass::Bounded,
                code: "data-bound",
                name: Cow::from(&*header.iterator),
                span: header.span,
            };
            let help = "no change needed: counts are given as a range; -P sets the least and the greatest of the \
                        numbers that it loads";
            self.reason(about, help, |name| {
                format!("the iterations of the loop over `{name}` depend on run-time data")
            });
        }
        if iterations == Iterations::Unknown {
            // If the loop has no trip count in the source, a rejection inside gives the reason.
            if node.rejection().is_none() {
                let about = ReasonKey {
                    class: CoverageClass::Unknown,
                    code: "data-bound",
                    name: Cow::from(&*header.iterator),
                    span: header.span,
                };
                let help = "make the loop's bounds depend on sizes alone";
                self.reason(about, help, |name| {
                    format!("the bounds of the loop over `{name}` depend on run-time data")
                });
            }
        }
    }

    fn leave_loop(&mut self) {
        self.depth -= 1;
        self.limited_loops.pop();
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
            let help = "no change needed: counts are given as a range";
            self.reason(about("data-subscript"), help, |name| {
                let what = match name.contains(['[', '(']) {
                    true => "subscript",
                    false => "address",
                };
                format!("the {what} of `{name}` depends on run-time data")
            });
        }
        if 0 < self.guards {
            let help = "no change needed: counts are given as a range; --dense assumes that run-time values never equal \
                        the constants that they are compared with";
            self.reason(about("data-guard"), help, |name| {
                format!("whether `{name}` is accessed depends on run-time data")
            });
        }
    }

    fn opaque(&mut self, id: RejectionId) {
        let rejection = &self.tree.rejections[id];
        let repeats = matches!(rejection.reason, RejectReason::UncountedLoop { .. });
        if !repeats {
            self.touch();
        }
        if let Some(open) = &mut self.current {
            open.is_uncounted |= repeats;
        }
        let is_limited = repeats && self.limited_loops.last() == Some(&true);
        let class = match is_limited {
            true => CoverageClass::Bounded,
            false => CoverageClass::Unknown,
        };
        let about = ReasonKey {
            class,
            code: rejection.reason.code(),
            name: rejection.reason.message().into(),
            span: rejection.span,
        };
        self.reason(about, rejection.reason.help(), str::to_owned);
    }
}
