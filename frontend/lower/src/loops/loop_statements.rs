//! Loop statements: lowered as counted loops if possible, with exits of the body in the condition or conditions moved
//! into the body, then as searches of an array, as loops that step by a factor, as loops with bounds that change, with an
//! unknown trip count, and finally as opaque.

use crate::bailout::{Bailout, BailoutLevel, Lowered};
use crate::context::{Checkpoint, Lowering};
use crate::control::opaque::emit_opaque_loop;
use crate::control::returns::havoc_result;
use crate::loops::conditional_tests::with_applicable_test;
use crate::loops::counted_loops::{
    lower_counted_loop, lower_loop_with_exits, lower_loop_within_ranges,
};
use crate::loops::exit_conditions::move_guards_into_body;
use crate::loops::geometric_loops::lower_geometric_loop;
use crate::loops::inner_exits::{LoopWithExits, with_inner_exits};
use crate::loops::searched_arrays::with_end_of_array;
use crate::loops::uncounted_loops::lower_uncounted_loop;
use crate::syntax::Statement;
use premiss_tree::RejectReason;

pub(crate) fn lower_loop(ctx: &mut Lowering, statement: &Statement) -> Lowered<()> {
    if let Some(rewritten) = with_applicable_test(ctx, statement) {
        return lower_loop(ctx, &rewritten);
    }
    let checkpoint = ctx.checkpoint();
    if let Some(LoopWithExits { statement, leaving }) = with_inner_exits(ctx, statement) {
        match ctx.in_scope(|ctx| lower_loop_with_exits(ctx, &statement, &leaving)) {
            Err(other) if other.level == BailoutLevel::Tree => return Err(other),
            Err(_) => ctx.roll_back(&checkpoint),
            Ok(()) => return Ok(()),
        }
    }
    let bailout = match ctx.in_scope(|ctx| lower_counted_loop(ctx, statement)) {
        Ok(()) => return Ok(()),
        Err(bailout) => bailout,
    };
    let is_outermost = checkpoint.control.n_loops == 0;
    if bailout.level == BailoutLevel::Tree
        || (bailout.level == BailoutLevel::OutermostLoop && !is_outermost)
    {
        return Err(bailout);
    }
    ctx.roll_back(&checkpoint);
    if matches!(bailout.reason, RejectReason::UncountedLoop { .. })
        && lower_otherwise(ctx, statement, &bailout, &checkpoint)?
    {
        return Ok(());
    }
    let is_jump = matches!(bailout.reason, RejectReason::Jump { .. });
    let leaves = bailout.level == BailoutLevel::OutermostLoop
        && !(is_jump && ctx.frame().facts.keeps_jumps(statement));
    emit_opaque_loop(ctx, statement, bailout);
    if leaves {
        havoc_result(ctx);
    }
    Ok(())
}

/// Lowers a loop that is not counted in other ways; `false` if none applies.
fn lower_otherwise(
    ctx: &mut Lowering,
    statement: &Statement,
    bailout: &Bailout,
    checkpoint: &Checkpoint,
) -> Lowered<bool> {
    let rewritten = move_guards_into_body(ctx, statement);
    if let Some(rewritten) = &rewritten
        && succeeds(ctx, checkpoint, |ctx| lower_counted_loop(ctx, rewritten))?
    {
        return Ok(true);
    }
    if let Some(searching) = with_end_of_array(ctx, statement) {
        let rewritten = move_guards_into_body(ctx, &searching).unwrap_or(searching);
        if succeeds(ctx, checkpoint, |ctx| lower_counted_loop(ctx, &rewritten))? {
            return Ok(true);
        }
    }
    let within = rewritten.as_deref().unwrap_or(statement);
    Ok(succeeds(ctx, checkpoint, |ctx| {
        lower_geometric_loop(ctx, statement, bailout)
    })? || succeeds(ctx, checkpoint, |ctx| lower_loop_within_ranges(ctx, within))?
        || succeeds(ctx, checkpoint, |ctx| {
            lower_uncounted_loop(ctx, statement, bailout)
        })?)
}

/// Whether an attempt to lower a loop succeeds; one that fails is rolled back.
fn succeeds(
    ctx: &mut Lowering,
    checkpoint: &Checkpoint,
    lower: impl FnOnce(&mut Lowering) -> Lowered<()>,
) -> Lowered<bool> {
    match ctx.in_scope(lower) {
        Ok(()) => Ok(true),
        Err(other) if other.level == BailoutLevel::Tree => Err(other),
        Err(_) => {
            ctx.roll_back(checkpoint);
            Ok(false)
        }
    }
}
