//! Lowers statements, by their kind.

use crate::bailout::Lowered;
use crate::context::Lowering;
use crate::control::gotos::{lower_label, lower_list_with_gotos, lower_run_once};
use crate::control::jumps::lower_jump;
use crate::control::opaque::{emit_opaque, emit_untranslated};
use crate::control::program_ends::end_program;
use crate::control::returns::lower_return;
use crate::control::statement_lists::lower_statements_from;
use crate::control::switches::{lower_switch, switch_cases};
use crate::control::tail::Tail;
use crate::eval::declarations::lower_declarations;
use crate::output::operations::in_statement;
use crate::syntax::{Expression as Syntax, Statement, StatementKind};
use premiss_tree::{Expression, RejectReason};

/// Lowers statements in order. If one of them may end the function depending on data, the rest is possible.
pub(crate) fn lower_statements(
    ctx: &mut Lowering,
    statements: &[Statement],
    tail: Tail,
) -> Lowered<()> {
    let Some(first) = statements.first() else {
        return Ok(());
    };
    if lower_list_with_gotos(ctx, statements, tail)? {
        return Ok(());
    }
    lower_statements_from(ctx, statements, first, tail)
}

pub(crate) fn lower_statement(
    ctx: &mut Lowering,
    statement: &Statement,
    tail: Tail,
) -> Lowered<()> {
    match &statement.kind {
        StatementKind::Block(list) => ctx.in_scope(|ctx| ctx.statements(list, tail)),
        StatementKind::Declarations(list) => lower_declarations(ctx, list),
        StatementKind::Expression(syntax) => ctx.expression(syntax).map(|_| ()),
        StatementKind::If {
            condition,
            then,
            otherwise,
        } => lower_if(ctx, condition, then, otherwise.as_deref(), tail),
        StatementKind::For(_) | StatementKind::While { .. } => ctx.loop_statement(statement),
        StatementKind::DoWhile { body, .. } => {
            if premiss_ast::visit::is_run_once(statement) {
                return lower_run_once(ctx, body, tail);
            }
            ctx.loop_statement(statement)
        }
        StatementKind::Switch { value, body } => {
            lower_switch_statement(ctx, statement, value, body)
        }
        StatementKind::Return(value) => lower_return(ctx, statement, value.as_ref(), tail),
        StatementKind::Continue if tail.of_loop => Ok(()),
        StatementKind::Stop(end) => {
            end_program(ctx, *end, tail);
            Ok(())
        }
        StatementKind::Break | StatementKind::Continue | StatementKind::Goto(_) => {
            lower_jump(ctx, statement, tail)
        }
        StatementKind::Label(_, body) => {
            lower_label(ctx);
            ctx.statement(body, tail)
        }
        StatementKind::Case(_, body) => ctx.statement(body, tail),
        StatementKind::Empty => Ok(()),
        StatementKind::Error(reason) => {
            emit_untranslated(ctx, statement, reason);
            Ok(())
        }
    }
}

fn lower_switch_statement(
    ctx: &mut Lowering,
    statement: &Statement,
    value: &Syntax,
    body: &Statement,
) -> Lowered<()> {
    let is_lowered = match switch_cases(body) {
        Some(cases) => lower_switch(ctx, value, &cases, statement.at)?,
        None => false,
    };
    if is_lowered {
        return Ok(());
    }
    let construct = "a `switch` with a label or a `break` inside of a case";
    let construct = construct.to_owned();
    emit_opaque(ctx, statement, &RejectReason::Unsupported { construct });
    Ok(())
}

fn lower_if(
    ctx: &mut Lowering,
    condition: &Syntax,
    then: &Statement,
    otherwise: Option<&Statement>,
    tail: Tail,
) -> Lowered<()> {
    let condition = in_statement(ctx, condition.at, |ctx| ctx.condition(condition))?;
    lower_arms(ctx, condition, (then, otherwise), tail)
}

/// Lowers the arms of an `if` with this condition.
pub(crate) fn lower_arms(
    ctx: &mut Lowering,
    condition: Expression,
    (then, otherwise): (&Statement, Option<&Statement>),
    tail: Tail,
) -> Lowered<()> {
    let arm = |ctx: &mut Lowering, arm: Option<&Statement>| match arm {
        Some(arm) => ctx.in_scope(|ctx| ctx.statement(arm, tail)),
        None => Ok(()),
    };
    match condition.as_integer() {
        Some(0) => arm(ctx, otherwise),
        Some(_) => arm(ctx, Some(then)),
        None => {
            ctx.branch(
                condition,
                |ctx| arm(ctx, Some(then)),
                |ctx| arm(ctx, otherwise),
            )?;
            Ok(())
        }
    }
}
