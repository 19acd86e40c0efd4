//! Exits in the body of a loop that compare its iterator: sizes decide where the loop ends.
//!
//! ```text
//! for (i = 0; i < n; i++) {                for (i = 0; i < n && !(i == m); i++)
//!     if (i == m) break;                       a[i] = 1;
//!     a[i] = 1;
//! }
//! for (i = 0; i < n; i++) {                for (i = 0; i < n && i < max(m + 1, 1); i++) {
//!     a[i] = 1;                                a[i] = 1;
//!     if (m <= i) break;                       if (m <= i) continue;
//!     b[i] = 1;                                b[i] = 1;
//! }                                        }
//! ```
//!
//! An exit that nothing precedes is a part of the condition. Behind one that something precedes, the loop ends with the
//! iteration in which it is met: the exit is a test of the iterator's value before its last step.

use crate::bailout::{Lowered, uncounted};
use crate::context::Lowering;
use crate::domain::integers::{minus, plus};
use crate::loops::exit_conditions::makes_no_access;
use crate::loops::iterator_limits::{IteratorLimit, at_least_once};
use crate::loops::loop_shape::{
    ExitTest, LoopParts, TestPosition, endless_shape, loop_parts, loop_shape, staying_test,
};
use crate::syntax::{
    Binary, Expression as Syntax, ExpressionKind as Kind, For, Name, Statement, StatementKind,
    TextRange,
};
use premiss_ast::visit::{contains, continues};
use premiss_ast::{SyntaxFacts, leaving_condition};
use premiss_link::Rewriting;
use premiss_tree::{BinaryOperator as Op, Comparison, Expression, UnaryOperator};
use std::collections::BTreeSet;
use std::sync::Arc;

/// A loop whose exits are tests of its iterator.
pub(crate) struct LoopWithExits {
    /// The loop: the exits that nothing precedes are in its condition, others are a `continue`.
    pub(crate) statement: Arc<Statement>,
    /// The conditions of the others, in order.
    pub(crate) leaving: Vec<Syntax>,
}

/// An exit by its place among the statements of the body.
struct InnerExit<'s> {
    idx: usize,
    condition: &'s Syntax,
    is_first: bool,
}

/// The loop with its exits as tests; `None` if it has none that compare its iterator with a size.
pub(crate) fn with_inner_exits(ctx: &mut Lowering, statement: &Statement) -> Option<LoopWithExits> {
    let parts = loop_parts(statement)?;
    if parts.tested == TestPosition::After || !parts.body.iter().any(premiss_ast::visit::breaks) {
        return None;
    }
    let exits = inner_exits(ctx, statement, &parts);
    if exits.is_empty() {
        return None;
    }
    let mut rewrite = || rewrite(statement, &parts, &exits);
    let rewritten = ctx
        .program
        .rewrite_once(statement, Rewriting::ExitsInCondition, &mut rewrite);
    let inner = exits.iter().filter(|exit| !exit.is_first);
    Some(LoopWithExits {
        statement: rewritten,
        leaving: inner.map(|exit| exit.condition.clone()).collect(),
    })
}

fn inner_exits<'s>(
    ctx: &mut Lowering,
    statement: &Statement,
    parts: &LoopParts<'s>,
) -> Vec<InnerExit<'s>> {
    let list = statements(parts.body);
    let conditions: Vec<(usize, &Syntax)> = list
        .iter()
        .enumerate()
        .take_while(|(_, statement)| !continues(statement) && !contains(statement, &is_jump))
        .filter_map(|(idx, statement)| Some((idx, leaving_condition(statement)?)))
        .collect();
    let first = conditions.first();
    let Some((iterator, has_test)) = first.and_then(|first| iterator_of(parts, first.1)) else {
        return Vec::new();
    };
    let changed = ctx.program.name_uses(statement);
    let mut exits = Vec::new();
    for (idx, condition) in conditions {
        if is_test(ctx, condition, &iterator, &changed.changed) {
            let is_first = has_test && idx == exits.len();
            exits.push(InnerExit {
                idx,
                condition,
                is_first,
            });
        }
    }
    exits
}

fn is_jump(kind: &StatementKind) -> bool {
    matches!(kind, StatementKind::Goto(_) | StatementKind::Label(..))
}

/// The iterator of a loop with an exit under this condition, and whether the loop has a condition of its own.
fn iterator_of(parts: &LoopParts<'_>, leaving: &Syntax) -> Option<(Name, bool)> {
    let tested = loop_shape(parts, |_| String::new()).ok();
    let has_test = tested.is_some();
    let shape = tested.or_else(|| endless_shape(parts, std::slice::from_ref(leaving)))?;
    shape.step_idx.map(|_| (shape.iterator, has_test))
}

/// Whether a condition compares the iterator with what no iteration changes, without an access.
fn is_test(
    ctx: &mut Lowering,
    condition: &Syntax,
    iterator: &Name,
    changed: &BTreeSet<Name>,
) -> bool {
    let Some(test) = staying_test(condition, iterator) else {
        return false;
    };
    let terms = test.plus.iter().map(|(term, _)| *term);
    let mut compared = terms.chain(test.bound);
    compared.all(|syntax| {
        let facts = SyntaxFacts::of_expression(syntax);
        facts.mentioned.intersection(changed).next().is_none() && makes_no_access(ctx, syntax)
    })
}

/// The statements of a body.
fn statements(body: &[Statement]) -> &[Statement] {
    match body {
        [
            Statement {
                kind: StatementKind::Block(list),
                ..
            },
        ] => list,
        list => list,
    }
}

