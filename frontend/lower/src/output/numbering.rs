//! New ids for the entities that the finished tree mentions, in the order of its tables.

use crate::context::Lowering;
use crate::domain::expression_variables::{for_each_expression, variables_of};
use crate::domain::values::ArrayRow;
use premiss_tree::{ArrayId, EntityRef, Expression, Node, ParameterId, TableId, VariableId};
use std::collections::{BTreeMap, BTreeSet};

/// Maps old ids to new ones.
pub(crate) struct Numbering {
    pub(crate) parameters: BTreeMap<ParameterId, ParameterId>,
    pub(crate) variables: BTreeMap<VariableId, VariableId>,
    pub(crate) arrays: BTreeMap<ArrayRow, ArrayId>,
    pub(crate) tables: BTreeMap<TableId, TableId>,
}

pub(crate) fn add_used_parameters(
    ctx: &Lowering,
    nodes: &[Node],
    arrays: &[ArrayRow],
    used: &mut BTreeSet<ParameterId>,
) {
    let mut note = |expression: &Expression| {
        expression.walk(&mut |part| {
            if let Expression::Parameter(id) = part {
                used.insert(*id);
            }
        });
    };
    ctx.tree.references.iter().for_each(|row| note(&row.offset));
    for row in arrays {
        ctx.symbols.arrays[row.0].extent.iter().for_each(&mut note);
    }
    for_each_expression(nodes, &mut note);
}

pub(crate) fn number_rows(
    ctx: &Lowering,
    body: &[Node],
    arrays: &[ArrayRow],
    used: &BTreeSet<ParameterId>,
) -> Numbering {
    let mut variables = BTreeSet::new();
    for_each_expression(body, &mut |expression| {
        variables.extend(variables_of(expression));
    });
    Node::assigned(body, &mut variables);
    for row in &ctx.tree.references {
        variables.extend(variables_of(&row.offset));
    }
    let mut tables = BTreeSet::new();
    let mut note = |expression: &Expression| {
        expression.walk(&mut |part| {
            if let Expression::Entry(id, _) = part {
                tables.insert(*id);
            }
        });
    };
    for_each_expression(body, &mut note);
    ctx.tree.references.iter().for_each(|row| note(&row.offset));
    let extents = arrays.iter().map(|row| &ctx.symbols.arrays[row.0]);
    extents.for_each(|data| data.extent.iter().for_each(&mut note));
    let parameters = ordered_parameters(ctx, used);
    Numbering {
        parameters: number_in_order(parameters, ParameterId::new),
        variables: number_in_order(variables, VariableId::new),
        arrays: number_in_order(arrays.iter().copied(), ArrayId::new),
        tables: number_in_order(tables, TableId::new),
    }
}

fn number_in_order<K: Ord, V>(
    keys: impl IntoIterator<Item = K>,
    id: fn(usize) -> V,
) -> BTreeMap<K, V> {
    let numbered = keys.into_iter().enumerate();
    numbered.map(|(idx, key)| (key, id(idx))).collect()
}

/// The sizes of the function, then those at file scope, each in order of declaration.
pub(crate) fn ordered_parameters(ctx: &Lowering, used: &BTreeSet<ParameterId>) -> Vec<ParameterId> {
    let mut ids: Vec<ParameterId> = used.iter().copied().collect();
    ids.sort_by_key(|id| {
        let row = &ctx.symbols.parameters[id.as_u32() as usize];
        (row.is_global, row.at)
    });
    ids
}

pub(crate) fn renumber_nodes(nodes: &mut [Node], numbering: &Numbering) {
    let variable = |id: &mut VariableId| {
        if let Some(new) = numbering.variables.get(id) {
            *id = *new;
        }
    };
    for node in nodes {
        match node {
            Node::Loop(inner) => {
                variable(&mut inner.variable);
                renumber_expression(&mut inner.first, numbering);
                renumber_expression(&mut inner.bound, numbering);
                renumber_expression(&mut inner.step, numbering);
                renumber_nodes(&mut inner.body, numbering);
            }
            Node::Branch {
                condition,
                then,
                otherwise,
            } => {
                renumber_expression(condition, numbering);
                renumber_nodes(then, numbering);
                renumber_nodes(otherwise, numbering);
            }
            Node::Assign {
                variable: id,
                value,
            } => {
                variable(id);
                renumber_expression(value, numbering);
            }
            Node::Access(_) | Node::Opaque(_) | Node::Operations(_) => {}
        }
    }
}

pub(crate) fn renumber_expression(expression: &mut Expression, numbering: &Numbering) {
    match expression {
        Expression::Integer(_) | Expression::Data => {}
        Expression::Parameter(id) => {
            if let Some(new) = numbering.parameters.get(id) {
                *id = *new;
            }
        }
        Expression::Variable(id) => {
            if let Some(new) = numbering.variables.get(id) {
                *id = *new;
            }
        }
        Expression::Unary(_, x) | Expression::Wrap(_, x) => renumber_expression(x, numbering),
        Expression::Entry(id, index) => {
            if let Some(new) = numbering.tables.get(id) {
                *id = *new;
            }
            renumber_expression(index, numbering);
        }
        Expression::Binary(_, a, b) => {
            renumber_expression(a, numbering);
            renumber_expression(b, numbering);
        }
        Expression::Select(operands) => {
            operands
                .iter_mut()
                .for_each(|x| renumber_expression(x, numbering));
        }
    }
}
