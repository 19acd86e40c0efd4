//! Tables of rows: arrays of pointers, or of structs with pointers, each of which leads to a row of one further array.
//!
//! Where the program stores the pointers, they lead where the stores say (`domain::row_pointers`). Those that a function
//! finds in its arguments lead to rows one behind the other, as an allocator would lay out blocks of their size: rule 4
//! of the access model. The distance between them is a symbol until the whole function is known (`output::row_strides`).
//!
//! ```text
//! void f(int n, double **a)       a[i] leads to row i of an array `a[i]`, whose rows have n elements,
//!   a[i][j] with j < n            so this is at stride·i + 8·j with the stride that malloc yields for 8·n bytes
//! ```

use crate::context::Lowering;
use crate::domain::allocator::ROW_HEADER;
use crate::domain::cells::Cell;
use crate::domain::heap_symbols::TableKey;
use crate::domain::integers::{minus, plus};
use crate::domain::memory_version::MemoryVersion;
use crate::domain::polynomials::CanonicalSum;
use crate::domain::row_pointers::{ElementIndex, RowPointers, TableRows};
use crate::domain::types::{LONG, Type};
use crate::domain::values::{ArrayRow, Pointer, Target, Value, pointer_to};
use crate::eval::arrays::name_allocation;
use crate::eval::cell_names::reference_name;
use crate::eval::element_members::{greatest_divisor, member_at};
use crate::eval::heap_loads::{is_own_array, new_pointed_array};
use crate::syntax::{Name, TextRange};
use premiss_tree::Expression;
use std::rc::Rc;

/// The size in bytes of a pointer.
const POINTER: i64 = 8;

/// Rows whose stride is not told by the text.
pub(crate) fn new_rows(ctx: &mut Lowering, array: ArrayRow, at: TextRange) -> TableRows {
    let name = ctx.symbols.arrays[array.0].name.clone();
    let mut symbol = |name: &str| match ctx.symbols.fresh_size(name, LONG, at) {
        Expression::Parameter(id) => id,
        _ => unreachable!("a fresh size is a parameter"),
    };
    let rows = TableRows {
        array,
        stride: symbol(&format!("{name}@stride")),
        length: symbol(&format!("{name}@length")),
    };
    ctx.heap_symbols.rows.push(rows.clone());
    rows
}

/// A place in an array as a multiple of the size of its elements, and of the distances between its rows.
pub(crate) fn element_index(
    ctx: &Lowering,
    row: ArrayRow,
    offset: &Expression,
) -> Option<ElementIndex> {
    let is_row_of_table = ctx.heap_symbols.rows.iter().any(|rows| rows.array == row);
    let header = if is_row_of_table { ROW_HEADER } else { 0 };
    let place = CanonicalSum::of(&minus(offset.clone(), header.into()))?;
    let is_stride = |factor: &Expression| match factor {
        Expression::Parameter(id) => ctx.heap_symbols.is_stride(*id),
        _ => false,
    };
    let (mut plain, mut multiples) = (Vec::new(), Vec::<(Expression, CanonicalSum)>::new());
    for (factors, coefficient) in place.terms() {
        let Some(idx) = factors.iter().position(is_stride) else {
            plain.push((factors.to_vec(), coefficient));
            continue;
        };
        let mut others = factors.to_vec();
        let unit = others.remove(idx);
        let multiple = CanonicalSum::of_terms([(others, coefficient)])?;
        match multiples.iter_mut().find(|(known, _)| *known == unit) {
            Some((_, sum)) => *sum = sum.plus(&multiple)?,
            None => multiples.push((unit, multiple)),
        }
    }
    let element = element_size(ctx, row, &plain)?;
    let mut start = 0;
    let mut counted = Vec::new();
    for (factors, coefficient) in plain {
        if factors.is_empty() {
            start = coefficient.rem_euclid(element);
        } else if coefficient % element != 0 {
            return None;
        }
        counted.push((factors, coefficient.div_euclid(element)));
    }
    let counted = CanonicalSum::of_terms(counted)?;
    if !counted.is_zero() {
        multiples.push((element.into(), counted));
    }
    Some(ElementIndex { start, multiples })
}

