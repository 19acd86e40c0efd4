//! Loads from the abstract heap: the value of a cell, or a fresh symbol for it.
//!
//! An integer that has not been stored to since a version of memory is a fixed number: it becomes a size, named as
//! written, such as `v->size`. A pointer becomes an array, such as `v->data`.

use crate::context::Lowering;
use crate::domain::cells::Cell;
use crate::domain::integers::plus;
use crate::domain::memory_version::MemoryVersion;
use crate::domain::types::{LONG, Type};
use crate::domain::values::{ArrayRow, Pointer, Target, Value, is_constant, pointer_to};
use crate::eval::cell_names::{cell_name, reference_name};
use crate::eval::constant_loads::load_constant_entry;
use crate::eval::conversions::convert;
use crate::eval::element_members::member_at;
use crate::eval::foreign_stores::version_with_foreign_stores;
use crate::eval::heap_stores::{holds_reals, next_version};
use crate::eval::row_tables::{given_pointer, stored_pointer};
use crate::eval::variables::fresh_variable;
use crate::loops::bounding_ranges::load_within_range;
use crate::symbol_table::ArrayData;
use crate::syntax::{Name, TextRange};
use premiss_tree::{Expression, IntegerType, Storage};
use std::rc::Rc;

/// The value of a load of a scalar.
pub(crate) fn load_from_heap(
    ctx: &mut Lowering,
    target: &Target,
    offset: &Expression,
    kind: &Type,
    at: TextRange,
) -> Option<Value> {
    let (Target::Array(row) | Target::Fresh(row) | Target::Register(row)) = target else {
        return None;
    };
    let (row, size) = (*row, kind.scalar_size()?);
    if let Some(integer) = kind.integer()
        && let Some(entry) = load_constant_entry(ctx, row, offset, integer, at)
    {
        return Some(entry);
    }
    if !matches!(kind, Type::Integer(_) | Type::Pointer(_)) || holds_reals(ctx, row) {
        return None;
    }
    let content = ctx.state.memory.rows.get(&row);
    let cell = match (offset.as_integer(), content) {
        (None, Some(content)) => {
            let stored = content.elements.value_at(offset, size).cloned();
            stored.unwrap_or(Cell::Since(MemoryVersion::Varying))
        }
        (None, None) => Cell::Since(MemoryVersion::Varying),
        (Some(offset), Some(content)) => content.cell(offset, size),
        (Some(_), None) => Cell::Since(ctx.state.memory.base),
    };
    let pointers = content.and_then(|content| content.pointers.clone());
    if cell != Cell::Since(MemoryVersion::Varying) || !matches!(kind, Type::Integer(_)) {
        let since = match cell {
            Cell::Since(version) => version,
            Cell::Value(_) | Cell::MaybePointer(_) => MemoryVersion::Entry,
        };
        ctx.loops.passes.record_array(row, since);
    }
    let version = match cell {
        Cell::Value(value) => return Some(convert(ctx, value, kind)),
        Cell::MaybePointer(pointer) => {
            for row in pointer.target.arrays() {
                ctx.symbols.arrays[row.0].may_be_missing = true;
                ctx.predicates.doubtful.insert(row);
            }
            return Some(convert(ctx, Value::Pointer(pointer), kind));
        }
        Cell::Since(version) => version,
    };
    match kind {
        Type::Integer(integer) => load_integer_cell(ctx, row, offset, *integer, version, at),
        Type::Pointer(pointee) => {
            load_pointer_cell(ctx, row, offset, pointee, version, pointers, at)
        }
        _ => None,
    }
}

fn load_integer_cell(
    ctx: &mut Lowering,
    row: ArrayRow,
    offset: &Expression,
    kind: IntegerType,
    version: MemoryVersion,
    at: TextRange,
) -> Option<Value> {
    let Some(offset) = offset.as_integer() else {
        return load_element(ctx, row, offset, kind, at);
    };
    let version = version_with_foreign_stores(ctx, row, version);
    let version = version_of_cell(ctx, row, offset, u32::from(kind.bits).div_ceil(8), version)?;
    let key = (row, Some(offset), u32::from(kind.bits), version);
    if let Some(size) = ctx.heap_symbols.sizes.get(&key) {
        return Some(Value::Integer(size.clone(), kind));
    }
    let name = cell_name(ctx, row, offset, at);
    let size = match ctx.heap_symbols.is_within_loops(version) {
        true => Expression::Variable(fresh_variable(ctx, &name, kind)),
        false => ctx.symbols.fresh_size(&name, kind, at),
    };
    ctx.heap_symbols.sizes.insert(key, size.clone());
    Some(Value::Integer(size, kind))
}

