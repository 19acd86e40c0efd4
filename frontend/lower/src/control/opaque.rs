//! Statements that are given up: opaque nodes in their place, and the loops in them lowered by themselves.

use crate::bailout::{Bailout, BailoutLevel, Lowered};
use crate::context::Lowering;
use crate::control::returns::havoc_result;
use crate::domain::memory_version::Clobber;
use crate::eval::havoc::havoc_mentioned;
use crate::eval::heap_stores::clobber_heap;
use crate::eval::rejections::reject;
use crate::loops::loop_nodes::{open_loop, uncounted_loop_node};
use crate::loops::loop_shape::loop_parts;
use crate::syntax::{At, Declaration, Name, Statement, StatementKind};
use premiss_ast::SyntaxFacts;
use premiss_ast::visit::{children, is_loop, leaves_function};
use premiss_tree::{Expression, Node, RejectReason};
use std::collections::BTreeSet;

/// Text that was given up.
struct AbandonedText<'a> {
    /// Names that are declared in it.
    declared: BTreeSet<Name>,
    reason: &'a RejectReason,
    /// What the reason is about.
    at: At,
}

/// A loop of which nothing was understood but that it is one.
pub(crate) fn emit_opaque_loop(ctx: &mut Lowering, statement: &Statement, bailout: Bailout) {
    let Some(parts) = loop_parts(statement) else {
        emit_opaque_at(ctx, statement, bailout.reason, bailout.at);
        return;
    };
    let id = open_loop(ctx, "while", parts.header);
    let around = std::mem::take(&mut ctx.tree.block);
    emit_opaque_at(ctx, statement, bailout.reason, bailout.at);
    let body = std::mem::replace(&mut ctx.tree.block, around);
    ctx.tree.open_loops.pop();
    let node = uncounted_loop_node(ctx, id, body);
    ctx.tree.emit(Node::Loop(node));
}

/// Puts an opaque node in the place of a statement.
pub(crate) fn emit_opaque(
    ctx: &mut Lowering,
    statement: &Statement,
    reason: RejectReason,
) -> Lowered<()> {
    emit_opaque_at(ctx, statement, reason, statement.at);
    let leaves = leaves_function(statement);
    if leaves {
        havoc_result(ctx);
    }
    Ok(())
}

/// The same, with the place that the rejection is about.
fn emit_opaque_at(ctx: &mut Lowering, statement: &Statement, reason: RejectReason, at: At) {
    reject(ctx, reason, at);
    let mentions = ctx.program.name_uses(statement);
    havoc_mentioned(ctx, &mentions);
}

/// Gives up statements outside of loops, for what is at a place in the first; the loops in them are looked at by
/// themselves.
pub(crate) fn give_up(ctx: &mut Lowering, statements: &[Statement], reason: &RejectReason, at: At) {
    let Some((broken, rest)) = statements.split_first() else {
        return;
    };
    emit_opaque_at(ctx, broken, reason.clone(), at);
    for statement in rest {
        let mentions = ctx.program.name_uses(statement);
        havoc_mentioned(ctx, &mentions);
    }
    // The loops of functions that are called are counted where these are written.
    if ctx.frames.len() == 1 {
        let mut declared = BTreeSet::new();
        statements
            .iter()
            .for_each(|s| add_declared(s, &mut declared));
        let given_up = AbandonedText {
            declared,
            reason,
            at,
        };
        statements
            .iter()
            .for_each(|s| lower_loops_within(ctx, s, &given_up));
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

/// Lowers a loop in text that was given up, as one that may be entered with nothing known of what that text may
/// change. False where jumps lead into it or out of it, where it mentions what is declared there, or where the
/// budget is used up.
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

/// Adds the names that a statement declares, in blocks within it, too.
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
