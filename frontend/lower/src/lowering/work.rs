//! The tree of a function with its arithmetic left in.
//!
//! What the tree itself says of arrays must not depend on arithmetic being noted: it is made of the
//! nodes without operations, and the ids here go on behind its own.

use super::Lowering;
use super::conditions::is_idle;
use super::finish::{Numbering, for_each_expression, renumber_nodes, variables_of};
use premiss_tree::{
    EntityRef, Expression, LoopId, NestTree, Node, Operations, ParameterId, ReferenceId, TableId,
    Variable, VariableId, Work,
};
use std::collections::BTreeSet;

impl Lowering<'_> {
    /// What a function does, its arithmetic included; `further` are the sizes that only this depends on.
    pub(super) fn work_of(
        &self,
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
            let new = work.parameters.push(self.parameter_of(*id));
            numbering.parameters.insert(*id, new);
        }
        self.add_variables(&body, numbering, &mut work);
        self.add_tables(&body, numbering, &mut work);
        renumber_nodes(&mut body, numbering);
        work.body = body;
        for row in &self.recorder.rows {
            work.operations.push(Operations {
                arithmetic: row.arithmetic.clone(),
                span: self.program.span(row.at),
                inside: row.inside.map(LoopId::new),
            });
        }
        for (idx, row) in self.loops.iter().enumerate() {
            if row.ends_by_data {
                work.ended_by_data.insert(LoopId::new(idx));
            }
            if !row.arithmetic.is_empty() {
                work.headers[LoopId::new(idx)] = row.arithmetic.clone();
            }
        }
        for (idx, row) in self.references.iter().enumerate() {
            if row.holds.is_some() {
                work.elements[ReferenceId::new(idx)] = row.holds;
            }
            if row.combines.is_some() {
                work.updates[ReferenceId::new(idx)] = row.combines;
            }
        }
        for scalar in &self.recorder.scalars {
            work.scalars.push(scalar.clone());
        }
        work
    }

    fn add_variables(&self, body: &[Node], numbering: &mut Numbering, work: &mut Work) {
        let mut variables: BTreeSet<VariableId> = BTreeSet::new();
        for_each_expression(body, &mut |expression| {
            variables.extend(variables_of(expression));
        });
        Node::assigned(body, &mut variables);
        for id in variables {
            numbering.variables.entry(id).or_insert_with(|| {
                let name = self.variable(id).name.clone();
                work.variables.push(Variable { name })
            });
        }
    }

    fn add_tables(&self, body: &[Node], numbering: &mut Numbering, work: &mut Work) {
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
                let row = &self.tables.rows[id.as_u32() as usize];
                work.tables.push(row.table.clone())
            });
        }
    }
}

/// Nodes as they are where nothing is computed: without operations, and without branches that only
/// choose between them.
pub(super) fn without_operations(nodes: &[Node]) -> Vec<Node> {
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
                ..shallow(inner)
            })),
            other => Some(other.clone()),
        });
    }
    kept
}

/// A loop without its body.
fn shallow(inner: &premiss_tree::Loop) -> premiss_tree::Loop {
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
