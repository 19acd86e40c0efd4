//! The body of a function: statements that a jump makes impossible to lower become opaque, and what follows possible.

use crate::bailout::{BailoutLevel, Lowered};
use crate::context::Lowering;
use crate::control::opaque::give_up;
use crate::control::returns::havoc_result;
use crate::control::tail::Tail;
use crate::syntax::Statement;
use premiss_ast::visit::{has_label, leaves_function};
use premiss_tree::{Expression, RejectReason};

/// Lowers the statements of a function's body. A statement that cannot be lowered because of a jump out of the
/// function becomes opaque, and what follows it possible.
pub(crate) fn lower_function_body(ctx: &mut Lowering, list: &[Statement]) -> Lowered<()> {
    let checkpoint = ctx.checkpoint();
    let bailout = match ctx.statements(list, Tail::FUNCTION) {
        Err(bailout) if bailout.level != BailoutLevel::Tree => bailout,
        other => return other,
    };
    ctx.roll_back(&checkpoint);
    let is_within = |s: &Statement| s.at.covers(bailout.at);
    let at = list.iter().position(is_within).unwrap_or(0);
    let is_met = |s: &Statement| leaves_function(s) || has_label(s);
    let at = list.iter().position(is_met).unwrap_or(at).min(at);
    let (before, rest) = list.split_at(at);
    ctx.statements(before, Tail::NONE)?;
    let Some((broken, after)) = rest.split_first() else {
        return Err(bailout);
    };
    if matches!(bailout.reason, RejectReason::Jump { keyword: "goto" }) {
        // The jump may lead to any later place.
        give_up(ctx, rest, &bailout.reason, bailout.at);
        havoc_result(ctx);
        return Ok(());
    }
    give_up(ctx, &rest[..1], &bailout.reason, bailout.at);
    havoc_result(ctx);
    let nothing = |_: &mut Lowering| Ok(());
    ctx.branch(
        Expression::Data,
        |ctx| ctx.deeper(broken.at, |ctx| ctx.function_body(after)),
        nothing,
    )?;
    Ok(())
}
