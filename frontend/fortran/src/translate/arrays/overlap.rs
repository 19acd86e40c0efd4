//! Whether an array assignment may read elements that it has stored to: a dependence test on the syntax of both sides.

use crate::syntax::visit::walk;
use crate::syntax::{
    ActualArgument, ArgumentValue, BinaryOperator as Op, Expr, ExprKind, NameKey, SubscriptTriplet,
};
use std::cmp::Ordering;

/// Whether a loop that stores to the left side in array element order may store to an element before it is read.
pub(crate) fn needs_temporary(left: &Expr, right: &Expr) -> bool {
    let Some(root) = left.root() else { return true };
    let mut found = false;
    walk_references(right, root, &mut |reference| {
        found |= !is_read_first(left, reference);
    });
    found
}

/// Calls `visit` on the outermost references to an object.
fn walk_references<'e>(expr: &'e Expr, root: &NameKey, visit: &mut dyn FnMut(&'e Expr)) {
    let mut inside: Vec<*const Expr> = Vec::new();
    walk(expr, &mut |part| {
        let is_part = inside.iter().any(|known| std::ptr::eq(*known, part));
        let names_it = matches!(
            part.kind,
            ExprKind::Name(_) | ExprKind::Apply(..) | ExprKind::Member(..)
        ) && part.root() == Some(root);
        if let ExprKind::Apply(base, _) | ExprKind::Member(base, _) = &part.kind
            && (names_it || is_part)
        {
            inside.push(&**base);
        }
        if names_it && !is_part {
            visit(part);
        }
    });
}

/// Whether each element of a reference is read before the loop stores to it, or is never stored to.
fn is_read_first(left: &Expr, reference: &Expr) -> bool {
    if are_equal(left, reference) {
        return true;
    }
    let (ExprKind::Apply(a, stored), ExprKind::Apply(b, read)) = (&left.kind, &reference.kind)
    else {
        return false;
    };
    if !are_equal(a, b) || stored.len() != read.len() {
        return false;
    }
    // The last dimension is the outermost loop: the first dimension in which the sides differ decides.
    for (stored, read) in stored.iter().zip(read).rev() {
        match reading_order(stored, read) {
            Some(Ordering::Equal) => {}
            Some(Ordering::Greater) => return true,
            Some(Ordering::Less) | None => return false,
        }
    }
    true
}

/// Whether the element that is read is after (greater) the stored one in a dimension; elements in other rows or planes
/// count as after. `None` if it is unknown.
fn reading_order(stored: &ActualArgument, read: &ActualArgument) -> Option<Ordering> {
    match (&stored.value, &read.value) {
        (ArgumentValue::Expr(x), ArgumentValue::Expr(y)) => Some(match difference(y, x)? {
            0 => Ordering::Equal,
            _ => Ordering::Greater,
        }),
        (ArgumentValue::Section(x), ArgumentValue::Section(y)) => Some(shift(x, y)?.cmp(&0)),
        _ => None,
    }
}

/// How far a section is ahead of another one with the same stride.
fn shift(stored: &SubscriptTriplet, read: &SubscriptTriplet) -> Option<i64> {
    let is_plain = stored.step.is_none() && read.step.is_none();
    if are_equal_sections(stored, read) {
        return Some(0);
    }
    if !is_plain {
        return None;
    }
    let one = |section: &SubscriptTriplet| section.first.clone();
    match (one(stored), one(read)) {
        (None, None) => Some(0),
        (Some(a), Some(b)) => difference(&b, &a),
        // `a(2:)` is ahead of `a(:n-1)`, if that starts at 1.
        (None, Some(b)) => match b.kind {
            ExprKind::Integer(value, _) if 1 <= value => Some(value - 1),
            _ => None,
        },
        (Some(_), None) => None,
    }
}

/// `a - b` if both differ by a constant.
fn difference(a: &Expr, b: &Expr) -> Option<i64> {
    let ((a, plus_a), (b, plus_b)) = (split(a), split(b));
    let are_same = match (a, b) {
        (None, None) => true,
        (Some(a), Some(b)) => are_equal(a, b),
        _ => false,
    };
    are_same.then(|| plus_a.checked_sub(plus_b))?
}

