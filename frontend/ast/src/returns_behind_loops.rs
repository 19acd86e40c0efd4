//! A `return` in a loop under a condition on the iterator becomes a `break`, and a `return` behind the loop; so do
//! statements that end the program.
//!
//! ```text
//! for (i = 0; i < n; i++) {             for (i = 0; i < n; i++) {
//!     a[i] = 1;                             a[i] = 1;
//!     if (i == m)                           if (i == m)
//!         return i;                             break;
//! }                                     }
//!                                       if (i < n)
//!                                           return i;
//! ```
//!
//! The loop ends with its condition true only where it is left in this way, as long as there is no other way to leave it
//! and the body changes nothing that the condition is about. Where a loop has no condition, the `return` behind it has
//! none either.

use crate::induction_step::{induction_step, variable_name};
use crate::syntax::{
    Binary, Declaration, Expression, ExpressionKind as Kind, Name, ProgramEnd, Statement,
    StatementKind, Unary,
};
use crate::syntax_facts::SyntaxFacts;
use crate::visit::{breaks, children_mut, has_label, leaves_function};
use std::collections::BTreeSet;

/// Moves such returns of all loops in a function's body.
pub(crate) fn with_returns_behind_loops(mut body: Statement) -> Statement {
    in_statement(&mut body);
    body
}

fn in_statement(statement: &mut Statement) {
    for child in children_mut(statement) {
        in_statement(child);
    }
    if let Some(changed) = with_return_moved(statement) {
        *statement = changed;
    }
}

/// The loop with its `return` behind it; `None` if it has none that can be moved.
fn with_return_moved(statement: &Statement) -> Option<Statement> {
    let (condition, body) = match &statement.kind {
        StatementKind::While { condition, body } => (Some(condition), &**body),
        StatementKind::For(head) => (head.condition.as_ref(), &head.body),
        _ => return None,
    };
    let condition = condition.filter(|condition| !is_true(condition));
    let StatementKind::Block(list) = &body.kind else {
        return None;
    };
    let iterator = iterator_of(statement, list)?;
    let idx = moved_exit(list, iterator)?;
    let (leaving, last) = returning(&list[idx])?;
    let is_fine = compares(leaving, iterator)
        && condition.is_none_or(is_plain)
        && condition.is_none_or(|condition| stays(condition, list, iterator))
        && !list.iter().any(has_label)
        && !uses(last, &declared(list));
    if !is_fine {
        return None;
    }
    let mut left = statement.clone();
    let body = match &mut left.kind {
        StatementKind::While { body, .. } => &mut **body,
        StatementKind::For(head) => &mut head.body,
        _ => return None,
    };
    if let StatementKind::Block(list) = &mut body.kind
        && let StatementKind::If { then, .. } = &mut list[idx].kind
    {
        then.kind = StatementKind::Break;
    }
    Some(with_return_behind(left, condition, last))
}

/// The place of the only statement that leaves the loop; without one, of the first that ends the program under a
/// condition on the iterator: behind others that do, nothing is executed.
fn moved_exit(list: &[Statement], iterator: &Name) -> Option<usize> {
    let is_exit = |statement: &Statement| leaves_function(statement) || breaks(statement);
    let mut exits = (0..list.len()).filter(|idx| is_exit(&list[*idx]));
    match (exits.next(), exits.next()) {
        (Some(idx), None) => Some(idx),
        (Some(_), Some(_)) => None,
        (None, _) => list.iter().position(|statement| {
            returning(statement)
                .is_some_and(|(leaving, _)| compares(leaving, iterator) && is_plain(leaving))
        }),
    }
}

/// A loop, and then the statement that returns; names that the loop declares are those of all.
fn with_return_behind(
    mut left: Statement,
    condition: Option<&Expression>,
    last: &Statement,
) -> Statement {
    let at = left.at;
    let mut last = last.clone();
    end_by_iterator(&mut last);
    let mut all = Vec::new();
    if let StatementKind::For(head) = &mut left.kind
        && matches!(head.initial.kind, StatementKind::Declarations(_))
    {
        let initial = std::mem::replace(&mut head.initial.kind, StatementKind::Empty);
        all.push(Statement {
            at: head.initial.at,
            kind: initial,
        });
    }
    all.push(left);
    all.push(match condition {
        None => last,
        Some(condition) => Statement {
            at: last.at,
            kind: StatementKind::If {
                condition: condition.clone(),
                then: Box::new(last),
                otherwise: None,
            },
        },
    });
    Statement {
        at,
        kind: StatementKind::Block(all),
    }
}

/// The condition and the arm of an `if` whose arm returns and does nothing else.
fn returning(statement: &Statement) -> Option<(&Expression, &Statement)> {
    let StatementKind::If {
        condition,
        then,
        otherwise: None,
    } = &statement.kind
    else {
        return None;
    };
    let last = match &then.kind {
        StatementKind::Block(list) => match &list[..] {
            [only] => only,
            _ => then,
        },
        _ => then,
    };
    let is_end = matches!(last.kind, StatementKind::Return(_)) || is_straight_end(last);
    is_end.then_some((condition, last))
}

/// Whether statements that contain no loop, branch or jump end the program.
pub(crate) fn is_straight_end(statement: &Statement) -> bool {
    match &statement.kind {
        StatementKind::Stop(_) => true,
        StatementKind::Block(list) => {
            list.last().is_some_and(is_straight_end) && list.iter().all(is_straight)
        }
        _ => false,
    }
}

