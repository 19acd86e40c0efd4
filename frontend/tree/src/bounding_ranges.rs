//! Loops whose bounds depend on data, and the ranges that bound their iterations.
//!
//! ```text
//! for (t = 0; t < n; t++)              Where nothing stores to `len`, the least and the greatest of the
//!     for (k = 0; k < len[t]; k++)     numbers loaded are sizes. The loop over `k` runs within
//!         a[k] = 0;                    k = 0; k < max(len[t]), and data decide which iterations there are.
//! ```

use crate::{
    Expression, Loop, LoopId, NestTree, Node, Parameter, ParameterId, ParameterKind, PrimaryMap,
};
use std::collections::BTreeMap;

/// A superset of the iterations of a loop, in the same order: a header with the loop's iterator, its
/// comparison and its direction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BoundingRange {
    /// The iterator's first value.
    pub first: Expression,
    /// What it is compared with.
    pub bound: Expression,
    /// What is added after each iteration.
    pub step: i64,
}

impl BoundingRange {
    /// Turns a loop into the loop over this range whose body is possible: data decide which of its
    /// iterations are the original ones.
    fn replace_header(self, inner: &mut Loop) {
        inner.first = self.first;
        inner.bound = self.bound;
        inner.step = self.step.into();
        inner.body = vec![Node::Branch {
            condition: Expression::Data,
            then: std::mem::take(&mut inner.body),
            otherwise: Vec::new(),
        }];
    }

    /// Whether all extrema that it mentions have values.
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
    /// Replaces the headers of loops by their bounding ranges where all extrema in these have values.
    /// The others stay loops with an unknown trip count. What is computed in a widened loop stays
    /// unknown: see [`crate::Work`].
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
