//! The slice of a function that evaluates its operations, loads and stores in the convention of PBound (Narayanan,
//! Norris, Hovland): of its loops and branches only those stay whose counts have no closed form; the rest becomes
//! counts of what each loop does itself.
//!
//! ```text
//! for (i = 0; i < n; i++)            for (i = 0; i < n; i++) {
//!     for (j = 0; j < i * i; j++)        trips = as often as the loop over j runs
//!         y[i] += a[j];          ──▶     the loop over j: 2·trips loads, trips stores, …
//!                                    }
//! ```
//! Nest by nest, from the outside in: [`Places`] derives how often each part runs, with the variables that were
//! assigned before as sizes. Where it cannot, the trip count of the loop becomes an additional size, which running the
//! slice computes; where that does not help, the loop stays, and its body is treated likewise.

mod nest;
mod nodes;
mod variables;

pub use nodes::{ClosedNest, LoopControl, NestInput, Slice, SliceNode};

use crate::work::no_places;
use nest::Nest;
use premiss_operations::{
    PBOUND_ENTRY, PboundRow, Places, pbound_header, pbound_row, pbound_scalars,
};
use premiss_tree::{
    Comparison, Expression, LoopId, NestTree, Node, PrimaryMap, Variable, VariableId,
};
use std::collections::{BTreeMap, BTreeSet};
use variables::{
    Variables, deciding, forget, is_known, known_inside, live, never_negative, with_data,
};

/// The slice of a function, with at most `steps` counting steps for each closed form. It always exists: parts without a
/// closed form stay as loops or are marked as left out.
#[must_use]
pub fn slice(tree: &NestTree, steps: u64) -> Slice {
    let body = deciding(&tree.work.body);
    let mut builder = Builder {
        tree,
        steps,
        natural: never_negative(tree, &body),
        variables: tree.work.variables.clone(),
    };
    let nodes = match builder.closed_function() {
        Some(nest) => vec![SliceNode::Closed(nest)],
        None => {
            let state = FlowState {
                valued: Variables::new(),
                is_possible: false,
            };
            builder.list(&body, state, &Variables::new(), Vec::new())
        }
    };
    let mut sizes = BTreeSet::new();
    nodes.iter().for_each(|node| node.sizes(tree, &mut sizes));
    Slice {
        sizes: sizes.into_iter().collect(),
        scalars: pbound_scalars(tree).map(|x| x as u64),
        variables: builder.variables,
        nodes,
    }
}

struct Builder<'a> {
    tree: &'a NestTree,
    steps: u64,
    /// The variables that are never negative.
    natural: Variables,
    variables: PrimaryMap<VariableId, Variable>,
}

/// The state at the start of a list of nodes.
#[derive(Clone)]
struct FlowState {
    /// The variables whose values are functions of the sizes.
    valued: Variables,
    /// Whether data decide if the list is executed.
    is_possible: bool,
}