/// The value of an element with an unknown subscript: a size if the subscript depends on sizes alone, as long as the
/// array's contents do not change.
fn load_element(
    ctx: &mut Lowering,
    row: ArrayRow,
    offset: &Expression,
    kind: IntegerType,
    at: TextRange,
) -> Option<Value> {
    let content = ctx.state.memory.content(row);
    let member = member_at(ctx, row, offset, u32::from(kind.bits).div_ceil(8));
    let versions = content.member_versions(member).into_iter();
    let versions = versions.map(|version| version_with_foreign_stores(ctx, row, version));
    let versions: Vec<MemoryVersion> = versions.collect();
    let varies = |version: &MemoryVersion| {
        *version == MemoryVersion::Varying || ctx.heap_symbols.is_within_loops(*version)
    };
    if versions.iter().any(varies) {
        return None;
    }
    ctx.loops.passes.record_array(row, MemoryVersion::Entry);
    let [version] = versions[..] else {
        return load_within_range(ctx, row, kind, at);
    };
    if !is_constant(offset) || !content.cells.is_empty() {
        return load_within_range(ctx, row, kind, at);
    }
    let key = (row, offset.clone(), kind.bits, version);
    if let Some(size) = ctx.heap_symbols.elements.get(&key) {
        return Some(Value::Integer(size.clone(), kind));
    }
    let name = reference_name(ctx, at);
    let size = ctx.symbols.fresh_size(&name, kind, at);
    ctx.heap_symbols.elements.insert(key, size.clone());
    Some(Value::Integer(size, kind))
}

/// The version since which a scalar has its value; a new version if none is known and there is no enclosing loop.
fn version_of_cell(
    ctx: &mut Lowering,
    row: ArrayRow,
    offset: i64,
    size: u32,
    version: MemoryVersion,
) -> Option<MemoryVersion> {
    if version != MemoryVersion::Varying {
        return Some(version);
    }
    let version = next_version(ctx);
    if version == MemoryVersion::Varying {
        return None;
    }
    let content = ctx.state.memory.content_mut(row);
    content.put(offset, size, Cell::Since(version));
    Some(version)
}

fn load_pointer_cell(
    ctx: &mut Lowering,
    row: ArrayRow,
    offset: &Expression,
    pointee: &Rc<Type>,
    version: MemoryVersion,
    pointers: Option<Target>,
    at: TextRange,
) -> Option<Value> {
    if matches!(**pointee, Type::Function | Type::Unknown(_)) {
        return None;
    }
    if let Some(pointer) = stored_pointer(ctx, row, offset, pointee) {
        return Some(Value::Pointer(pointer));
    }
    let place = offset.as_integer();
    // What is unknown since some statement leads to a block of its own (rule 4 of the access model).
    let is_renewed = matches!(version, MemoryVersion::TextRange(_)) && place.is_some();
    let pointers = match ctx.symbols.initial_pointers.contains(&row) {
        true => Some(Target::Ambiguous),
        false => pointers.filter(|_| version != MemoryVersion::Entry && !is_renewed),
    };
    if let Some(target) = pointers {
        // A pointer that the program stored to a place that is no longer known.
        let target = match is_own_array(ctx, row) {
            true => target,
            false => stored_or_initial(ctx, (row, place), &target, pointee, at),
        };
        return Some(Value::Pointer(Pointer {
            target,
            offset: Expression::Data,
            pointee: pointee.clone(),
        }));
    }
    if let Some(pointer) = given_pointer(ctx, row, offset, pointee, version, at) {
        return Some(Value::Pointer(pointer));
    }
    let version = match place {
        Some(offset) => version_of_cell(ctx, row, offset, 8, version),
        None => None,
    };
    let key = match version {
        Some(version) => (row, place, 8, version),
        // One array represents all targets of the pointers in this one.
        None => (row, None, 8, MemoryVersion::Varying),
    };
    if let Some((region, offset)) = ctx.heap_symbols.regions.get(&key).cloned() {
        return Some(Value::Pointer(Pointer {
            offset,
            ..pointer_to(region, 0.into(), pointee)
        }));
    }
    let name = region_name(ctx, row, place, at);
    let offset = match version {
        None => Expression::Data,
        Some(version) if ctx.heap_symbols.is_within_loops(version) => {
            Expression::Variable(fresh_variable(ctx, &format!("{name}@"), LONG))
        }
        Some(_) => 0.into(),
    };
    let region = new_pointed_array(ctx, row, &name, pointee, at);
    let keeps_value = |version| !ctx.heap_symbols.is_within_loops(version);
    if place.is_some() && version.is_some_and(keeps_value) {
        ctx.predicates.loaded.insert(region);
    }
    ctx.heap_symbols
        .regions
        .insert(key, (region, offset.clone()));
    Some(Value::Pointer(Pointer {
        offset: plus(offset, 0.into()),
        ..pointer_to(region, 0.into(), pointee)
    }))
}

