//! Traversals of statements and expressions, in the order of the text.

use super::expression::{ActualArgument, ArgumentValue, Expr, ExprKind};
use super::names::NameKey;
use super::statement::{CaseRange, LoopControl, LoopCounter, Statement, StatementKind as Kind};
use std::collections::BTreeSet;

/// Calls `visit` on every statement, in pre-order.
pub(crate) fn statements<'s>(list: &'s [Statement], visit: &mut dyn FnMut(&'s Statement)) {
    for statement in list {
        visit(statement);
        for inner in blocks(&statement.kind) {
            statements(inner, visit);
        }
    }
}

/// The blocks of a statement.
pub(crate) fn blocks(kind: &Kind) -> Vec<&[Statement]> {
    match kind {
        Kind::If(arms) | Kind::Where(arms) => arms.iter().map(|(_, body)| &body[..]).collect(),
        Kind::Do(inner) => vec![&inner.body],
        Kind::Forall(inner) => vec![&inner.body],
        Kind::Select(_, cases) => cases.iter().map(|case| &case.body[..]).collect(),
        Kind::SelectType(arms) => arms.iter().map(|body| &body[..]).collect(),
        Kind::Block(block) => vec![&block.body],
        Kind::Associate(_, _, body) => vec![body],
        Kind::Error(unparsed) => vec![&unparsed.body],
        _ => Vec::new(),
    }
}

/// The expressions of a statement itself, without those of its blocks.
pub(crate) fn expressions(statement: &Statement) -> Vec<&Expr> {
    let mut list = Vec::new();
    match &statement.kind {
        Kind::Assign(a, b) | Kind::PointTo(a, b) => list.extend([a, b]),
        Kind::Call(callee, arguments) => {
            list.push(callee);
            of_arguments(arguments, &mut |argument| list.push(argument));
        }
        Kind::If(arms) | Kind::Where(arms) => {
            list.extend(arms.iter().filter_map(|(condition, _)| condition.as_ref()));
        }
        Kind::Do(inner) => match &inner.control {
            LoopControl::Counted(counter) => of_counter(counter, &mut list),
            LoopControl::While(condition) => list.push(condition),
            LoopControl::Forever => {}
            LoopControl::Concurrent(counters, mask) => {
                counters.iter().for_each(|one| of_counter(one, &mut list));
                list.extend(mask);
            }
        },
        Kind::Forall(inner) => {
            inner
                .counters
                .iter()
                .for_each(|one| of_counter(one, &mut list));
            list.extend(&inner.mask);
        }
        Kind::Select(value, cases) => {
            list.push(value);
            for range in cases.iter().flat_map(|case| &case.ranges) {
                match range {
                    CaseRange::Value(value) => list.push(value),
                    CaseRange::Range(first, last) => list.extend(first.iter().chain(last)),
                    CaseRange::Unparsed(value) => list.push(value),
                }
            }
        }
        Kind::ComputedGoto(_, value) | Kind::ArithmeticIf(value, _) => list.push(value),
        Kind::Allocate(objects, options) | Kind::Deallocate(objects, options) => {
            list.extend(objects.iter().chain(&options.reports));
            list.extend(options.source.iter().map(|(_, expr)| expr));
        }
        Kind::Transfer(items) => list.extend(items.iter().map(|(_, item)| item)),
        Kind::Associate(_, names, _) => list.extend(names.iter().map(|(_, value)| value)),
        _ => {}
    }
    list
}

fn of_counter<'e>(counter: &'e LoopCounter, list: &mut Vec<&'e Expr>) {
    list.extend([&counter.variable, &counter.first, &counter.last]);
    list.extend(&counter.step);
}

fn of_arguments<'e>(arguments: &'e [ActualArgument], visit: &mut dyn FnMut(&'e Expr)) {
    for argument in arguments {
        match &argument.value {
            ArgumentValue::Expr(expr) => visit(expr),
            ArgumentValue::Section(section) => {
                let parts = [&section.first, &section.last, &section.step];
                parts.into_iter().flatten().for_each(&mut *visit);
            }
            ArgumentValue::Label | ArgumentValue::Star => {}
        }
    }
}

/// Calls `visit` on the operands of an expression.
fn operands<'e>(expr: &'e Expr, visit: &mut dyn FnMut(&'e Expr)) {
    match &expr.kind {
        ExprKind::Apply(base, arguments) => {
            visit(base);
            of_arguments(arguments, visit);
        }
        ExprKind::Member(base, _) | ExprKind::Unary(_, base) | ExprKind::Parentheses(base) => {
            visit(base);
        }
        ExprKind::Binary(_, a, b) | ExprKind::Complex(a, b) => {
            visit(a);
            visit(b);
        }
        ExprKind::Constructor(items) | ExprKind::Defined(_, items) => items.iter().for_each(visit),
        ExprKind::ImpliedDo(inner) => {
            inner.items.iter().for_each(&mut *visit);
            visit(&inner.first);
            visit(&inner.last);
            inner.step.iter().for_each(visit);
        }
        _ => {}
    }
}

/// Calls `visit` on an expression and all its subexpressions.
pub(crate) fn walk<'e>(expr: &'e Expr, visit: &mut dyn FnMut(&'e Expr)) {
    visit(expr);
    operands(expr, &mut |operand| walk(operand, visit));
}

/// The names in an expression, in the order of the text.
pub(crate) fn names(expr: &Expr) -> Vec<&NameKey> {
    let mut names = Vec::new();
    walk(expr, &mut |part| {
        if let ExprKind::Name(key) = &part.kind {
            names.push(key);
        }
    });
    names
}

/// The labels that are targets of jumps.
pub(crate) fn branch_targets(body: &[Statement]) -> BTreeSet<u32> {
    let mut labels = BTreeSet::new();
    statements(body, &mut |statement| match &statement.kind {
        Kind::Goto(label) => {
            labels.insert(*label);
        }
        Kind::ComputedGoto(targets, _) => labels.extend(targets),
        Kind::ArithmeticIf(_, targets) => labels.extend(targets),
        _ => {}
    });
    labels
}