/// The distance in bytes between neighbouring elements: as declared, or as the terms of a place tell.
fn element_size(ctx: &Lowering, row: ArrayRow, place: &[(Vec<Expression>, i64)]) -> Option<i64> {
    let kind = ctx.symbols.arrays[row.0].kind.innermost();
    if let Some(size) = kind.scalar_size().map(i64::from)
        && matches!(kind, Type::Pointer(_) | Type::Struct(..))
        && 0 < size
    {
        return Some(size);
    }
    let content = ctx.state.memory.rows.get(&row);
    if let Some(size) = content.and_then(|content| content.rows.element_size()) {
        return Some(size);
    }
    let factors = place.iter().filter(|(factors, _)| !factors.is_empty());
    let size = factors.fold(0, |size: i64, (_, factor)| greatest_divisor(size, *factor));
    match size {
        0 => Some(POINTER),
        size => (POINTER <= size).then_some(size),
    }
}

/// Records a pointer that was just stored.
pub(crate) fn record_row_pointer(
    ctx: &mut Lowering,
    row: ArrayRow,
    offset: &Expression,
    value: &Value,
    at: TextRange,
) {
    let pointer = match value {
        Value::Pointer(pointer) if pointer.target == Target::Null => return,
        Value::Pointer(pointer) => Some(pointer),
        _ => None,
    };
    if let Some(at) = offset.as_integer() {
        let content = ctx.state.memory.content(row);
        if content.cell(at, 8).pointer().is_none() {
            record_any_pointer(ctx, row, at);
        }
        return;
    }
    let Some(place) = element_index(ctx, row, offset) else {
        return ctx.state.memory.content_mut(row).rows.lose();
    };
    let pointers = pointer.and_then(|pointer| row_pointers(ctx, &place, pointer));
    if let (Some(Pointer { target, .. }), true) = (pointer, pointers.is_some()) {
        let (name, depth) = (reference_name(ctx, at), ctx.frames.len());
        name_allocation(ctx, target.clone(), &Name::from(name), depth, None);
    }
    let content = ctx.state.memory.content_mut(row);
    content.rows.record(place.start, pointers);
}

/// The line that a stored pointer is on.
fn row_pointers(ctx: &Lowering, place: &ElementIndex, pointer: &Pointer) -> Option<RowPointers> {
    let (Target::Array(row) | Target::Fresh(row)) = pointer.target else {
        return None;
    };
    let offset = CanonicalSum::of(&pointer.offset)?;
    let pointers = RowPointers::of_store(place, &Target::Array(row), &offset)?;
    // What is allocated anew in each iteration is another block each time.
    let is_one = ctx.symbols.arrays[row.0].is_renewed
        && pointers.steps.iter().any(|(_, step)| step.is_zero());
    (!is_one).then_some(pointers)
}

/// A number that is no pointer was stored to a place that is not constant.
pub(crate) fn record_number(ctx: &mut Lowering, row: ArrayRow, offset: &Expression, size: u32) {
    let is_plain = ctx
        .state
        .memory
        .rows
        .get(&row)
        .is_none_or(|content| content.rows.is_empty());
    if is_plain {
        return;
    }
    let place = element_index(ctx, row, offset);
    let rows = &mut ctx.state.memory.content_mut(row).rows;
    match place {
        Some(place) => rows.lose_at(&place, i64::from(size)),
        None => rows.lose(),
    }
}

/// Records that a pointer at a constant place may be any: one of which nothing is known was stored there.
pub(crate) fn record_any_pointer(ctx: &mut Lowering, row: ArrayRow, offset: i64) {
    let pointer = Pointer {
        target: Target::Ambiguous,
        offset: Expression::Data,
        pointee: Rc::new(Type::Void),
    };
    let content = ctx.state.memory.content_mut(row);
    content.rows.drop_pointer(offset, &pointer);
}

