//! Structs in registers: variables of a struct type without arrays.
//!
//! Their members are scalars and make no accesses (rule 1 of the access model). Their contents are kept in the
//! abstract heap, so that `view.vector.size` is a size and `view.vector.data` an array.

use crate::call_stack::Frame;
use crate::context::Lowering;
use crate::domain::integers::plus;
use crate::domain::memory_version::Clobber;
use crate::domain::types::{INT, Type};
use crate::domain::values::{ArrayRow, Pointer, Slot, Target, Value};
use crate::eval::conversions::convert;
use crate::eval::heap_loads::load_from_heap;
use crate::eval::heap_stores::{clobber_array, store_known, store_unknown};
use crate::eval::pointers::new_nullable_offset;
use crate::symbol_table::ArrayData;
use crate::syntax::{Name, TextRange};
use premiss_tree::{Expression, Storage};

/// The maximum number of scalars that are copied one by one when a struct is assigned as a whole.
const MAX_COPIED: usize = 64;

/// A new variable of a struct type.
pub(crate) fn new_record(ctx: &mut Lowering, name: &Name, kind: &Type, at: TextRange) -> Slot {
    let mut key: Vec<TextRange> = ctx.frames.iter().map(|frame| frame.call).collect();
    key.extend([at, at]);
    let row = ctx.symbols.intern_array(
        key,
        ArrayData {
            name: name.clone(),
            storage: Storage::Local,
            order: (0, at),
            kind: kind.clone(),
            extent: None,
            at,
            frame: ctx.frames.len(),
            is_used: false,
            is_region: false,
            may_be_missing: false,
            is_renewed: false,
        },
    );
    ctx.symbols.registers.insert(row);
    ctx.frame_mut().records.insert(row);
    Slot::Record(row, kind.clone())
}

/// Sets every member of a struct in registers to 0.
pub(crate) fn clear_record(ctx: &mut Lowering, row: ArrayRow, kind: &Type) {
    let mut scalars = Vec::new();
    if !flatten_struct(kind, 0, &mut scalars) {
        return ctx.symbols.havoc_initial_pointers(row);
    }
    for (place, kind) in scalars {
        let zero = convert(ctx, Value::Integer(0.into(), INT), &kind);
        store_known(ctx, row, &place.into(), &zero);
    }
}

/// A returned value in the caller: a struct, or a pointer that may be null.
pub(crate) fn returned_value(ctx: &mut Lowering, value: Value, at: TextRange) -> Value {
    let kind = match value {
        Value::Record(_, _, ref kind) => kind.clone(),
        Value::Pointer(pointer) => return Value::Pointer(returned_pointer(ctx, pointer)),
        value => return value,
    };
    let Slot::Record(row, _) = new_record(ctx, &Name::from("returned"), &kind, at) else {
        return Value::Data(kind);
    };
    store_struct(ctx, row, &0.into(), &kind, &value, at);
    Value::Record(row, 0, kind)
}

fn returned_pointer(ctx: &mut Lowering, pointer: Pointer) -> Pointer {
    let Some((_, non_null)) = ctx.state.nullable_variable(&pointer.offset) else {
        return pointer;
    };
    let non_null = non_null.clone();
    let offset = new_nullable_offset(ctx, pointer.offset, non_null);
    Pointer { offset, ..pointer }
}

/// Drops the structs in registers of a function that has returned.
pub(crate) fn drop_records(ctx: &mut Lowering, returned: &Frame) {
    for row in &returned.records {
        ctx.symbols.addressed.remove(row);
        ctx.state.memory.remove_array(*row);
    }
}

/// Clobbers the structs in registers whose address has escaped.
pub(crate) fn clobber_addressed_records(ctx: &mut Lowering, lost: Clobber) {
    for row in ctx.symbols.addressed.clone() {
        clobber_array(ctx, row, lost);
    }
}

/// Whether a struct in registers contains pointers.
pub(crate) fn holds_pointers(ctx: &Lowering, row: ArrayRow) -> bool {
    ctx.symbols.arrays[row.0].kind.holds_pointer()
}

/// Records that a struct was stored to a place in registers or memory.
pub(crate) fn store_struct(
    ctx: &mut Lowering,
    row: ArrayRow,
    offset: &Expression,
    kind: &Type,
    value: &Value,
    at: TextRange,
) {
    let mut scalars = Vec::new();
    let is_small = flatten_struct(kind, 0, &mut scalars);
    let (Some(start), true) = (offset.as_integer(), is_small) else {
        return clobber_array(ctx, row, Clobber::Everything);
    };
    let source = match value {
        Value::Record(row, offset, _) => Some((*row, *offset)),
        _ => None,
    };
    for (distance, kind) in scalars {
        let held = source.and_then(|(row, offset)| {
            let place = plus(offset.into(), distance.into());
            load_from_heap(ctx, &Target::Register(row), &place, &kind, at)
        });
        let place: Expression = start.saturating_add(distance).into();
        let size = kind.scalar_size().unwrap_or(0);
        store_unknown(ctx, row, &place, size);
        if let Some(held) = held {
            store_known(ctx, row, &place, &held);
        }
    }
}

/// Adds the scalars of a struct with their offsets; false if there are too many, or it has other parts.
fn flatten_struct(kind: &Type, start: i64, scalars: &mut Vec<(i64, Type)>) -> bool {
    match kind {
        Type::Struct(_, layout) => layout.members.iter().all(|member| {
            let start = start.saturating_add(i64::from(member.offset));
            flatten_struct(&member.kind, start, scalars)
        }),
        Type::Array(..) => false,
        kind => {
            scalars.push((start, kind.clone()));
            scalars.len() <= MAX_COPIED
        }
    }
}