fn is_straight(statement: &Statement) -> bool {
    match &statement.kind {
        StatementKind::Stop(_) | StatementKind::Expression(_) | StatementKind::Empty => true,
        StatementKind::Block(list) => list.iter().all(is_straight),
        _ => false,
    }
}

/// Marks the ends of the program in a statement as those that an iterator leads to.
pub(crate) fn end_by_iterator(statement: &mut Statement) {
    if let StatementKind::Stop(end) = &mut statement.kind {
        *end = ProgramEnd::Iterator;
    }
    for child in children_mut(statement) {
        end_by_iterator(child);
    }
}

/// The variable that a loop steps.
fn iterator_of<'s>(statement: &'s Statement, list: &'s [Statement]) -> Option<&'s Name> {
    let step = match &statement.kind {
        StatementKind::For(head) => head.step.as_ref(),
        _ => None,
    };
    let last = || match &list.last()?.kind {
        StatementKind::Expression(step) => Some(step),
        _ => None,
    };
    Some(induction_step(step.or_else(last)?)?.0)
}

/// Whether an expression compares a variable with something else.
fn compares(condition: &Expression, iterator: &Name) -> bool {
    let (condition, excluded) = match &condition.kind {
        Kind::Unary(Unary::Not, x) => (&**x, Binary::Equal),
        _ => (condition, Binary::NotEqual),
    };
    match &condition.kind {
        Kind::Binary(operator, a, b) => {
            let is_it = |x: &Expression| variable_name(x) == Some(iterator);
            operator.is_comparison() && *operator != excluded && (is_it(a) || is_it(b))
        }
        _ => false,
    }
}

/// Whether an expression consists of names, constants and operations on them.
pub(crate) fn is_plain(condition: &Expression) -> bool {
    match &condition.kind {
        Kind::Name(_) | Kind::Integer(..) => true,
        Kind::Unary(_, x) | Kind::Cast(_, x) => is_plain(x),
        Kind::Binary(_, a, b) => is_plain(a) && is_plain(b),
        _ => false,
    }
}

/// Whether a condition on an iterator holds throughout a body that it holds before.
fn stays(condition: &Expression, list: &[Statement], iterator: &Name) -> bool {
    let used = SyntaxFacts::of_expression(condition).mentioned;
    let declared = declared(list);
    let is_step = |statement: &Statement| match &statement.kind {
        StatementKind::Expression(step) => induction_step(step).is_some_and(|x| x.0 == iterator),
        _ => false,
    };
    let (last, before) = match list.split_last() {
        Some((last, before)) if is_step(last) => (Some(last), before),
        _ => (None, list),
    };
    let changes = |statement: &Statement| {
        let changed = SyntaxFacts::of_statement(statement).changed;
        used.intersection(&changed).next().is_some()
    };
    let is_used = used.contains(iterator) || last.is_none();
    is_used && !before.iter().any(changes) && used.intersection(&declared).next().is_none()
}

/// The names that statements declare.
fn declared(list: &[Statement]) -> BTreeSet<Name> {
    let mut names = BTreeSet::new();
    let mut add = |kind: &StatementKind| {
        if let StatementKind::Declarations(all) = kind {
            for declaration in all {
                names.insert(match declaration {
                    Declaration::Object(object) => object.name.clone(),
                    Declaration::Enumerator { name, .. } => name.clone(),
                });
            }
        }
    };
    for statement in list {
        each_kind(statement, &mut add);
    }
    names
}

fn each_kind(statement: &Statement, visit: &mut dyn FnMut(&StatementKind)) {
    visit(&statement.kind);
    for child in crate::visit::children(statement) {
        each_kind(child, visit);
    }
}

fn uses(statement: &Statement, names: &BTreeSet<Name>) -> bool {
    let used = SyntaxFacts::of_statement(statement).mentioned;
    used.intersection(names).next().is_some()
}

fn is_true(condition: &Expression) -> bool {
    matches!(condition.kind, Kind::Integer(value, _) if value != 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_syntax::{block, int, less, set, statement, step, text, var, when, while_loop};

    fn returns() -> Statement {
        statement(StatementKind::Return(Some(var("i"))))
    }

    fn loop_of(list: Vec<Statement>) -> Statement {
        while_loop(less(var("i"), var("n")), list)
    }

    fn leaves(last: Statement) -> Statement {
        when(less(var("m"), var("i")), last)
    }

    #[test]
    fn a_return_under_a_condition_on_the_iterator_is_behind_the_loop() {
        let body = |last| vec![set(var("x"), int(0)), leaves(last), step("i", 1)];
        let left = loop_of(body(statement(StatementKind::Break)));
        let behind = when(less(var("i"), var("n")), returns());
        let expected = block(vec![left, behind]);
        let moved = with_returns_behind_loops(loop_of(body(returns())));
        assert_eq!(text(&moved), text(&expected));
    }

    #[test]
    fn other_exits_and_other_conditions_stay() {
        let break_too = leaves(statement(StatementKind::Break));
        for list in [
            vec![leaves(returns()), break_too, step("i", 1)],
            vec![when(less(var("m"), var("k")), returns()), step("i", 1)],
            // The condition does not hold any more.
            vec![set(var("n"), int(0)), leaves(returns()), step("i", 1)],
        ] {
            let unchanged = text(&loop_of(list.clone()));
            assert_eq!(text(&with_returns_behind_loops(loop_of(list))), unchanged);
        }
    }
}