/// Where a pointer leads that the program stored to a place that is not known.
pub(crate) fn stored_pointer(
    ctx: &Lowering,
    row: ArrayRow,
    offset: &Expression,
    pointee: &Rc<Type>,
) -> Option<Pointer> {
    if !is_own_array(ctx, row) || ctx.symbols.initial_pointers.contains(&row) {
        return None;
    }
    let content = ctx.state.memory.rows.get(&row)?;
    let place = element_index(ctx, row, offset)?;
    let pointers = content.rows.pointers(place.start)?;
    let Target::Array(array) = pointers.target else {
        return None;
    };
    let agrees = |at: i64, target: &Target, leads: &Expression| {
        let Some(other) = element_index(ctx, row, &at.into()) else {
            return false;
        };
        let (Target::Array(one) | Target::Fresh(one)) = target else {
            return false;
        };
        let line = pointers.offset_at(&other.multiples);
        other.start != place.start
            || (*one == array && line.is_some() && line == CanonicalSum::of(leads))
    };
    let mut dropped = content.rows.dropped();
    let mut cells = content.cells.iter();
    let are_met = dropped.all(|(at, target, leads)| agrees(*at, target, leads))
        && cells.all(|(at, (_, cell))| match cell {
            Cell::Value(Value::Pointer(pointer)) | Cell::MaybePointer(pointer) => {
                agrees(*at, &pointer.target, &pointer.offset)
            }
            // What was stored there is recorded among the dropped pointers.
            Cell::Value(_) | Cell::Since(_) => true,
        });
    let leads = pointers.offset_at(&place.multiples)?.to_expression();
    are_met.then(|| pointer_to(array, leads, pointee))
}

/// Where a pointer leads that the function finds in a table: to a row of an array of its own, as long as the table has
/// had its contents since one version. `None` where another rule applies.
pub(crate) fn given_pointer(
    ctx: &mut Lowering,
    row: ArrayRow,
    offset: &Expression,
    pointee: &Rc<Type>,
    version: MemoryVersion,
    at: TextRange,
) -> Option<Pointer> {
    let version = match offset.as_integer() {
        Some(_) => version,
        None => version_of_table(ctx, row, offset)?,
    };
    if version == MemoryVersion::Varying || ctx.heap_symbols.is_within_loops(version) {
        return None;
    }
    let place = element_index(ctx, row, offset)?;
    let key = (row, place.start, version);
    let rows = match (ctx.heap_symbols.tables.get(&key), offset.as_integer()) {
        (Some(rows), _) => rows.clone(),
        (None, Some(_)) => return None,
        (None, None) if has_own_blocks(ctx, key) => return None,
        (None, None) => {
            let name = reference_name(ctx, at);
            let array = new_pointed_array(ctx, row, &name, pointee, at);
            let rows = new_rows(ctx, array, at);
            ctx.heap_symbols.tables.insert(key, rows.clone());
            rows
        }
    };
    let lengths = lengths_of_units(ctx, row);
    let mut count = CanonicalSum::default();
    for (unit, multiple) in &place.multiples {
        let each = lengths.iter().find(|(known, _)| known == unit);
        let each = CanonicalSum::of(&each.map_or(Expression::Integer(1), |(_, n)| n.clone()))?;
        count = count.plus(&each.times(multiple)?)?;
    }
    let stride = CanonicalSum::of(&Expression::Parameter(rows.stride))?;
    let leads = plus(count.times(&stride)?.to_expression(), ROW_HEADER.into());
    Some(pointer_to(rows.array, leads, pointee))
}

/// The number of pointers for a step of each distance between rows of a table that is an array of rows itself.
fn lengths_of_units(ctx: &Lowering, row: ArrayRow) -> Vec<(Expression, Expression)> {
    let own = ctx
        .heap_symbols
        .rows
        .iter()
        .filter(|rows| rows.array == row);
    own.map(|rows| {
        (
            Expression::Parameter(rows.stride),
            Expression::Parameter(rows.length),
        )
    })
    .collect()
}

/// The version since which all pointers of a member have their values, if it is one.
fn version_of_table(
    ctx: &mut Lowering,
    row: ArrayRow,
    offset: &Expression,
) -> Option<MemoryVersion> {
    let content = ctx.state.memory.content(row);
    let member = member_at(ctx, row, offset, 8);
    let is_stored = content.cells.values().any(|(_, cell)| !cell.is_integer());
    let versions = content.member_versions(member);
    let [version] = versions[..] else { return None };
    ctx.loops.passes.record_array(row, version);
    (!is_stored && !content.rows.has_stores()).then_some(version)
}

/// Whether some pointers of a table were taken to lead to blocks of their own, as those at constant places are.
fn has_own_blocks(ctx: &Lowering, (row, start, version): TableKey) -> bool {
    let mut blocks = ctx.heap_symbols.regions.keys();
    blocks.any(|(other, place, _, since)| {
        let index = place.and_then(|place| element_index(ctx, row, &place.into()));
        *other == row && *since == version && index.is_some_and(|index| index.start == start)
    })
}
