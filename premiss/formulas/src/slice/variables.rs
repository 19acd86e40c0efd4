//! Data flow through the variables of a function: which of them decide how often something runs, which are read after a
//! node, which have values that are functions of sizes, and which are never negative.

use premiss_tree::{
    BinaryOperator, Expression, IntegerType, NestTree, Node, UnaryOperator, VariableId,
};
use std::collections::BTreeSet;

/// A set of variables.
pub(super) type Variables = BTreeSet<VariableId>;

/// The nodes without assignments to variables that affect no control flow, and without empty branches.
///
/// ```text
/// k = k + 3; x[k] = 0; m = 2 * n; for (i = 0; i < m; …)      keeps m, as the loop reads it, and drops k
/// ```
pub(super) fn deciding(nodes: &[Node]) -> Vec<Node> {
    let mut relevant = Variables::new();
    let mut n_known = usize::MAX;
    while n_known != relevant.len() {
        n_known = relevant.len();
        let mut note = |node: &Node| {
            let decides = match node {
                Node::Assign { variable, .. } => relevant.contains(variable),
                _ => true,
            };
            if decides {
                node.expressions()
                    .iter()
                    .for_each(|x| read(x, &mut relevant));
            }
        };
        nodes.iter().for_each(|node| node.walk(&mut note));
    }
    retained(nodes, &relevant)
}

fn retained(nodes: &[Node], relevant: &Variables) -> Vec<Node> {
    let one = |node: &Node| match node {
        Node::Assign { variable, .. } => relevant.contains(variable).then(|| node.clone()),
        Node::Branch {
            condition,
            then,
            otherwise,
        } => {
            let [then, otherwise] = [then, otherwise].map(|arm| retained(arm, relevant));
            let is_empty = then.is_empty() && otherwise.is_empty();
            (!is_empty).then(|| Node::Branch {
                condition: condition.clone(),
                then,
                otherwise,
            })
        }
        Node::Loop(inner) => {
            let body = retained(&inner.body, relevant);
            Some(Node::Loop(inner.with_body(body)))
        }
        Node::Access(_) | Node::Operations(_) | Node::Opaque(_) => Some(node.clone()),
    };
    nodes.iter().filter_map(one).collect()
}

/// Adds the variables that an expression reads.
fn read(expression: &Expression, variables: &mut Variables) {
    expression.walk(&mut |part| {
        if let Expression::Variable(id) = part {
            variables.insert(*id);
        }
    });
}

/// The variables whose values before some nodes are read in them or, as in `after`, behind them.
pub(super) fn live(nodes: &[Node], after: &Variables) -> Variables {
    let before = |after: Variables, node: &Node| live_before(node, &after);
    nodes.iter().rev().fold(after.clone(), before)
}

fn live_before(node: &Node, after: &Variables) -> Variables {
    let mut live_there = match node {
        Node::Assign { variable, .. } => without(after, *variable),
        Node::Branch {
            then, otherwise, ..
        } => &live(then, after) | &live(otherwise, after),
        Node::Loop(inner) => {
            let mut around = without(after, inner.variable);
            loop {
                let next = &around | &without(&live(&inner.body, &around), inner.variable);
                if next == around {
                    break around;
                }
                around = next;
            }
        }
        Node::Access(_) | Node::Operations(_) | Node::Opaque(_) => after.clone(),
    };
    node.expressions()
        .iter()
        .for_each(|x| read(x, &mut live_there));
    live_there
}

fn without(variables: &Variables, one: VariableId) -> Variables {
    variables.iter().copied().filter(|x| *x != one).collect()
}

/// Whether the value of an expression is a function of sizes and known variables.
pub(super) fn is_known(expression: &Expression, known: &Variables) -> bool {
    !expression.any(|part| match part {
        Expression::Data => true,
        Expression::Variable(id) => !known.contains(id),
        _ => false,
    })
}

/// The known variables at the head of each iteration of a loop.
pub(super) fn known_inside(inner: &premiss_tree::Loop, known: &Variables) -> Variables {
    let mut head = known.clone();
    head.insert(inner.variable);
    loop {
        let mut end = head.clone();
        with_data(&inner.body, &mut end);
        let next = &head & &end;
        if next == head {
            return head;
        }
        head = next;
    }
}

