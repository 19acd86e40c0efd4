//! The parameters of the lowered function itself: sizes, and arrays of its caller.

use crate::bailout::Lowered;
use crate::calls::array_ends::end_of_array;
use crate::context::Lowering;
use crate::domain::types::{Type, decay_type};
use crate::domain::values::{
    ArrayRow, Place, Pointer, Slot, Target, Value, is_constant, pointer_to, unknown_value,
};
use crate::eval::arrays::declare_local_array;
use crate::eval::comparisons::new_named_real;
use crate::eval::records::new_record;
use crate::eval::scopes::bind_name;
use crate::eval::slots::new_slot;
use crate::symbol_table::ArrayData;
use crate::syntax::{Name, Parameter, TextRange, TypeName};
use premiss_tree::Storage;
use std::rc::Rc;

/// Binds a parameter of the lowered function.
pub(crate) fn bind_parameter(ctx: &mut Lowering, parameter: &Parameter, idx: usize) -> Lowered<()> {
    let kind = ctx.resolve(&parameter.kind)?;
    let Some(name) = &parameter.name else {
        return Ok(());
    };
    let facts = ctx.frame().facts.clone();
    let is_changed = facts.changed.contains(name);
    let declared = kind.clone();
    if let (TypeName::Reference(_), Type::Pointer(pointee)) = (&*parameter.kind, &kind) {
        let pointer = bind_reference(ctx, name, idx, pointee, parameter.at);
        bind_name(ctx, name, Slot::Fixed(Value::Pointer(pointer)));
        return Ok(());
    }
    let value = match decay_type(kind) {
        Type::Pointer(pointee) if !matches!(*pointee, Type::Function) => {
            let end = end_of_array(ctx, name, &pointee, parameter.at);
            end.unwrap_or_else(|| {
                declare_parameter_array(ctx, name, idx, &declared, &pointee, parameter.at)
            })
        }
        kind => match kind.integer() {
            Some(integer) => {
                let given = ctx.program.size_value(name);
                let size = ctx
                    .symbols
                    .intern_parameter(name, parameter.at, integer, given, false);
                Value::Integer(size, integer)
            }
            None => match kind {
                Type::Floating(size) if !is_changed => {
                    new_named_real(ctx, name, parameter.at, size)
                }
                kind => unknown_value(kind),
            },
        },
    };
    let kind = value.kind();
    let slot = match (&value, is_changed) {
        (Value::Integer(..) | Value::Pointer(_), true) => {
            let is_shared = facts.addressed.contains(name);
            let slot = new_slot(ctx, name, &kind, is_shared);
            ctx.store(&Place::Slot(slot.clone()), value, parameter.at);
            slot
        }
        (Value::Integer(..) | Value::Pointer(_) | Value::Named(..), false) => Slot::Fixed(value),
        _ if matches!(kind, Type::Struct(..)) && !kind.holds_array() => {
            let slot = new_record(ctx, name, &kind, parameter.at);
            place_among_parameters(ctx, &slot, idx);
            slot
        }
        // A struct with an array in it: an array that is private to the function.
        _ if kind.holds_array() => {
            let row = declare_local_array(ctx, name, parameter.at, &kind, parameter.at);
            Slot::Array(row, kind)
        }
        _ => {
            let is_shared = facts.addressed.contains(name);
            new_slot(ctx, name, &kind, is_shared)
        }
    };
    bind_name(ctx, name, slot);
    Ok(())
}

/// A pointer to a variable of an unknown caller: it points to a variable that is initially a size, or a pointer to an
/// array.
fn bind_reference(
    ctx: &mut Lowering,
    name: &Name,
    idx: usize,
    pointee: &Rc<Type>,
    at: TextRange,
) -> Pointer {
    ctx.symbols.declared_at = at;
    let is_in_memory = matches!(**pointee, Type::Struct(..)) && pointee.holds_array();
    let slot = if is_in_memory {
        let row = parameter_array(ctx, name, idx, pointee, pointee, at);
        Slot::Array(row, (**pointee).clone())
    } else {
        new_slot(ctx, name, pointee, true)
    };
    place_among_parameters(ctx, &slot, idx);
    if let Some(integer) = pointee.integer() {
        let given = ctx.program.size_value(name);
        let size = ctx
            .symbols
            .intern_parameter(name, at, integer, given, false);
        ctx.store(
            &Place::Slot(slot.clone()),
            Value::Integer(size, integer),
            at,
        );
    }
    if let Type::Pointer(elements) = &**pointee {
        let array = declare_parameter_array(ctx, name, idx, pointee, elements, at);
        ctx.store(&Place::Slot(slot.clone()), array, at);
    }
    Pointer {
        target: Target::Scalar(Box::new(slot)),
        offset: 0.into(),
        pointee: pointee.clone(),
    }
}

/// Puts what pointers in a struct lead to in the place of the parameter that holds them.
fn place_among_parameters(ctx: &mut Lowering, slot: &Slot, idx: usize) {
    if let Slot::Record(row, _) = slot {
        let data = &mut ctx.symbols.arrays[row.0];
        (data.storage, data.order.0) = (Storage::Parameter, idx);
    }
}

fn declare_parameter_array(
    ctx: &mut Lowering,
    name: &Name,
    idx: usize,
    declared: &Type,
    pointee: &Rc<Type>,
    at: TextRange,
) -> Value {
    let row = parameter_array(ctx, name, idx, declared, pointee, at);
    Value::Pointer(pointer_to(row, 0.into(), pointee))
}

/// The array that a parameter leads to: elements of a type, as many as its declared type says.
fn parameter_array(
    ctx: &mut Lowering,
    name: &Name,
    idx: usize,
    declared: &Type,
    element: &Type,
    at: TextRange,
) -> ArrayRow {
    let extent = match declared {
        Type::Array(..) | Type::Struct(..) => declared.size().filter(is_constant),
        _ => None,
    };
    ctx.symbols.intern_array(
        vec![at],
        ArrayData {
            name: name.clone(),
            storage: Storage::Parameter,
            order: (idx, at),
            kind: element.clone(),
            extent,
            at,
            frame: 0,
            is_used: true,
            is_region: false,
            may_be_missing: false,
            is_renewed: false,
        },
    )
}
