//! Jumps: structured ones, and those that depend on data.
//!
//! `if (c) continue; rest` is `if (!c) { rest }`, and `if (c) return; rest` likewise, if the end of the loop's or
//! function's body follows `rest`. After any other jump, the following statements are possible, up to the label that
//! it leads to. A loop that a jump may end executes its body at most as often as its header allows.

use crate::bailout::{Bailout, BailoutLevel, Lowered};
use crate::call_stack::{CONTINUE_LABEL, JumpTarget};
use crate::context::Lowering;
use crate::control::returns::havoc_result;
use crate::control::tail::{Tail, always_jumps};
use crate::eval::variables::assign_integer;
use crate::syntax::{Name, Statement, StatementKind};
use premiss_tree::RejectReason;

/// Records a jump to a label ahead; false if it leads elsewhere.
fn jump_forward(ctx: &mut Lowering, label: &Name) -> bool {
    let n_loops = ctx.frame().control.n_loops;
    let frame = ctx.frame_mut();
    let mut ahead = frame.control.targets.iter_mut().rev();
    let Some(ahead) = ahead.find(|ahead| ahead.labels.contains(label)) else {
        return false;
    };
    if ahead.n_loops == n_loops {
        let flag = ahead.flag;
        assign_integer(ctx, flag, 1.into());
    } else {
        ahead.is_taken = true;
        frame.control.exits.stop = true;
    }
    true
}

/// Records a `continue` of the innermost loop; false if there is none.
fn continue_loop(ctx: &mut Lowering) -> bool {
    let control = &ctx.frame().control;
    let is_own = |ahead: &&JumpTarget| {
        ahead.n_loops == control.n_loops
            && ahead.labels.iter().any(|label| &**label == CONTINUE_LABEL)
    };
    let Some(flag) = control
        .targets
        .iter()
        .rev()
        .find(is_own)
        .map(|ahead| ahead.flag)
    else {
        return false;
    };
    assign_integer(ctx, flag, 1.into());
    true
}

/// Lowers `break`, `continue` or `goto`.
pub(crate) fn lower_jump(ctx: &mut Lowering, statement: &Statement, tail: Tail) -> Lowered<()> {
    if matches!(statement.kind, StatementKind::Continue) && continue_loop(ctx) {
        return Ok(());
    }
    if let StatementKind::Goto(Some(label)) = &statement.kind {
        let is_structure = always_jumps(statement, tail);
        if is_structure || jump_forward(ctx, label) {
            return Ok(());
        }
    }
    let (keyword, level) = match statement.kind {
        StatementKind::Break => ("break", BailoutLevel::Loop),
        StatementKind::Continue => ("continue", BailoutLevel::Loop),
        _ => ("goto", BailoutLevel::OutermostLoop),
    };
    let is_goto = level == BailoutLevel::OutermostLoop;
    let is_understood = match is_goto {
        true => ctx.frame().facts.jumps_forward(),
        false => 0 < ctx.frame().control.n_loops,
    };
    if !is_understood {
        return Err(Bailout {
            reason: RejectReason::Jump { keyword },
            at: statement.at,
            level,
        });
    }
    if is_goto {
        havoc_result(ctx);
    }
    let frame = ctx.frame_mut();
    frame.control.has_jumped_anywhere |= is_goto;
    frame.control.exits.stop |= keyword != "continue";
    frame.control.exits.iteration |= !tail.of_loop;
    Ok(())
}
