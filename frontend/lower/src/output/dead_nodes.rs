//! Removes dead nodes: unused assignments, empty branches, operations.

use crate::context::Lowering;
use crate::domain::expression_variables::variables_of;
use crate::output::fresh_symbols::remove_unread_fresh_sizes;
use premiss_tree::{Expression, Node, VariableId};
use std::collections::{BTreeMap, BTreeSet};

/// Whether nodes have no effect apart from operations.
pub(crate) fn is_idle(nodes: &[Node]) -> bool {
    nodes.iter().all(|node| match node {
        Node::Operations(_) => true,
        Node::Branch {
            then, otherwise, ..
        } => is_idle(then) && is_idle(otherwise),
        Node::Loop(_) | Node::Access(_) | Node::Assign { .. } | Node::Opaque(_) => false,
    })
}

/// Removes nodes that nothing depends on.
pub(crate) fn prune_dead_nodes(ctx: &Lowering, mut nodes: Vec<Node>) -> Vec<Node> {
    remove_unread_fresh_sizes(ctx, &mut nodes);
    let live = live_variables(ctx, &nodes);
    prune_nodes(&mut nodes, &live);
    nodes
}

/// The variables that accesses, loops and branches depend on.
fn live_variables(ctx: &Lowering, body: &[Node]) -> BTreeSet<VariableId> {
    let mut live = BTreeSet::new();
    let mut assignments = BTreeMap::new();
    add_live_roots(ctx, body, &mut live, &mut assignments);
    let mut open: Vec<VariableId> = live.iter().copied().collect();
    while let Some(id) = open.pop() {
        for value in assignments.get(&id).into_iter().flatten() {
            for needed in variables_of(value) {
                if live.insert(needed) {
                    open.push(needed);
                }
            }
        }
    }
    live
}

fn add_live_roots<'n>(
    ctx: &Lowering,
    nodes: &'n [Node],
    live: &mut BTreeSet<VariableId>,
    assignments: &mut BTreeMap<VariableId, Vec<&'n Expression>>,
) {
    for node in nodes {
        match node {
            Node::Loop(inner) => {
                live.insert(inner.variable);
                for part in [&inner.first, &inner.bound, &inner.step] {
                    live.extend(variables_of(part));
                }
                add_live_roots(ctx, &inner.body, live, assignments);
            }
            Node::Access(id) => {
                let row = &ctx.tree.references[id.as_u32() as usize];
                live.extend(variables_of(&row.offset));
            }
            Node::Branch {
                condition,
                then,
                otherwise,
            } => {
                live.extend(variables_of(condition));
                add_live_roots(ctx, then, live, assignments);
                add_live_roots(ctx, otherwise, live, assignments);
            }
            Node::Assign { variable, value } => {
                assignments.entry(*variable).or_default().push(value);
            }
            Node::Opaque(_) | Node::Operations(_) => {}
        }
    }
}

/// Removes assignments to dead variables, and branches without effect.
fn prune_nodes(nodes: &mut Vec<Node>, live: &BTreeSet<VariableId>) {
    nodes.retain_mut(|node| match node {
        Node::Loop(inner) => {
            prune_nodes(&mut inner.body, live);
            true
        }
        Node::Branch {
            then, otherwise, ..
        } => {
            prune_nodes(then, live);
            prune_nodes(otherwise, live);
            !then.is_empty() || !otherwise.is_empty()
        }
        Node::Assign { variable, .. } => live.contains(variable),
        Node::Access(_) | Node::Opaque(_) | Node::Operations(_) => true,
    });
}

/// The nodes without operations, and without branches that only choose between operations.
pub(crate) fn without_operations(nodes: &[Node]) -> Vec<Node> {
    let mut kept = Vec::with_capacity(nodes.len());
    for node in nodes {
        kept.extend(match node {
            Node::Operations(_) => None,
            Node::Branch {
                condition,
                then,
                otherwise,
            } => (!is_idle(then) || !is_idle(otherwise)).then(|| Node::Branch {
                condition: condition.clone(),
                then: without_operations(then),
                otherwise: without_operations(otherwise),
            }),
            Node::Loop(inner) => Some(Node::Loop(premiss_tree::Loop {
                body: without_operations(&inner.body),
                ..loop_without_body(inner)
            })),
            other => Some(other.clone()),
        });
    }
    kept
}

/// A loop without its body.
fn loop_without_body(inner: &premiss_tree::Loop) -> premiss_tree::Loop {
    premiss_tree::Loop {
        id: inner.id,
        variable: inner.variable,
        first: inner.first.clone(),
        comparison: inner.comparison,
        bound: inner.bound.clone(),
        step: inner.step.clone(),
        body: Vec::new(),
    }
}
