//! Inlining: lowers the callee's body at the call, its parameters bound to the arguments.

use crate::bailout::Lowered;
use crate::budget::{MAX_CALLS, MAX_RECURSIVE};
use crate::call_stack::{CallRecord, Frame};
use crate::calls::argument_effects::{receive_pointers, result_of_unknown_call};
use crate::context::Lowering;
use crate::domain::memory_version::Clobber;
use crate::domain::shared_map::retain_from;
use crate::domain::state::NonNullOffset;
use crate::domain::types::{Type, decay_type};
use crate::domain::values::{
    ArrayRow, Place, Pointer, PointerId, Slot, Target, Value, is_constant, unknown_value,
};
use crate::eval::arrays::declare_local_array;
use crate::eval::conversions::convert;
use crate::eval::havoc::havoc_shared;
use crate::eval::records::{drop_records, returned_value};
use crate::eval::rejections::reject;
use crate::eval::scopes::bind_name;
use crate::eval::slots::{fix_value, new_slot};
use crate::loops::bounding_ranges::with_range_loads;
use crate::output::operations::with_role;
use crate::output::scalar_updates::ScalarUpdate;
use crate::output::scalar_uses::record_write;
use crate::syntax::{Function, GlobalName, Name, StatementKind, TextRange, TypeName};
use premiss_tree::{Expression, RejectReason, Role, VariableId};
use std::sync::Arc;

/// The arguments of a call, and the indices of those that are the same variable as the preceding one.
pub(crate) type PassedArguments<'a> = (Vec<(Value, TextRange)>, &'a [usize]);

/// Lowers the callee's body at the call.
pub(crate) fn inline_body(
    ctx: &mut Lowering,
    function: &Arc<Function>,
    arguments: PassedArguments,
    at: TextRange,
) -> Lowered<Value> {
    let name = function.global_name();
    let facts = ctx.program.syntax_facts(&name);
    record_call_arguments(ctx, &name, &arguments.0);
    let callee = function.name.to_string();
    let is_open = |f: &Frame| f.function == name.name && f.unit == name.unit;
    let reason = if ctx.frames.iter().any(is_open) || is_deep_in_circle(ctx, &name) {
        Some(RejectReason::Recursion { callee })
    } else if ctx.frames.len() >= MAX_CALLS {
        let limit = format!("{MAX_CALLS} calls inside each other");
        Some(RejectReason::Budget { limit })
    } else {
        None
    };
    if let Some(reason) = reason {
        reject(ctx, reason, at);
        havoc_shared(ctx, Clobber::ByCall);
        receive_pointers(ctx, &arguments.0);
        let result = ctx.resolve(&function.signature.result)?;
        return Ok(result_of_unknown_call(ctx, result, at));
    }
    let path = ctx.frame().path.through(at);
    ctx.frames.push(Frame::new(name, at, path, facts));
    let first = (
        ctx.symbols.next_variable(),
        PointerId(ctx.symbols.pointers.len()),
    );
    let mut result = ctx.deeper(at, |ctx| {
        with_role(ctx, Role::Data, |ctx| {
            with_range_loads(ctx, false, |ctx| {
                lower_callee_body(ctx, function, arguments)
            })
        })
    });
    if result.is_ok() {
        let frame = ctx.frames.pop();
        result = result.map(|value| returned_value(ctx, value, at));
        if let Some(frame) = frame {
            drop_records(ctx, &frame);
        }
        drop_callee_variables(ctx, first);
    }
    result
}

/// Whether a function and as many of those that call it now as may be followed are each part of a circle of calls.
fn is_deep_in_circle(ctx: &Lowering, name: &GlobalName) -> bool {
    let is_recursive = |name: &GlobalName| ctx.program.call_summary(name).is_recursive;
    let open = ctx.frames.iter().map(|frame| GlobalName {
        unit: frame.unit,
        name: frame.function.clone(),
    });
    is_recursive(name) && MAX_RECURSIVE <= open.filter(is_recursive).count()
}

/// Drops the variables of functions that have returned, starting with the first that their call created.
fn drop_callee_variables(ctx: &mut Lowering, first: (VariableId, PointerId)) {
    let depth = ctx.frames.len();
    let is_alive = |id: VariableId| ctx.symbols.variables[id.as_u32() as usize].frame <= depth;
    let state = &mut ctx.state;
    retain_from(&mut state.integers, first.0, is_alive);
    retain_from(&mut state.defined_in_pass, first.0, is_alive);
    retain_from(&mut state.reals, first.0, is_alive);
    retain_from(&mut state.pointers, first.1, |id| {
        is_alive(ctx.symbols.pointers[id.0])
    });
    state.nullable.retain(|id, _| is_alive(*id));
}

