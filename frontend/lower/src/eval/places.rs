//! Places: the meaning of names, subscripts, dereferences and members as lvalues.

use crate::bailout::Lowered;
use crate::context::Lowering;
use crate::domain::integers::plus;
use crate::domain::memory_version::Clobber;
use crate::domain::types::{Type, find_member};
use crate::domain::values::{
    Place, Pointer, Slot, Target, Value, as_offset, pointer_to, slot_type,
};
use crate::eval::arrays::declare_local_array;
use crate::eval::declarations::lower_initializer;
use crate::eval::havoc::havoc_slot;
use crate::eval::heap_stores::clobber_array;
use crate::eval::pointers::{non_null_offset, offset_pointer};
use crate::eval::records::new_record;
use crate::eval::rejections::reject_unsupported;
use crate::eval::scopes::undeclared_name;
use crate::eval::type_names::{reject_generic, select_generic};
use crate::loops::bounding_ranges::with_range_loads;
use crate::output::operations::with_role;
use crate::syntax::{Expression as Syntax, ExpressionKind, Name, TextRange};
use premiss_tree::{Expression, Role};
use std::rc::Rc;

pub(crate) fn lower_place(ctx: &mut Lowering, syntax: &Syntax) -> Lowered<Place> {
    match &syntax.kind {
        ExpressionKind::Name(name) => Ok(place_of_name(ctx, name)),
        ExpressionKind::Index(base, index) => lower_subscript(ctx, base, index, syntax.at),
        ExpressionKind::Dereference(operand) => {
            let value = ctx.expression(operand)?;
            Ok(dereference(ctx, value, syntax.at))
        }
        ExpressionKind::Member {
            base,
            name,
            through_pointer,
        } => {
            let base = if *through_pointer {
                let value = ctx.expression(base)?;
                dereference(ctx, value, base.at)
            } else {
                ctx.place(base)?
            };
            Ok(member_place(ctx, base, name, syntax.at))
        }
        ExpressionKind::Comma(left, right) => {
            ctx.expression(left)?;
            ctx.place(right)
        }
        ExpressionKind::Generic(control, list) => match select_generic(ctx, control, list)? {
            Some(selected) => ctx.place(selected),
            None => Ok(Place::Nowhere(reject_generic(ctx, syntax.at))),
        },
        ExpressionKind::CompoundLiteral(kind, list) => {
            for part in list {
                lower_initializer(ctx, &part.value)?;
            }
            let kind = ctx.resolve(kind)?;
            Ok(lower_compound_literal(ctx, kind, syntax.at))
        }
        // `(x)` with a cast, or the result of a call: a value that is not in memory.
        _ => match ctx.expression(syntax)? {
            Value::Pointer(pointer) if matches!(*pointer.pointee, Type::Array(..)) => {
                Ok(Place::Element {
                    target: pointer.target,
                    offset: pointer.offset,
                    kind: (*pointer.pointee).clone(),
                    at: syntax.at,
                })
            }
            value => Ok(Place::Slot(Slot::Fixed(value))),
        },
    }
}

fn lower_compound_literal(ctx: &mut Lowering, kind: Type, at: TextRange) -> Place {
    if !kind.holds_array() {
        if !matches!(kind, Type::Struct(..)) {
            return Place::Slot(Slot::Data(kind));
        }
        let slot = new_record(ctx, &Name::from("literal"), &kind, at);
        if let Slot::Record(row, _) = slot {
            clobber_array(ctx, row, Clobber::Everything);
            ctx.symbols.havoc_initial_pointers(row);
        }
        return Place::Slot(slot);
    }
    let row = declare_local_array(ctx, &Name::from("literal"), at, &kind, at);
    Place::Slot(Slot::Array(row, kind))
}

fn place_of_name(ctx: &mut Lowering, name: &Name) -> Place {
    match ctx.lookup(name) {
        Some(slot) => {
            if let Slot::Array(row, _) = &slot {
                ctx.symbols.arrays[row.0].is_used = true;
            }
            Place::Slot(slot)
        }
        None => Place::Slot(Slot::Fixed(undeclared_name(ctx, name))),
    }
}

fn lower_subscript(
    ctx: &mut Lowering,
    base: &Syntax,
    index: &Syntax,
    at: TextRange,
) -> Lowered<Place> {
    let base_value = ctx.expression(base)?;
    let index_value = with_role(ctx, Role::Index, |ctx| {
        with_range_loads(ctx, false, |ctx| ctx.expression(index))
    })?;
    let (pointer, index) = match (base_value, index_value) {
        (Value::Pointer(pointer), index) | (index, Value::Pointer(pointer)) => (pointer, index),
        (other, _) => return Ok(dereference(ctx, other, at)),
    };
    let pointer = offset_pointer(ctx, pointer, as_offset(index));
    Ok(dereference(ctx, Value::Pointer(pointer), at))
}

