//! Dispatches calls by their callee: a body, a stated effect, a library function, or an unknown function.
//!
//! This module decides whether a call is inlined. It is not if
//!
//! 1. it is pure and its result is known: the result replaces it (`pure_calls`);
//! 2. its callee is a pointer or expression without a single known target;
//! 3. its effect is stated, several files define its name, or none does (`premiss_link::Callee`): it is a library
//!    function or unknown;
//! 4. it is recursive, or nested too deeply in other calls (`inlining`);
//! 5. its body is in another file, and would take more steps than `share_of_call` allows, or has taken more.
//!
//! A body in the same file is inlined regardless of its length: if steps run out in it, the whole function is given
//! up.

use crate::bailout::{BailoutLevel, Lowered};
use crate::calls::argument_effects::{
    arguments_for_pointers, points_to_scalar, reaches_arrays, receive_pointers,
    result_of_unknown_call,
};
use crate::calls::inlining::PassedArguments;
use crate::calls::library_calls::call_library_function;
use crate::calls::library_functions::{
    library_function, stored_arguments, touches_text, transfer_argument,
};
use crate::calls::pure_calls::{result_of_pure_call, use_pure_call_result};
use crate::calls::text_functions::access_text;
use crate::context::Lowering;
use crate::domain::memory_version::Clobber;
use crate::domain::types::{INT, NumberType, Type};
use crate::domain::values::{Place, Slot, Value, unknown_value};
use crate::eval::foreign_stores::leave_program;
use crate::eval::havoc::havoc_shared;
use crate::eval::rejections::{reject, reject_external_call};
use crate::eval::row_allocations::disturb_allocations;
use crate::eval::scopes::{is_local_name, undeclared_name};
use crate::loops::bounding_ranges::with_range_loads;
use crate::output::operations::record_external_call;
use crate::syntax::{
    Expression as Syntax, ExpressionKind, Function, GlobalName, Name, Signature, TextRange,
    TypeName,
};
use premiss_ast::{FunctionEffect, ResultKind, is_matrix_function};
use premiss_link::Callee;
use premiss_tree::{Expression, IntegerType, RejectReason};
use std::sync::Arc;

/// A call into another file may always take this fraction of the steps that its function may take in such calls.
const SHORT_CALL_FRACTION: u64 = 50;

/// The fraction of the steps that is reserved for short calls.
const RESERVED_FOR_SHORT_CALLS: u64 = 5;

/// The arguments of a call through a pointer in the order of the parameters; parameters without an argument are
/// unknown.
fn in_parameter_order(
    function: &Function,
    arguments: Vec<(Value, TextRange)>,
    at: TextRange,
) -> Vec<(Value, TextRange)> {
    let Signature {
        parameters, order, ..
    } = &*function.signature;
    let unknown = (unknown_value(Type::Unknown("argument".into())), at);
    let mut values = vec![unknown; parameters.len()];
    for (argument, place) in arguments.into_iter().zip(order) {
        if let Some(value) = values.get_mut(*place) {
            *value = argument;
        }
    }
    values
}

pub(crate) fn lower_call(
    ctx: &mut Lowering,
    callee: &Syntax,
    arguments: &[Syntax],
    at: TextRange,
) -> Lowered<Value> {
    if let ExpressionKind::Name(name) = &callee.kind
        && &**name == "__builtin_expect"
        && let Some(first) = arguments.first()
    {
        return ctx.expression(first);
    }
    let callee_value = match &callee.kind {
        ExpressionKind::Name(name) => match ctx.lookup(name) {
            Some(slot) => ctx.load(Place::Slot(slot)),
            None => undeclared_name(ctx, name),
        },
        _ => ctx.expression(callee)?,
    };
    let mut values = Vec::new();
    for argument in arguments {
        let value = with_range_loads(ctx, true, |ctx| ctx.expression(argument))?;
        values.push((value, argument.at));
    }
    let again = repeated_arguments(ctx, arguments);
    let is_by_name =
        matches!(&callee.kind, ExpressionKind::Name(name) if !is_local_name(ctx, name));
    let Value::Function(name) = callee_value else {
        let name = Name::from(ctx.program.text(callee.at));
        return call_unknown_function(ctx, &name, &values, None, at);
    };
    match ctx.program.callee(name.unit, &name.name) {
        Callee::Body(function) if !is_by_name && !function.signature.order.is_empty() => {
            let values = in_parameter_order(function, values, at);
            call_definition(ctx, function, (values, &[]), at)
        }
        Callee::Body(function) => call_definition(ctx, function, (values, &again), at),
        Callee::Stated(effect) => call_with_stated_effect(ctx, &name, effect, &values, at),
        Callee::Ambiguous => {
            let construct = format!("a call to `{}`, which several files define,", name.name);
            call_with_unstated_effect(ctx, &name, &construct, at)
        }
        Callee::Undefined => call_external(ctx, &name, values, at),
    }
}