/// An expression as a term that is not constant plus a constant.
fn split(expr: &Expr) -> (Option<&Expr>, i64) {
    let expr = expr.without_parentheses();
    match &expr.kind {
        ExprKind::Integer(value, _) => (None, *value),
        ExprKind::Binary(op @ (Op::Add | Op::Subtract), a, b) => match (&a.kind, &b.kind, op) {
            (_, ExprKind::Integer(value, _), Op::Add) => {
                let (rest, plus) = split(a);
                (rest, plus.wrapping_add(*value))
            }
            (_, ExprKind::Integer(value, _), _) => {
                let (rest, plus) = split(a);
                (rest, plus.wrapping_sub(*value))
            }
            (ExprKind::Integer(value, _), _, Op::Add) => {
                let (rest, plus) = split(b);
                (rest, plus.wrapping_add(*value))
            }
            _ => (Some(expr), 0),
        },
        _ => (Some(expr), 0),
    }
}

/// Whether two expressions have the same syntax.
pub(crate) fn are_equal(a: &Expr, b: &Expr) -> bool {
    let (a, b) = (a.without_parentheses(), b.without_parentheses());
    match (&a.kind, &b.kind) {
        (ExprKind::Integer(a, _), ExprKind::Integer(b, _)) => a == b,
        (ExprKind::Name(a), ExprKind::Name(b)) => a == b,
        (ExprKind::Apply(a, x), ExprKind::Apply(b, y)) => {
            are_equal(a, b)
                && x.len() == y.len()
                && x.iter().zip(y).all(|(x, y)| are_equal_arguments(x, y))
        }
        (ExprKind::Member(a, x), ExprKind::Member(b, y)) => x == y && are_equal(a, b),
        (ExprKind::Unary(p, a), ExprKind::Unary(q, b)) => p == q && are_equal(a, b),
        (ExprKind::Binary(p, a, b), ExprKind::Binary(q, c, d)) => {
            p == q && are_equal(a, c) && are_equal(b, d)
        }
        _ => false,
    }
}

fn are_equal_arguments(a: &ActualArgument, b: &ActualArgument) -> bool {
    match (&a.value, &b.value) {
        (ArgumentValue::Expr(a), ArgumentValue::Expr(b)) => are_equal(a, b),
        (ArgumentValue::Section(a), ArgumentValue::Section(b)) => are_equal_sections(a, b),
        _ => false,
    }
}

fn are_equal_sections(a: &SubscriptTriplet, b: &SubscriptTriplet) -> bool {
    let alike = |a: &Option<Expr>, b: &Option<Expr>| match (a, b) {
        (None, None) => true,
        (Some(a), Some(b)) => are_equal(a, b),
        _ => false,
    };
    alike(&a.first, &b.first) && alike(&a.last, &b.last) && alike(&a.step, &b.step)
}

#[cfg(test)]
mod tests {
    use super::needs_temporary;
    use crate::parser::parse;
    use crate::syntax::StatementKind;
    use crate::text::SourceForm;
    use premiss_ast::syntax::UnitId;

    #[test]
    fn elements_that_are_stored_before_they_are_read_need_a_temporary() {
        for (text, expected) in [
            ("a(:) = a(:) + b(:)", false),
            ("a(1:n-1) = a(2:n)", false),
            ("a(2:n) = a(1:n-1)", true),
            ("a(:, 1) = a(:, 2)", false),
            ("a(:, i) = a(:, j)", true),
            ("a = b(:) * c(1)", false),
            ("a(:) = a(n:1:-1)", true),
        ] {
            let file = parse(UnitId(0), &format!("{text}\nend\n"), SourceForm::Free);
            match &file.units[0].body[0].kind {
                StatementKind::Assign(left, right) => {
                    assert_eq!(needs_temporary(left, right), expected, "{text}");
                }
                other => panic!("{other:?}"),
            }
        }
    }
}
