//! Stores to the abstract heap: strong updates of known cells, weak ones of arrays, and clobbers.

use crate::context::Lowering;
use crate::domain::array_contents::ArrayContents;
use crate::domain::cells::Cell;
use crate::domain::heap::SharedContents;
use crate::domain::memory_version::{Clobber, MemoryVersion};
use crate::domain::state::NonNullOffset;
use crate::domain::types::Type;
use crate::domain::values::{ArrayRow, Pointer, Target, Value, is_constant, is_object};
use crate::eval::element_members::{is_rigid, member_at};
use premiss_tree::Expression;

/// A new version of memory; in a loop, a varying one.
pub(crate) fn next_version(ctx: &mut Lowering) -> MemoryVersion {
    if ctx.is_in_loop() {
        return MemoryVersion::Varying;
    }
    MemoryVersion::TextRange(ctx.heap_symbols.new_version())
}

/// A store to an unknown place.
pub(crate) fn clobber_heap(ctx: &mut Lowering, lost: Clobber) {
    ctx.calls.has_unknown_effects = true;
    let version = next_version(ctx);
    let plain = ArrayContents::new(version);
    let memory = &mut ctx.state.memory;
    memory.base = version;
    let rows = memory.rows.iter().filter_map(|(row, content)| {
        let mut content = ArrayContents::clone(content);
        content.clobber(lost, version);
        (content != plain).then(|| (*row, SharedContents::new(content)))
    });
    memory.rows = rows.collect();
}

/// A store to an unknown place of one array or struct in registers.
pub(crate) fn clobber_array(ctx: &mut Lowering, row: ArrayRow, lost: Clobber) {
    let version = next_version(ctx);
    let content = ctx.state.memory.content_mut(row);
    content.clobber(lost, version);
}

/// A store of `size` bytes with an unknown value.
pub(crate) fn store_unknown(ctx: &mut Lowering, row: ArrayRow, offset: &Expression, size: u32) {
    if holds_reals(ctx, row) {
        return;
    }
    let version = next_version(ctx);
    let known = ctx.state.memory.rows.get(&row);
    if known.is_some_and(|known| known.is_top(version)) {
        return;
    }
    let member = match offset {
        Expression::Integer(_) => None,
        offset => member_at(ctx, row, offset, size),
    };
    let content = ctx.state.memory.content_mut(row);
    match offset.as_integer() {
        Some(offset) => content.put(offset, size, Cell::Since(version)),
        None => match member {
            Some(member) => content.store_member(offset, member, version),
            None => content.reset(version),
        },
    }
}

/// Whether an array contains real numbers, whose values are not tracked; anything else that is loaded from it is data.
pub(crate) fn holds_reals(ctx: &Lowering, row: ArrayRow) -> bool {
    matches!(
        ctx.symbols.arrays[row.0].kind.innermost(),
        Type::Floating(_)
    )
}

/// Records that an array was just allocated.
pub(crate) fn initialize_allocation(ctx: &mut Lowering, row: ArrayRow) {
    // In a loop, the same row also represents the allocations of earlier iterations.
    if !ctx.is_in_loop() {
        *ctx.state.memory.content_mut(row) = ArrayContents {
            is_new: true,
            ..ArrayContents::new(MemoryVersion::Allocated)
        };
    }
}

/// Records the value that was just stored at a place.
pub(crate) fn store_known(ctx: &mut Lowering, row: ArrayRow, offset: &Expression, value: &Value) {
    let size = value.kind().scalar_size();
    let cell = storable_cell(ctx, value);
    let member = match (offset, size) {
        (Expression::Integer(_), _) | (_, None) => None,
        (offset, Some(size)) if is_rigid(ctx, offset) => member_at(ctx, row, offset, size),
        _ => None,
    };
    // A block that iterations allocate one behind the other is known as long as its place in the table.
    let rigid = match value {
        Value::Pointer(pointer) if is_object(pointer) && is_rigid(ctx, &pointer.offset) => {
            Some(Cell::Value(value.clone()))
        }
        _ => None,
    };
    let content = ctx.state.memory.content_mut(row);
    if let (Some(member), Some(cell)) = (member, rigid.or_else(|| cell.clone())) {
        content.elements.record(offset, member, cell);
    }
    match (offset.as_integer(), size, cell, value) {
        (Some(offset), Some(size), Some(cell), _) => content.put(offset, size, cell),
        (_, _, _, Value::Pointer(pointer)) if pointer.target != Target::Null => {
            content.record_pointer(&pointer.target);
        }
        _ => {}
    }
}

/// The cell for a stored value; `None` if it will not be known later.
fn storable_cell(ctx: &Lowering, value: &Value) -> Option<Cell> {
    let is_kept = match value {
        Value::Integer(expression, _) => is_constant(expression),
        Value::Pointer(pointer) => {
            if let Some((_, NonNullOffset::Symbolic(offset))) =
                ctx.state.nullable_variable(&pointer.offset)
            {
                return Some(Cell::MaybePointer(Pointer {
                    offset: offset.clone(),
                    ..pointer.clone()
                }));
            }
            let is_null = pointer.target == Target::Null;
            is_null || is_object(pointer) && is_constant(&pointer.offset)
        }
        _ => false,
    };
    is_kept.then(|| Cell::Value(value.clone()))
}
