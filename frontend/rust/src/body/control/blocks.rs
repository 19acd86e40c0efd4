//! Blocks and the statements in them.

use crate::ast_builder;
use crate::body::calls::signatures;
use crate::body::context::Body;
use crate::body::control::{branches, jumps};
use crate::body::values::scrutinees::{self, Scrutinee};
use crate::body::values::{constants, patterns, places};
use crate::loop_accounting::CoverageMark;
use crate::types::Ty;
use crate::value::Value;
use premiss_ast::syntax::TextRange;
use premiss_tree::RejectReason;
use syn::{Block, Item, Local, Pat, Stmt};

/// Emits the statements of a block; returns its value.
pub(crate) fn statements<'a>(ctx: &mut Body<'a, '_>, block: &'a Block) -> Value<'a> {
    all_statements(ctx, &block.stmts)
}

/// Emits the statements of a block, or those that are left of one; returns its value.
pub(crate) fn all_statements<'a>(ctx: &mut Body<'a, '_>, list: &'a [Stmt]) -> Value<'a> {
    for statement in list {
        // Items are visible in the whole block.
        if let Stmt::Item(Item::Const(item)) = statement {
            let name = item.ident.to_string();
            constants::local_constant(ctx, &name, &item.ty, &item.expr, ctx.at(&item.ident));
        }
    }
    let Some((last, before)) = list.split_last() else {
        return Value::Unit;
    };
    for (idx, statement) in before.iter().enumerate() {
        if let Some(limit) = ctx.exceeded_limit() {
            ctx.reject(RejectReason::Budget { limit }, ctx.at(statement));
            return Value::Never;
        }
        let value = one_statement(ctx, statement);
        if matches!(value, Value::Never) {
            mark_unreachable(ctx, &list[idx + 1..]);
            return Value::Never;
        }
    }
    match last {
        Stmt::Expr(value, None) => ctx.expression(value, None),
        Stmt::Macro(one) if one.semi_token.is_none() => ctx.unknown_macro(&one.mac, ctx.at(one)),
        other => match one_statement(ctx, other) {
            Value::Never => Value::Never,
            _ => Value::Unit,
        },
    }
}

/// Records that a jump always comes before some statements.
pub(crate) fn mark_unreachable(ctx: &mut Body, statements: &[Stmt]) {
    if let (Some(first), Some(last)) = (statements.first(), statements.last()) {
        let text = ctx.at(first).to(ctx.at(last));
        ctx.marks.push(CoverageMark::Unreachable(text));
    }
}

pub(crate) fn one_statement<'a>(ctx: &mut Body<'a, '_>, statement: &'a Stmt) -> Value<'a> {
    match statement {
        Stmt::Local(local) => {
            let around = ctx.inference.enter(std::ptr::from_ref(local).addr());
            let value = let_statement(ctx, local);
            ctx.inference.enter(around);
            value
        }
        Stmt::Item(_) => Value::Unit,
        Stmt::Expr(value, _) => {
            let value = ctx.expression(value, None);
            ctx.evaluate(value)
        }
        Stmt::Macro(one) => {
            let value = ctx.unknown_macro(&one.mac, ctx.at(one));
            ctx.evaluate(value)
        }
    }
}

/// Evaluates an unused value for its side effects.
pub(crate) fn evaluate<'a>(ctx: &mut Body<'a, '_>, value: Value<'a>) -> Value<'a> {
    if let Value::Never = value {
        return value;
    }
    let mut parts = Vec::new();
    match &value {
        Value::Plain(place, kind) if !kind.is_scalar() && ast_builder::is_place(place) => {}
        value => value.parts(&mut parts),
    }
    for part in parts {
        if !ast_builder::is_pure(&part) {
            ctx.emit(ast_builder::evaluated(part));
        }
    }
    Value::Unit
}

fn let_statement<'a>(ctx: &mut Body<'a, '_>, local: &'a Local) -> Value<'a> {
    let (pattern, kind) = match &local.pat {
        Pat::Type(typed) => {
            let scope = ctx.substitution.clone();
            let kind = ctx.program.resolve(&typed.ty, &scope);
            let kind = ctx.inference.with_variables(kind, ctx.at(&typed.ty));
            (&*typed.pat, Some(kind))
        }
        pattern => (pattern, None),
    };
    let Some(init) = &local.init else {
        declare_pattern(ctx, pattern, kind);
        return Value::Unit;
    };
    let source = Scrutinee::of(&init.expr);
    if let Pat::Ident(ident) = pattern {
        ctx.target_name = Some(ident.ident.to_string());
    }
    let value = scrutinees::scrutinee(ctx, &init.expr, kind.as_ref(), &[pattern]);
    ctx.target_name = None;
    if matches!(value, Value::Never) {
        return value;
    }
    let value = match &kind {
        Some(kind) => places::coerce(ctx, value, kind),
        None => value,
    };
    if let Some((_, otherwise)) = &init.diverge {
        return branches::let_else(ctx, pattern, (value, source), otherwise);
    }
    patterns::bind_from(ctx, pattern, value, source);
    Value::Unit
}

/// `let x;`: a variable that is initialized later.
fn declare_pattern<'a>(ctx: &mut Body<'a, '_>, pattern: &'a Pat, kind: Option<Ty>) {
    let Pat::Ident(ident) = pattern else { return };
    let at = ctx.at(&ident.ident);
    let kind = kind.unwrap_or_else(|| ctx.inference.variable(at));
    let kind = ctx.inference.resolve(&kind);
    let name = ident.ident.to_string();
    let value = signatures::declare_uninitialized(ctx, &name, &kind, at);
    ctx.environment.bind(name, value);
}

/// A block with its own scope.
pub(crate) fn scoped_block<'a>(ctx: &mut Body<'a, '_>, block: &'a Block) -> Value<'a> {
    let environment = ctx.environment.clone();
    let value = ctx.statements(block);
    ctx.environment = environment;
    value
}

pub(crate) fn block_expression<'a>(
    ctx: &mut Body<'a, '_>,
    block: &'a syn::ExprBlock,
    at: TextRange,
) -> Value<'a> {
    let Some(label) = &block.label else {
        return scoped_block(ctx, &block.block);
    };
    jumps::enter(ctx, Some(&label.name), false);
    let (mut statements, value) = ctx.emit_aside(|ctx| {
        let value = ctx.statements(&block.block);
        jumps::break_with(ctx, value, at)
    });
    let _ = value;
    let Some(around) = ctx.jump_targets.pop() else {
        return Value::Unit;
    };
    for declaration in around.declarations {
        ctx.emit(declaration);
    }
    jumps::drop_last_jump(&mut statements, &around.break_label);
    ctx.emit(ast_builder::block(at, statements));
    jumps::emit_label(ctx, &around.break_label, at);
    around.result.unwrap_or(Value::Unit)
}

pub(crate) fn typed_block<'a>(
    ctx: &mut Body<'a, '_>,
    block: &'a Block,
    expected: Option<&Ty>,
) -> Value<'a> {
    match block.stmts.as_slice() {
        [Stmt::Expr(value, None)] => ctx.expression(value, expected),
        _ => ctx.statements(block),
    }
}
