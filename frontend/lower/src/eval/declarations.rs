//! Declarations of local objects and enumerators.

use crate::bailout::Lowered;
use crate::calls::argument_effects::pointer_of_call;
use crate::context::Lowering;
use crate::domain::types::{INT, LONG, Type};
use crate::domain::values::{Place, PointerId, Slot, Target, Value, as_offset};
use crate::eval::arrays::{
    declare_local_array, declare_static_array, name_allocation, pointed_global_array,
    record_pointer_initializer,
};
use crate::eval::constant_objects::record_constant_object;
use crate::eval::conversions::convert;
use crate::eval::havoc::havoc_slot;
use crate::eval::initializer_forms::{is_text_for, is_zero_initializer, text_length};
use crate::eval::initializers::initialized_length;
use crate::eval::records::clear_record;
use crate::eval::scopes::bind_name;
use crate::eval::slots::{fix_value, new_slot, symbolic_constant};
use crate::eval::variables::assign_integer;
use crate::loops::bounding_ranges::with_range_loads;
use crate::output::operations::record_declared_name;
use crate::output::scalar_updates::ScalarUpdate;
use crate::output::scalar_uses::record_write;
use crate::syntax::{
    Declaration, ExpressionKind, Initializer, Lifetime, Notation, Object, TypeName,
};
use premiss_tree::Expression;
use std::rc::Rc;

/// Evaluates an initializer; that of a list, for its accesses alone.
pub(crate) fn lower_initializer(ctx: &mut Lowering, initializer: &Initializer) -> Lowered<Value> {
    match initializer {
        Initializer::Expression(syntax) => ctx.expression(syntax),
        Initializer::List(list) => {
            let mut first = None;
            for part in list {
                let value = lower_initializer(ctx, &part.value)?;
                first.get_or_insert(value);
            }
            // `int n = { 3 };` is `int n = 3;`.
            match (first, list.len()) {
                (Some(value), 1) => Ok(value),
                _ => Ok(Value::Void),
            }
        }
    }
}

pub(crate) fn lower_declarations(ctx: &mut Lowering, list: &[Declaration]) -> Lowered<()> {
    for declaration in list {
        match declaration {
            Declaration::Object(object) => declare_object(ctx, object)?,
            Declaration::Enumerator { name, base, plus } => {
                let base = match base {
                    Some(syntax) => ctx.expression(syntax)?,
                    None => Value::Integer(0.into(), INT),
                };
                let value = crate::domain::integers::plus(as_offset(base), (*plus).into());
                let value = Value::Integer(value, INT);
                bind_name(ctx, name, Slot::Fixed(value));
            }
        }
    }
    Ok(())
}

fn declare_object(ctx: &mut Lowering, object: &Object) -> Lowered<()> {
    let initial = match &object.initializer {
        Some(Initializer::Expression(syntax)) => Some(syntax),
        _ => None,
    };
    record_declared_name(ctx, &object.name, object.is_const, initial);
    if object.lifetime == Lifetime::Extern || matches!(*object.kind, TypeName::Function(_)) {
        return Ok(());
    }
    let kind = ctx.resolve(&object.kind)?;
    let kind = complete_array_type(ctx, kind, object.initializer.as_ref());
    if kind.holds_array() {
        let row = match object.lifetime {
            Lifetime::Static => {
                declare_static_array(ctx, &object.name, object.at, &kind, object.at)
            }
            _ => declare_local_array(ctx, &object.name, object.at, &kind, object.at),
        };
        record_constant_object(ctx, row, object, &kind);
        bind_before_initializer(ctx, object, Slot::Array(row, kind.clone()));
        if let Some(initializer) = &object.initializer
            && object.lifetime != Lifetime::Static
        {
            lower_initializer(ctx, initializer)?;
        }
        record_pointer_initializer(ctx, row, &kind, object.initializer.as_ref());
        bind_name(ctx, &object.name, Slot::Array(row, kind));
        return Ok(());
    }
    bind_before_initializer(ctx, object, Slot::Data(kind.clone()));
    let slot = declare_scalar(ctx, object, kind)?;
    bind_name(ctx, &object.name, slot.clone());
    if object.initializer.is_some() && object.lifetime != Lifetime::Static {
        record_write(ctx, &object.name, &slot, ScalarUpdate::ANEW);
    }
    Ok(())
}

/// The meaning of a name in its own initializer. In C its scope begins after its declarator (C11 6.2.1p7), so that in
/// `double *a = malloc(n * sizeof *a)` it is the new object, with its type and no value yet. In Rust the scope begins
/// after the statement: `let n = n + 1` reads the variable before.
fn bind_before_initializer(ctx: &mut Lowering, object: &Object, slot: Slot) {
    if object.initializer.is_some() && ctx.program.notation(ctx.unit()) == Notation::C {
        bind_name(ctx, &object.name, slot);
    }
}

/// `T a[] = { x, y };` has the length of its initializer.
pub(crate) fn complete_array_type(
    ctx: &mut Lowering,
    kind: Type,
    initializer: Option<&Initializer>,
) -> Type {
    match (kind, initializer) {
        (Type::Array(element, None), Some(Initializer::List(list))) => {
            let length = match &list[..] {
                [part] if is_text_for(&element, &part.value) => text_length(&part.value),
                list => initialized_length(ctx, &element, list),
            };
            Type::Array(element, length.map(Expression::Integer))
        }
        (Type::Array(element, None), Some(text)) => {
            Type::Array(element, text_length(text).map(Expression::Integer))
        }
        (kind, _) => kind,
    }
}

