//! Objects and constants at file scope, declared when a function first mentions them.

use crate::context::Lowering;
use crate::domain::state::IntegerKnowledge;
use crate::domain::types::{INT, Type};
use crate::domain::values::{Pointer, Slot, Target, Value, as_offset, is_object};
use crate::eval::arrays::{declare_static_array, pointed_global_array, record_pointer_initializer};
use crate::eval::constant_objects::record_global_constant;
use crate::eval::conversions::convert;
use crate::eval::declarations::{complete_array_type, lower_initializer};
use crate::eval::file_scope::at_file_scope;
use crate::eval::records::new_record;
use crate::eval::slots::symbolic_constant;
use crate::eval::variables::{new_pointer, new_variable, set_integer};
use crate::syntax::{
    Declaration, GlobalName, Initializer, Lifetime, Name, Object, TextRange, UnitId,
};
use premiss_link::Global;
use premiss_tree::{Expression, IntegerType, Node};
use std::collections::BTreeSet;
use std::rc::Rc;

/// The meaning of a name at file scope in this function.
pub(crate) fn global_slot(ctx: &mut Lowering, name: &Name) -> Option<Slot> {
    let owner = ctx.program.owner(ctx.unit(), name);
    global_slot_of(ctx, owner)
}

/// The meaning in this function of a name at a unit's file scope.
fn global_slot_of(ctx: &mut Lowering, owner: GlobalName) -> Option<Slot> {
    if let Some(slot) = ctx.symbols.globals.get(&owner) {
        return Some(slot.clone());
    }
    let program = ctx.program;
    let name = &owner.name;
    let nowhere = TextRange::start_of(owner.unit);
    let slot = match program.global(&owner) {
        None if program.is_size_macro(&owner) => symbolic_constant(ctx, name, nowhere, INT),
        None => {
            let is_function = program.is_function(&owner);
            return is_function.then_some(Slot::Fixed(Value::Function(owner)));
        }
        Some(Global::Enumerator(Declaration::Enumerator { base, plus, .. })) => {
            if program.is_symbolic(name) {
                symbolic_constant(ctx, name, nowhere, INT)
            } else if let Some(value) = program.size_value(name) {
                Slot::Fixed(Value::Integer(value.into(), INT))
            } else {
                enumerator_value(ctx, owner.unit, base.as_deref(), *plus)
            }
        }
        Some(Global::Enumerator(_)) => return None,
        Some(Global::Object(object)) => declare_global(ctx, &owner, object),
    };
    ctx.symbols.globals.insert(owner, slot.clone());
    Some(slot)
}

fn enumerator_value(
    ctx: &mut Lowering,
    unit: UnitId,
    base: Option<&crate::syntax::Expression>,
    plus: i64,
) -> Slot {
    let base = match base {
        Some(syntax) => at_file_scope(ctx, unit, |ctx| {
            let value = ctx.expression(syntax)?;
            Ok(as_offset(value))
        }),
        None => Some(0.into()),
    };
    let base = base.unwrap_or(Expression::Data);
    let value = crate::domain::integers::plus(base, plus.into());
    Slot::Fixed(Value::Integer(value, INT))
}

/// Declares an object at the file scope of a unit.
fn declare_global(ctx: &mut Lowering, owner: &GlobalName, object: &Object) -> Slot {
    // An initializer that refers to its own object finds data there.
    let nothing = Slot::Data(Type::Void);
    ctx.symbols.globals.insert(owner.clone(), nothing);
    let kind = at_file_scope(ctx, object.at.unit, |ctx| {
        let kind = ctx.resolve(&object.kind)?;
        Ok(complete_array_type(ctx, kind, object.initializer.as_ref()))
    });
    let Some(kind) = kind else {
        return Slot::Data(Type::Void);
    };
    if kind.holds_array() {
        let row = declare_static_array(ctx, &object.name, object.at, &kind, object.at);
        record_global_constant(ctx, row, owner, object, &kind);
        record_pointer_initializer(ctx, row, &kind, object.initializer.as_ref());
        return Slot::Array(row, kind);
    }
    match (&kind, kind.integer()) {
        (_, Some(integer)) => declare_global_integer(ctx, owner, object, integer),
        (Type::Pointer(pointee), None) => declare_global_pointer(ctx, owner, object, pointee),
        (Type::Floating(_), None) if !is_modified(ctx, owner) => {
            match initial_value_of(ctx, object, &kind) {
                Some(value @ Value::Floating(Some(_), _)) => Slot::Fixed(value),
                _ => Slot::Data(kind),
            }
        }
        (Type::Struct(..), None) => {
            let slot = new_record(ctx, &object.name, &kind, object.at);
            if let Slot::Record(row, _) = slot {
                record_global_constant(ctx, row, owner, object, &kind);
                ctx.symbols.addressed.insert(row);
                ctx.symbols.havoc_initial_pointers(row);
            }
            slot
        }
        _ => Slot::Data(kind),
    }
}