pub(crate) fn lower_callee_body(
    ctx: &mut Lowering,
    function: &Arc<Function>,
    (arguments, again): PassedArguments,
) -> Lowered<Value> {
    let facts = ctx.program.syntax_facts(&function.global_name());
    let is_kept = |name: &Name| !facts.changed.contains(name);
    let mut arguments = arguments.into_iter();
    let mut before = None;
    for (idx, parameter) in function.signature.parameters.iter().enumerate() {
        let kind = ctx.resolve(&parameter.kind)?;
        let kind = decay_type(kind);
        let value = match arguments.next() {
            Some((value, _)) => convert(ctx, value, &kind),
            None => unknown_value(kind.clone()),
        };
        let value = match &*parameter.kind {
            TypeName::Reference(_) => by_reference(ctx, value),
            _ => value,
        };
        let Some(name) = &parameter.name else {
            continue;
        };
        if kind.holds_array() {
            // A struct in memory: the callee has a copy.
            let row = declare_local_array(ctx, name, parameter.at, &kind, parameter.at);
            let slot = Slot::Array(row, kind);
            bind_name(ctx, name, slot.clone());
            ctx.store(&Place::Slot(slot), value, parameter.at);
            continue;
        }
        let is_changed = facts.changed.contains(name);
        let fixed = match is_changed {
            true => None,
            false => fix_value(ctx, &value, name, parameter.at),
        };
        let same = before
            .take()
            .filter(|_| again.contains(&idx) && !is_changed);
        let slot = match fixed {
            Some(value) => Slot::Fixed(value),
            None if same.as_ref().is_some_and(|slot| is_real_slot(slot, &kind)) => {
                same.unwrap_or(Slot::Data(kind))
            }
            None => {
                let is_shared = facts.addressed.contains(name);
                ctx.symbols.declared_at = parameter.at;
                let slot = new_slot(ctx, name, &kind, is_shared);
                ctx.store(&Place::Slot(slot.clone()), value, parameter.at);
                slot
            }
        };
        bind_name(ctx, name, slot.clone());
        record_write(ctx, name, &slot, ScalarUpdate::ANEW);
        before = is_kept(name).then_some(slot);
    }
    let result_type = ctx.resolve(&function.signature.result)?;
    ctx.symbols.declared_at = function.at;
    let result_name = Name::from(format!("{}()", function.name));
    let slot = new_slot(ctx, &result_name, &result_type, false);
    if let Slot::Pointer(id, _) = slot {
        // No path has returned a result yet.
        ctx.state
            .nullable
            .insert(ctx.symbols.pointers[id.0], NonNullOffset::Never);
    }
    ctx.frame_mut().result_slot = Some(slot.clone());
    ctx.frame_mut().result_type = result_type.clone();
    if let StatementKind::Block(list) = &function.body.kind {
        ctx.in_scope(|ctx| ctx.function_body(list))?;
    }
    let result = ctx.frame_mut().result.take();
    Ok(match (ctx.frame().control.may_have_returned, result) {
        (false, Some(value)) => value,
        (true, None) if matches!(slot, Slot::Pointer(..)) => ctx.load(Place::Slot(slot)),
        // Data decide which result is returned.
        (true, _) => match result_type {
            Type::Floating(kind) => Value::Particular(kind),
            other => unknown_value(other),
        },
        (false, None) => ctx.load(Place::Slot(slot)),
    })
}

/// A reference to a variable of a struct type that holds arrays: its other members stay scalars (rule 1 of the access
/// model), as where the variable is declared.
fn by_reference(ctx: &Lowering, value: Value) -> Value {
    let Value::Pointer(pointer) = value else {
        return value;
    };
    let variable = match (&pointer.target, &pointer.offset) {
        (Target::Array(row), Expression::Integer(0)) => Some(*row),
        _ => None,
    };
    let kind = Type::clone(&pointer.pointee);
    let is_one = |row: &ArrayRow| {
        let data = &ctx.symbols.arrays[row.0];
        data.kind == kind && data.extent.is_some() && data.extent == kind.size()
    };
    match variable.filter(|row| matches!(kind, Type::Struct(..)) && is_one(row)) {
        Some(row) => Value::Pointer(Pointer {
            target: Target::Scalar(Box::new(Slot::Array(row, kind))),
            ..pointer
        }),
        None => Value::Pointer(pointer),
    }
}

pub(crate) fn record_call_arguments(
    ctx: &mut Lowering,
    callee: &GlobalName,
    arguments: &[(Value, TextRange)],
) {
    if ctx.frames.len() != 1 {
        return;
    }
    let constant = |(value, _): &(Value, TextRange)| match value {
        Value::Integer(expression, _) if is_constant(expression) => Some(expression.clone()),
        _ => None,
    };
    let arguments = arguments.iter().map(constant).collect();
    ctx.calls.records.push(CallRecord {
        callee: callee.clone(),
        arguments,
    });
}

/// Whether a slot holds real numbers of a type.
fn is_real_slot(slot: &Slot, kind: &Type) -> bool {
    matches!(slot, Slot::Real(_, own) if *kind == Type::Floating(*own))
}
