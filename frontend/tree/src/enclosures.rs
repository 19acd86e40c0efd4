//! Loops whose bounds data decide, and the iterations that theirs are among.
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

/// A header, with the iterator, the comparison and the direction of a loop, of which the iterations
/// include all that the loop itself has, in the same order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Enclosure {
    /// The iterator's first value.
    pub first: Expression,
    /// What it is compared with.
    pub bound: Expression,
    /// What is added after each iteration.
    pub step: i64,
}

impl Enclosure {
    /// The loop with this header: data decide whether an iteration is one of the loop's own.
    fn put_around(self, inner: &mut Loop) {
        inner.first = self.first;
        inner.bound = self.bound;
        inner.step = self.step.into();
        inner.body = vec![Node::Branch {
            condition: Expression::Data,
            then: std::mem::take(&mut inner.body),
            otherwise: Vec::new(),
        }];
    }

    /// Whether all extremes that it mentions have values.
    fn is_given(&self, parameters: &PrimaryMap<ParameterId, Parameter>) -> bool {
        let is_open = |part: &Expression| match part {
            Expression::Parameter(id) => {
                let parameter = &parameters[*id];
                parameter.kind == ParameterKind::Extreme && parameter.value.is_none()
            }
            _ => false,
        };
        !self.first.any(is_open) && !self.bound.any(is_open)
    }
}

impl NestTree {
    /// Puts the enclosures of loops in the place of their headers, where the extremes that these take
    /// have values; the others stay loops of which nobody knows how often they run. What is computed in
    /// them stays unknown: see [`crate::Work`].
    pub fn enclose_loops(&mut self) {
        let enclosures = std::mem::take(&mut self.enclosures);
        let (given, open): (BTreeMap<_, _>, BTreeMap<_, _>) = enclosures
            .into_iter()
            .partition(|(_, enclosure)| enclosure.is_given(&self.parameters));
        self.enclosures = open;
        if !given.is_empty() {
            enclose(&mut self.body, &given);
        }
    }
}

fn enclose(nodes: &mut Vec<Node>, enclosures: &BTreeMap<LoopId, Enclosure>) {
    for idx in (0..nodes.len()).rev() {
        match &mut nodes[idx] {
            Node::Loop(inner) => {
                enclose(&mut inner.body, enclosures);
                if let Some(enclosure) = enclosures.get(&inner.id) {
                    enclosure.clone().put_around(inner);
                    // It ends where its own bound says.
                    let ended = Node::Assign {
                        variable: inner.variable,
                        value: Expression::Data,
                    };
                    nodes.insert(idx + 1, ended);
                }
            }
            Node::Branch {
                then, otherwise, ..
            } => {
                enclose(then, enclosures);
                enclose(otherwise, enclosures);
            }
            Node::Access(_) | Node::Assign { .. } | Node::Opaque(_) | Node::Operations(_) => {}
        }
    }
}
