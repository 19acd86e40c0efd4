//! Loops that a `break` ends become loops with conditions.
//!
//! ```text
//! for (;;) {                      for (; !(i >= n);) {
//!     if (i >= n)                     a[i] = 0;
//!         break;                      i++;
//!     a[i] = 0;                   }
//!     i++;
//! }
//! ```
//!
//! A `break` at the start of the body is the condition before each iteration, one at its end that after each.

use crate::syntax::{Expression, ExpressionKind, Statement, StatementKind};
use crate::visit::{children_mut, continues};

/// Gives all loops without conditions in a function's body those of their first or last statement.
pub(crate) fn with_conditions(mut body: Statement) -> Statement {
    in_statement(&mut body);
    body
}

fn in_statement(statement: &mut Statement) {
    for child in children_mut(statement) {
        in_statement(child);
    }
    let (is_endless, has_step, body) = match &mut statement.kind {
        StatementKind::While { condition, body } => (is_true(condition), false, &mut **body),
        StatementKind::For(head) => {
            let is_endless = head.condition.as_ref().is_none_or(is_true);
            (is_endless, head.step.is_some(), &mut head.body)
        }
        _ => return,
    };
    let StatementKind::Block(list) = &mut body.kind else {
        return;
    };
    if !is_endless {
        return;
    }
    if let Some(exit) = list.first().and_then(exit) {
        list.remove(0);
        match &mut statement.kind {
            StatementKind::While { condition, .. } => *condition = exit,
            StatementKind::For(head) => head.condition = Some(exit),
            _ => {}
        }
        return;
    }
    if has_step || list.iter().any(continues) {
        return;
    }
    if let Some(exit) = list.last().and_then(exit) {
        list.pop();
        let repeated = StatementKind::DoWhile {
            body: Box::new(body.clone()),
            condition: exit,
        };
        let at = statement.at;
        statement.kind = match &statement.kind {
            StatementKind::For(head) => {
                let repeated = Statement { at, kind: repeated };
                StatementKind::Block(vec![head.initial.clone(), repeated])
            }
            _ => repeated,
        };
    }
}

/// The condition under which a statement does not leave the loop around it, if it does nothing else.
fn exit(statement: &Statement) -> Option<Expression> {
    leaving_condition(statement).map(Expression::negated)
}

/// The condition under which a statement leaves the loop around it, if it does nothing else: `c` of `if (c) break;`.
#[must_use]
pub fn leaving_condition(statement: &Statement) -> Option<&Expression> {
    let StatementKind::If {
        condition,
        then,
        otherwise: None,
    } = &statement.kind
    else {
        return None;
    };
    let leaves = match &then.kind {
        StatementKind::Break => true,
        StatementKind::Block(list) => {
            matches!(&list[..], [only] if matches!(only.kind, StatementKind::Break))
        }
        _ => false,
    };
    leaves.then_some(condition)
}

fn is_true(condition: &Expression) -> bool {
    matches!(condition.kind, ExpressionKind::Integer(value, _) if value != 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::Unary;
    use crate::test_syntax::{
        block, do_while, expression, int, less, set, statement, step, text, var, when, while_loop,
    };

    fn leave() -> Statement {
        when(less(var("n"), var("i")), statement(StatementKind::Break))
    }

    fn goes_on() -> Expression {
        let condition = less(var("n"), var("i"));
        expression(ExpressionKind::Unary(Unary::Not, Box::new(condition)))
    }

    fn endless(list: Vec<Statement>) -> String {
        text(&with_conditions(while_loop(int(1), list)))
    }

    #[test]
    fn a_break_at_the_start_or_the_end_is_the_condition() {
        let body = || vec![set(var("x"), int(0)), step("i", 1)];
        let first = [vec![leave()], body()].concat();
        assert_eq!(endless(first), text(&while_loop(goes_on(), body())));
        let last = [body(), vec![leave()]].concat();
        assert_eq!(endless(last), text(&do_while(body(), goes_on())));
    }

    #[test]
    fn a_break_elsewhere_or_behind_a_continue_stays() {
        let middle = vec![step("i", 1), leave(), set(var("x"), int(0))];
        let go_on = when(var("x"), statement(StatementKind::Continue));
        let behind = vec![go_on, step("i", 1), leave()];
        for list in [middle, behind] {
            let unchanged = text(&while_loop(int(1), list.clone()));
            assert_eq!(endless(list), unchanged);
        }
        let own = text(&block(vec![leave()]));
        assert_eq!(text(&with_conditions(block(vec![leave()]))), own);
    }
}
