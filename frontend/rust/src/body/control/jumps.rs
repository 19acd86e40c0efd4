//! `break`, `continue` and their labels.

use crate::ast_builder;
use crate::body::context::{Body, JumpTarget};
use crate::body::values::assignments;
use crate::value::Value;
use premiss_ast::syntax::{Name, Statement, StatementKind, TextRange};
use syn::Lifetime;

/// Ends a block with a jump; the value is never used.
fn jump_statement<'a>(ctx: &mut Body<'a, '_>, kind: StatementKind, at: TextRange) -> Value<'a> {
    ctx.emit(ast_builder::statement(at, kind));
    Value::Never
}

/// Records a loop or block that jumps may leave.
pub(crate) fn enter(ctx: &mut Body, label: Option<&Lifetime>, is_loop: bool) {
    ctx.n_labels += 1;
    let number = ctx.n_labels;
    ctx.jump_targets.push(JumpTarget {
        label: label.map(|label| label.ident.to_string()),
        is_loop,
        n_loops: ctx.n_loops + usize::from(is_loop),
        n_body_loops: ctx.n_loops + usize::from(is_loop),
        break_label: format!("behind'{number}").into(),
        continue_label: format!("end'{number}").into(),
        has_break: false,
        has_continue: false,
        result: None,
        declarations: Vec::new(),
    });
}

/// A label before an empty statement.
pub(crate) fn emit_label(ctx: &mut Body, label: &Name, at: TextRange) {
    let place = TextRange {
        start: at.end,
        ..at
    };
    let nothing = Box::new(ast_builder::statement(place, StatementKind::Empty));
    let kind = StatementKind::Label(label.clone(), nothing);
    ctx.emit(ast_builder::statement(place, kind));
}

fn jump_target(ctx: &Body, label: Option<&Lifetime>) -> Option<usize> {
    let name = label.map(|label| label.ident.to_string());
    ctx.jump_targets.iter().rposition(|around| match &name {
        Some(name) => around.label.as_ref() == Some(name),
        None => around.is_loop,
    })
}

pub(crate) fn break_from<'a>(
    ctx: &mut Body<'a, '_>,
    jump: &'a syn::ExprBreak,
    at: TextRange,
) -> Value<'a> {
    let value = match &jump.expr {
        Some(value) => ctx.expression(value, None),
        None => Value::Unit,
    };
    match jump_target(ctx, jump.label.as_ref()) {
        Some(target) => jump_out(ctx, target, &value, at),
        None => ctx.unsupported("a `break` outside of loops", at),
    }
}

pub(crate) fn break_with<'a>(ctx: &mut Body<'a, '_>, value: Value<'a>, at: TextRange) -> Value<'a> {
    match value {
        Value::Never => Value::Never,
        value => jump_out(ctx, ctx.jump_targets.len() - 1, &value, at),
    }
}

fn jump_out<'a>(
    ctx: &mut Body<'a, '_>,
    target: usize,
    value: &Value<'a>,
    at: TextRange,
) -> Value<'a> {
    if !matches!(value, Value::Unit | Value::Never) {
        store_break_value(ctx, target, value, at);
    }
    let around = &mut ctx.jump_targets[target];
    let is_plain = around.is_loop && around.n_loops == ctx.n_loops;
    let kind = match is_plain {
        true => StatementKind::Break,
        false => {
            around.has_break = true;
            StatementKind::Goto(Some(around.break_label.clone()))
        }
    };
    jump_statement(ctx, kind, at)
}

fn store_break_value<'a>(ctx: &mut Body<'a, '_>, target: usize, value: &Value<'a>, at: TextRange) {
    if ctx.jump_targets[target].result.is_none() {
        ctx.n_labels += 1;
        let name = format!("result'{}", ctx.n_labels);
        let (declarations, slot) =
            ctx.emit_aside_binding(|ctx| assignments::slot_for(ctx, value, &name, at));
        ctx.jump_targets[target].declarations = declarations;
        ctx.jump_targets[target].result = Some(slot);
    }
    if let Some(slot) = ctx.jump_targets[target].result.clone() {
        assignments::assign_parts(ctx, &slot, value, at);
    }
}

pub(crate) fn continue_from<'a>(
    ctx: &mut Body<'a, '_>,
    jump: &'a syn::ExprContinue,
    at: TextRange,
) -> Value<'a> {
    let Some(target) = jump_target(ctx, jump.label.as_ref()) else {
        return ctx.unsupported("a `continue` outside of loops", at);
    };
    let around = &mut ctx.jump_targets[target];
    let kind = match around.n_body_loops == ctx.n_loops {
        true => StatementKind::Continue,
        false => {
            around.has_continue = true;
            StatementKind::Goto(Some(around.continue_label.clone()))
        }
    };
    jump_statement(ctx, kind, at)
}

/// Drops a jump to the statement after it.
pub(crate) fn drop_last_jump(list: &mut Vec<Statement>, label: &Name) {
    if let Some(Statement {
        kind: StatementKind::Goto(Some(last)),
        ..
    }) = list.last()
        && last == label
    {
        list.pop();
    }
}
