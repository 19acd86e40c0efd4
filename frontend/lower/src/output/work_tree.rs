//! The tree of a function with its arithmetic.
//!
//! The tree itself must not depend on whether arithmetic is recorded: it is built from the nodes without operations,
//! and the ids here continue its ids.

use crate::context::Lowering;
use crate::domain::expression_variables::{for_each_expression, variables_of};
use crate::output::numbering::{Numbering, renumber_nodes};
use crate::output::tree_rows::tree_parameter;
use premiss_tree::{
    EntityRef, Expression, LoopId, NestTree, Node, Operations, ParameterId, ReferenceId, TableId,
    Variable, VariableId, Work,
};
use std::collections::BTreeSet;

/// The work of a function; `further` has the sizes that only arithmetic depends on.
pub(crate) fn work_tree(
    ctx: &Lowering,
    tree: &NestTree,
    mut body: Vec<Node>,
    further: &[ParameterId],
    numbering: &mut Numbering,
) -> Work {
    let mut work = Work {
        parameters: tree.parameters.clone(),
        variables: tree.variables.clone(),
        tables: tree.tables.clone(),
        ..Work::default()
    };
    for id in further {
        let new = work.parameters.push(tree_parameter(ctx, *id));
        numbering.parameters.insert(*id, new);
    }
    forget_certain_iterations(ctx, &mut body);
    add_work_variables(ctx, &body, numbering, &mut work);
    add_work_tables(ctx, &body, numbering, &mut work);
    renumber_nodes(&mut body, numbering);
    work.body = body;
    for row in &ctx.tree.operations.rows {
        work.operations.push(Operations {
            arithmetic: row.arithmetic.clone(),
            span: ctx.program.span(row.at),
            inside: row.inside.map(LoopId::new),
        });
    }
    for (idx, row) in ctx.tree.loops.iter().enumerate() {
        if row.ends_by_data {
            work.ended_by_data.insert(LoopId::new(idx));
        }
        if !row.arithmetic.is_empty() {
            work.headers[LoopId::new(idx)] = row.arithmetic.clone();
        }
    }
    for (idx, row) in ctx.tree.references.iter().enumerate() {
        if row.holds.is_some() {
            work.elements[ReferenceId::new(idx)] = row.holds;
        }
        if row.combines.is_some() {
            work.updates[ReferenceId::new(idx)] = row.combines;
        }
    }
    for scalar in &ctx.tree.operations.scalars {
        work.scalars.push(scalar.clone());
    }
    work
}

/// Leaves it to data whether the first iteration of a loop that data may end is executed: closed forms of operations
/// have either certain or possible ones in one place. Their lower bounds are those of no iteration.
fn forget_certain_iterations(ctx: &Lowering, nodes: &mut [Node]) {
    for node in nodes {
        match node {
            Node::Loop(inner) => {
                let ends_by_data = ctx.tree.loops[inner.id.index()].ends_by_data;
                let has_certain = ends_by_data && inner.certain_first().is_some();
                if let [Node::Branch { condition, .. }] = &mut inner.body[..]
                    && has_certain
                {
                    *condition = Expression::Data;
                }
                forget_certain_iterations(ctx, &mut inner.body);
            }
            Node::Branch {
                then, otherwise, ..
            } => {
                forget_certain_iterations(ctx, then);
                forget_certain_iterations(ctx, otherwise);
            }
            Node::Access(_) | Node::Assign { .. } | Node::Opaque(_) | Node::Operations(_) => {}
        }
    }
}

fn add_work_variables(ctx: &Lowering, body: &[Node], numbering: &mut Numbering, work: &mut Work) {
    let mut variables: BTreeSet<VariableId> = BTreeSet::new();
    for_each_expression(body, &mut |expression| {
        variables.extend(variables_of(expression));
    });
    Node::assigned(body, &mut variables);
    for id in variables {
        numbering.variables.entry(id).or_insert_with(|| {
            let name = ctx.symbols.variable(id).name.clone();
            work.variables.push(Variable { name })
        });
    }
}

fn add_work_tables(ctx: &Lowering, body: &[Node], numbering: &mut Numbering, work: &mut Work) {
    let mut tables: BTreeSet<TableId> = BTreeSet::new();
    for_each_expression(body, &mut |expression| {
        expression.walk(&mut |part| {
            if let Expression::Entry(id, _) = part {
                tables.insert(*id);
            }
        });
    });
    for id in tables {
        numbering.tables.entry(id).or_insert_with(|| {
            let row = &ctx.constants.rows[id.as_u32() as usize];
            work.tables.push(row.table.clone())
        });
    }
}
