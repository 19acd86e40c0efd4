//! Loop statements: lowered as counted loops if possible, with exits of the body in the condition or conditions moved
//! into the body, then as loops that step by a factor, then with an unknown trip count, and finally as opaque.

use crate::bailout::{BailoutLevel, Lowered};
use crate::context::Lowering;
use crate::control::opaque::emit_opaque_loop;
use crate::control::returns::havoc_result;
use crate::loops::conditional_tests::with_applicable_test;
use crate::loops::counted_loops::{lower_counted_loop, lower_loop_with_exits};
use crate::loops::exit_conditions::move_guards_into_body;
use crate::loops::geometric_loops::lower_geometric_loop;
use crate::loops::inner_exits::{LoopWithExits, with_inner_exits};
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
    if matches!(bailout.reason, RejectReason::UncountedLoop { .. }) {
        if let Some(rewritten) = move_guards_into_body(ctx, statement) {
            match ctx.in_scope(|ctx| lower_counted_loop(ctx, &rewritten)) {
                Ok(()) => return Ok(()),
                Err(other) if other.level == BailoutLevel::Tree => return Err(other),
                Err(_) => ctx.roll_back(&checkpoint),
            }
        }
        match ctx.in_scope(|ctx| lower_geometric_loop(ctx, statement, &bailout)) {
            Ok(()) => return Ok(()),
            Err(other) if other.level == BailoutLevel::Tree => return Err(other),
            Err(_) => ctx.roll_back(&checkpoint),
        }
        match lower_uncounted_loop(ctx, statement, &bailout) {
            Ok(()) => return Ok(()),
            Err(other) if other.level == BailoutLevel::Tree => return Err(other),
            Err(_) => ctx.roll_back(&checkpoint),
        }
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