/// The target of a pointer in an array that had contents before: one that the program stored, the block that a pointer at
/// this place led to on entry, or, where a call may have changed it, elsewhere.
///
/// ```text
/// if (n == s->room) { s->room *= 2; s->x = grow(s->x, s->room); }
/// s->x[n++] = 1;                   in a loop: the block of before, or one of `grow`
/// ```
fn stored_or_initial(
    ctx: &mut Lowering,
    (row, place): (ArrayRow, Option<i64>),
    stored: &Target,
    pointee: &Rc<Type>,
    at: TextRange,
) -> Target {
    let version = match place {
        Some(_) => MemoryVersion::Entry,
        None => MemoryVersion::Varying,
    };
    let key = (row, place, 8, version);
    let known = ctx.heap_symbols.regions.get(&key).cloned();
    let region = match known {
        Some((region, _)) => region,
        None => {
            let name = region_name(ctx, row, place, at);
            let region = new_pointed_array(ctx, row, &name, pointee, at);
            let offset = match place {
                Some(_) => 0.into(),
                None => Expression::Data,
            };
            ctx.heap_symbols.regions.insert(key, (region, offset));
            region
        }
    };
    let initial = Target::Array(region).join(&Target::Elsewhere);
    stored.join(&initial)
}

/// The name of the block that a pointer at a place leads to.
fn region_name(ctx: &mut Lowering, row: ArrayRow, place: Option<i64>, at: TextRange) -> String {
    match place {
        Some(offset) => cell_name(ctx, row, offset, at),
        None => reference_name(ctx, at),
    }
}

/// Whether an array had no contents before the program stored to it.
pub(crate) fn is_own_array(ctx: &Lowering, row: ArrayRow) -> bool {
    let data = &ctx.symbols.arrays[row.0];
    !data.is_region && matches!(data.storage, Storage::Local | Storage::Callee)
}

/// The block that a pointer of this text leads to, where nothing tells which block that is.
pub(crate) fn own_block(
    ctx: &mut Lowering,
    pointer: String,
    element: &Type,
    at: TextRange,
) -> ArrayRow {
    let key = (ctx.frame().function.clone(), pointer);
    if let Some(row) = ctx.heap_symbols.own_blocks.get(&key) {
        return *row;
    }
    let row = ArrayRow(ctx.symbols.arrays.len());
    ctx.symbols.arrays.push(ArrayData {
        name: Name::from(&*key.1),
        storage: Storage::Local,
        order: (0, at),
        kind: element.clone(),
        extent: None,
        at,
        frame: 0,
        is_used: false,
        is_region: true,
        may_be_missing: true,
        is_renewed: false,
    });
    ctx.heap_symbols.own_blocks.insert(key, row);
    row
}

/// An array that a pointer in another array points to, behind that one in the layout.
pub(crate) fn new_pointed_array(
    ctx: &mut Lowering,
    holder: ArrayRow,
    name: &str,
    pointee: &Rc<Type>,
    at: TextRange,
) -> ArrayRow {
    let holder = &ctx.symbols.arrays[holder.0];
    let (storage, order, frame) = (holder.storage, holder.order, holder.frame);
    let row = ArrayRow(ctx.symbols.arrays.len());
    ctx.symbols.arrays.push(ArrayData {
        name: Name::from(name),
        storage,
        order,
        kind: (**pointee).clone(),
        extent: None,
        at,
        frame,
        is_used: false,
        is_region: true,
        may_be_missing: true,
        is_renewed: false,
    });
    row
}
