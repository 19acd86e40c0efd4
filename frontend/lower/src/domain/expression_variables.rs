//! The variables and expressions that nodes of a tree mention.

use premiss_tree::{Expression, Node, VariableId};

pub(crate) fn variables_of(expression: &Expression) -> Vec<VariableId> {
    let mut variables = Vec::new();
    expression.walk(&mut |part| {
        if let Expression::Variable(id) = part {
            variables.push(*id);
        }
    });
    variables
}

pub(crate) fn for_each_expression(nodes: &[Node], visit: &mut dyn FnMut(&Expression)) {
    for node in nodes {
        match node {
            Node::Loop(inner) => {
                [&inner.first, &inner.bound, &inner.step]
                    .into_iter()
                    .for_each(&mut *visit);
                for_each_expression(&inner.body, visit);
            }
            Node::Branch {
                condition,
                then,
                otherwise,
            } => {
                visit(condition);
                for_each_expression(then, visit);
                for_each_expression(otherwise, visit);
            }
            Node::Assign { value, .. } => visit(value),
            Node::Access(_) | Node::Opaque(_) | Node::Operations(_) => {}
        }
    }
}
