//! Labels, and forward jumps to them.
//!
//! A `goto` to a label ahead, in an enclosing statement, skips what is in between: `if (c) goto l; rest l:` is `if
//! (!c) { rest } l:`.

use crate::bailout::Lowered;
use crate::call_stack::{CONTINUE_LABEL, JumpTarget};
use crate::context::Lowering;
use crate::control::jump_flags::{assume_not_returned, may_have_exited, reaching_condition};
use crate::control::statement_lists::lower_statements_from;
use crate::control::tail::{Tail, has_label, leads_to_end, strip_labels};
use crate::domain::memory_version::Clobber;
use crate::domain::state::IntegerKnowledge;
use crate::domain::types::INT;
use crate::eval::havoc::havoc_mentioned;
use crate::eval::heap_stores::clobber_heap;
use crate::eval::variables::{assign_integer, new_variable};
use crate::syntax::{Name, Statement, StatementKind};
use premiss_ast::SyntaxFacts;
use premiss_ast::visit::{contains, continues, leading_labels};
use premiss_tree::Expression;

/// The last statement that an earlier one jumps to.
fn last_target(statements: &[Statement]) -> Option<usize> {
    let is_target = |idx: &usize| {
        let (before, rest) = statements.split_at(*idx);
        let jumps = |kind: &StatementKind| match kind {
            StatementKind::Goto(Some(label)) => has_label(&rest[0], label),
            _ => false,
        };
        matches!(rest[0].kind, StatementKind::Label(..))
            && before.iter().any(|s| contains(s, &jumps))
    };
    (1..statements.len()).rev().find(is_target)
}

/// Lowers statements with jumps from an earlier one to a later one; false if there are none.
pub(crate) fn lower_list_with_gotos(
    ctx: &mut Lowering,
    statements: &[Statement],
    tail: Tail,
) -> Lowered<bool> {
    if !ctx.frame().facts.has_goto() {
        return Ok(false);
    }
    let Some(idx) = last_target(statements) else {
        return Ok(false);
    };
    let (before, rest) = statements.split_at(idx);
    let had_left = may_have_exited(ctx);
    lower_up_to_label(ctx, before, &rest[0], tail, rest.len() == 1)?;
    let from_label = |ctx: &mut Lowering| match rest {
        [single] => ctx.statement(strip_labels(single), tail),
        _ => lower_statements_from(ctx, rest, strip_labels(&rest[0]), tail),
    };
    let reached = match !had_left && may_have_exited(ctx) {
        true => Expression::Data,
        false => reaching_condition(ctx),
    };
    match reached.as_integer() {
        Some(0) => {}
        Some(_) => from_label(ctx)?,
        None => {
            let from_label = |ctx: &mut Lowering| {
                assume_not_returned(ctx);
                from_label(ctx)
            };
            ctx.branch(reached, from_label, |_| Ok(()))?;
        }
    }
    Ok(true)
}

/// Lowers the statements before a label that some of them jump to.
fn lower_up_to_label(
    ctx: &mut Lowering,
    before: &[Statement],
    label: &Statement,
    tail: Tail,
    is_last: bool,
) -> Lowered<()> {
    let is_empty = matches!(strip_labels(label).kind, StatementKind::Empty);
    let is_end = is_last && is_empty;
    let around = if is_end { tail } else { Tail::NONE };
    let tail = Tail {
        label: Some(label),
        ..around
    };
    with_jump_target(ctx, leading_labels(label), "jumped", |ctx| {
        ctx.statements(before, tail)
    })
}

/// Lowers an iteration of the innermost loop.
pub(crate) fn lower_iteration(ctx: &mut Lowering, body: &[Statement]) -> Lowered<()> {
    let lower = |ctx: &mut Lowering| match body {
        [single] => ctx.in_scope(|ctx| ctx.statement(single, Tail::LOOP)),
        list => ctx.statements(list, Tail::LOOP),
    };
    match body.iter().any(continues) {
        true => with_jump_target(ctx, vec![CONTINUE_LABEL.into()], "continued", lower),
        false => lower(ctx),
    }
}

/// Lowers what precedes the target of forward jumps; `name` is the name of the variable that records them.
fn with_jump_target(
    ctx: &mut Lowering,
    labels: Vec<Name>,
    flag: &str,
    lower: impl FnOnce(&mut Lowering) -> Lowered<()>,
) -> Lowered<()> {
    let n_loops = ctx.frame().control.n_loops;
    let flag = new_variable(ctx, flag, INT, false);
    let place = ctx.tree.block.len();
    assign_integer(ctx, flag, 0.into());
    ctx.frame_mut().control.targets.push(JumpTarget {
        labels,
        n_loops,
        flag,
        is_taken: false,
    });
    lower(ctx)?;
    ctx.frame_mut().control.targets.pop();
    if ctx.state.integers.get(&flag) == Some(&IntegerKnowledge::Symbolic(0.into())) {
        ctx.tree.block.remove(place);
    }
    Ok(())
}

/// The target of forward jumps, which come from anywhere before it.
pub(crate) fn lower_label(ctx: &mut Lowering) {
    if ctx.frame().control.has_jumped_anywhere {
        let facts = ctx.frame().facts.clone();
        havoc_mentioned(ctx, &SyntaxFacts::clone(&facts).into());
        clobber_heap(ctx, Clobber::Everything);
    }
}

/// Jumps out of `do … while (0)` continue behind it.
pub(crate) fn lower_run_once(ctx: &mut Lowering, body: &Statement, tail: Tail) -> Lowered<()> {
    if !leads_to_end(body) {
        return ctx.in_scope(|ctx| ctx.statement(body, tail.in_block()));
    }
    let before = ctx.frame().control.exits;
    ctx.frame_mut().control.n_loops += 1;
    let labels = vec![CONTINUE_LABEL.into()];
    with_jump_target(ctx, labels, "continued", |ctx| {
        ctx.in_scope(|ctx| ctx.statement(body, Tail::NONE))
    })?;
    ctx.frame_mut().control.n_loops -= 1;
    ctx.frame_mut().control.exits = before;
    Ok(())
}
