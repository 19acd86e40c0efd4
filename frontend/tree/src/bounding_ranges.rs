//! Loops whose bounds depend on data, and the ranges that bound their iterations.
//!
//! ```text
//! for (t = 0; t < n; t++)              Where nothing stores to `len`, the least and the greatest of the
//!     for (k = 0; k < len[t]; k++)     numbers loaded are sizes. The loop over `k` runs within
//!         a[k] = 0;                    k = 0; k < max(len[t]), and data decide which iterations there are.
//! ```
//!
//! Where data alone decide how often a loop runs, its greatest number of iterations or the ends of its iterator are
//! sizes: `while (x > eps)` runs within `0 <= k < iterations(while (x > eps))`.

use crate::{
    Expression, Loop, LoopId, NestTree, Node, Parameter, ParameterId, ParameterKind, PrimaryMap,
};
use std::collections::BTreeMap;

/// A superset of the iterations of a loop, in the same order: a loop header that keeps the iterator, the comparison
/// and the direction of the original loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BoundingRange {
    /// The iterator's first value.
    pub first: Expression,
    /// The bound that the iterator is compared with.
    pub bound: Expression,
    /// The amount added after each iteration.
    pub step: i64,
}

impl BoundingRange {
    /// Replaces a loop's header by this range and guards its body with a data-dependent condition, as data decide
    /// which of the iterations are those of the original loop.
    fn replace_header(self, inner: &mut Loop) {
        // The rejection says that the number of iterations is not known, which it is now.
        let is_uncounted = inner.rejection().is_some();
        inner.first = self.first;
        inner.bound = self.bound;
        inner.step = self.step.into();
        let mut then = std::mem::take(&mut inner.body);
        if is_uncounted {
            then.remove(0);
        }
        inner.body = vec![Node::Branch {
            condition: Expression::Data,
            then,
            otherwise: Vec::new(),
        }];
    }

    /// Whether all extrema in the range have values.
    fn has_values(&self, parameters: &PrimaryMap<ParameterId, Parameter>) -> bool {
        let is_open = |part: &Expression| match part {
            Expression::Parameter(id) => {
                let parameter = &parameters[*id];
                parameter.kind == ParameterKind::Extremum && parameter.value.is_none()
            }
            _ => false,
        };
        !self.first.any(is_open) && !self.bound.any(is_open)
    }
}

impl NestTree {
    /// Replaces the headers of loops by their bounding ranges where all extrema in these have values, and guards their
    /// bodies by [`Expression::Data`]. The other loops keep their unknown trip count. The body of
    /// [`Work`](crate::Work) is not widened.
    pub fn widen_to_bounding_ranges(&mut self) {
        let ranges = std::mem::take(&mut self.bounding_ranges);
        let (valued, open): (BTreeMap<_, _>, BTreeMap<_, _>) = ranges
            .into_iter()
            .partition(|(_, range)| range.has_values(&self.parameters));
        self.bounding_ranges = open;
        if !valued.is_empty() {
            widen(&mut self.body, &valued);
        }
    }
}

fn widen(nodes: &mut Vec<Node>, ranges: &BTreeMap<LoopId, BoundingRange>) {
    for idx in (0..nodes.len()).rev() {
        match &mut nodes[idx] {
            Node::Loop(inner) => {
                widen(&mut inner.body, ranges);
                if let Some(range) = ranges.get(&inner.id) {
                    range.clone().replace_header(inner);
                    // The original loop ends at its own bound, which is data.
                    let last = Node::Assign {
                        variable: inner.variable,
                        value: Expression::Data,
                    };
                    nodes.insert(idx + 1, last);
                }
            }
            Node::Branch {
                then, otherwise, ..
            } => {
                widen(then, ranges);
                widen(otherwise, ranges);
            }
            Node::Access(_) | Node::Assign { .. } | Node::Opaque(_) | Node::Operations(_) => {}
        }
    }
}
