//! Interprets one function: from its syntax to a context with its tree.

use crate::bailout::Lowered;
use crate::budget::Allowance;
use crate::calls::own_parameters::bind_parameter;
use crate::constant_images::ConstantImages;
use crate::context::Lowering;
use crate::control::opaque::give_up;
use crate::eval::globals::enter_globals;
use crate::syntax::{Function, StatementKind};
use premiss_link::Queries;
use std::sync::Arc;

/// Lowers a function. If the budget is exhausted or the signature cannot be evaluated, the whole function becomes
/// opaque.
pub(crate) fn interpret_function<'p>(
    program: &'p dyn Queries,
    images: &'p ConstantImages,
    function: &Arc<Function>,
    allowance: Allowance,
) -> Lowering<'p> {
    let mut ctx = Lowering::new(program, images, function, allowance);
    let entered = enter_function(&mut ctx, function);
    let checkpoint = ctx.checkpoint();
    let result = entered.and_then(|()| match &function.body.kind {
        StatementKind::Block(list) => ctx.in_scope(|ctx| ctx.function_body(list)),
        _ => Ok(()),
    });
    if let Err(bailout) = result {
        ctx.roll_back(&checkpoint);
        let body = std::slice::from_ref(&function.body);
        give_up(&mut ctx, body, &bailout.reason, bailout.at);
    }
    ctx
}

fn enter_function(ctx: &mut Lowering, function: &Arc<Function>) -> Lowered<()> {
    let changed = ctx.program.modified_globals(&ctx.call_summary);
    enter_globals(ctx, changed);
    for (idx, parameter) in function.signature.parameters.iter().enumerate() {
        bind_parameter(ctx, parameter, idx)?;
    }
    Ok(())
}
