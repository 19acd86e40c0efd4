//! Loops as statements: headers, ends of iterations, and declarations hoisted out of bodies.

use crate::ast_builder;
use crate::body::context::Body;
use crate::body::control::jumps;
use crate::loop_accounting::CoverageMark;
use crate::value::Value;
use premiss_ast::syntax::{Expression, For, Name, Statement, StatementKind, TextRange};

/// The header of a counted loop.
pub(crate) struct ForHeader {
    pub(crate) at: TextRange,
    pub(crate) iterator: Name,
    pub(crate) first: Expression,
    pub(crate) condition: Option<Expression>,
    pub(crate) step: Expression,
}

/// Emits the end of a loop that jumps may leave.
pub(crate) fn finish_loop<'a>(ctx: &mut Body<'a, '_>, at: TextRange) -> Value<'a> {
    let Some(around) = ctx.jump_targets.pop() else {
        return Value::Unit;
    };
    if around.has_break {
        jumps::emit_label(ctx, &around.break_label, at);
    }
    around.result.unwrap_or(Value::Unit)
}

/// Places the label at the end of an iteration, the target of `continue`.
pub(crate) fn end_iteration(ctx: &mut Body, list: &mut Vec<Statement>, at: TextRange) {
    let Some(around) = ctx.jump_targets.last() else {
        return;
    };
    if around.has_continue && around.n_body_loops == ctx.n_loops + 1 {
        let label = around.continue_label.clone();
        let (labelled, ()) = ctx.emit_aside_binding(|ctx| jumps::emit_label(ctx, &label, at));
        list.extend(labelled);
    }
}

pub(crate) fn emit_while(
    ctx: &mut Body,
    at: TextRange,
    condition: Expression,
    body: Vec<Statement>,
) {
    let place = body.last().map_or(at, |last| at.to(last.at));
    let kind = StatementKind::While {
        condition,
        body: Box::new(ast_builder::block(place, body)),
    };
    hoist_declarations(ctx);
    ctx.marks.push(CoverageMark::Loop(at));
    ctx.emit(ast_builder::statement(place, kind));
}

/// Declares the variables for the result of the innermost loop, before it.
pub(crate) fn hoist_declarations(ctx: &mut Body) {
    let declarations = match ctx.jump_targets.last_mut() {
        Some(around) => std::mem::take(&mut around.declarations),
        None => Vec::new(),
    };
    declarations.into_iter().for_each(|one| ctx.emit(one));
}

/// A counted loop of the common syntax.
pub(crate) fn emit_for(ctx: &mut Body, head: ForHeader, body: Vec<Statement>) {
    let ForHeader {
        at,
        iterator,
        first,
        condition,
        step,
    } = head;
    let initial = ast_builder::declaration(at, &iterator, ast_builder::wide(), Some(first));
    let place = body.last().map_or(at, |last| at.to(last.at));
    let one = For {
        header: at,
        initial,
        condition,
        step: Some(step),
        body: ast_builder::block(place, body),
    };
    ctx.marks.push(CoverageMark::Loop(at));
    ctx.emit(ast_builder::statement(
        place,
        StatementKind::For(Box::new(one)),
    ));
}
