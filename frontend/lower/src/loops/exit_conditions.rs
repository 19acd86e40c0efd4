//! Loops whose condition does more than count: the rest of the condition becomes an exit in the body.
//!
//! ```text
//! while (i < n && x[i] > 0) { …; i++; }       while (i < n) { if (!(x[i] > 0)) break; …; i++; }
//! do { …; k++; } while (err > tol && k < 20);  do { …; if (!(err > tol)) break; k++; } while (k < 20);
//! ```
//!
//! The exit is placed where the condition is evaluated. If that is before the comparison of the counter, it must make
//! no access, as the access would be executed once more.

use crate::calls::library_functions::is_mathematical;
use crate::context::Lowering;
use crate::domain::values::Slot;
use crate::loops::loop_shape::{
    LoopParts, LoopShape, TestPosition, conjoin, loop_parts, loop_shape,
};
use crate::syntax::{
    Expression as Syntax, ExpressionKind as Kind, Statement, StatementKind, Unary,
};
use premiss_ast::visit::mentions;
use premiss_link::Rewriting;
use std::sync::Arc;

/// The same loop with a condition that only counts; `None` if the condition has no other part, or the rewritten loop
/// would not be equivalent.
pub(crate) fn move_guards_into_body(
    ctx: &mut Lowering,
    statement: &Statement,
) -> Option<Arc<Statement>> {
    let parts = loop_parts(statement)?;
    let shape = loop_shape(&parts, |_| String::new()).ok()?;
    if !may_exit_inside(ctx, &parts, &shape) {
        return None;
    }
    let mut rewrite = || rewrite_with_exits(statement, &parts, &shape);
    Some(
        ctx.program
            .rewrite_once(statement, Rewriting::GuardsInBody, &mut rewrite),
    )
}

fn may_exit_inside(ctx: &mut Lowering, parts: &LoopParts, shape: &LoopShape) -> bool {
    let Some(condition) = parts.condition else {
        return false;
    };
    let mut conjuncts = Vec::new();
    conjoin(condition, &mut conjuncts);
    let is_test = |x: &&Syntax| !is_one_of(x, &shape.guards);
    let mut is_silent = |guards: &[&Syntax]| {
        let mut guards = guards.iter().filter(|x| !is_test(x));
        guards.all(|guard| makes_no_access(ctx, guard))
    };
    let is_same = match parts.tested {
        TestPosition::Before => {
            let last = conjuncts.iter().rposition(is_test).unwrap_or(0);
            is_silent(&conjuncts[..last])
        }
        TestPosition::After => {
            let first = conjuncts.iter().position(is_test).unwrap_or(0);
            let mut guards = shape.guards.iter();
            is_silent(&conjuncts[first..])
                && !guards.any(|guard| mentions(guard, &shape.iterator))
                && !parts.body.iter().any(premiss_ast::visit::continues)
        }
    };
    !shape.guards.is_empty() && shape.step_idx.is_some() && is_same
}

/// Whether evaluating an expression makes no access and changes nothing.
pub(crate) fn makes_no_access(ctx: &mut Lowering, syntax: &Syntax) -> bool {
    match &syntax.kind {
        Kind::Integer(..) | Kind::Floating(..) | Kind::Stepped(..) => true,
        Kind::Name(name) => matches!(
            ctx.lookup(name),
            Some(Slot::Integer(..) | Slot::Real(..) | Slot::Data(_) | Slot::Fixed(_))
        ),
        Kind::Unary(_, x) | Kind::Cast(_, x) => makes_no_access(ctx, x),
        Kind::Binary(_, a, b) | Kind::And(a, b) | Kind::Or(a, b) => {
            makes_no_access(ctx, a) && makes_no_access(ctx, b)
        }
        Kind::Conditional(operands) => operands.iter().all(|x| makes_no_access(ctx, x)),
        Kind::Computed(_, _, list) => list.iter().all(|x| makes_no_access(ctx, x)),
        Kind::Call(callee, list) => {
            matches!(&callee.kind, Kind::Name(name) if is_mathematical(name))
                && list.iter().all(|x| makes_no_access(ctx, x))
        }
        _ => false,
    }
}

fn is_one_of(syntax: &Syntax, list: &[&Syntax]) -> bool {
    list.iter().any(|x| std::ptr::eq(*x, syntax))
}

fn rewrite_with_exits(statement: &Statement, parts: &LoopParts, shape: &LoopShape) -> Statement {
    let exits = shape.guards.iter().map(|guard| exit_statement(guard));
    let mut conjuncts = Vec::new();
    if let Some(condition) = parts.condition {
        conjoin(condition, &mut conjuncts);
    }
    conjuncts.retain(|x| !is_one_of(x, &shape.guards));
    let tests = conjuncts.into_iter().cloned();
    let counted = tests.reduce(|a, b| Syntax::new(a.at, Kind::And(Box::new(a), Box::new(b))));
    let mut statement = statement.clone();
    let (body, condition) = match &mut statement.kind {
        StatementKind::For(head) => (&mut head.body, head.condition.as_mut()),
        StatementKind::While { body, condition } | StatementKind::DoWhile { body, condition } => {
            (&mut **body, Some(condition))
        }
        _ => return statement,
    };
    if let (Some(condition), Some(counted)) = (condition, counted) {
        *condition = counted;
    }
    let mut list = match std::mem::replace(&mut body.kind, StatementKind::Empty) {
        StatementKind::Block(list) => list,
        kind => vec![Statement { at: body.at, kind }],
    };
    let place = match parts.tested {
        TestPosition::Before => 0,
        // The step is last.
        TestPosition::After => list.len().saturating_sub(1),
    };
    list.splice(place..place, exits);
    body.kind = StatementKind::Block(list);
    statement
}

/// `if (!condition) break;`
fn exit_statement(condition: &Syntax) -> Statement {
    let at = condition.at;
    let negated = Kind::Unary(Unary::Not, Box::new(condition.clone()));
    Statement {
        at,
        kind: StatementKind::If {
            condition: Syntax::new(at, negated),
            then: Box::new(Statement {
                at,
                kind: StatementKind::Break,
            }),
            otherwise: None,
        },
    }
}