/// Whether some function may modify an object at file scope, one of the program or one that it calls.
fn is_modified(ctx: &Lowering, owner: &GlobalName) -> bool {
    ctx.symbols.changed_outside.contains(owner) || ctx.program.is_modified(owner)
}

/// Whether an object at file scope may change while the function runs.
fn may_change(ctx: &Lowering, owner: &GlobalName) -> bool {
    let is_changed_outside = ctx.symbols.changed_outside.contains(owner);
    is_changed_outside || ctx.program.may_modify(&ctx.call_summary, owner)
}

fn initial_value_of(ctx: &mut Lowering, object: &Object, kind: &Type) -> Option<Value> {
    let initializer = object.initializer.as_ref()?;
    if let Initializer::List(list) = initializer
        && list.len() != 1
    {
        return None;
    }
    let value = at_file_scope(ctx, object.at.unit, |ctx| {
        let value = lower_initializer(ctx, initializer)?;
        Ok(convert(ctx, value, kind))
    })?;
    Some(value)
}

fn declare_global_integer(
    ctx: &mut Lowering,
    owner: &GlobalName,
    object: &Object,
    kind: IntegerType,
) -> Slot {
    let name = &object.name;
    let is_written = ctx.program.is_modified(owner);
    let initial = match initial_value_of(ctx, object, &Type::Integer(kind)) {
        Some(Value::Integer(Expression::Integer(value), _)) => Some(value),
        _ => None,
    };
    let is_extern = object.lifetime == Lifetime::Extern;
    let initial = match (initial, &object.initializer) {
        (None, None) if !is_extern && !object.is_const => Some(0),
        (initial, _) => initial,
    };
    let is_symbolic = ctx.program.is_symbolic(name);
    if object.is_const && is_symbolic {
        return symbolic_constant(ctx, name, object.at, kind);
    }
    let given = ctx.program.size_value(name);
    if object.is_const
        && let Some(value) = given.or(initial)
    {
        return Slot::Fixed(Value::Integer(value.into(), kind));
    }
    let initial = initial.filter(|_| !is_written && !is_symbolic);
    let value = given.or(initial);
    let parameter = ctx
        .symbols
        .intern_parameter(name, object.at, kind, value, true);
    if !may_change(ctx, owner) {
        return Slot::Fixed(Value::Integer(parameter, kind));
    }
    // The function changes it: it is a variable with an initial symbolic value.
    let id = new_variable(ctx, name, kind, true);
    ctx.symbols.variables[id.as_u32() as usize].frame = 0;
    set_integer(ctx, id, IntegerKnowledge::Exact);
    ctx.symbols.entry.push((id, parameter));
    Slot::Integer(id, kind)
}

/// A pointer at file scope that nothing in the function changes points to a separate region.
fn declare_global_pointer(
    ctx: &mut Lowering,
    owner: &GlobalName,
    object: &Object,
    pointee: &Rc<Type>,
) -> Slot {
    let kind = Type::Pointer(pointee.clone());
    let is_written = ctx.program.is_modified(owner);
    if !is_written
        && let Some(Value::Pointer(pointer)) = initial_value_of(ctx, object, &kind)
        && is_object(&pointer)
    {
        return match ctx.symbols.changed_outside.contains(owner) {
            true => declare_global_pointer_variable(ctx, object, pointer),
            false => Slot::Fixed(Value::Pointer(pointer)),
        };
    }
    if matches!(**pointee, Type::Function | Type::Unknown(_)) {
        return Slot::Data(kind);
    }
    let row = pointed_global_array(ctx, object, pointee);
    let pointer = Pointer {
        target: Target::Array(row),
        offset: 0.into(),
        pointee: pointee.clone(),
    };
    if !ctx.program.may_modify(&ctx.call_summary, owner) {
        return Slot::Fixed(Value::Pointer(pointer));
    }
    declare_global_pointer_variable(ctx, object, pointer)
}

/// A pointer at file scope that the function may change, with its value on entry.
fn declare_global_pointer_variable(ctx: &mut Lowering, object: &Object, on_entry: Pointer) -> Slot {
    let id = new_pointer(ctx, &object.name, true);
    let offset = ctx.symbols.pointers[id.0];
    ctx.symbols.variables[offset.as_u32() as usize].frame = 0;
    ctx.state.pointers.insert(id, on_entry.target);
    set_integer(ctx, offset, IntegerKnowledge::Exact);
    ctx.symbols.entry.push((offset, on_entry.offset));
    Slot::Pointer(id, on_entry.pointee)
}

/// Declares the variables at file scope that the function changes before its first statement, so that they have the
/// same initial value on all paths.
pub(crate) fn enter_globals(ctx: &mut Lowering, changed: BTreeSet<GlobalName>) {
    for name in changed {
        global_slot_of(ctx, name);
    }
    for (variable, value) in std::mem::take(&mut ctx.symbols.entry) {
        ctx.tree.emit(Node::Assign { variable, value });
    }
}
