//! Interprets one function: from its syntax to a context with its tree.

use crate::bailout::Lowered;
use crate::budget::Allowance;
use crate::calls::own_parameters::bind_parameter;
use crate::constant_images::ConstantImages;
use crate::context::Lowering;
use crate::control::opaque::give_up;
use crate::eval::foreign_stores::objects_in_reach;
use crate::eval::globals::enter_globals;
use crate::syntax::{Function, GlobalName, Name, StatementKind};
use premiss_link::Queries;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Lowers a function. If the budget is exhausted or the signature cannot be evaluated, the whole function becomes
/// opaque.
///
/// If it calls functions that nothing defines, it is lowered again with the objects that these may change as variables,
/// until it mentions no others (`eval::foreign_stores`). So it is where comparisons tell which of its parameters point
/// into one array (`calls::array_ends`).
pub(crate) fn interpret_function<'p>(
    program: &'p dyn Queries,
    images: &'p ConstantImages,
    function: &Arc<Function>,
    mut allowance: Allowance,
) -> Lowering<'p> {
    let mut changed_outside = BTreeSet::new();
    let mut starts = BTreeMap::new();
    let (mut work, mut linked_work) = (0, 0);
    loop {
        let mut ctx = Lowering::new(program, images, function, allowance);
        ctx.symbols.changed_outside.clone_from(&changed_outside);
        ctx.ends.starts.clone_from(&starts);
        interpret_in(&mut ctx, function);
        let known = (changed_outside.len(), starts.len());
        starts.append(&mut ctx.ends.tested);
        changed_outside.extend(objects_in_reach(&ctx));
        let own_work = ctx.budget.work - ctx.budget.linked_work;
        if (changed_outside.len(), starts.len()) == known {
            ctx.budget.work += work;
            ctx.budget.linked_work += linked_work;
            return ctx;
        }
        work += ctx.budget.work;
        linked_work += ctx.budget.linked_work;
        allowance.remaining = allowance.remaining.saturating_sub(own_work);
    }
}

fn interpret_in(ctx: &mut Lowering, function: &Arc<Function>) {
    let entered = enter_function(ctx, function);
    let checkpoint = ctx.checkpoint();
    let result = entered.and_then(|()| match &function.body.kind {
        StatementKind::Block(list) => ctx.in_scope(|ctx| ctx.function_body(list)),
        _ => Ok(()),
    });
    if let Err(bailout) = result {
        ctx.roll_back(&checkpoint);
        let body = std::slice::from_ref(&function.body);
        give_up(ctx, body, &bailout.reason, bailout.at);
    }
}

fn enter_function(ctx: &mut Lowering, function: &Arc<Function>) -> Lowered<()> {
    let changed = ctx.program.modified_globals(&ctx.call_summary);
    let changed_outside = ctx.symbols.changed_outside.iter().cloned();
    let changed: BTreeSet<GlobalName> = changed.into_iter().chain(changed_outside).collect();
    enter_globals(ctx, changed);
    let signature = &function.signature;
    let parameters = signature.parameters.iter().enumerate();
    let is_end = |name: &Name| ctx.ends.starts.contains_key(name);
    let (ends, others): (Vec<_>, Vec<_>) =
        parameters.partition(|(_, parameter)| parameter.name.as_ref().is_some_and(is_end));
    for (idx, parameter) in others.into_iter().chain(ends) {
        // In the order of the arguments as declared; what comes with them, such as extents, is no array.
        let place = signature.order.iter().position(|place| *place == idx);
        bind_parameter(ctx, parameter, place.unwrap_or(idx))?;
    }
    Ok(())
}