fn call_definition(
    ctx: &mut Lowering,
    function: &Arc<Function>,
    arguments: PassedArguments,
    at: TextRange,
) -> Lowered<Value> {
    if let Some(result) = result_of_pure_call(ctx, function, &arguments) {
        return use_pure_call_result(ctx, function, arguments, &result, at);
    }
    match leaves_file(ctx, function) {
        true => inline_within_budget(ctx, function, arguments, at),
        false => ctx.inline_call(function, arguments, at),
    }
}

/// The indices of arguments that are the same real variable as the preceding one, as in `laisnan(x, x)`.
fn repeated_arguments(ctx: &mut Lowering, arguments: &[Syntax]) -> Vec<usize> {
    let pairs = arguments.windows(2).enumerate();
    let same = pairs.filter(|(_, pair)| match (&pair[0].kind, &pair[1].kind) {
        (ExpressionKind::Name(a), ExpressionKind::Name(b)) => {
            a == b && matches!(ctx.lookup(a), Some(Slot::Real(..)))
        }
        _ => false,
    });
    same.map(|(idx, _)| idx + 1).collect()
}

/// Whether a call of this function leaves the file of the lowered function; calls within the callee count towards its
/// share.
fn leaves_file(ctx: &Lowering, function: &Function) -> bool {
    let is_outermost = ctx.budget.linked_limit.is_none();
    is_outermost && function.at.unit != ctx.unit() && !ctx.program.is_model(function)
}

/// Inlines a call into another file as far as its budget allows; beyond that, the call is rejected.
fn inline_within_budget(
    ctx: &mut Lowering,
    function: &Arc<Function>,
    arguments: PassedArguments,
    at: TextRange,
) -> Lowered<Value> {
    let before = ctx.budget.work;
    let share = share_of_call(ctx, &function.global_name());
    if share == 0 {
        // The text of the callee is not read, so it is not recorded as an input.
        let limit = ctx.program.inline_budget().describe();
        let reason = RejectReason::Budget { limit };
        return give_up_call(ctx, function, share, reason, (&arguments.0, at));
    }
    ctx.budget.linked_limit = Some(before + share);
    let checkpoint = ctx.checkpoint();
    let received = arguments_for_pointers(&arguments.0);
    let result = ctx.inline_call(function, arguments, at);
    ctx.budget.linked_limit = None;
    ctx.budget.linked_work += (ctx.budget.work - before).min(share);
    match result {
        Err(bailout) if bailout.level == BailoutLevel::Tree => {
            ctx.roll_back(&checkpoint);
            give_up_call(ctx, function, share, bailout.reason, (&received, at))
        }
        result => result,
    }
}

/// Gives up a call into another file that takes more than its share of steps. As a part of the program, it may do
/// whatever the program does.
fn give_up_call(
    ctx: &mut Lowering,
    function: &Function,
    share: u64,
    reason: RejectReason,
    (arguments, at): (&[(Value, TextRange)], TextRange),
) -> Lowered<Value> {
    let name = function.global_name();
    if ctx.frames.len() == 1 {
        ctx.calls.unknown_arguments.insert(name.clone());
    }
    ctx.budget.too_long.insert(name, share);
    reject(ctx, reason, at);
    havoc_shared(ctx, Clobber::ByCall);
    receive_pointers(ctx, arguments);
    leave_program(ctx);
    let result = ctx.resolve(&function.signature.result)?;
    Ok(result_of_unknown_call(ctx, result, at))
}

/// The steps that one call into another file may take in this pass over the enclosing loops. A part is reserved for
/// short calls, so that loops with such calls behind an expensive one are understood; `None` if as many steps were too
/// few before, or are likely to be.
fn share_of_call(ctx: &mut Lowering, callee: &GlobalName) -> u64 {
    let end = ctx
        .loops
        .passes
        .linked_end()
        .unwrap_or(ctx.budget.allowance.linked);
    let all = ctx.budget.allowance.linked;
    let left = end.saturating_sub(ctx.budget.linked_work);
    let short = (all / SHORT_CALL_FRACTION).min(left);
    let share = short.max(left.saturating_sub(all / RESERVED_FOR_SHORT_CALLS));
    match ctx.budget.too_long.get(callee).copied() {
        Some(tried) if share <= tried => 0,
        _ if ctx.program.takes_more_than(share, callee) => 0,
        _ => share,
    }
}