fn rewrite(statement: &Statement, parts: &LoopParts<'_>, exits: &[InnerExit<'_>]) -> Statement {
    let mut list = statements(parts.body).to_vec();
    let mut condition = parts.condition.cloned();
    for exit in exits {
        match (&mut list[exit.idx].kind, &mut condition) {
            (_, Some(condition)) if exit.is_first => {
                let stays = Box::new(exit.condition.negated());
                let both = Kind::And(Box::new(condition.clone()), stays);
                *condition = Syntax::new(condition.at, both);
            }
            (StatementKind::If { then, .. }, _) => then.kind = StatementKind::Continue,
            _ => {}
        }
    }
    let n_first = exits.iter().filter(|exit| exit.is_first).count();
    list.drain(..n_first);
    let nothing = Statement {
        at: parts.header,
        kind: StatementKind::Empty,
    };
    let steps = parts.steps.iter().map(|step| (*step).clone());
    let together = |a: Syntax, b: Syntax| {
        let at = a.at.to(b.at);
        Syntax::new(at, Kind::Comma(Box::new(a), Box::new(b)))
    };
    let head = For {
        header: parts.header,
        initial: parts.initial.cloned().unwrap_or(nothing),
        condition,
        step: steps.reduce(together),
        body: Statement {
            at: parts.body.first().map_or(statement.at, |first| first.at),
            kind: StatementKind::Block(list),
        },
    };
    Statement {
        at: statement.at,
        kind: StatementKind::For(Box::new(head)),
    }
}

/// A test in the body as a test of the iterator after its step, for a loop that tests before each iteration; `limit` is
/// that of the iterator before its step.
pub(crate) fn limit_after_step(
    limit: IteratorLimit,
    first: &Expression,
    step: &Expression,
    at: TextRange,
) -> Lowered<IteratorLimit> {
    let one = Expression::Integer(1);
    let refuse = || {
        let why = "an exit in its body compares in another way than the iterator goes";
        uncounted(why.to_owned(), at)
    };
    if limit.guard != one || limit.applies != one {
        return Err(refuse());
    }
    if limit.operator == Binary::NotEqual {
        let stepped = IteratorLimit {
            bound: plus(limit.bound.clone(), step.clone()),
            ..limit.clone()
        };
        return match as_ordered(limit, first, step) {
            Some(ordered) => Ok(IteratorLimit {
                bound: stepped.bound,
                ..ordered
            }),
            None => Err(refuse()),
        };
    }
    let comparison = match limit.operator {
        Binary::Less => Comparison::Less,
        Binary::LessEqual => Comparison::LessEqual,
        Binary::Greater => Comparison::Greater,
        Binary::GreaterEqual => Comparison::GreaterEqual,
        _ => return Err(refuse()),
    };
    let bound = plus(limit.bound.clone(), step.clone());
    let bound = at_least_once(comparison, bound, first, step).ok_or_else(refuse)?;
    Ok(IteratorLimit { bound, ..limit })
}

/// `v != b` with a step of 1 or -1 as `v < b` or `v > b`, which ends the loop only where `b` is not behind the first
/// value.
pub(crate) fn as_ordered(
    limit: IteratorLimit,
    first: &Expression,
    step: &Expression,
) -> Option<IteratorLimit> {
    let one = Expression::Integer(1);
    if limit.operator != Binary::NotEqual || limit.applies != one {
        return None;
    }
    let (operator, low, high) = match step.as_integer()? {
        1 => (Binary::Less, first, &limit.bound),
        -1 => (Binary::Greater, &limit.bound, first),
        _ => return None,
    };
    let applies = Expression::binary(Op::LessEqual, low.clone(), high.clone());
    Some(IteratorLimit {
        operator,
        applies,
        ..limit
    })
}

/// The value of the iterator after a loop with tests in its body, `stayed` before the step: where one of them failed, the
/// iterator has not stepped.
pub(crate) fn value_after_exits(
    iterator: &Expression,
    first: &Expression,
    step: &Expression,
    stayed: &[(Binary, Expression)],
) -> Option<Expression> {
    let last = minus(iterator.clone(), step.clone());
    let mut left = Expression::Integer(0);
    for (operator, bound) in stayed {
        let (operator, a, b) = match operator {
            Binary::Less => (Op::Less, &last, bound),
            Binary::LessEqual => (Op::LessEqual, &last, bound),
            Binary::Greater => (Op::Less, bound, &last),
            Binary::GreaterEqual => (Op::LessEqual, bound, &last),
            Binary::NotEqual => (Op::NotEqual, &last, bound),
            _ => return None,
        };
        let stays = Expression::binary(operator, a.clone(), b.clone());
        left = either(left, Expression::unary(UnaryOperator::Not, stays));
    }
    let ran = Expression::binary(Op::NotEqual, iterator.clone(), first.clone());
    let left = Expression::binary(Op::And, ran, left);
    Some(Expression::select(left, last, iterator.clone()))
}

fn either(a: Expression, b: Expression) -> Expression {
    match a {
        Expression::Integer(0) => b,
        a => Expression::binary(Op::Or, a, b),
    }
}

/// The tests of these conditions, if all of them compare the iterator.
pub(crate) fn tests_of<'s>(leaving: &'s [Syntax], iterator: &Name) -> Option<Vec<ExitTest<'s>>> {
    let tests = leaving
        .iter()
        .map(|condition| staying_test(condition, iterator));
    tests.collect()
}
