//! Conditions that keep their value while a function runs, and that nobody knows.

use crate::{Expression, NestTree, Node, ParameterKind};

impl NestTree {
    /// Makes data of the truths that have no value: which arms are taken is not known then.
    pub fn forget_open_truths(&mut self) {
        let open = |parameter: &crate::Parameter| {
            parameter.kind == ParameterKind::Truth && parameter.value.is_none()
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
            forget(&mut reference.offset, &is_open);
        }
        forget_in(&mut self.body, &is_open);
        self.parameters = parameters;
        let parameters = std::mem::take(&mut self.work.parameters);
        let is_open = |expression: &Expression| match expression {
            Expression::Parameter(id) => open(&parameters[*id]),
            _ => false,
        };
        forget_in(&mut self.work.body, &is_open);
        self.work.parameters = parameters;
    }
}

fn forget_in(nodes: &mut [Node], is_open: &dyn Fn(&Expression) -> bool) {
    for node in nodes {
        match node {
            Node::Loop(inner) => {
                forget(&mut inner.first, is_open);
                forget(&mut inner.bound, is_open);
                forget(&mut inner.step, is_open);
                forget_in(&mut inner.body, is_open);
            }
            Node::Branch {
                condition,
                then,
                otherwise,
            } => {
                forget(condition, is_open);
                forget_in(then, is_open);
                forget_in(otherwise, is_open);
            }
            Node::Assign { value, .. } => forget(value, is_open),
            Node::Access(_) | Node::Opaque(_) | Node::Operations(_) => {}
        }
    }
}

fn forget(expression: &mut Expression, is_open: &dyn Fn(&Expression) -> bool) {
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
            forget(x, is_open);
        }
        Expression::Binary(_, a, b) => {
            forget(a, is_open);
            forget(b, is_open);
        }
        Expression::Select(operands) => operands.iter_mut().for_each(|x| forget(x, is_open)),
    }
}