/// A call of a function that no file defines.
fn call_external(
    ctx: &mut Lowering,
    name: &GlobalName,
    arguments: Vec<(Value, TextRange)>,
    at: TextRange,
) -> Lowered<Value> {
    let arguments_of_text = stored_arguments(&name.name);
    if let (Some(known), Some(stores)) = (library_function(&name.name), arguments_of_text) {
        access_text(ctx, &name.name, &arguments, &stores)?;
        return call_library_function(ctx, &name.name, known, arguments, at);
    }
    let touched = match transfer_argument(&name.name) {
        Some(idx) => arguments.get(idx..=idx).unwrap_or(&arguments),
        None => &arguments,
    };
    let touches_text = touches_text(&name.name) && reaches_arrays(ctx, touched);
    if let (Some(known), false) = (library_function(&name.name), touches_text) {
        return call_library_function(ctx, &name.name, known, arguments, at);
    }
    if is_matrix_function(&name.name) {
        return call_with_unstated_effect(ctx, name, &unstated_order(&name.name), at);
    }
    let result = ctx.program.prototype(name);
    call_unknown_function(ctx, &name.name, &arguments, result.as_deref(), at)
}

/// A call of a function with a stated effect.
fn call_with_stated_effect(
    ctx: &mut Lowering,
    name: &GlobalName,
    effect: &FunctionEffect,
    arguments: &[(Value, TextRange)],
    at: TextRange,
) -> Lowered<Value> {
    record_external_call(ctx, &name.name);
    let kind = match effect {
        FunctionEffect::Nothing(kind) => *kind,
        FunctionEffect::Unstated(why) => return call_with_unstated_effect(ctx, name, why, at),
        FunctionEffect::Body(_) => {
            return call_with_unstated_effect(ctx, name, "an empty definition", at);
        }
    };
    if arguments.iter().any(|(value, _)| points_to_scalar(value)) {
        havoc_shared(ctx, Clobber::Integers);
    }
    let integer = |bits| {
        let kind = IntegerType { bits, signed: true };
        Value::Integer(Expression::Data, kind)
    };
    Ok(match kind {
        ResultKind::Void => Value::Void,
        ResultKind::Int => integer(32),
        ResultKind::Long => integer(64),
        ResultKind::Float => Value::Floating(None, NumberType::real(4)),
        ResultKind::Double => Value::Floating(None, NumberType::real(8)),
        ResultKind::Pointer => Value::Data(Type::Unknown(name.name.clone())),
    })
}

/// A call that accesses arrays in an unknown way.
fn call_with_unstated_effect(
    ctx: &mut Lowering,
    name: &GlobalName,
    why: &str,
    at: TextRange,
) -> Lowered<Value> {
    record_external_call(ctx, &name.name);
    let construct = why.to_owned();
    reject_external_call(ctx, RejectReason::Unsupported { construct }, at);
    let result = ctx.program.prototype(name);
    result_of_external_call(ctx, result.as_deref(), at)
}

/// A call of a function without a known body.
fn call_unknown_function(
    ctx: &mut Lowering,
    name: &Name,
    arguments: &[(Value, TextRange)],
    result: Option<&TypeName>,
    at: TextRange,
) -> Lowered<Value> {
    disturb_allocations(ctx);
    record_external_call(ctx, name);
    // In a loop, what it accesses of its own is part of the nest: `for (…) store(i, j)` is no nest without accesses.
    if ctx.is_in_loop() || ctx.call_summary.has_shared_arrays || reaches_arrays(ctx, arguments) {
        let callee = name.to_string();
        reject_external_call(ctx, RejectReason::UnknownCall { callee }, at);
    } else {
        havoc_shared(ctx, Clobber::Integers);
    }
    receive_pointers(ctx, arguments);
    result_of_external_call(ctx, result, at)
}

/// The result of a call of which no file tells what it does, and which may not return.
fn result_of_external_call(
    ctx: &mut Lowering,
    result: Option<&TypeName>,
    at: TextRange,
) -> Lowered<Value> {
    leave_program(ctx);
    let result = match result {
        Some(result) => ctx.resolve(result)?,
        None => Type::Integer(INT),
    };
    Ok(result_of_unknown_call(ctx, result, at))
}

/// Why the accesses of a matrix function are not modelled.
fn unstated_order(name: &str) -> String {
    format!("the order in which `{name}` goes through its matrices")
}
