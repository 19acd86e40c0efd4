//! Stores, with their accesses.

use crate::context::Lowering;
use crate::domain::state::NonNullOffset;
use crate::domain::types::Type;
use crate::domain::values::{NULL, Place, PointerId, Slot, Target, Value};
use crate::eval::accesses::access_element;
use crate::eval::alternatives::{store_alternatives, with_candidates};
use crate::eval::arrays::name_allocation;
use crate::eval::conversions::convert;
use crate::eval::heap_stores::store_known;
use crate::eval::real_variables::{assign_real, havoc_shared_reals};
use crate::eval::records::store_struct;
use crate::eval::rejections::reject_unsupported;
use crate::eval::row_tables::record_row_pointer;
use crate::eval::variables::assign_integer;
use crate::syntax::{Name, TextRange};
use premiss_tree::{AccessKind, Expression};

/// Stores a value, which must have the place's type.
pub(crate) fn store_to_place(ctx: &mut Lowering, place: &Place, value: Value, at: TextRange) {
    if let Place::Element {
        target: Target::OneOf(choice),
        ..
    } = place
    {
        return store_alternatives(ctx, choice, place, &value, at);
    }
    if let Place::Element {
        target: Target::Several(candidates),
        ..
    } = place
    {
        return with_candidates(ctx, candidates, &|ctx, target| {
            ctx.store(&place.at_target(target), value.clone(), at);
        });
    }
    match place {
        Place::Slot(Slot::Integer(id, kind)) => {
            let value = match convert(ctx, value, &Type::Integer(*kind)) {
                Value::Integer(value, _) => value,
                _ => Expression::Data,
            };
            assign_integer(ctx, *id, value);
        }
        Place::Slot(Slot::Pointer(id, _)) => assign_pointer(ctx, *id, value),
        Place::Slot(Slot::Real(id, kind)) => assign_real(ctx, *id, *kind, value),
        Place::Slot(Slot::Fixed(_)) => {
            reject_unsupported(ctx, "an assignment to something that is not a variable", at);
        }
        Place::Slot(Slot::Record(row, kind)) => {
            store_struct(ctx, *row, &0.into(), kind, &value, at);
        }
        Place::Slot(Slot::Data(_)) => {}
        Place::Nowhere(_) => havoc_shared_reals(ctx),
        Place::Slot(Slot::Array(row, kind)) => {
            access_element(
                ctx,
                AccessKind::Store,
                &Target::Array(*row),
                &0.into(),
                &kind.clone(),
                at,
            );
        }
        Place::Element {
            target,
            offset,
            kind,
            at,
        } => {
            let value = convert(ctx, value, kind);
            access_element(ctx, AccessKind::Store, target, offset, kind, *at);
            if let Target::Array(row) | Target::Fresh(row) | Target::Register(row) = target {
                match kind {
                    Type::Struct(..) => store_struct(ctx, *row, offset, kind, &value, *at),
                    _ => store_known(ctx, *row, offset, &value),
                }
                if matches!(kind, Type::Pointer(_)) {
                    record_row_pointer(ctx, *row, offset, &value, *at);
                }
            }
        }
    }
}

fn assign_pointer(ctx: &mut Lowering, id: PointerId, value: Value) {
    let offset = ctx.symbols.pointers[id.0];
    match value {
        Value::Pointer(pointer) => {
            let name = ctx
                .symbols
                .variable(offset)
                .name
                .trim_end_matches('@')
                .to_owned();
            let frame = ctx.symbols.variable(offset).frame;
            let target = name_allocation(ctx, pointer.target, &Name::from(name), frame, None);
            let is_null = target == Target::Null;
            ctx.state.pointers.insert(id, target);
            let non_null = match is_null {
                true => Some(NonNullOffset::Never),
                false => ctx
                    .state
                    .nullable_variable(&pointer.offset)
                    .map(|(_, x)| x.clone()),
            };
            assign_integer(
                ctx,
                offset,
                if is_null { NULL.into() } else { pointer.offset },
            );
            if let Some(non_null) = non_null {
                ctx.state.nullable.insert(offset, non_null);
            }
        }
        _ => {
            ctx.state.pointers.insert(id, Target::Ambiguous);
            assign_integer(ctx, offset, Expression::Data);
        }
    }
}