/// The place that a pointer points to.
pub(crate) fn dereference(ctx: &mut Lowering, value: Value, at: TextRange) -> Place {
    match value {
        Value::Pointer(pointer) => match pointer.target {
            Target::Scalar(slot) => dereference_slot(ctx, *slot, &pointer.pointee),
            target => Place::Element {
                target,
                offset: non_null_offset(ctx, pointer.offset),
                kind: (*pointer.pointee).clone(),
                at,
            },
        },
        Value::Function(name) => Place::Slot(Slot::Fixed(Value::Function(name))),
        Value::Data(Type::Pointer(pointee)) => Place::Element {
            target: Target::Ambiguous,
            offset: Expression::Data,
            kind: (*pointee).clone(),
            at,
        },
        // An element of a vector, which is in a register.
        Value::Floating(_, kind) if kind.size() > 8 => Place::Nowhere(Type::Floating(kind)),
        Value::Data(Type::Undeclared(_)) => {
            reject_unsupported(ctx, "a dereference of something of an undeclared type", at);
            Place::Nowhere(Type::Unknown("?".into()))
        }
        Value::Data(Type::Unknown(_) | Type::Function) => Place::Nowhere(Type::Unknown("?".into())),
        other => {
            reject_unsupported(ctx, "a dereference of something that is no pointer", at);
            Place::Nowhere(other.kind())
        }
    }
}

/// The variable that a pointer to a type points to.
fn dereference_slot(ctx: &mut Lowering, slot: Slot, pointee: &Type) -> Place {
    if let Slot::Real(_, kind) = slot
        && *pointee != Type::Floating(kind)
    {
        // Its bytes are accessed as another type.
        havoc_slot(ctx, &slot);
        return Place::Slot(Slot::Data(pointee.clone()));
    }
    Place::Slot(slot)
}

fn member_place(ctx: &mut Lowering, base: Place, name: &Name, at: TextRange) -> Place {
    let kind = match &base {
        Place::Slot(
            Slot::Data(kind)
            | Slot::Array(_, kind)
            | Slot::Record(_, kind)
            | Slot::Fixed(Value::Data(kind) | Value::Record(_, _, kind)),
        )
        | Place::Element { kind, .. }
        | Place::Nowhere(kind) => kind.clone(),
        Place::Slot(_) => return Place::Nowhere(Type::Unknown(name.clone())),
    };
    let member = match &kind {
        Type::Struct(_, layout) => find_member(layout, name),
        _ => None,
    };
    let Some(member) = member else {
        let is_in_memory = matches!(base, Place::Element { .. } | Place::Slot(Slot::Array(..)));
        if is_in_memory {
            reject_unsupported(ctx, "a member of a struct of unknown layout", at);
        }
        return Place::Nowhere(Type::Unknown(name.clone()));
    };
    let offset = i64::from(member.offset);
    match base {
        Place::Element {
            target,
            offset: start,
            ..
        } => Place::Element {
            target,
            offset: plus(start, offset.into()),
            kind: member.kind,
            at,
        },
        Place::Slot(Slot::Array(row, _)) if member.kind.holds_array() => Place::Element {
            target: Target::Array(row),
            offset: offset.into(),
            kind: member.kind,
            at,
        },
        Place::Slot(Slot::Array(row, _) | Slot::Record(row, _)) => Place::Element {
            target: Target::Register(row),
            offset: offset.into(),
            kind: member.kind,
            at,
        },
        Place::Slot(Slot::Fixed(Value::Record(row, start, _))) => Place::Element {
            target: Target::Register(row),
            offset: start.saturating_add(offset).into(),
            kind: member.kind,
            at,
        },
        // A scalar member of a variable is a scalar.
        Place::Slot(_) => Place::Slot(Slot::Data(member.kind)),
        Place::Nowhere(_) => Place::Nowhere(member.kind),
    }
}

/// The address of a place.
pub(crate) fn address_of(ctx: &mut Lowering, place: Place) -> Value {
    match place {
        Place::Element {
            target,
            offset,
            kind,
            ..
        } => {
            if let Target::Register(row) = target {
                ctx.symbols.addressed.insert(row);
            }
            Value::Pointer(Pointer {
                target,
                offset,
                pointee: Rc::new(kind),
            })
        }
        Place::Slot(Slot::Array(row, kind)) => {
            Value::Pointer(pointer_to(row, 0.into(), &Rc::new(kind)))
        }
        Place::Slot(Slot::Record(row, kind)) => {
            ctx.symbols.addressed.insert(row);
            Value::Pointer(Pointer {
                target: Target::Register(row),
                offset: 0.into(),
                pointee: Rc::new(kind),
            })
        }
        Place::Slot(Slot::Fixed(Value::Function(name))) => Value::Function(name),
        Place::Slot(slot) => {
            let kind = slot_type(&slot);
            Value::Pointer(Pointer {
                target: Target::Scalar(Box::new(slot)),
                offset: 0.into(),
                pointee: Rc::new(kind),
            })
        }
        Place::Nowhere(kind) => Value::Data(Type::Pointer(Rc::new(kind))),
    }
}