impl Builder<'_> {
    /// The whole function by closed forms, unless a loop or branch has to stay.
    fn closed_function(&self) -> Option<ClosedNest> {
        let places = Places::derive(self.tree, &BTreeMap::new(), self.steps).ok()?;
        nest::closed(self.tree, &places, |id| Some(NestInput::Size(id)))
    }

    /// The slice of a list of nodes, appended to what is there; `after` has the variables that are read after it.
    fn list(
        &mut self,
        nodes: &[Node],
        mut state: FlowState,
        after: &Variables,
        mut out: Vec<SliceNode>,
    ) -> Vec<SliceNode> {
        for (idx, node) in nodes.iter().enumerate() {
            let after = live(&nodes[idx + 1..], after);
            match node {
                Node::Access(id) => {
                    let inside = self.tree.references[*id].inside;
                    note(&mut out, inside, pbound_row(self.tree, node), &state);
                }
                Node::Operations(id) => {
                    let inside = self.tree.work.operations[*id].inside;
                    note(&mut out, inside, pbound_row(self.tree, node), &state);
                }
                Node::Assign { variable, value } if is_known(value, &state.valued) => {
                    out.push(SliceNode::Assign(*variable, value.clone()));
                }
                Node::Assign { .. } => {}
                Node::Opaque(id) => {
                    let rejection = &self.tree.rejections[*id];
                    out.push(SliceNode::LeftOut {
                        inside: None,
                        span: rejection.span,
                        reason: rejection.reason.message(),
                    });
                }
                Node::Branch { .. } => self.branch(node, &state, &after, &mut out),
                Node::Loop(inner) => self.repeat(node, inner, &state, &after, &mut out),
            }
            with_data(std::slice::from_ref(node), &mut state.valued);
        }
        out
    }

    fn branch(
        &mut self,
        node: &Node,
        state: &FlowState,
        after: &Variables,
        out: &mut Vec<SliceNode>,
    ) {
        let Node::Branch {
            condition,
            then,
            otherwise,
        } = node
        else {
            return;
        };
        let mut has_loop = false;
        node.walk(&mut |node| has_loop |= matches!(node, Node::Loop(_)));
        if has_loop && let Ok(nest) = self.closed(node, state, after) {
            return out.push(SliceNode::Closed(nest));
        }
        if is_known(condition, &state.valued) {
            let arm =
                |builder: &mut Self, nodes| builder.list(nodes, state.clone(), after, Vec::new());
            let (then, otherwise) = (arm(self, then), arm(self, otherwise));
            if !then.is_empty() || !otherwise.is_empty() {
                out.push(SliceNode::Branch {
                    condition: condition.clone(),
                    then_nodes: then,
                    else_nodes: otherwise,
                });
            }
            return;
        }
        // Both arms run, one after the other: the second does not see assignments of the first.
        let mut state = FlowState {
            is_possible: true,
            ..state.clone()
        };
        let then_live = live(otherwise, &Variables::new());
        out.extend(self.list(then, state.clone(), &then_live, Vec::new()));
        forget(then, &mut state.valued);
        out.extend(self.list(otherwise, state, &Variables::new(), Vec::new()));
    }

    fn repeat(
        &mut self,
        node: &Node,
        inner: &premiss_tree::Loop,
        state: &FlowState,
        after: &Variables,
        out: &mut Vec<SliceNode>,
    ) {
        let why = match self.closed(node, state, after) {
            Ok(nest) => return out.push(SliceNode::Closed(nest)),
            Err(why) => why,
        };
        let header = LoopControl {
            first: inner.first.clone(),
            comparison: inner.comparison,
            bound: inner.bound.clone(),
            step: inner.step.clone(),
        };
        let parts = [&header.first, &header.bound, &header.step];
        if !parts.iter().all(|x| is_known(x, &state.valued)) {
            return self.left_out(inner, out);
        }
        if let Some(nodes) = self.counted(inner, &header, state, after) {
            return out.extend(nodes);
        }
        note(out, Some(inner.id), PBOUND_ENTRY, state);
        let inside = FlowState {
            valued: known_inside(inner, &state.valued),
            is_possible: state.is_possible,
        };
        let again = live(std::slice::from_ref(node), after);
        let mut body = Vec::new();
        note(
            &mut body,
            Some(inner.id),
            pbound_header(self.tree, inner.id),
            state,
        );
        out.push(SliceNode::Loop {
            id: inner.id,
            variable: inner.variable,
            header,
            reason: why,
            body: self.list(&inner.body, inside, &(&again | after), body),
        });
    }

    /// A loop whose trip count is unknown, with the reason that the front end gives.
    fn left_out(&self, inner: &premiss_tree::Loop, out: &mut Vec<SliceNode>) {
        let header = self.tree.loops[inner.id].span;
        let mut rejections = self.tree.rejections.values();
        let own = rejections.find(|rejection| header.cover(rejection.span) == header);
        let why = match own {
            Some(rejection) => rejection.reason.message(),
            None => "it runs an unknown number of times".to_owned(),
        };
        let is_said = |node: &SliceNode| matches!(node, SliceNode::LeftOut { inside: None, span, .. } if header.cover(*span) == header);
        if out.last().is_some_and(is_said) {
            out.pop();
        }
        out.push(SliceNode::LeftOut {
            inside: Some(inner.id),
            span: self.tree.loops[inner.id].span,
            reason: why,
        });
    }

    /// A loop whose trip count is an additional size. Its iterator is computed from the trip or, where that does not
    /// help, taken for data.
    fn counted(
        &mut self,
        inner: &premiss_tree::Loop,
        header: &LoopControl,
        state: &FlowState,
        after: &Variables,
    ) -> Option<Vec<SliceNode>> {
        let name = &self.tree.loops[inner.id].iterator;
        let fresh = |name: String| Variable { name };
        let trips = self.variables.push(fresh(format!("trips {name}")));
        let number = self.variables.push(fresh(format!("number {name}")));
        self.natural.extend([trips, number]);
        let mut state = state.clone();
        state.valued.insert(trips);
        let advanced = |number: VariableId| {
            let way = Expression::binary(
                premiss_tree::BinaryOperator::Multiply,
                header.step.clone(),
                Expression::Variable(number),
            );
            Expression::binary(premiss_tree::BinaryOperator::Add, header.first.clone(), way)
        };
        let mut others = after.clone();
        let is_read_later = others.remove(&inner.variable);
        for value in [advanced(number), Expression::Data] {
            let start = Node::Assign {
                variable: inner.variable,
                value,
            };
            let body = std::iter::once(start).chain(inner.body.iter().cloned());
            let node = Node::Loop(premiss_tree::Loop {
                variable: number,
                first: 0.into(),
                comparison: Comparison::Less,
                bound: Expression::Variable(trips),
                step: 1.into(),
                ..inner.with_body(body.collect())
            });
            if let Ok(nest) = self.closed(&node, &state, &others) {
                let counted = SliceNode::Trips(trips, header.clone());
                let end = SliceNode::Assign(inner.variable, advanced(trips));
                let end = is_read_later.then_some(end);
                return Some(
                    [counted, SliceNode::Closed(nest)]
                        .into_iter()
                        .chain(end)
                        .collect(),
                );
            }
        }
        None
    }

    /// A node by closed forms in the sizes and the variables that it reads; or why there are none.
    fn closed(
        &self,
        node: &Node,
        state: &FlowState,
        after: &Variables,
    ) -> Result<ClosedNest, String> {
        let nodes = std::slice::from_ref(node);
        let mut changed = Variables::new();
        Node::assigned(nodes, &mut changed);
        if changed.iter().any(|id| after.contains(id)) {
            return Err("what it sets decides what follows".to_owned());
        }
        let nest = Nest::new(
            self.tree,
            &self.variables,
            &self.natural,
            nodes,
            &state.valued,
        );
        let places = Places::derive(&nest.tree, &BTreeMap::new(), self.steps);
        let places = places.map_err(|why| no_places(&nest.tree, why))?;
        let found = nest::closed(&nest.tree, &places, |id| nest.input(id));
        let mut found = found.ok_or_else(|| match places.refused.first() {
            Some(reject) => reject.message(&nest.tree),
            None => "something in it runs an unknown number of times".to_owned(),
        })?;
        if state.is_possible {
            found.parts.iter_mut().for_each(nest::make_possible);
        }
        Ok(found)
    }
}

/// Adds counts of what a loop does itself, merged with earlier counts of that loop in the same list.
fn note(out: &mut Vec<SliceNode>, of: Option<LoopId>, row: PboundRow, state: &FlowState) {
    if row == [0; 6] {
        return;
    }
    let none = [0; 6];
    let [sure, perhaps] = match state.is_possible {
        true => [none, row],
        false => [row, none],
    };
    let add = |sum: &mut PboundRow, row: PboundRow| {
        sum.iter_mut().zip(row).for_each(|(sum, each)| *sum += each);
    };
    for node in out.iter_mut() {
        if let SliceNode::Row {
            inside,
            certain,
            possible,
        } = node
            && *inside == of
        {
            add(certain, sure);
            add(possible, perhaps);
            return;
        }
    }
    out.push(SliceNode::Row {
        inside: of,
        certain: sure,
        possible: perhaps,
    });
}
