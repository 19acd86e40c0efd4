//! Statement lists in which a statement may leave the list before its end.

use crate::bailout::Lowered;
use crate::context::Lowering;
use crate::control::jump_flags::assume_not_returned;
use crate::control::program_ends::is_assumed_to_stay;
use crate::control::returns::{lower_with_exits, with_exits};
use crate::control::statements::lower_arms;
use crate::control::tail::{Tail, always_jumps, single_statement};
use crate::output::operations::in_statement;
use crate::syntax::{Statement, StatementKind};
use premiss_tree::Expression;

/// Lowers statements without forward jumps between them, the first of which is given.
pub(crate) fn lower_statements_from(
    ctx: &mut Lowering,
    statements: &[Statement],
    first: &Statement,
    tail: Tail,
) -> Lowered<()> {
    for idx in 0..statements.len() {
        let statement = if idx == 0 { first } else { &statements[idx] };
        let rest = &statements[idx + 1..];
        let is_jump = matches!(
            statement.kind,
            StatementKind::Return(_)
                | StatementKind::Continue
                | StatementKind::Break
                | StatementKind::Goto(_)
        );
        let is_switch = matches!(statement.kind, StatementKind::Switch { .. });
        if matches!(statement.kind, StatementKind::Stop(_)) {
            return ctx.statement(statement, tail);
        }
        if (rest.is_empty() && !is_switch) || (is_jump && always_jumps(statement, tail)) {
            return ctx.statement(statement, tail);
        }
        if lower_jumping_arms(ctx, statement, rest, tail)? {
            return Ok(());
        }
        let outer = ctx.frame().control.returned;
        let reached = lower_with_exits(ctx, statement)?;
        let is_over = lower_rest(ctx, reached, rest, tail)?;
        ctx.frame_mut().control.returned = outer;
        if is_over {
            return Ok(());
        }
    }
    Ok(())
}

/// Lowers a statement and those that follow it.
fn lower_arm_and_rest(
    ctx: &mut Lowering,
    statement: &Statement,
    rest: &[Statement],
    tail: Tail,
) -> Lowered<()> {
    if lower_jumping_arms(ctx, single_statement(statement), rest, tail)? {
        return Ok(());
    }
    let outer = ctx.frame().control.returned;
    let reached = ctx.in_scope(|ctx| lower_with_exits(ctx, statement))?;
    let is_over = lower_rest(ctx, reached, rest, tail)?;
    ctx.frame_mut().control.returned = outer;
    match is_over {
        true => Ok(()),
        false => ctx.statements(rest, tail),
    }
}

/// Lowers a branch whose arms are assumed not to end the program, and the statements that follow it.
fn lower_staying_arms(
    ctx: &mut Lowering,
    statement: &Statement,
    (condition, arms): (Expression, (&Statement, Option<&Statement>)),
    rest: &[Statement],
    tail: Tail,
) -> Lowered<()> {
    let outer = ctx.frame().control.returned;
    let reached = with_exits(ctx, statement, |ctx| {
        lower_arms(ctx, condition, arms, Tail::NONE)
    })?;
    let is_over = lower_rest(ctx, reached, rest, tail)?;
    ctx.frame_mut().control.returned = outer;
    match is_over {
        true => Ok(()),
        false => ctx.statements(rest, tail),
    }
}

/// Lowers the statements that follow another one, if there is a condition for them; returns whether it did.
fn lower_rest(
    ctx: &mut Lowering,
    reached: Expression,
    rest: &[Statement],
    tail: Tail,
) -> Lowered<bool> {
    match reached.as_integer() {
        Some(reached) => Ok(reached == 0),
        None => {
            let rest = |ctx: &mut Lowering| {
                assume_not_returned(ctx);
                ctx.statements(rest, tail)
            };
            ctx.branch(reached, rest, |_| Ok(()))?;
            Ok(true)
        }
    }
}

/// Lowers `if (c) { …; continue; } rest` with `rest` as the other arm; false if it has another form.
fn lower_jumping_arms(
    ctx: &mut Lowering,
    statement: &Statement,
    rest: &[Statement],
    tail: Tail,
) -> Lowered<bool> {
    let StatementKind::If {
        condition,
        then,
        otherwise,
    } = &statement.kind
    else {
        return Ok(false);
    };
    let then_leaves = always_jumps(then, tail);
    let otherwise_leaves = otherwise.as_ref().is_some_and(|s| always_jumps(s, tail));
    if !then_leaves && !otherwise_leaves {
        return Ok(false);
    }
    let condition = in_statement(ctx, condition.at, |ctx| ctx.condition(condition))?;
    let then_leaves = then_leaves && !is_assumed_to_stay(ctx, &condition, then);
    let otherwise_leaves = otherwise_leaves
        && otherwise
            .as_deref()
            .is_none_or(|otherwise| !is_assumed_to_stay(ctx, &condition, otherwise));
    if !then_leaves && !otherwise_leaves {
        let arms = (&**then, otherwise.as_deref());
        lower_staying_arms(ctx, statement, (condition, arms), rest, tail)?;
        return Ok(true);
    }
    let arm = |ctx: &mut Lowering, arm: Option<&Statement>, leaves: bool| match arm {
        Some(arm) if leaves => ctx.in_scope(|ctx| ctx.statement(arm, tail)),
        Some(arm) => lower_arm_and_rest(ctx, arm, rest, tail),
        None => ctx.statements(rest, tail),
    };
    match condition.as_integer() {
        Some(0) => arm(ctx, otherwise.as_deref(), otherwise_leaves)?,
        Some(_) => arm(ctx, Some(then), then_leaves)?,
        None => {
            ctx.branch(
                condition,
                |ctx| arm(ctx, Some(then), then_leaves),
                |ctx| arm(ctx, otherwise.as_deref(), otherwise_leaves),
            )?;
        }
    }
    Ok(true)
}
