//! Conditions and branches.

use super::value::{Knowledge, Value};
use super::{Lowered, Lowering};
use crate::syntax::{Expression as Syntax, ExpressionKind};
use premiss_tree::{BinaryOperator as Op, Expression, Node, VariableId};

/// How many terms the sides of an equation may have to be compared.
const MAX_TERMS: usize = 16;

impl Lowering<'_> {
    /// Evaluates a condition to a truth value: zero is false.
    pub(super) fn condition(&mut self, syntax: &Syntax) -> Lowered<Expression> {
        self.with_extremes(false, |l| l.condition_here(syntax))
    }

    fn condition_here(&mut self, syntax: &Syntax) -> Lowered<Expression> {
        self.deeper(syntax.at, |l| match &syntax.kind {
            ExpressionKind::And(left, right) => {
                let left = l.condition(left)?;
                if left == Expression::Integer(0) {
                    return Ok(left);
                }
                let right = l.guarded(left.clone(), right, true)?;
                Ok(logical(Op::And, left, right))
            }
            ExpressionKind::Or(left, right) => {
                let left = l.condition(left)?;
                if left.as_integer().is_some_and(|value| value != 0) {
                    return Ok(1.into());
                }
                let right = l.guarded(left.clone(), right, false)?;
                Ok(logical(Op::Or, left, right))
            }
            _ => {
                let value = l.value(syntax)?;
                match &value {
                    Value::Pointer(pointer) => Ok(l.is_set(pointer)),
                    _ => Ok(decided(l.truth_of_value(value))),
                }
            }
        })
    }

    /// Evaluates the right operand of `&&` or `||`, which runs only where the left one is `runs_on`.
    fn guarded(&mut self, left: Expression, right: &Syntax, runs_on: bool) -> Lowered<Expression> {
        if left.as_integer().is_some() {
            return self.condition(right);
        }
        let nothing = |_: &mut Self| Ok(Expression::Integer(0));
        let mut values = if runs_on {
            self.branch_values(left, |l| l.condition(right), nothing)?
        } else {
            self.branch_values(left, nothing, |l| l.condition(right))?
        };
        let idx = usize::from(!runs_on);
        Ok(values.swap_remove(idx))
    }

    /// Lowers two arms, of which one runs; yields both their values.
    pub(super) fn branch_values<T>(
        &mut self,
        condition: Expression,
        then: impl FnOnce(&mut Self) -> Lowered<T>,
        otherwise: impl FnOnce(&mut Self) -> Lowered<T>,
    ) -> Lowered<Vec<T>> {
        let before = self.state.clone();
        self.frame().course.n_branches += 1;
        let (mut then_nodes, a) = self.in_block(then)?;
        let mut after_then = std::mem::replace(&mut self.state, before);
        let (mut otherwise_nodes, b) = self.in_block(otherwise)?;
        self.frame().course.n_branches -= 1;
        let is_data = condition.any(|part| *part == Expression::Data);
        self.recognize(&mut after_then);
        self.go_on_in_one(&mut after_then, &mut then_nodes, &mut otherwise_nodes);
        if !is_data {
            self.reconcile(&mut after_then, &mut then_nodes, &mut otherwise_nodes);
        }
        let mut joined = after_then.join(&self.state);
        if is_data {
            joined.differ(&after_then, &self.state);
            let mut lose = |id: VariableId| {
                // Two arms that leave a variable with one value leave it known; else they leave it unknown.
                if joined.integers.get(&id) == Some(&Knowledge::Exact) {
                    joined.integers.insert(id, Knowledge::Unknown);
                }
            };
            Node::each_assigned(&then_nodes, &mut lose);
            Node::each_assigned(&otherwise_nodes, &mut lose);
        }
        self.state = joined;
        let is_idle = is_idle(&then_nodes) && is_idle(&otherwise_nodes);
        let is_empty = then_nodes.is_empty() && otherwise_nodes.is_empty();
        let branch = Node::Branch {
            condition,
            then: then_nodes,
            otherwise: otherwise_nodes,
        };
        match (is_empty, is_idle) {
            (true, _) => {}
            // It is in no tree that engines see: the budget is theirs.
            (false, true) => self.block.push(branch),
            (false, false) => self.emit(branch),
        }
        Ok(vec![a, b])
    }
}

/// Whether nodes do nothing but compute.
pub(super) fn is_idle(nodes: &[Node]) -> bool {
    nodes.iter().all(|node| match node {
        Node::Operations(_) => true,
        Node::Branch {
            then, otherwise, ..
        } => is_idle(then) && is_idle(otherwise),
        Node::Loop(_) | Node::Access(_) | Node::Assign { .. } | Node::Opaque(_) => false,
    })
}

/// `&&` or `||` of two truth values.
pub(super) fn logical(operator: Op, left: Expression, right: Expression) -> Expression {
    match (operator, left.as_integer()) {
        (Op::And, Some(0)) => 0.into(),
        (Op::Or, Some(value)) if value != 0 => 1.into(),
        (_, Some(_)) => right,
        _ if left == right => left,
        _ => Expression::binary(operator, left, right),
    }
}

/// An equation of which both sides differ by a constant, as in `n == n + 1`, is decided.
fn decided(condition: Expression) -> Expression {
    let Expression::Binary(operator @ (Op::Equal | Op::NotEqual), left, right) = &condition else {
        return condition;
    };
    let mut terms = Vec::new();
    let sum = add_terms(left, 1, &mut terms).zip(add_terms(right, -1, &mut terms));
    let distance = sum.and_then(|(a, b)| a.checked_add(b));
    let is_constant = terms.iter().all(|(_, factor)| *factor == 0);
    match distance.filter(|_| is_constant) {
        Some(distance) => i64::from((distance == 0) == (*operator == Op::Equal)).into(),
        None => condition,
    }
}

/// Adds the terms of a sum, so many times, to others; yields what is constant in it. `None` where it has too
/// many of them, or cannot be computed.
fn add_terms<'e>(
    sum: &'e Expression,
    factor: i64,
    terms: &mut Vec<(&'e Expression, i64)>,
) -> Option<i64> {
    match sum {
        Expression::Integer(value) => value.checked_mul(factor),
        _ if sum.any(|part| *part == Expression::Data) => None,
        Expression::Binary(Op::Add, a, b) => {
            add_terms(a, factor, terms)?.checked_add(add_terms(b, factor, terms)?)
        }
        Expression::Binary(Op::Subtract, a, b) => {
            let less = factor.checked_neg()?;
            add_terms(a, factor, terms)?.checked_add(add_terms(b, less, terms)?)
        }
        other => {
            match terms.iter().position(|(term, _)| *term == other) {
                Some(idx) => terms[idx].1 = terms[idx].1.checked_add(factor)?,
                None if terms.len() < MAX_TERMS => terms.push((other, factor)),
                None => return None,
            }
            Some(0)
        }
    }
}

/// Whether a value is not zero.
pub(super) fn truth(value: Value) -> Expression {
    match value {
        Value::Integer(expression, _) => expression,
        Value::Floating(Some(x), _) => i64::from(x != 0.0).into(),
        Value::Function(_) => 1.into(),
        _ => Expression::Data,
    }
}
