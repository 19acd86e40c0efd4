//! Fresh symbols: sizes that are not declared in the program, but denote values of variables and memory at some place.
//!
//! An unknown variable becomes a size before each outermost loop that mentions it. If the loop sets the variable
//! first, as the iterator of an inner loop, the size is dead and its assignment is removed. The remaining symbols get
//! unique names: the second of several with the same name is `n#2`.

use crate::context::Lowering;
use crate::domain::expression_variables::variables_of;
use crate::output::tree_builder::ReferenceRow;
use crate::syntax::Name;
use premiss_tree::{Expression, Node, ParameterId, VariableId};
use std::collections::{BTreeMap, BTreeSet};

type LiveVariables = BTreeSet<VariableId>;

/// Removes assignments of fresh sizes to variables that are not read afterwards.
pub(crate) fn remove_unread_fresh_sizes(ctx: &Lowering, nodes: &mut Vec<Node>) {
    let is_fresh = |value: &Expression| match value {
        Expression::Parameter(id) => ctx.symbols.parameters[id.as_u32() as usize].is_fresh,
        _ => false,
    };
    prune_unread(
        nodes,
        &mut LiveVariables::new(),
        &ctx.tree.references,
        &is_fresh,
    );
}

/// Sets the names and values of fresh sizes: the second of several with the same name is `n#2`.
pub(crate) fn name_fresh_sizes(ctx: &mut Lowering, ids: &[ParameterId]) {
    let mut n_named: BTreeMap<Name, usize> = BTreeMap::new();
    for id in ids {
        let row = &mut ctx.symbols.parameters[id.as_u32() as usize];
        let n = n_named.entry(row.name.clone()).or_insert(0);
        *n += 1;
        if !row.is_fresh {
            continue;
        }
        if 1 < *n {
            row.name = format!("{}#{n}", row.name).into();
        }
        let name = row.name.clone();
        row.value = ctx.program.size_value(&name);
    }
}

/// Removes assignments that are not read, in a backward pass; `live` becomes the variables that are live before the
/// first node.
fn prune_unread(
    nodes: &mut Vec<Node>,
    live: &mut LiveVariables,
    references: &[ReferenceRow],
    is_fresh: &dyn Fn(&Expression) -> bool,
) {
    for idx in (0..nodes.len()).rev() {
        match &mut nodes[idx] {
            Node::Assign { variable, value } if is_fresh(value) && !live.contains(variable) => {
                nodes.remove(idx);
            }
            Node::Branch {
                condition,
                then,
                otherwise,
            } => {
                let mut other = live.clone();
                prune_unread(then, live, references, is_fresh);
                prune_unread(otherwise, &mut other, references, is_fresh);
                live.append(&mut other);
                live.extend(variables_of(condition));
            }
            node => live_before(std::slice::from_ref(node), live, references),
        }
    }
}

/// Computes the variables that are live before some nodes from those that are live after them.
fn live_before(nodes: &[Node], live: &mut LiveVariables, references: &[ReferenceRow]) {
    for node in nodes.iter().rev() {
        match node {
            Node::Assign { variable, value } => {
                live.remove(variable);
                live.extend(variables_of(value));
            }
            Node::Access(id) => {
                live.extend(variables_of(&references[id.as_u32() as usize].offset));
            }
            Node::Branch {
                condition,
                then,
                otherwise,
            } => {
                let mut other = live.clone();
                live_before(then, live, references);
                live_before(otherwise, &mut other, references);
                live.append(&mut other);
                live.extend(variables_of(condition));
            }
            Node::Loop(inner) => {
                // The variables that an iteration reads before it sets them.
                let mut exposed = LiveVariables::new();
                live_before(&inner.body, &mut exposed, references);
                live.append(&mut exposed);
                live.remove(&inner.variable);
                for part in [&inner.first, &inner.bound, &inner.step] {
                    live.extend(variables_of(part));
                }
            }
            Node::Opaque(_) | Node::Operations(_) => {}
        }
    }
}
