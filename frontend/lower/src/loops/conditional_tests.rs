//! Loops whose condition depends on the sign of the step, as in code translated from Fortran:
//!
//! ```text
//! for (i = 1; by < 0 ? n <= i : i <= n; i += by)        for (i = 1; !(by < 0) && i <= n; i += by)
//! ```
//!
//! Where the sign is known, the loop has one of the two tests, and the sign as a condition that no iteration changes.

use crate::context::Lowering;
use crate::loops::exit_conditions::makes_no_access;
use crate::syntax::{
    Expression as Syntax, ExpressionKind as Kind, Statement, StatementKind, Unary,
};
use premiss_ast::SyntaxFacts;
use premiss_link::Rewriting;
use std::sync::Arc;

/// The same loop with the test that applies; `None` if its condition has one test only, or which one applies is not
/// known or changes.
pub(crate) fn with_applicable_test(
    ctx: &mut Lowering,
    statement: &Statement,
) -> Option<Arc<Statement>> {
    let Kind::Conditional(operands) = &condition_of(statement)?.kind else {
        return None;
    };
    let selector = &operands[0];
    let changed = &ctx.program.name_uses(statement).changed;
    let facts = SyntaxFacts::of_expression(selector);
    if facts.mentioned.intersection(changed).next().is_some() || !makes_no_access(ctx, selector) {
        return None;
    }
    let checkpoint = ctx.checkpoint();
    let truth = ctx.in_block(|ctx| ctx.condition(selector));
    ctx.roll_back(&checkpoint);
    let kind = match truth.ok()?.1.as_integer()? {
        0 => Rewriting::SecondArm,
        _ => Rewriting::FirstArm,
    };
    let mut rewrite = || with_test(statement, kind);
    Some(ctx.program.rewrite_once(statement, kind, &mut rewrite))
}

fn condition_of(statement: &Statement) -> Option<&Syntax> {
    match &statement.kind {
        StatementKind::For(head) => head.condition.as_ref(),
        StatementKind::While { condition, .. } => Some(condition),
        _ => None,
    }
}

fn with_test(statement: &Statement, kind: Rewriting) -> Statement {
    let mut statement = statement.clone();
    let condition = match &mut statement.kind {
        StatementKind::For(head) => head.condition.as_mut(),
        StatementKind::While { condition, .. } => Some(condition),
        _ => None,
    };
    if let Some(condition) = condition
        && let Kind::Conditional(operands) = &condition.kind
    {
        let [selector, first, second] = &**operands;
        let (guard, test) = match kind {
            Rewriting::SecondArm => {
                let negated = Kind::Unary(Unary::Not, Box::new(selector.clone()));
                (Syntax::new(selector.at, negated), second)
            }
            _ => (selector.clone(), first),
        };
        let both = Kind::And(Box::new(guard), Box::new(test.clone()));
        *condition = Syntax::new(condition.at, both);
    }
    statement
}
