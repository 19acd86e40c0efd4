//! Statements that are given up: opaque nodes replace them, and the loops in them are lowered separately.

use crate::bailout::{Bailout, BailoutLevel};
use crate::context::Lowering;
use crate::control::returns::havoc_result;
use crate::domain::memory_version::Clobber;
use crate::eval::havoc::{havoc_mentioned, havoc_shared};
use crate::eval::heap_stores::clobber_heap;
use crate::eval::rejections::reject;
use crate::loops::loop_nodes::{open_loop, uncounted_loop_node};
use crate::loops::loop_shape::loop_parts;
use crate::syntax::{Declaration, Name, Statement, StatementKind, TextRange};
use premiss_ast::SyntaxFacts;
use premiss_ast::visit::{children, is_loop, leaves_function};
use premiss_tree::{Expression, Node, RejectReason};
use std::collections::BTreeSet;

/// Statements that were given up.
struct AbandonedText<'a> {
    /// Names that they declare.
    declared: BTreeSet<Name>,
    reason: &'a RejectReason,
    /// The place that the rejection refers to.
    at: TextRange,
}

/// Emits a loop without any knowledge of its body.
pub(crate) fn emit_opaque_loop(ctx: &mut Lowering, statement: &Statement, bailout: Bailout) {
    let Bailout { reason, at, .. } = bailout;
    match loop_parts(statement) {
        Some(parts) => emit_unknown_loop(ctx, statement, parts.header, reason, at),
        None => emit_opaque_at(ctx, statement, reason, at),
    }
}

/// Emits a statement that was not translated.
pub(crate) fn emit_untranslated(ctx: &mut Lowering, statement: &Statement, reason: &RejectReason) {
    let at = statement.at;
    match reason {
        RejectReason::UnsupportedLoop { .. } => {
            emit_unknown_loop(ctx, statement, at, reason.clone(), at);
        }
        _ => emit_opaque(ctx, statement, reason),
    }
    // It may call anything.
    havoc_shared(ctx, Clobber::Everything);
}

/// Emits a loop that is known by its header alone; the rejection refers to `at`.
fn emit_unknown_loop(
    ctx: &mut Lowering,
    statement: &Statement,
    header: TextRange,
    reason: RejectReason,
    at: TextRange,
) {
    let id = open_loop(ctx, "while", header);
    let around = std::mem::take(&mut ctx.tree.block);
    emit_opaque_at(ctx, statement, reason, at);
    let body = std::mem::replace(&mut ctx.tree.block, around);
    ctx.tree.open_loops.pop();
    let node = uncounted_loop_node(ctx, id, body);
    ctx.tree.emit(Node::Loop(node));
}

/// Replaces a statement by an opaque node. Outside of loops those in it are lowered separately.
pub(crate) fn emit_opaque(ctx: &mut Lowering, statement: &Statement, reason: &RejectReason) {
    emit_opaque_at(ctx, statement, reason.clone(), statement.at);
    if ctx.tree.open_loops.is_empty() {
        lower_abandoned_loops(ctx, std::slice::from_ref(statement), reason, statement.at);
    }
    if leaves_function(statement) {
        havoc_result(ctx);
    }
}

/// As [`emit_opaque`], with the place that the rejection refers to.
fn emit_opaque_at(ctx: &mut Lowering, statement: &Statement, reason: RejectReason, at: TextRange) {
    reject(ctx, reason, at);
    let mentions = ctx.program.name_uses(statement);
    havoc_mentioned(ctx, &mentions);
}

/// Gives up statements outside of loops because of a place in the first one; the loops in them are lowered separately.
pub(crate) fn give_up(
    ctx: &mut Lowering,
    statements: &[Statement],
    reason: &RejectReason,
    at: TextRange,
) {
    let Some((broken, rest)) = statements.split_first() else {
        return;
    };
    emit_opaque_at(ctx, broken, reason.clone(), at);
    for statement in rest {
        let mentions = ctx.program.name_uses(statement);
        havoc_mentioned(ctx, &mentions);
    }
    lower_abandoned_loops(ctx, statements, reason, at);
}

/// Lowers the loops in statements that were given up.
fn lower_abandoned_loops(
    ctx: &mut Lowering,
    statements: &[Statement],
    reason: &RejectReason,
    at: TextRange,
) {
    // The loops of called functions are counted in their own functions.
    if ctx.frames.len() != 1 {
        return;
    }
    let mut declared = BTreeSet::new();
    for statement in statements {
        add_declared(statement, &mut declared);
    }
    let around = AbandonedText {
        declared,
        reason,
        at,
    };
    for statement in statements {
        lower_loops_within(ctx, statement, &around);
    }
}

fn lower_loops_within(ctx: &mut Lowering, statement: &Statement, around: &AbandonedText) {
    if !is_loop(statement) {
        for child in children(statement) {
            lower_loops_within(ctx, child, around);
        }
    } else if !lower_possible_loop(ctx, statement, around) {
        let bailout = Bailout {
            reason: around.reason.clone(),
            at: around.at,
            level: BailoutLevel::Loop,
        };
        emit_opaque_loop(ctx, statement, bailout);
    }
}

/// Lowers a loop in abandoned text as one that is possibly entered, with nothing known about what that text may
/// change. False if jumps lead into or out of it, if it mentions names declared in that text, or if the budget is
/// exhausted.
fn lower_possible_loop(ctx: &mut Lowering, statement: &Statement, around: &AbandonedText) -> bool {
    let facts = SyntaxFacts::of_statement(statement);
    let is_apart = ctx.frame().facts.keeps_jumps(statement);
    if !is_apart || !facts.mentioned_outside.is_disjoint(&around.declared) {
        return false;
    }
    let checkpoint = ctx.checkpoint();
    clobber_heap(ctx, Clobber::Everything);
    let looked_at = ctx.branch(
        Expression::Data,
        |ctx| ctx.loop_statement(statement),
        |_| Ok(()),
    );
    if looked_at.is_err() {
        ctx.roll_back(&checkpoint);
    }
    ctx.frame_mut().control.clone_from(&checkpoint.control);
    looked_at.is_ok()
}

/// Adds the names that a statement declares, including those in nested blocks.
fn add_declared(statement: &Statement, names: &mut BTreeSet<Name>) {
    if let StatementKind::Declarations(list) = &statement.kind {
        names.extend(list.iter().map(|declaration| match declaration {
            Declaration::Object(object) => object.name.clone(),
            Declaration::Enumerator { name, .. } => name.clone(),
        }));
    }
    for child in children(statement) {
        add_declared(child, names);
    }
}
