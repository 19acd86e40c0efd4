//! Jump flags: variables that are 1 where a jump has skipped the current statement, and the condition under which none
//! has.

use crate::context::Lowering;
use crate::domain::integers::logical;
use crate::domain::state::IntegerKnowledge;
use crate::eval::variables::read_integer;
use premiss_tree::{BinaryOperator as Op, Expression, VariableId};

/// Whether a jump may have skipped this place, depending on data.
pub(crate) fn may_have_exited(ctx: &Lowering) -> bool {
    may_have_exited_loops(ctx) || ctx.frame().control.exits.iteration
}

/// Whether a jump may have left the loops that are open here, depending on data.
pub(crate) fn may_have_exited_loops(ctx: &Lowering) -> bool {
    let frame = ctx.frame();
    frame.control.may_have_returned || frame.control.targets.iter().any(|ahead| ahead.is_taken)
}

/// The condition under which no jump has skipped this place, as far as flags represent it.
pub(crate) fn reaching_condition(ctx: &mut Lowering) -> Expression {
    let flags = jump_flags(ctx);
    flags.into_iter().fold(1.into(), |reached, flag| {
        logical(Op::And, reached, flag_is_clear(ctx, flag))
    })
}

/// The flags that jumps past the current statement set.
pub(crate) fn jump_flags(ctx: &Lowering) -> Vec<VariableId> {
    let control = &ctx.frame().control;
    let flags = control.targets.iter().map(|ahead| ahead.flag);
    flags.chain(control.returned).collect()
}

/// Whether a jump flag is 0.
fn flag_is_clear(ctx: &mut Lowering, flag: VariableId) -> Expression {
    match read_integer(ctx, flag) {
        None => 1.into(),
        Some(IntegerKnowledge::Symbolic(value)) => i64::from(value.as_integer() == Some(0)).into(),
        Some(IntegerKnowledge::Exact) => {
            Expression::binary(Op::Equal, Expression::Variable(flag), 0.into())
        }
        Some(IntegerKnowledge::Unknown) => Expression::Data,
    }
}

/// Assumes for the current code that the function has not returned and no jump has skipped it.
pub(crate) fn assume_not_returned(ctx: &mut Lowering) {
    for flag in jump_flags(ctx) {
        let none = IntegerKnowledge::Symbolic(0.into());
        ctx.state.integers.insert(flag, none);
    }
}