/// The slot of a local variable that holds no array.
fn declare_scalar(ctx: &mut Lowering, object: &Object, kind: Type) -> Lowered<Slot> {
    let facts = ctx.frame().facts.clone();
    let is_changed = facts.changed.contains(&object.name);
    let is_unset_pointer = matches!(kind, Type::Pointer(_)) && object.initializer.is_none();
    if object.lifetime == Lifetime::Static && (is_changed || is_unset_pointer) {
        // It keeps its value between calls, so it is unknown on entry.
        if !matches!(
            kind,
            Type::Integer(_) | Type::Pointer(_) | Type::Floating(_)
        ) {
            return Ok(Slot::Data(kind));
        }
        // Any callee may call this function again.
        let is_shared = facts.addressed.contains(&object.name) || matches!(kind, Type::Floating(_));
        let slot = new_slot(ctx, &object.name, &kind, is_shared);
        havoc_slot(ctx, &slot);
        if let (Slot::Pointer(id, _), Type::Pointer(pointee)) = (&slot, &kind) {
            lead_to_kept_block(ctx, object, *id, pointee);
        }
        return Ok(slot);
    }
    if let (false, Some(integer)) = (is_changed, kind.integer())
        && is_declared(object)
        && ctx.program.is_symbolic(&object.name)
        && (!ctx.is_in_loop() || is_literal(object))
    {
        return Ok(symbolic_constant(ctx, &object.name, object.at, integer));
    }
    let given = given_constant(ctx, object);
    let value = match (&given, &object.initializer) {
        (Some(value), _) => Some(Value::Integer((*value).into(), LONG)),
        (None, Some(initializer)) => {
            let is_enabled = !is_changed || ctx.ranges.are_enabled();
            Some(with_range_loads(ctx, is_enabled, |ctx| {
                lower_initializer(ctx, initializer)
            })?)
        }
        (None, None) => None,
    };
    let value = value.map(|value| {
        let value = match &object.initializer {
            Some(Initializer::Expression(call)) => pointer_of_call(ctx, value, &kind, call),
            _ => value,
        };
        convert(ctx, value, &kind)
    });
    if let (Some(value), false) = (&value, is_changed)
        && let Some(value) = fix_value(ctx, value, &object.name, object.at)
    {
        return Ok(Slot::Fixed(value));
    }
    let is_shared = facts.addressed.contains(&object.name);
    ctx.symbols.declared_at = object.at;
    let slot = new_slot(ctx, &object.name, &kind, is_shared);
    if let Slot::Record(row, kind) = &slot {
        record_constant_object(ctx, *row, object, kind);
    }
    if let (Slot::Pointer(..), Some(Value::Pointer(pointer))) = (&slot, &value) {
        let depth = ctx.frames.len();
        name_allocation(
            ctx,
            pointer.target.clone(),
            &object.name,
            depth,
            Some(object.at),
        );
    }
    if let Some(value) = value {
        ctx.store(&Place::Slot(slot.clone()), value, object.at);
    }
    if let (Slot::Record(row, kind), Some(list @ Initializer::List(_))) =
        (&slot, &object.initializer)
    {
        match is_zero_initializer(list) {
            true => clear_record(ctx, *row, kind),
            false => ctx.symbols.havoc_initial_pointers(*row),
        }
    }
    Ok(slot)
}

/// Lets a pointer that keeps its value between calls lead to a block of its own, as one at file scope does on entry: what
/// an earlier call allocated or pointed it to. Where an earlier call is one of this run, nothing tells which block it is.
///
/// ```text
/// real, allocatable, save :: work(:)
/// if (.not. allocated(work)) allocate (work(n))      the block of an earlier call, or this one
/// ```
fn lead_to_kept_block(ctx: &mut Lowering, object: &Object, id: PointerId, pointee: &Rc<Type>) {
    if matches!(**pointee, Type::Function | Type::Unknown(_)) {
        return;
    }
    if 1 < ctx.frames.len() || ctx.is_in_loop() {
        ctx.state.pointers.insert(id, Target::Elsewhere);
        return;
    }
    let row = pointed_global_array(ctx, object, pointee);
    ctx.state.pointers.insert(id, Target::Array(row));
    assign_integer(ctx, ctx.symbols.pointers[id.0], 0.into());
}

/// The value that the user gives for a constant of this name.
fn given_constant(ctx: &Lowering, object: &Object) -> Option<i64> {
    let is_constant = object.is_const && is_declared(object);
    if !is_constant || !matches!(*object.kind, TypeName::Integer(_)) {
        return None;
    }
    ctx.program.size_value(&object.name)
}

/// Whether an object is initialized with a number: a size, wherever it stands. In a loop, any other value may differ from
/// iteration to iteration: `for (j = 0; j < n; j++) { long i = j; … }` has no size `i`.
fn is_literal(object: &Object) -> bool {
    let value = match &object.initializer {
        Some(Initializer::Expression(value)) => &value.kind,
        _ => return false,
    };
    matches!(value, ExpressionKind::Integer(..))
}

/// Whether the program declares an object. One that is called `grid%n` holds what a translation keeps of that component;
/// a size of this name is the component's on entry.
fn is_declared(object: &Object) -> bool {
    !object.name.contains('%')
}
