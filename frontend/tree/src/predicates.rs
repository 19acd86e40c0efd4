//! Predicates: conditions that are invariant while a function runs, as parameters of value 0 or 1.
//!
//! An engine either gives each predicate a value or replaces the remaining ones by data; both arms of a branch on data
//! are possible.

use crate::{Expression, NestTree, Node, ParameterKind};

impl NestTree {
    /// Replaces predicates without a value by [`Expression::Data`], in the tree and in its [`Work`](crate::Work): both
    /// arms of the branches that they guard become possible.
    pub fn predicates_to_data(&mut self) {
        let open = |parameter: &crate::Parameter| {
            parameter.kind == ParameterKind::Predicate && parameter.value.is_none()
        };
        if !self.work.parameters.values().any(open) && !self.parameters.values().any(open) {
            return;
        }
        let parameters = std::mem::take(&mut self.parameters);
        let is_open = |expression: &Expression| match expression {
            Expression::Parameter(id) => open(&parameters[*id]),
            _ => false,
        };
        for reference in self.references.values_mut() {
            havoc(&mut reference.offset, &is_open);
        }
        havoc_nodes(&mut self.body, &is_open);
        self.parameters = parameters;
        let parameters = std::mem::take(&mut self.work.parameters);
        let is_open = |expression: &Expression| match expression {
            Expression::Parameter(id) => open(&parameters[*id]),
            _ => false,
        };
        havoc_nodes(&mut self.work.body, &is_open);
        self.work.parameters = parameters;
    }
}

fn havoc_nodes(nodes: &mut [Node], is_open: &dyn Fn(&Expression) -> bool) {
    for node in nodes {
        match node {
            Node::Loop(inner) => {
                havoc(&mut inner.first, is_open);
                havoc(&mut inner.bound, is_open);
                havoc(&mut inner.step, is_open);
                havoc_nodes(&mut inner.body, is_open);
            }
            Node::Branch {
                condition,
                then,
                otherwise,
            } => {
                havoc(condition, is_open);
                havoc_nodes(then, is_open);
                havoc_nodes(otherwise, is_open);
            }
            Node::Assign { value, .. } => havoc(value, is_open),
            Node::Access(_) | Node::Opaque(_) | Node::Operations(_) => {}
        }
    }
}

fn havoc(expression: &mut Expression, is_open: &dyn Fn(&Expression) -> bool) {
    if is_open(expression) {
        *expression = Expression::Data;
        return;
    }
    match expression {
        Expression::Integer(_)
        | Expression::Parameter(_)
        | Expression::Variable(_)
        | Expression::Data => {}
        Expression::Unary(_, x) | Expression::Wrap(_, x) | Expression::Entry(_, x) => {
            havoc(x, is_open);
        }
        Expression::Binary(_, a, b) => {
            havoc(a, is_open);
            havoc(b, is_open);
        }
        Expression::Select(operands) => operands.iter_mut().for_each(|x| havoc(x, is_open)),
    }
}
