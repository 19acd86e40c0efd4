//! The end of the program within a function: a `return` from all functions that are being lowered.
//!
//! ```text
//! for (i = 0; i < n; i++) {
//!     if (i >= m) exit(1);        sizes decide: the loop ends, and nothing behind it is executed
//!     if (x[i] < 0) exit(1);      data decide: assumed not to happen, and told
//!     a[i] = 0;
//! }
//! ```

use crate::context::Lowering;
use crate::control::tail::Tail;
use crate::eval::variables::assign_integer;
use crate::syntax::{ProgramEnd, Statement, StatementKind};
use premiss_tree::{Assumption, AssumptionKind, Expression};

/// Lowers the end of the program.
pub(crate) fn end_program(ctx: &mut Lowering, end: ProgramEnd, tail: Tail) {
    if is_under_data(ctx) {
        return match end {
            ProgramEnd::Check => assume_no_end(ctx),
            ProgramEnd::Iterator => may_end(ctx),
        };
    }
    // A function that is interpreted in isolation is not pure.
    ctx.calls.has_unknown_effects = true;
    let innermost = ctx.frames.len() - 1;
    let flags: Vec<_> = (0..=innermost)
        .filter(|idx| *idx < innermost || !tail.of_function)
        .filter_map(|idx| {
            let control = &mut ctx.frames[idx].control;
            let flag = control.returned.filter(|_| control.n_loops == 0);
            if flag.is_none() {
                control.may_have_returned = true;
                control.exits.stop = true;
            }
            flag
        })
        .collect();
    for flag in flags {
        assign_integer(ctx, flag, 1.into());
    }
}

/// Records that the program may have ended, depending on data.
fn may_end(ctx: &mut Lowering) {
    ctx.calls.has_unknown_effects = true;
    for frame in &mut ctx.frames {
        frame.control.may_have_returned = true;
        frame.control.exits.stop = true;
    }
}

/// Whether an arm of a branch ends the program, which is assumed not to happen: data decide.
pub(crate) fn is_assumed_to_stay(ctx: &Lowering, condition: &Expression, arm: &Statement) -> bool {
    let is_decided = condition.as_integer().is_some();
    ends_program(arm) && (depends_on_data(ctx, condition) || (is_under_data(ctx) && !is_decided))
}

/// Whether a condition depends on data, or on real numbers.
pub(crate) fn depends_on_data(ctx: &Lowering, condition: &Expression) -> bool {
    condition.any(|part| match part {
        Expression::Data => true,
        Expression::Parameter(id) => ctx.predicates.ids.values().any(|one| one == id),
        _ => false,
    })
}

/// Whether data decide if the current place is reached.
fn is_under_data(ctx: &Lowering) -> bool {
    ctx.frames
        .iter()
        .any(|frame| 0 < frame.control.n_data_branches)
}

fn assume_no_end(ctx: &mut Lowering) {
    let subject = format!("`{}`", ctx.frame().function);
    ctx.assumptions.insert(Assumption {
        kind: AssumptionKind::NoEnd,
        subject,
    });
}

/// Whether a statement always comes to an end of the program, or has no other end.
fn ends_program(statement: &Statement) -> bool {
    match &statement.kind {
        StatementKind::Stop(end) => *end == ProgramEnd::Check,
        StatementKind::Block(list) => list.last().is_some_and(ends_program),
        StatementKind::If {
            then,
            otherwise: Some(otherwise),
            ..
        } => ends_program(then) && ends_program(otherwise),
        _ => false,
    }
}
