//! Classifies how an assignment combines a scalar's old value with others: sums, products, minima and maxima.

use crate::syntax::{Binary, Expression as Syntax, ExpressionKind};
use premiss_tree::{Combination, Operand};

/// The update of a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ScalarUpdate {
    /// The operation that combines the old value with other values.
    pub(crate) combines: Option<Combination>,
    /// The kind of these values.
    pub(crate) with: Operand,
}

impl ScalarUpdate {
    /// A value that is independent of the old one, or unknown.
    pub(crate) const ANEW: Self = Self {
        combines: None,
        with: Operand::Anything,
    };
}

/// How an assignment combines the old value of its left side with other values, as `s = s + a * b` does.
pub(crate) fn update_of_assignment(left: &Syntax, right: &Syntax) -> ScalarUpdate {
    let combines = combination(left, right);
    ScalarUpdate {
        combines,
        with: operand_class(right),
    }
}

/// The update by `left op= right`.
pub(crate) fn update_of_compound(operator: Binary, right: &Syntax) -> ScalarUpdate {
    let combines = combination_of_operator(operator);
    ScalarUpdate {
        combines,
        with: operand_class(right),
    }
}

fn combination_of_operator(operator: Binary) -> Option<Combination> {
    match operator {
        Binary::Add | Binary::Subtract => Some(Combination::Sum),
        Binary::Multiply => Some(Combination::Product),
        Binary::Minimum => Some(Combination::Least),
        Binary::Maximum => Some(Combination::Greatest),
        _ => None,
    }
}

fn combination(left: &Syntax, right: &Syntax) -> Option<Combination> {
    let is_it = |with: Combination, part: &Syntax| {
        is_same_expression(left, part) || combination(left, part) == Some(with)
    };
    match &right.kind {
        ExpressionKind::Cast(_, inner) => combination(left, inner),
        ExpressionKind::Binary(operator, a, b) => {
            let with = combination_of_operator(*operator)?;
            let is_second = *operator != Binary::Subtract && is_it(with, b);
            (is_it(with, a) || is_second).then_some(with)
        }
        ExpressionKind::Computed(_, Some(function), operands) => {
            let with = combination_of_function(function)?;
            operands.iter().any(|x| is_it(with, x)).then_some(with)
        }
        ExpressionKind::Call(callee, operands) => {
            let ExpressionKind::Name(function) = &callee.kind else {
                return None;
            };
            let with = combination_of_function(function)?;
            operands.iter().any(|x| is_it(with, x)).then_some(with)
        }
        _ => None,
    }
}

fn combination_of_function(name: &str) -> Option<Combination> {
    match name.trim_start_matches("__builtin_") {
        "fmin" | "fminf" | "fminl" => Some(Combination::Least),
        "fmax" | "fmaxf" | "fmaxl" => Some(Combination::Greatest),
        _ => None,
    }
}

/// Whether two expressions have the same syntax and no side effects.
fn is_same_expression(a: &Syntax, b: &Syntax) -> bool {
    use ExpressionKind as Kind;
    match (&a.kind, &b.kind) {
        (Kind::Name(a), Kind::Name(b)) => a == b,
        (Kind::Integer(a, _), Kind::Integer(b, _)) => a == b,
        (Kind::Index(a, i), Kind::Index(b, j)) => {
            is_same_expression(a, b) && is_same_expression(i, j)
        }
        (Kind::Dereference(a), Kind::Dereference(b)) => is_same_expression(a, b),
        (Kind::Cast(_, a), _) => is_same_expression(a, b),
        (_, Kind::Cast(_, b)) => is_same_expression(a, b),
        (Kind::Unary(one, a), Kind::Unary(other, b)) => one == other && is_same_expression(a, b),
        (Kind::Binary(one, a, c), Kind::Binary(other, b, d)) => {
            one == other && is_same_expression(a, b) && is_same_expression(c, d)
        }
        (
            Kind::Member {
                base: a,
                name: one,
                through_pointer: through,
            },
            Kind::Member {
                base: b,
                name: other,
                through_pointer,
            },
        ) => one == other && through == through_pointer && is_same_expression(a, b),
        _ => false,
    }
}

/// The kind of the operands of an expression.
fn operand_class(syntax: &Syntax) -> Operand {
    match &syntax.kind {
        ExpressionKind::Integer(..) | ExpressionKind::Floating(..) => Operand::Literals,
        ExpressionKind::Name(_) | ExpressionKind::Stepped(..) => Operand::Variables,
        ExpressionKind::Cast(_, x) | ExpressionKind::Unary(_, x) => operand_class(x),
        ExpressionKind::Binary(_, a, b) => operand_class(a).max(operand_class(b)),
        _ => Operand::Anything,
    }
}