/// The nodes with [`Expression::Data`] for what is not known; updates `known` to the state after them.
pub(super) fn with_data(nodes: &[Node], known: &mut Variables) -> Vec<Node> {
    nodes
        .iter()
        .map(|node| node_with_data(node, known))
        .collect()
}

fn node_with_data(node: &Node, known: &mut Variables) -> Node {
    let value = |x: &Expression, known: &Variables| match is_known(x, known) {
        true => x.clone(),
        false => Expression::Data,
    };
    match node {
        Node::Assign { variable, value: x } => {
            let value = value(x, known);
            match value {
                Expression::Data => known.remove(variable),
                _ => known.insert(*variable),
            };
            Node::Assign {
                variable: *variable,
                value,
            }
        }
        Node::Branch {
            condition,
            then,
            otherwise,
        } => {
            let condition = value(condition, known);
            let [mut after_then, mut after_otherwise] = [known.clone(), known.clone()];
            let then = with_data(then, &mut after_then);
            let otherwise = with_data(otherwise, &mut after_otherwise);
            *known = &after_then & &after_otherwise;
            if condition == Expression::Data {
                forget(&then, known);
                forget(&otherwise, known);
            }
            Node::Branch {
                condition,
                then,
                otherwise,
            }
        }
        Node::Loop(inner) => {
            let header = [&inner.first, &inner.bound, &inner.step];
            let is_counted = header.iter().all(|x| is_known(x, known));
            let [first, bound, step] = header.map(|x| value(x, known));
            let mut head = known_inside(inner, known);
            let after = head.clone();
            let body = with_data(&inner.body, &mut head);
            *known = after;
            if !is_counted {
                forget(std::slice::from_ref(node), known);
            }
            Node::Loop(premiss_tree::Loop {
                first,
                bound,
                step,
                ..inner.with_body(body)
            })
        }
        Node::Access(_) | Node::Operations(_) | Node::Opaque(_) => node.clone(),
    }
}

/// Removes the variables that nodes assign from the known ones.
pub(super) fn forget(nodes: &[Node], known: &mut Variables) {
    let mut changed = Variables::new();
    Node::assigned(nodes, &mut changed);
    known.retain(|id| !changed.contains(id));
}

/// The variables that are never negative if no size is.
pub(super) fn never_negative(tree: &NestTree, nodes: &[Node]) -> Variables {
    let mut found: Variables = tree.work.variables.keys().collect();
    loop {
        let mut next = found.clone();
        let mut check = |node: &Node| match node {
            Node::Assign { variable, value } if !is_natural(value, tree, &found) => {
                next.remove(variable);
            }
            Node::Loop(inner) => {
                let rises = inner.step.as_integer().is_some_and(|step| 0 < step);
                if !rises || !is_natural(&inner.first, tree, &found) {
                    next.remove(&inner.variable);
                }
            }
            _ => {}
        };
        nodes.iter().for_each(|node| node.walk(&mut check));
        if next == found {
            return found;
        }
        found = next;
    }
}

/// Whether an expression is provably not negative.
fn is_natural(expression: &Expression, tree: &NestTree, natural: &Variables) -> bool {
    use BinaryOperator as Op;
    let is = |x: &Expression| is_natural(x, tree, natural);
    match expression {
        Expression::Integer(value) => 0 <= *value,
        Expression::Parameter(id) => tree.work.parameters[*id].value.is_none_or(|x| 0 <= x),
        Expression::Variable(id) => natural.contains(id),
        Expression::Data => true,
        Expression::Unary(operator, _) => {
            matches!(operator, UnaryOperator::Not | UnaryOperator::Unsigned)
        }
        Expression::Binary(operator, a, b) => match operator {
            Op::Add | Op::Multiply | Op::Quotient | Op::Minimum | Op::BitOr | Op::BitXor => {
                is(a) && is(b)
            }
            Op::Maximum | Op::BitAnd => is(a) || is(b),
            Op::Remainder | Op::ShiftLeft | Op::ShiftRight => is(a),
            Op::Subtract => false,
            Op::Less | Op::LessEqual | Op::LessUnsigned | Op::LessEqualUnsigned => true,
            Op::Equal | Op::NotEqual | Op::And | Op::Or => true,
        },
        Expression::Select(operands) => is(&operands[1]) && is(&operands[2]),
        Expression::Wrap(IntegerType { bits, signed }, _) => !signed && *bits < 64,
        Expression::Entry(table, _) => tree.work.tables[*table].entries.iter().all(|x| 0 <= *x),
    }
}
